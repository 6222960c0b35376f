// Where TMA copies start in shared memory: at the pointer before the swizzle, which is the swizzled one at multiples of the
// swizzle's period. Other starts are refused.
#include "tilewright/atom/tma_start.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/tensor/sparse.hpp"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

struct alignas(1024) memory_of_tiles {
  std::uint16_t halves[2048];
};

/// `tile` starts `expected` halves after the memory's start.
template <class Tile>
void expect_start(Tile const& tile, memory_of_tiles const& memory, std::ptrdiff_t expected) {
  EXPECT_EQ(detail::start_of_boxes(tile) - memory.halves, expected);
}
template <class Tile>
void expect_refused(Tile const& tile, long long swizzle_bytes, long long period_bytes) {
  if (!TILEWRIGHT_CHECKED) return;
  try {
    (void)detail::start_of_boxes(tile);
    FAIL();
  } catch (layout_error const& e) {
    EXPECT_EQ(e.cause().code, errc::tma_swizzle_start);
    EXPECT_EQ(e.cause().first, swizzle_bytes);
    EXPECT_EQ(e.cause().second, period_bytes);
  }
}

using rows_of_64 = Layout<Shape<_8, _64>, Stride<_64, _1>>;

TEST(tma_start, of_pointers_with_swizzles_is_the_pointer_at_multiples_of_the_period) {
  static memory_of_tiles memory;
  auto const at = [&](auto swizzle, int offset) {
    return make_tensor(make_smem_ptr(make_swizzle_ptr(memory.halves, swizzle)) + offset, rows_of_64{});
  };
  for (int offset : {0, 512, 1024, 1536}) expect_start(at(Swizzle<3, 4, 3>{}, offset), memory, offset);
  for (int offset : {64, 72, 256, 768}) expect_refused(at(Swizzle<3, 4, 3>{}, offset), 128, 1024);
  for (int offset : {0, 256, 768}) expect_start(at(Swizzle<2, 4, 3>{}, offset), memory, offset);
  expect_refused(at(Swizzle<2, 4, 3>{}, 64), 64, 512);
  for (int offset : {0, 128, 640}) expect_start(at(Swizzle<1, 4, 3>{}, offset), memory, offset);
  expect_refused(at(Swizzle<1, 4, 3>{}, 64), 32, 256);
  for (int offset : {0, 64, 72}) expect_start(at(Swizzle<0, 4, 3>{}, offset), memory, offset);
}

TEST(tma_start, of_layouts_with_swizzles_is_the_offset_below) {
  static memory_of_tiles memory;
  auto const at = [&](auto swizzle, auto offset) {
    return make_tensor(make_smem_ptr(memory.halves), make_composed_layout(swizzle, offset, rows_of_64{}));
  };
  expect_start(at(Swizzle<3, 3, 3>{}, C<512>{}), memory, 512);
  for (int offset : {0, 512, 1024}) expect_start(at(Swizzle<3, 3, 3>{}, offset), memory, offset);
  for (int offset : {64, 72, 256}) expect_refused(at(Swizzle<3, 3, 3>{}, offset), 128, 1024);
  expect_start(at(Swizzle<0, 3, 3>{}, 64), memory, 64);
}

TEST(tma_start, of_sparse_and_narrow_elements_is_that_of_the_bytes) {
  static memory_of_tiles memory;
  auto const sparse = recast_ptr<sparse_elem<2, std::uint16_t>>(memory.halves);
  auto const tile = make_tensor(make_smem_ptr(make_swizzle_ptr(sparse, Swizzle<3, 4, 3>{})) + 1024, rows_of_64{});
  EXPECT_EQ(static_cast<void*>(detail::start_of_boxes(tile)), static_cast<void*>(memory.halves + 512));

  auto const fours = make_swizzle_ptr(recast_ptr<uint4b_t>(memory.halves), Swizzle<3, 4, 3>{});
  auto const box = detail::start_of_boxes(make_tensor(make_smem_ptr(fours) + 2048, Layout<_64>{}));
  EXPECT_EQ(static_cast<void*>(detail::box_address(box)), static_cast<void*>(memory.halves + 512));
  expect_refused(make_tensor(make_smem_ptr(fours) + 256, Layout<_64>{}), 128, 1024);
}

}  // namespace
