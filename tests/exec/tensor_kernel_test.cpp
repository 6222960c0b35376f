// Kernels over tensors, launched both ways: the same generic kernel runs plain and checked; checked, faults in its
// tensors are found with the coordinate in their layouts.
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

execution_report fault_of(checked_config const& config, auto const& kernel, auto const&... args) {
  try {
    launch_checked(config, kernel, args...);
  } catch (execution_error const& e) {
    EXPECT_EQ(e.what(), to_string(e.report()));
    return e.report();
  }
  ADD_FAILURE() << "no fault was reported";
  return {};
}

/// A transpose through shared memory; `Padding` columns keep its banks apart, `Sync` is the barrier it needs.
template <int Padding, bool Sync>
constexpr auto transpose = [](auto& block, auto src, auto dst) {
  auto tile = shared<float>(block, make_layout(Shape<_8, _8>{}, Stride<C<8 + Padding>, _1>{}));  // (8, 8)
  int const i = block.thread() % 8;
  int const j = block.thread() / 8;
  auto const row = static_cast<int>(block.index().x) * 8;
  auto const column = static_cast<int>(block.index().y) * 8;
  tile(i, j) = src(row + i, column + j);
  if constexpr (Sync) block.sync();
  dst(column + i, row + j) = tile(j, i);
};

struct matrices {
  std::vector<float> in;
  std::vector<float> out;
  matrices() : in(32 * 16), out(32 * 16) { std::iota(in.begin(), in.end(), 1.0f); }
  auto src() const {
    return make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(32, 16), make_stride(16, 1)));
  }
  auto dst() { return make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(16, 32), make_stride(32, 1))); }
  void expect_transposed() const {
    for (std::size_t i = 0; i < 32; ++i) {
      for (std::size_t j = 0; j < 16; ++j) ASSERT_EQ(out[j * 32 + i], in[i * 16 + j]);
    }
  }
};

}  // namespace

TEST(tensor_kernel, runs_plain_and_checked) {
  matrices plain;
  launch({4, 2}, 64, transpose<1, true>, plain.src(), plain.dst());
  plain.expect_transposed();
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    matrices checked;
    launch_checked({.grid = {4, 2}, .block = 64, .seed = seed}, transpose<1, true>, checked.src(), checked.dst());
    checked.expect_transposed();
  }
}

TEST(tensor_kernel, without_its_barrier_is_reported_at_the_coordinate) {
  matrices m;
  auto const r = fault_of({.grid = {4, 2}, .block = 64}, transpose<1, false>, m.src(), m.dst());
  EXPECT_EQ(r.kind, fault::uninitialised_read);
  EXPECT_EQ(r.thread, 1);
  EXPECT_EQ(r.element_offset, 1);
  EXPECT_EQ(r.coordinate, "(0,1)");
  EXPECT_EQ(to_string(r),
            "uninitialised_read: thread 1 of block (0,0,0) reads coordinate (0,1), offset 1 (byte 4) of "
            "shared memory 0, which no thread of the block has written");
}

TEST(tensor_kernel, names_coordinates_of_nested_and_swizzled_layouts) {
  auto const nested = make_layout(Shape<Shape<_2, _4>, _8>{}, Stride<Stride<_1, C<16>>, _2>{});
  auto const r = fault_of({.grid = 1, .block = 2}, [=](auto& block) {
    auto a = block.template shared<std::int16_t>(nested);
    a(make_coord(1, 2), 3) = std::int16_t(1);
  });
  EXPECT_EQ(r.kind, fault::unordered_write);
  EXPECT_EQ(r.element_offset, 1 + 32 + 6);
  EXPECT_EQ(r.coordinate, "((1,2),3)");

  auto const swizzled = composition(Swizzle<2, 0, 3>{}, make_layout(Shape<_8, _8>{}, Stride<_8, _1>{}));
  auto const s = fault_of({.grid = 1, .block = 2}, [=](auto& block) { shared<int>(block, swizzled)(3, 5) = 1; });
  EXPECT_EQ(s.kind, fault::unordered_write);
  EXPECT_EQ(s.element_offset, swizzled(3, 5));
  EXPECT_NE(s.element_offset, 3 * 8 + 5);
  EXPECT_EQ(s.coordinate, "(3,5)");
}

TEST(tensor_kernel, reports_arguments_out_of_bounds) {
  std::vector<int> data(64);
  auto const whole = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(8, 8)));
  auto const part = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(8, 4)));
  auto const kernel = [](auto& block, auto, auto to) { *(to.data() + (block.thread() + 24)) = 1; };
  launch_checked(1, 8, kernel, whole, part);
  auto const r = fault_of({.grid = {1, 2}, .block = 9}, kernel, whole, part);
  EXPECT_EQ(r.kind, fault::out_of_bounds);
  EXPECT_EQ(r.thread, 8);
  EXPECT_EQ(r.allocation, "argument 1");
  EXPECT_EQ(r.element_offset, 32);
  EXPECT_EQ(r.byte_offset, 128);
  EXPECT_EQ(r.coordinate, "");
}

TEST(tensor_kernel, takes_negative_strides) {
  std::vector<int> data{1, 2, 3, 4, 5, 6};
  auto const reversed = make_tensor(data.data() + 5, make_layout(make_shape(6), make_stride(-1)));
  std::vector<int> out(6);
  auto const to = make_tensor(out.data(), make_layout(make_shape(6)));
  auto const kernel = [](auto& block, auto from, auto dst) { dst(block.thread()) = from(block.thread()); };
  launch_checked(1, 6, kernel, reversed, to);
  EXPECT_EQ(out, (std::vector<int>{6, 5, 4, 3, 2, 1}));
  auto const r = fault_of(
      {.grid = 1, .block = 1}, [](auto&, auto a) { a.data()[-6] = 0; }, reversed);
  EXPECT_EQ(r.kind, fault::out_of_bounds);
  EXPECT_EQ(r.element_offset, -6);
  auto const above = fault_of(
      {.grid = 1, .block = 1}, [](auto&, auto a) { a.data()[1] = 0; }, reversed);
  EXPECT_EQ(above.element_offset, 1);
}

