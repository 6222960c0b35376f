// The tiles that make_tiled_copy makes of ldmatrix and stmatrix: an atom's values are those of its reference layout, which
// is the fragment's, not the row's. Elements of 8, 16 and 32 bits, all twelve instructions.
#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "tilewright/tilewright.hpp"

namespace tilewright {
namespace {

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

template <class Op, class T, class Threads, class Values>
using tile_of = typename decltype(make_tiled_copy(Copy_Atom<Op, T>{}, Threads{}, Values{}))::Tiler_MN;

// The field's example: a fragment of two matrices is 4 halves a thread.
static_assert(same<tile_of<SM75_U32x2_LDSM_N, std::uint16_t, Layout<_32>, Layout<Shape<_1, _4>>>, Shape<_32, _4>>);

/// A fragment has 32 bits of each matrix. Values that are a multiple of those count as values, others as atoms.
template <class Op, int Matrices, class T>
constexpr bool tiles_by_fragment() {
  constexpr int bits = static_cast<int>(sizeof(T)) * 8, values = 32 * Matrices / bits;
  using Atom = Copy_Atom<Op, T>;
  constexpr bool counts =
      Atom::NumValRef == values && Atom::NumThreads == 32 && (Atom::NumValSrc == values || Atom::NumValDst == values);
  constexpr bool as_values =
      same<tile_of<Op, T, Layout<_32>, Layout<Shape<_1, C<values>>>>, Shape<_32, C<values>>> &&
      same<tile_of<Op, T, Layout<_32>, Layout<Shape<C<values>, _2>>>, Shape<C<32 * values>, _2>> &&
      same<tile_of<Op, T, Layout<Shape<_16, _4>>, Layout<Shape<_2, C<3 * values>>>>, Shape<_32, C<12 * values>>>;
  constexpr bool as_atoms =
      values == 1 ||
      (same<tile_of<Op, T, Layout<_32>, Layout<Shape<_1, _1>>>, Shape<C<32 * values>, _1>> &&
       same<tile_of<Op, T, Layout<_32>, Layout<Shape<_1, C<values + 1>>>>, Shape<C<32 * values>, C<values + 1>>>);
  return counts && as_values && as_atoms;
}
template <class Op, int Matrices>
constexpr bool for_every_width =
    tiles_by_fragment<Op, Matrices, std::uint8_t>() && tiles_by_fragment<Op, Matrices, std::uint16_t>();
// A column's element has 16 bits, so that transposing instructions have no map for elements of 32.
template <class Op, int Matrices>
constexpr bool for_words = tiles_by_fragment<Op, Matrices, float>();

static_assert(for_every_width<SM75_U32x1_LDSM_N, 1> && for_words<SM75_U32x1_LDSM_N, 1>);
static_assert(for_every_width<SM75_U32x2_LDSM_N, 2> && for_words<SM75_U32x2_LDSM_N, 2>);
static_assert(for_every_width<SM75_U32x4_LDSM_N, 4> && for_words<SM75_U32x4_LDSM_N, 4>);
static_assert(for_every_width<SM75_U16x2_LDSM_T, 1>);
static_assert(for_every_width<SM75_U16x4_LDSM_T, 2>);
static_assert(for_every_width<SM75_U16x8_LDSM_T, 4>);
static_assert(for_every_width<SM90_U32x1_STSM_N, 1> && for_words<SM90_U32x1_STSM_N, 1>);
static_assert(for_every_width<SM90_U32x2_STSM_N, 2> && for_words<SM90_U32x2_STSM_N, 2>);
static_assert(for_every_width<SM90_U32x4_STSM_N, 4> && for_words<SM90_U32x4_STSM_N, 4>);
static_assert(for_every_width<SM90_U16x2_STSM_T, 1>);
static_assert(for_every_width<SM90_U16x4_STSM_T, 2>);
static_assert(for_every_width<SM90_U16x8_STSM_T, 4>);

// Every element of the tile belongs to one (thread, value), whichever side is asked.
template <class Op, class T, class Values>
bool covers_its_tile() {
  auto const tiled = make_tiled_copy(Copy_Atom<Op, T>{}, Layout<Shape<_8, _4>>{}, Values{});
  int const elements = static_cast<int>(size(tiled.tile_shape()));
  bool whole = true;
  auto const once = [&](auto const& tv) {
    std::vector<int> times(static_cast<std::size_t>(elements), 0);
    for (int t = 0; t < 32; ++t)
      for (int v = 0; v < static_cast<int>(size<1>(tv)); ++v) ++times[static_cast<std::size_t>(tv(t, v))];
    for (int const n : times) whole = whole && n >= 1;
    return static_cast<int>(size<1>(tv)) * 32 / elements;
  };
  // A side of rows names each row for several threads where there are fewer than 32.
  return once(tiled.get_layoutS_TV()) >= 1 && once(tiled.get_layoutD_TV()) >= 1 && whole;
}

TEST(MatrixTile, CoversEveryElement) {
  EXPECT_TRUE((covers_its_tile<SM75_U32x1_LDSM_N, std::uint16_t, Layout<Shape<_1, _2>>>()));
  EXPECT_TRUE((covers_its_tile<SM75_U32x2_LDSM_N, std::uint16_t, Layout<Shape<_1, _4>>>()));
  EXPECT_TRUE((covers_its_tile<SM75_U32x4_LDSM_N, std::uint16_t, Layout<Shape<_2, _4>>>()));
  EXPECT_TRUE((covers_its_tile<SM75_U16x4_LDSM_T, std::uint16_t, Layout<Shape<_4, _1>>>()));
  EXPECT_TRUE((covers_its_tile<SM75_U16x8_LDSM_T, std::uint8_t, Layout<Shape<_4, _4>>>()));
  EXPECT_TRUE((covers_its_tile<SM90_U32x1_STSM_N, std::uint8_t, Layout<Shape<_1, _4>>>()));
  EXPECT_TRUE((covers_its_tile<SM90_U16x2_STSM_T, std::uint16_t, Layout<Shape<_2, _1>>>()));
}

}  // namespace
}  // namespace tilewright
