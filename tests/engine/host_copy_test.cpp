// Copies between the host and a GPU, whose memory here is the host's: every element against a loop, and what is on the link.
#include "engine/cuda/host_copy.hpp"

#include "engine/cuda/device_memory.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "tests/support/fake_driver.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace tilewright;
using namespace tilewright::gpu;

namespace {

struct mode {
  std::int64_t extent, stride;
};

composed_value layout_of_modes(std::vector<mode> const& modes) {
  layout_value out{};
  out.open(static_cast<int>(modes.size()));
  for (mode const& m : modes) out.add_leaf(constant_leaf(m.extent), constant_leaf(m.stride));
  return composed(out);
}

/// Strides of a view of larger memory: the modes in some order, with gaps, some reversed.
std::vector<mode> random_view(std::mt19937& random, std::vector<std::int64_t> const& shape, bool reversed,
                              std::int64_t& first, std::int64_t& elements) {
  std::vector<std::size_t> order(shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<mode> out(shape.size());
  std::int64_t step = 1;
  first = 0;
  for (std::size_t const i : order) {
    step *= 1 + static_cast<std::int64_t>(random() % 4 == 0);
    out[i] = {shape[i], step};
    if (reversed && random() % 3 == 0) {
      first += step * (shape[i] - 1);
      out[i].stride = -step;
    }
    step *= shape[i];
  }
  elements = step;
  return out;
}

/// Every coordinate's offset, first mode fastest.
std::vector<std::int64_t> offsets_of(std::vector<mode> const& modes) {
  std::vector<std::int64_t> out{0};
  for (mode const& m : modes) {
    std::vector<std::int64_t> more;
    for (std::int64_t i = 0; i < m.extent; ++i)
      for (std::int64_t const x : out) more.push_back(x + i * m.stride);
    out = more;
  }
  return out;
}

class HostCopies : public testing::Test {
 protected:
  driver_api api = fake::new_driver();
  gpu_device device = open_device(api, 0);
  gpu_engine engine{device, disk_cache({})};

  void copy_and_compare(std::vector<mode> const& host, std::int64_t first, std::int64_t elements,
                        std::vector<mode> const& there, std::int64_t there_elements, bool to_device) {
    std::vector<std::int32_t> mine(static_cast<std::size_t>(elements), -1);
    device_memory memory(device, static_cast<std::size_t>(there_elements) * 4);
    auto* const theirs = static_cast<std::int32_t*>(memory.data());
    std::fill_n(theirs, there_elements, -2);
    for (std::size_t i = 0; to_device && i < mine.size(); ++i) mine[i] = static_cast<std::int32_t>(i);
    for (std::int64_t i = 0; !to_device && i < there_elements; ++i) theirs[i] = static_cast<std::int32_t>(i);
    std::vector<std::int32_t> const before = mine;
    std::vector<std::int32_t> const there_before(theirs, theirs + there_elements);
    tensor_view const a{mine.data() + first, layout_of_modes(host), element_type::b32, cpu};
    tensor_view const b{theirs, layout_of_modes(there), element_type::b32, cuda(0)};
    auto const on_device = [&](const_tensor_view const& from, tensor_view const& to) {
      copy_plan const plan = plan_copy({from.layout, to.layout, 32, 4, 4}, device.machine);
      run(*engine.prepare(plan, kernel_choice::generic), from.pointer, to.pointer, nullptr);
    };
    to_device ? copy_over_link(device, a, b, {}, on_device) : copy_over_link(device, b, a, {}, on_device);
    std::vector<std::int64_t> const from = offsets_of(host), to = offsets_of(there);
    std::vector<std::int32_t> want = to_device ? there_before : before;
    for (std::size_t i = 0; i < from.size(); ++i) {
      auto const h = static_cast<std::size_t>(first + from[i]), d = static_cast<std::size_t>(to[i]);
      if (to_device) want[d] = before[h];
      else want[h] = there_before[d];
    }
    if (to_device) EXPECT_EQ(std::vector<std::int32_t>(theirs, theirs + there_elements), want);
    else EXPECT_EQ(mine, want);
  }
};

TEST_F(HostCopies, RandomViewsBothWays) {
  std::mt19937 random(5);
  for (int n = 0; n < 300; ++n) {
    std::vector<std::int64_t> shape(1 + random() % 4);
    for (auto& extent : shape) extent = 1 + static_cast<std::int64_t>(random() % 9);
    std::int64_t first = 0, elements = 0, none = 0, there_elements = 0;
    auto const host = random_view(random, shape, true, first, elements);
    auto const there = random_view(random, shape, false, none, there_elements);
    copy_and_compare(host, first, elements, there, there_elements, n % 2 == 0);
  }
}

TEST_F(HostCopies, PiecesOfLargeReversedViews) {
  // 2,400,000 elements of 4 bytes in 3 pieces, every second one of a row, rows and columns reversed.
  std::int64_t const rows = 4000, columns = 600;
  for (bool const to_device : {true, false})
    copy_and_compare({{rows, -1200}, {columns, -2}}, rows * 1200 - 2, rows * 1200, {{rows, columns}, {columns, 1}},
                     rows * columns, to_device);
}

TEST_F(HostCopies, RepeatedElementsCrossTheLinkOnce) {
  link_order const order = order_of_link(layout_of_modes({{8, 0}, {4, 3}}), true);
  EXPECT_EQ(order.elements, 4);
  EXPECT_FALSE(order.is_block);
  copy_and_compare({{8, 0}, {4, 3}}, 0, 12, {{8, 4}, {4, 1}}, 32, true);
}

TEST_F(HostCopies, BlocksOfAnyOrderAreSentAsTheyAre) {
  EXPECT_TRUE(order_of_link(layout_of_modes({{8, 5}, {5, 1}}), true).is_block);
  link_order const reversed = order_of_link(layout_of_modes({{8, -5}, {5, 1}}), true);
  EXPECT_TRUE(reversed.is_block);
  EXPECT_EQ(reversed.origin, 35);
  EXPECT_FALSE(order_of_link(layout_of_modes({{8, 10}, {5, 1}}), true).is_block);
}

TEST_F(HostCopies, FailuresNameTheCall) {
  fake::gpu().failing["cuMemcpyAsync"] = cuda_launch_failed;
  std::vector<std::int32_t> mine(12);
  device_memory memory(device, 48);
  tensor_view const a{mine.data(), layout_of_modes({{12, 1}}), element_type::b32, cpu};
  tensor_view const b{memory.data(), layout_of_modes({{12, 1}}), element_type::b32, cuda(0)};
  try {
    copy_over_link(device, a, b, {}, [](const_tensor_view const&, tensor_view const&) {});
    FAIL() << "the copy did not fail";
  } catch (copy_error const& e) {
    EXPECT_NE(std::string(e.what()).find("copy from the host to the device: cuMemcpyAsync"), std::string::npos);
  }
}

}  // namespace
