// local_tile and the partitions it rests on: which tile a block gets, with full and short coordinates, `_`,
// projections, and by outer_partition the same element of every tile.
#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <vector>

#include "tilewright/tensor/partition.hpp"

namespace tilewright {
namespace {

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

/// Offsets instead of data: element (m, n) of the matrix is 100 * m + n.
constexpr auto matrix = make_counting_tensor(Layout<Shape<_12, _20>, Stride<Int<100>, _1>>{});

constexpr bool every_tile() {
  for (int p = 0; p < 3; ++p)
    for (int q = 0; q < 4; ++q) {
      auto const tile = local_tile(matrix, Shape<_4, _5>{}, make_coord(p, q));
      auto const same_tile = inner_partition(matrix, Shape<_4, _5>{}, make_coord(p, q));
      auto const by_index = local_tile(matrix, Shape<_4, _5>{}, p + 3 * q);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j) {
          int const want = 100 * (4 * p + i) + 5 * q + j;
          if (tile(i, j) != want || same_tile(i, j) != want || by_index(i, j) != want) return false;
        }
    }
  return true;
}
static_assert(every_tile());
static_assert(same<decltype(local_tile(matrix, Shape<_4, _5>{}, make_coord(0, 0)).layout()),
                   Layout<Shape<_4, _5>, Stride<Int<100>, _1>>>);

/// What the coordinate leaves open stays as modes behind the tile's; a short coordinate is filled up with
/// `_`.
constexpr bool open_modes() {
  auto const column = local_tile(matrix, Shape<_4, _5>{}, make_coord(_, 2));
  auto const row = local_tile(matrix, Shape<_4, _5>{}, make_coord(1, _));
  auto const short_coordinate = local_tile(matrix, Shape<_4, _5>{}, make_coord(1));
  auto const all = local_tile(matrix, Shape<_4, _5>{}, make_coord(_, _));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j)
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 4; ++q) {
          int const in_tile = 100 * i + j;
          if (column(i, j, p) != in_tile + 400 * p + 10 || row(i, j, q) != in_tile + 400 + 5 * q) return false;
          if (short_coordinate(i, j, q) != in_tile + 400 + 5 * q || all(i, j, p, q) != in_tile + 400 * p + 5 * q)
            return false;
        }
  return rank_v<decltype(column)> == 3 && rank_v<decltype(short_coordinate)> == 3 && rank_v<decltype(all)> == 4;
}
static_assert(open_modes());

/// A tiler of fewer modes than the tensor tiles the first ones; the others are rest.
constexpr bool higher_rank() {
  auto const batch = make_counting_tensor(make_layout(make_shape(_8{}, _6{}, 3), make_stride(_1{}, _8{}, 48)));
  auto const tile = local_tile(batch, Shape<_4, _3>{}, make_coord(1, 1, 2));
  auto const every_batch = local_tile(batch, Shape<_4, _3>{}, make_coord(1, 1));
  auto const one_mode = local_tile(batch, make_tile(_4{}), make_coord(1, 4, 2));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      for (int b = 0; b < 3; ++b) {
        int const first = 4 + i + 8 * (3 + j);
        if (every_batch(i, j, b) != first + 48 * b || tile(i, j) != first + 96 || one_mode(i) != 4 + i + 32 + 96)
          return false;
      }
  return true;
}
static_assert(higher_rank());

/// A projection applies a larger problem's tiler and coordinate to the modes that are not X.
constexpr bool projections() {
  auto const a = make_counting_tensor(Layout<Shape<_16, _12>, Stride<_1, _16>>{});      // (M, K)
  auto const b = make_counting_tensor(Layout<Shape<_20, _12>, Stride<_12, _1>>{});      // (N, K)
  auto const c = make_counting_tensor(make_layout(make_shape(16, 20), LayoutRight{}));  // (M, N)
  auto const tiler = Shape<_8, _5, _4>{};
  for (int m = 0; m < 2; ++m)
    for (int n = m; n < 4; n += 2) {
      auto const coord = make_coord(m, n, _);
      auto const tile_a = local_tile(a, tiler, coord, Step<_1, X, _1>{});  // (8, 4, k)
      auto const tile_b = local_tile(b, tiler, coord, Step<X, _1, _1>{});  // (5, 4, k)
      auto const tile_c = local_tile(c, tiler, coord, Step<_1, _1, X>{});  // (8, 5)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 5; ++j)
          for (int l = 0; l < 4; ++l)
            for (int k = j % 2; k < 3; k += 2) {
              if (tile_a(i, l, k) != 8 * m + i + 16 * (4 * k + l)) return false;
              if (tile_b(j, l, k) != 12 * (5 * n + j) + 4 * k + l) return false;
              if (tile_c(i, j) != 20 * (8 * m + i) + 5 * n + j) return false;
            }
    }
  return true;
}
static_assert(projections());

