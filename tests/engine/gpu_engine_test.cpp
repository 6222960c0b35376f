// Plans run on a driver without a GPU: how each is run, what is checked first, in which context and stream, and what a
// failing call becomes. The precompiled kernel runs for real, on the host's memory.
#include "engine/cuda/gpu_engine.hpp"
#include "engine/cuda/device_memory.hpp"
#include "tilewright/layout/text.hpp"

#include "fake_driver.hpp"
#include "random_copies.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace tilewright;
using namespace tilewright::gpu;

namespace {

class gpu_engine_test : public testing::Test {
 protected:
  gpu_engine_test() : api(no_compiler()), device(open_device(api, 0)), engine(device, disk_cache({})) {}

  /// The precompiled kernel alone: what compiling adds is tested on GPUs.
  static driver_api no_compiler() {
    ::setenv("TILEWRIGHT_NVRTC", "none", 1);
    return fake::new_driver();
  }

  copy_plan plan_of(composed_value const& src, composed_value const& dst, int bits) const {
    copy_plan plan;
    plan.moves = make_movement(src, dst, bits);
    plan.machine = device.machine;
    return plan;
  }
  copy_plan plan_of(char const* src, char const* dst, int bits) const {
    return plan_of({{}, constant_leaf(0), parse_layout(src)}, {{}, constant_leaf(0), parse_layout(dst)}, bits);
  }

