// The tiled copies of the documents with the numbers they print, the rule by which a value layout counts
// values or atoms, copies declared by a thread-value layout, and the views a copy gives of itself.
#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "coverage.hpp"

namespace tilewright {
namespace {

using tests::number;
using tests::plain;
using tests::plain_layout;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

template <int Bits, class T>
using atom = Copy_Atom<UniversalCopy<uint_bit_t<Bits>>, T>;

// --- the rule
// --------------------------------------------------------------------------------------------------------
// An atom of 4 floats and a value layout of (1,1): fewer values than one atom's, so it counts atoms.
using Sixteen = decltype(make_tiled_copy(atom<128, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{}));
static_assert(same<Sixteen::Tiler_MN, Shape<_16, _8>> && Sixteen::TiledNumThr::value == 32 &&
              Sixteen::TiledNumVal::value == 4);
static_assert(same<decltype(make_tiled_copy(atom<128, float>{}, Layout<Shape<_4, _8>>{})),
                   decltype(make_tiled_copy(atom<128, float>{}, Layout<Shape<_4, _8>>{}, Layout<_1>{}))>);
// (2,1): two atoms along mode 0.
using ThirtyTwo = decltype(make_tiled_copy(atom<128, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_2, _1>>{}));
static_assert(same<ThirtyTwo::Tiler_MN, Shape<_32, _8>> && ThirtyTwo::TiledNumVal::value == 8);
// 8 values of 16 bits for an atom of 128: values.
using Preview = decltype(make_tiled_copy(atom<128, std::uint16_t>{}, Layout<Shape<_8, _4>>{}, Layout<Shape<_8>>{}));
static_assert(same<Preview::Tiler_MN, Shape<_64, _4>> &&
              same<Preview::TiledLayout_TV, Layout<Shape<_32, _8>, Stride<_8, _1>>>);
// The same atoms either way: (4,1) values and (1,1) atoms of 4 are one copy.
static_assert(
    same<Sixteen, decltype(make_tiled_copy(atom<128, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _1>>{}))>);
static_assert(
    same<decltype(make_tiled_copy(atom<128, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _3>>{}))::Tiler_MN,
         Shape<_16, _24>>);

// --- partitions as printed
// -------------------------------------------------------------------------------------------
constexpr auto wide_matrix = make_counting_tensor(Layout<Shape<_128, _128>>{});
static_assert(
    same<decltype(Sixteen{}.get_slice(0).partition_S(make_counting_tensor(Layout<Shape<_16, _8>>{})).layout()),
         Layout<Shape<Shape<_4, _1>, _1, _1>, Stride<Stride<_1, _0>, _0, _0>>>);
static_assert(same<decltype(Sixteen{}.get_slice(0).partition_S(wide_matrix).layout()),
                   Layout<Shape<Shape<_4, _1>, _8, _16>, Stride<Stride<_1, _0>, _16, _1024>>>);
static_assert(
    same<decltype(ThirtyTwo{}.get_slice(0).partition_D(wide_matrix).layout().shape()), Shape<Shape<_4, _2>, _4, _16>>);

// 4 rows of 4, 8 rows … the ownership map: thread m/4 + 4*n at row m, column n.
constexpr bool ownership_map() {
  auto const tile = make_counting_tensor(Layout<Shape<_16, _8>>{});
  for (int t = 0; t < 32; ++t) {
    auto const mine = Sixteen{}.get_slice(t).partition_D(tile);
    for (int i = 0; i < 4; ++i)
      if (mine(i) % 16 / 4 + 4 * (mine(i) / 16) != t || mine(i) % 4 != i) return false;
  }
  return true;
}
static_assert(ownership_map());

// Row-major threads and values over a row-major matrix: the atom's values lie along the contiguous mode 1.
constexpr auto rows =
    make_tiled_copy(atom<128, float>{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _4>>{});
static_assert(same<decltype(rows)::Tiler_MN, Shape<_8, _16>>);
static_assert(same<decltype(rows.get_slice(0)
                                .partition_S(make_counting_tensor(Layout<Shape<_8, _16>, Stride<_16, _1>>{}))
                                .layout()),
                   Layout<Shape<Shape<_4, _1>, _1, _1>, Stride<Stride<_1, _0>, _0, _0>>>);

// 1024×1024 in tiles of 128×32 with run-time extents: ((_8,_1),2,8,32), and ((_8,_1),_2,_8) of the static
// tile.
TEST(MakeTiledCopy, PartitionOfATileWithRunTimeExtents) {
  auto const matrix = make_counting_tensor(Layout<Shape<_1024, _1024>>{});
  auto const tile = local_tile(matrix, make_shape(128, 128, 32), make_coord(0, 0, _), Step<_1, X, _1>{});
  auto const source = Preview{}.get_slice(0).partition_S(tile);
  EXPECT_TRUE(source.shape() == make_shape(make_shape(_8{}, _1{}), 2, 8, 32));
  EXPECT_TRUE(source.stride() == make_stride(make_stride(_1{}, _0{}), 64, 4096, 32768));
  static_assert(same<decltype(get<0>(source.shape())), Shape<_8, _1>>);
  auto const staged = Preview{}.get_slice(0).partition_D(make_counting_tensor(Layout<Shape<_128, _32>>{}));
  static_assert(
      same<decltype(staged.layout()), Layout<Shape<Shape<_8, _1>, _2, _8>, Stride<Stride<_1, _0>, _64, _512>>>);
}

// --- by a thread-value layout
// ----------------------------------------------------------------------------------------
// 8×128 in rows: 16 threads a row with 8 values each; given as a TV layout and derived from thread and value
// layouts.
using Given = Layout<Shape<Shape<_16, _8>, _8>, Stride<Stride<_64, _1>, _8>>;
constexpr auto given = make_tiled_copy(atom<32, float>{}, Given{}, Shape<_8, _128>{});
constexpr auto derived = make_tiled_copy(atom<32, float>{}, Layout<Shape<_8, _16>, Stride<_16, _1>>{},
                                         Layout<Shape<_1, _8>, Stride<_8, _1>>{});
static_assert(same<decltype(derived)::TiledLayout_TV, Given> && same<decltype(derived)::Tiler_MN, Shape<_8, _128>>);
static_assert(same<decltype(make_tiled_copy_impl(atom<32, float>{}, Given{}, Shape<_8, _128>{})), decltype(given)>);

constexpr bool rows_of_eight() {
  auto const matrix = make_counting_tensor(Layout<Shape<_8, _128>, Stride<_128, _1>>{});
  for (int t = 0; t < 128; ++t) {
    auto const mine = given.get_slice(t).partition_S(matrix);
    for (int v = 0; v < 8; ++v)
      if (mine(v) != 8 * t + v) return false;
  }
  return true;
}
static_assert(rows_of_eight());

// A tiler of layouts: every second row, all columns of a third mode kept by `_`.
TEST(MakeTiledCopy, TilersOfLayouts) {
  auto const copy = make_tiled_copy(atom<32, float>{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{},
                                    make_tile(Layout<_4, _2>{}, Layout<_8, _1>{}));
  auto const matrix = make_counting_tensor(Layout<Shape<_8, _16>>{});
  std::vector<int> owners(128, 0);
  for (int t = 0; t < 8; ++t) {
    auto const mine = copy.get_slice(t).partition_S(matrix);
    for (int i = 0; i < static_cast<int>(size(mine)); ++i) ++owners[static_cast<std::size_t>(mine(i))];
    // (thr, val) -> 4 * thr + val in the (4, 8) tile, whose rows are 0, 2, 4, 6
    for (int v = 0; v < 4; ++v) EXPECT_EQ(mine(v), 2 * ((4 * t + v) % 4) + 8 * ((4 * t + v) / 4));
  }
  for (int const n : owners) EXPECT_EQ(n, 1);
}

// --- the copy's views of itself
// --------------------------------------------------------------------------------------
template <class Copy>
constexpr bool views_agree() {
  plain_layout const tv = plain(typename Copy::TiledLayout_TV{});
  plain_layout const source = plain(Copy::get_layoutS_TV()), destination = plain(Copy::get_layoutD_TV());
  if (!same_function(source, tv) || !same_function(destination, tv)) return false;
  auto const owner = Copy::get_layoutS_MN();
  auto const owner_d = Copy::get_layoutD_MN();
  int const threads = Copy::TiledNumThr::value;
  for (int t = 0; t < threads; ++t)
    for (int v = 0; v < Copy::TiledNumVal::value; ++v) {
      int const index = static_cast<int>(tv(t + threads * v));
      if (owner(index) != t + threads * v || owner_d(index) != t + threads * v) return false;
    }
  return compatible(Copy::tile_shape(), owner) && size(owner) == size(typename Copy::TiledLayout_TV{});
}
static_assert(views_agree<Sixteen>() && views_agree<ThirtyTwo>() && views_agree<Preview>());
static_assert(views_agree<std::remove_const_t<decltype(given)>>() &&
              views_agree<std::remove_const_t<decltype(rows)>>());

/// The whole view (thread, value, (rest…)) is what slicing by a thread gives.
constexpr bool whole_view() {
  Layout<Shape<_32, _16>> const matrix;
  auto const view = Sixteen::tidfrg_S(matrix);
  auto const by_hand = Sixteen::tile2thrfrg(zipped_divide(matrix, Sixteen::Tiler_MN{}),
                                            right_inverse(Sixteen::AtomLayoutRef{}).compose(Sixteen::AtomLayoutSrc{}));
  for (int t = 0; t < 32; ++t) {
    auto const mine = Sixteen{}.get_slice(t).partition_S(make_counting_tensor(matrix));
    for (int v = 0; v < 4; ++v)
      for (int r = 0; r < 4; ++r)
        if (mine(v + 4 * r) != view(t, v, r) || by_hand(t, v, r) != view(t, v, r)) return false;
  }
  return rank_v<decltype(view)> == 3;
}
static_assert(whole_view());

}  // namespace
}  // namespace tilewright
