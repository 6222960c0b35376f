// partition_S and partition_D of a tile whose extents are those of the tiler, mode by mode, and whose profile is another.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <vector>

using namespace cute;

namespace {

/// A thread's share of a tile (16,8), by a copy whose tiler is (16,8) as (T0,T1).
template <class Tiler, class Tile>
void expect_share_of_rows(Tile const& tile) {
  using Atom = Copy_Atom<UniversalCopy<int>, int>;
  TiledCopy<Atom, Layout<Shape<_16, _8>, Stride<_1, _16>>, Tiler> const tiled{};
  for (int thread = 0; thread < 16; ++thread) {
    auto const mine = tiled.get_slice(thread).partition_S(tile);
    ASSERT_EQ(size(mine), 8);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(mine(i), tile(thread, i)) << thread << "," << i;
  }
}
TEST(compat_tiler_profile, whole_tiles_of_another_profile) {
  std::vector<int> memory(128);
  for (int i = 0; i < 128; ++i) memory[static_cast<std::size_t>(i)] = i;
  auto* const first = memory.data();
  using Tiler = Shape<Shape<_4, _4>, Shape<_2, _4>>;
  expect_share_of_rows<Tiler>(make_tensor(first, Layout<Shape<_16, _8>>{}));
  expect_share_of_rows<Tiler>(make_tensor(first, Layout<Shape<_16, _8>, Stride<_8, _1>>{}));
  expect_share_of_rows<Tiler>(make_tensor(first, Layout<Shape<Shape<_4, _4>, Shape<_2, _4>>>{}));
  expect_share_of_rows<Tiler>(
      make_tensor(first, Layout<Shape<Shape<_2, _8>, Shape<_4, _2>>, Stride<Stride<_4, _8>, Stride<_1, _64>>>{}));
}

}  // namespace