TEST(tensor_kernel, reports_blocks_that_write_the_same_element) {
  std::vector<int> data(16);
  auto const t = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(4, 4)));
  auto const r = fault_of(
      {.grid = 3, .block = 8},
      [](auto& block, auto a) {
        if (block.index().x != 1) a(block.thread()) = 1;
      },
      t);
  EXPECT_EQ(r.kind, fault::unordered_write);
  EXPECT_EQ(r.block, dim3(2, 0, 0));
  EXPECT_EQ(r.other_block, dim3(0, 0, 0));
  EXPECT_EQ(r.thread, 0);
  EXPECT_EQ(r.other_thread, 0);
  EXPECT_EQ(r.coordinate, "(0,0)");
  EXPECT_EQ(to_string(r),
            "unordered_write: thread 0 of block (2,0,0) writes coordinate (0,0), offset 0 (byte 0) of "
            "argument 0, which thread 0 of block (0,0,0) wrote; blocks of one launch are not ordered, use "
            "two launches");
}

TEST(tensor_kernel, reports_blocks_that_read_what_another_writes_even_through_another_argument) {
  std::vector<int> data(16);
  auto const to = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(16)));
  int const* const shifted = data.data() + 4;
  auto const from = make_tensor(make_gmem_ptr(shifted), make_layout(make_shape(12)));
  auto const kernel = [](auto& block, auto dst, auto src) {
    int const i = static_cast<int>(block.index().x) * 4 + block.thread();
    if (i < 12) dst(i) = src(i);  // element i + 4, which the next block writes
  };
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    auto const r = fault_of({.grid = 4, .block = 4, .seed = seed}, kernel, to, from);
    EXPECT_TRUE(r.kind == fault::write_after_read || r.kind == fault::unordered_read) << to_string(r);
    EXPECT_EQ(r.other_thread, r.thread);
    EXPECT_NE(r.other_block, r.block);
  }
  launch_checked({.grid = 4, .block = 4, .track_global = false}, kernel, to, from);
}

TEST(tensor_kernel, may_exchange_through_global_memory_across_a_barrier) {
  std::vector<int> data(32);
  auto const t = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(32)));
  auto const kernel = [](auto& block, auto a, bool wait) {
    int const base = static_cast<int>(block.index().x) * 8;
    a(base + block.thread()) = block.thread();
    if (wait) block.sync();
    int const other = a(base + 7 - block.thread());
    EXPECT_TRUE(!wait || other == 7 - block.thread());
  };
  launch_checked(4, 8, kernel, t, true);
  auto const r = fault_of({.grid = 4, .block = 8}, kernel, t, false);
  EXPECT_EQ(r.kind, fault::write_after_read);  // thread 3 has read thread 4's element
  EXPECT_EQ(r.thread, 4);
  EXPECT_EQ(r.other_thread, 3);
}

TEST(tensor_kernel, locates_what_the_library_refuses) {
  std::vector<int> data(16);
  auto const t = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(4, 4)));
  auto const kernel = [](auto& block, auto a) { a(block.thread(), 0) = 1; };
  if (!TILEWRIGHT_CHECKED) GTEST_SKIP() << "tensors do not look at coordinates in this build";
  auto const r = fault_of({.grid = 1, .block = 8}, kernel, t);
  EXPECT_EQ(r.kind, fault::out_of_bounds);
  EXPECT_EQ(r.thread, 4);
  EXPECT_EQ(std::string(r.detail).rfind("tensor: the coordinate", 0), 0u) << r.detail;
}

TEST(tensor_kernel, watches_packed_elements_by_their_bytes) {
  auto const layout = make_layout(Shape<_16>{});
  auto const kernel = [=](auto& block, int each) {
    auto a = block.template shared<int4b_t>(layout);
    for (int i = 0; i < each; ++i) a(block.thread() * each + i) = int4b_t(i - 3);
    block.sync();
    EXPECT_EQ(static_cast<int>(static_cast<int4b_t>(a(block.thread() * each + each - 1))), each - 4);
  };
  launch(1, 8, kernel, 2);
  launch_checked(1, 8, kernel, 2);
  auto const r = fault_of({.grid = 1, .block = 16}, kernel, 1);  // two threads share a byte
  EXPECT_EQ(r.kind, fault::unordered_write);
  EXPECT_EQ(r.thread, 1);
  EXPECT_EQ(r.other_thread, 0);

  std::vector<unsigned char> bytes(4);
  auto const packed = make_tensor(make_gmem_ptr(reinterpret_cast<int4b_t*>(bytes.data())), make_layout(make_shape(8)));
  launch_checked(
      1, 1,
      [](auto&, auto a) {
        for (int i = 0; i < 8; ++i) a(i) = int4b_t(i - 8);
      },
      packed);
  EXPECT_EQ(bytes, (std::vector<unsigned char>{0x98, 0xba, 0xdc, 0xfe}));
}

TEST(tensor_kernel, watches_recast_tensors) {
  std::vector<float> data(16);
  auto const t = make_tensor(make_gmem_ptr(data.data()), make_layout(Shape<_16>{}));
  launch_checked(
      1, 4, [](auto& block, auto a) { recast<std::uint64_t>(a)(block.thread()) = 0x3f8000003f800000u; }, t);
  EXPECT_EQ(data[7], 1.0f);
  EXPECT_EQ(data[8], 0.0f);
}
