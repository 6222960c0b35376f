// Bounds: tiled copies of problems that no tile divides. In every dimension, for ranks 1 to 3, exactly the
// elements inside arrive and nothing beyond is read or written (the sanitizers watch the reads, canaries the
// writes).
#include <gtest/gtest.h>

#include <vector>

#include "memory_check.hpp"
#include "tilewright/algorithm/bounds.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright {
namespace {

using tests::guarded;
using tests::number;

template <int Bits>
using atom = Copy_Atom<UniversalCopy<uint_bit_t<Bits>>, float>;

/// Copies an M×N corner of an exactly allocated matrix through tiles that overhang it. Columns are `pitch`
/// apart.
template <class Copy, class Tile>
void expect_ragged_matrix(Copy const& tiled, Tile const& tile, int m, int n, int pitch) {
  std::vector<float> source(static_cast<std::size_t>(pitch * (n - 1) + m));  // not one element more
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i);
  guarded<float> target(static_cast<std::size_t>(pitch * n), -1.0f);
  auto const layout = make_layout(make_shape(m, n), make_stride(_1{}, multiple_of<4>(pitch)));
  auto const s = make_tensor(static_cast<float const*>(source.data()), layout);
  auto const d = make_tensor(target.data(), layout);
  auto const extents = make_shape(m, n);
  int const tile_m = static_cast<int>(size<0>(tile)), tile_n = static_cast<int>(size<1>(tile));
  for (int p = 0; p < (m + tile_m - 1) / tile_m; ++p)
    for (int q = 0; q < (n + tile_n - 1) / tile_n; ++q)
      for (int t = 0; t < Copy::TiledNumThr::value + 3; ++t) {
        auto const coord = make_coord(p, q);
        auto const mine = tiled.get_slice(t);
        auto const bounds = make_bounds(mine, extents, tile, coord);
        copy(tiled, mine.partition_S(local_tile(s, tile, coord)), mine.partition_D(local_tile(d, tile, coord)), bounds);
      }
  for (int i = 0; i < pitch; ++i)
    for (int j = 0; j < n; ++j) {
      auto const at = static_cast<std::size_t>(i + pitch * j);
      ASSERT_EQ(target[at], i < m ? source[at] : -1.0f) << i << ", " << j << " of " << m << "x" << n;
    }
  ASSERT_TRUE(target.margins_are(-1.0f));
}

TEST(Bounds, MatricesOfEveryRemainder) {
  auto const tiled = make_tiled_copy(atom<128>{}, Layout<Shape<_2, _4>>{}, Layout<Shape<_4, _1>>{});  // (8, 4)
  for (int m = 1; m <= 17; ++m)
    for (int n = 1; n <= 9; n += m % 3 + 1) expect_ragged_matrix(tiled, Shape<_8, _4>{}, m, n, 20);
}

TEST(Bounds, TilesOfSeveralRepetitions) {
  auto const tiled = make_tiled_copy(atom<64>{}, Layout<Shape<_2, _2>>{}, Layout<Shape<_4, _2>>{});  // (8, 4)
  for (int const m : {1, 7, 15, 16, 17, 31}) expect_ragged_matrix(tiled, Shape<_16, _8>{}, m, 33 - m, 32);
}

TEST(Bounds, Lines) {
  auto const tiled = make_tiled_copy(atom<128>{}, Layout<_8>{}, Layout<_4>{});
  for (int n = 1; n <= 70; ++n) {
    std::vector<float> source(static_cast<std::size_t>(n), 2.0f);
    guarded<float> target(static_cast<std::size_t>(n), -1.0f);
    auto const s = make_tensor(static_cast<float const*>(source.data()), make_layout(make_shape(n)));
    auto const d = make_tensor(target.data(), make_layout(make_shape(n)));
    for (int p = 0; p < (n + 31) / 32; ++p)
      for (int t = 0; t < 10; ++t) {
        auto const mine = tiled.get_slice(t);
        copy(tiled, mine.partition_S(local_tile(s, Shape<_32>{}, make_coord(p))),
             mine.partition_D(local_tile(d, Shape<_32>{}, make_coord(p))),
             make_bounds(mine, make_shape(n), Shape<_32>{}, make_coord(p)));
      }
    for (int i = 0; i < n; ++i) ASSERT_EQ(target[static_cast<std::size_t>(i)], 2.0f);
    ASSERT_TRUE(target.margins_are(-1.0f));
  }
}

/// Row-major volumes, where the last mode is the contiguous one; bounds made by hand from an identity tensor.
TEST(Bounds, Volumes) {
  auto const tiled = make_tiled_copy(atom<64>{}, Layout<Shape<_2, _2, _2>, Stride<_4, _2, _1>>{},
                                     Layout<Shape<_1, _2, _2>, Stride<_0, _2, _1>>{});  // (2, 4, 4)
  auto const tile = Shape<_2, _4, _4>{};
  for (int a = 1; a <= 3; ++a)
    for (int b = 3; b <= 6; ++b)
      for (int c = 1; c <= 9; c += 2) {
        int const pitch = (c + 1) / 2 * 2;
        auto const layout = make_layout(make_shape(a, b, c), make_stride(b * pitch, multiple_of<2>(pitch), _1{}));
        std::vector<float> source(static_cast<std::size_t>(number(cosize(layout))), 2.0f);
        guarded<float> target(static_cast<std::size_t>(a * b * pitch), -1.0f);
        auto const s = make_tensor(static_cast<float const*>(source.data()), layout);
        auto const d = make_tensor(target.data(), layout);
        auto const where = make_identity_tensor(make_shape(a, b, c));
        for (int p = 0; p < (a + 1) / 2; ++p)
          for (int q = 0; q < (b + 3) / 4; ++q)
            for (int r = 0; r < (c + 3) / 4; ++r)
              for (int t = 0; t < 8; ++t) {
                auto const coord = make_coord(p, q, r);
                auto const mine = tiled.get_slice(t);
                auto const bounds = make_bounds(mine.partition_S(local_tile(where, tile, coord)), make_shape(a, b, c));
                copy(tiled, mine.partition_S(local_tile(s, tile, coord)), mine.partition_D(local_tile(d, tile, coord)),
                     bounds);
              }
        for (int i = 0; i < a * b * pitch; ++i)
          ASSERT_EQ(target[static_cast<std::size_t>(i)], i % pitch < c ? 2.0f : -1.0f);
        ASSERT_TRUE(target.margins_are(-1.0f));
      }
}

}  // namespace
}  // namespace tilewright