/// The element at one position of every tile.
constexpr bool outer_partitions() {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) {
      auto const share = outer_partition(matrix, Shape<_4, _5>{}, make_coord(i, j));
      auto const by_index = outer_partition(matrix, Shape<_4, _5>{}, i + 4 * j);
      auto const rows = outer_partition(matrix, Shape<_4, _5>{}, make_coord(i));
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 4; ++q) {
          int const want = 100 * (4 * p + i) + 5 * q + j;
          if (share(p, q) != want || by_index(p, q) != want || rows(j, p, q) != want) return false;
        }
    }
  return true;
}
static_assert(outer_partitions());

/// Tilers with layouts for modes: every second row, blocks of two columns ten apart.
constexpr bool tilers_of_layouts() {
  auto const tile =
      local_tile(matrix, make_tile(Layout<_6, _2>{}, Layout<Shape<_2, _2>, Stride<_1, _10>>{}), make_coord(1, 3));
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k)
        if (tile(i, make_coord(j, k)) != 100 * (2 * i + 1) + 6 + j + 10 * k) return false;
  return true;
}
static_assert(tilers_of_layouts());

TEST(Tile, DataIsSharedNotCopied) {
  std::vector<int> data(240);
  std::iota(data.begin(), data.end(), 0);
  auto const t = make_tensor(data.data(), make_shape(12, _20{}), make_stride(20, _1{}));
  for (int p = 0; p < 3; ++p)
    for (int q = 0; q < 4; ++q) {
      auto const tile = local_tile(t, make_shape(4, _5{}), make_coord(p, q));
      EXPECT_EQ(&tile(0, 0), &data[static_cast<std::size_t>(80 * p + 5 * q)]);
      for (int i = 0; i < 20; ++i) tile(i) = -1 - (p + 3 * q);
    }
  for (int m = 0; m < 12; ++m)
    for (int n = 0; n < 20; ++n) EXPECT_EQ(t(m, n), -1 - (m / 4 + 3 * (n / 5)));
}

TEST(Tile, DivisionsOfTensors) {
  std::vector<int> data(240);
  std::iota(data.begin(), data.end(), 0);
  auto const t = make_tensor(make_smem_ptr(data.data()), Layout<Shape<_12, _20>>{});
  auto const logical = logical_divide(t, Shape<_4, _5>{});
  auto const zipped = zipped_divide(t, Shape<_4, _5>{});
  auto const tiled = tiled_divide(t, Shape<_4, _5>{});
  auto const flat = flat_divide(t, Shape<_4, _5>{});
  for (int m = 0; m < 12; ++m)
    for (int n = 0; n < 20; ++n) {
      auto const in = make_coord(m % 4, n % 5), of = make_coord(m / 4, n / 5);
      bool const agree = logical(make_coord(m % 4, m / 4), make_coord(n % 5, n / 5)) == t(m, n) &&
                         zipped(in, of) == t(m, n) && tiled(in, m / 4, n / 5) == t(m, n) &&
                         flat(m % 4, n % 5, m / 4, n / 5) == t(m, n);
      ASSERT_TRUE(agree) << m << ", " << n;
    }
  static_assert(is_smem_v<decltype(zipped)::iterator>);
}

#if TILEWRIGHT_CHECKED
TEST(Tile, ATileBeyondTheTensorIsRefused) {
  auto const t = make_counting_tensor(make_layout(make_shape(12, 20)));
  EXPECT_THROW((void)local_tile(t, Shape<_4, _5>{}, make_coord(3, 0)), layout_error);
  EXPECT_THROW((void)local_tile(t, Shape<_4, _5>{}, make_coord(0, -1)), layout_error);
  EXPECT_NO_THROW((void)local_tile(t, Shape<_4, _5>{}, make_coord(2, 3)));
}
#endif

}  // namespace
}  // namespace tilewright