  template <class F>
  static void expect_error(copy_errc code, char const* part, F&& f) {
    try {
      f();
      ADD_FAILURE() << "no error: " << part;
    } catch (copy_error const& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  driver_api api;
  gpu_device device;
  gpu_engine engine;
};

TEST_F(gpu_engine_test, random_layouts_arrive) {
  tests::random_copies copies(3, 2000);
  for (int i = 0; i < 300; ++i) {
    auto const c = copies.next();
    auto plan = plan_of(c.src, c.dst, c.element_bits);
    if (i % 2 == 0) plan.moves = widened(plan.moves, 16, 16);
    auto const prepared = engine.prepare(plan);
    auto const src = tests::random_bytes(std::size_t(c.bytes_of(c.src_elements)), std::uint64_t(2 * i));
    auto const before = tests::random_bytes(std::size_t(c.bytes_of(c.dst_elements)), std::uint64_t(2 * i + 1));
    device_memory from(device, src.size()), to(device, before.size());
    from.upload(src.data(), src.size());
    to.upload(before.data(), before.size());
    run(*prepared, from.data(), to.data(), nullptr);
    std::vector<std::uint8_t> got(before.size());
    to.download(got.data(), got.size());
    ASSERT_EQ(got, c.expected(src, before)) << c.text();
    ASSERT_TRUE(fake::gpu().stack.empty());
  }
}

TEST_F(gpu_engine_test, each_plan_has_its_way) {
  auto const way = [&](char const* src, char const* dst, int bits) {
    return engine.prepare(plan_of(src, dst, bits))->method;
  };
  EXPECT_EQ(way("(4,0):(1,4)", "(4,0):(1,4)", 32), copy_method::nothing);
  EXPECT_EQ(way("(4,8):(1,4)", "(4,8):(1,4)", 32), copy_method::bytes);
  EXPECT_EQ(way("1:1", "1:1", 32), copy_method::bytes);
  EXPECT_EQ(way("7:1", "7:1", 4), copy_method::generic);  // the last half byte's neighbour stays
  EXPECT_EQ(way("8:1", "8:1", 4), copy_method::bytes);
  EXPECT_EQ(way("(4,8):(8,1)", "(4,8):(1,4)", 32), copy_method::generic);
  EXPECT_EQ(way("8:0", "8:1", 32), copy_method::generic);
  EXPECT_EQ(engine.prepare(plan_of("(4,8):(1,4)", "(4,8):(1,4)", 32), kernel_choice::generic)->method,
            copy_method::generic);
  copy_plan for_cpu = plan_of("8:1", "8:1", 32);
  for_cpu.machine = machine_model();
  for_cpu.machine.name = "a CPU of a test";
  expect_error(copy_errc::bad_option, "was made for a CPU (a CPU of a test)", [&] { engine.prepare(for_cpu); });
}

TEST_F(gpu_engine_test, few_bytes_are_copied_by_a_kernel_and_many_by_the_driver) {
  for (std::size_t const bytes : {1u, 15u, 16u, 17u, 255u, 4096u, 4097u, 65535u, 65536u, 65537u, 200000u})
    for (std::size_t const shift : {0u, 1u, 16u}) {
      std::string const layout = std::to_string(bytes) + ":1";
      auto const prepared = engine.prepare(plan_of(layout.c_str(), layout.c_str(), 8));
      auto const src = tests::random_bytes(bytes, bytes), before = tests::random_bytes(bytes + 64, bytes + 1);
      auto wanted = before;
      std::copy(src.begin(), src.end(), wanted.begin() + static_cast<std::ptrdiff_t>(shift));
      device_memory from(device, bytes), to(device, before.size());
      from.upload(src.data(), bytes);
      to.upload(before.data(), before.size());
      fake::gpu().launches.clear();
      run(*prepared, from.data(), static_cast<char*>(to.data()) + shift, nullptr);
      EXPECT_EQ(fake::gpu().launches.size(), bytes <= 65536 ? 1u : 0u) << bytes;
      std::vector<std::uint8_t> got(before.size());
      to.download(got.data(), got.size());
      EXPECT_EQ(got, wanted) << bytes << " bytes, shifted by " << shift;
    }
}

TEST_F(gpu_engine_test, half_bytes_take_two_launches) {
  auto const prepared = engine.prepare(plan_of("(4,8):(8,1)", "(4,8):(1,4)", 4));
  device_memory from(device, 16), to(device, 16);
  run(*prepared, from.data(), to.data(), nullptr);
  ASSERT_EQ(fake::gpu().launches.size(), 2u);
  EXPECT_EQ(fake::gpu().launches[0].half, 0);
  EXPECT_EQ(fake::gpu().launches[1].half, 1);
}

TEST_F(gpu_engine_test, a_given_stream_is_not_waited_for_and_names_the_context) {
  auto const prepared = engine.prepare(plan_of("(4,8):(8,1)", "(4,8):(1,4)", 32));
  device_memory from(device, 128), to(device, 128);
  fake::gpu().calls.clear();
  run(*prepared, from.data(), to.data(), nullptr);
  EXPECT_EQ(fake::gpu().calls["cuStreamSynchronize"], 1);
  EXPECT_EQ(fake::gpu().launches.back().stream, nullptr);
  auto const stream = fake::stream_of(0);
  fake::gpu().stack = {fake::context_of(1)};  // the caller works on the other device
  run(*prepared, from.data(), to.data(), stream);
  EXPECT_EQ(fake::gpu().calls["cuStreamSynchronize"], 1);
  EXPECT_EQ(fake::gpu().launches.back().stream, stream);
  EXPECT_EQ(fake::gpu().launches.back().device, 0);
  EXPECT_EQ(fake::gpu().stack, std::vector<context_handle>{fake::context_of(1)});
  expect_error(copy_errc::bad_option, "the stream to copy in belongs to CUDA device 1 and the tensors to device 0",
               [&] { run(*prepared, from.data(), to.data(), fake::stream_of(1)); });
  EXPECT_EQ(fake::gpu().stack.size(), 1u);
}

TEST_F(gpu_engine_test, pointers_are_checked_before_anything_starts) {
  auto const prepared = engine.prepare(plan_of("(4,8):(8,1)", "(4,8):(1,4)", 32));
  device_memory from(device, 256), to(device, 256);
  std::vector<float> host(64);
  auto* const at = static_cast<char*>(to.data());
  expect_error(copy_errc::bad_pointer, "the source is a null pointer", [&] { run(*prepared, nullptr, at, nullptr); });
  expect_error(copy_errc::bad_pointer, "is not a multiple of 4 bytes",
               [&] { run(*prepared, from.data(), at + 2, nullptr); });
  expect_error(copy_errc::bad_pointer, "is ordinary host memory, which Fake GPU (CUDA device 0) cannot reach",
               [&] { run(*prepared, host.data(), at, nullptr); });
  auto const other = open_device(api, 1);
  device_memory far_away(other, 256);
  expect_error(copy_errc::bad_pointer, "is memory of CUDA device 1, which device 0 cannot reach",
               [&] { run(*prepared, from.data(), far_away.data(), nullptr); });
  EXPECT_TRUE(fake::gpu().launches.empty());
}

TEST_F(gpu_engine_test, failures_say_what_was_being_run) {
  auto const prepared = engine.prepare(plan_of("(4,8):(8,1)", "(4,8):(1,4)", 32));
  device_memory from(device, 128), to(device, 128);
  fake::gpu().failing["cuLaunchKernel"] = cuda_launch_out_of_resources;
  expect_error(
      copy_errc::device_failed,
      "copy (4: src 8, dst 1 · 8: src 1, dst 4, elements of 32 bits) on Fake GPU with kernel tilewright_copy_32_32, "
      "grid 1 x 1 x 1, 256 threads, 0 bytes of shared memory: cuLaunchKernel failed with CUDA_ERROR_OF_A_TEST",
      [&] { run(*prepared, from.data(), to.data(), nullptr); });
  EXPECT_TRUE(fake::gpu().stack.empty());
  fake::gpu().failing = {{"cuStreamSynchronize", cuda_illegal_address}};
  expect_error(copy_errc::device_failed, "left its memory", [&] { run(*prepared, from.data(), to.data(), nullptr); });
  fake::gpu().failing = {{"cuLibraryLoadData", cuda_unsupported_ptx_version}};
  expect_error(copy_errc::device_failed, "load kernel tilewright_copy_8_32 on Fake GPU: cuLibraryLoadData failed",
               [&] { engine.prepare(plan_of("(4,8):(8,1)", "(4,8):(1,4)", 8)); });
  fake::gpu().failing.clear();
  EXPECT_NO_THROW(engine.prepare(plan_of("(4,8):(8,1)", "(4,8):(1,4)", 8)));
}

TEST_F(gpu_engine_test, runs_are_timed_by_events) {
  auto const prepared = engine.prepare(plan_of("(4,8):(8,1)", "(4,8):(1,4)", 32));
  device_memory from(device, 128), to(device, 128);
  EXPECT_DOUBLE_EQ(seconds_of(*prepared, from.data(), to.data(), 4), 0.002);  // 8 ms between the events
  EXPECT_EQ(fake::gpu().launches.size(), 5u);
  EXPECT_EQ(fake::gpu().calls["cuEventCreate"], 2);
  EXPECT_EQ(fake::gpu().calls["cuEventDestroy"], 2);
}

}  // namespace
