// Scaled bases and arithmetic tuples: strides whose offsets are coordinates, how they add and scale, and
// layouts of them sliced, divided and used as tilers of other layouts.
#include <gtest/gtest.h>

#include <type_traits>

#include "plain.hpp"
#include "tilewright/algebra/operations.hpp"

namespace tilewright {
namespace {

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

// --- scaled bases
// ----------------------------------------------------------------------------------------------------
static_assert(same<decltype(_3{} * E<0>{}), ScaledBasis<_3, 0>> &&
              same<decltype(E<1, 2>{} * _3{}), ScaledBasis<_3, 1, 2>>);
static_assert((5 * E<1>{}).value() == 5 && same<decltype(5 * E<1>{}), ScaledBasis<int, 1>>);
static_assert(E<0>{} == E<0>{} && !(E<0>{} == E<1>{}) && !(_2{} * E<0>{} == E<0>{}) && 2 * E<0>{} == _2{} * E<0>{});
static_assert(is_scaled_basis_v<E<0>> && !is_scaled_basis_v<_1> && E<1, 2>::depth == 2);
static_assert(std::is_empty_v<E<0, 1>> && sizeof(ScaledBasis<int, 0>) == sizeof(int));

// --- coordinates that add
// --------------------------------------------------------------------------------------------
static_assert(make_arithmetic_tuple(2, _3{}) + make_arithmetic_tuple(_1{}, 10) == make_coord(3, 13));
static_assert(
    same<decltype(make_arithmetic_tuple(_2{}, _3{}) + make_arithmetic_tuple(_1{}, _4{})), ArithmeticTuple<_3, _7>>);
static_assert(make_arithmetic_tuple(2) + make_arithmetic_tuple(1, 5, 6) == make_coord(3, 5, 6));
static_assert(make_arithmetic_tuple(2, make_arithmetic_tuple(3, 4)) +
                  make_arithmetic_tuple(_0{}, make_arithmetic_tuple(1, 1)) ==
              make_coord(2, make_coord(4, 5)));
static_assert(make_arithmetic_tuple(2, 3) + _0{} == make_coord(2, 3));

// --- layouts of them
// -------------------------------------------------------------------------------------------------
constexpr auto board = make_layout(make_shape(_4{}, 6), make_stride(E<0>{}, _2{} * E<1>{}));
static_assert(board(3, 5) == make_coord(3, 10) && board(_, 5)(2) == make_coord(2));
static_assert(same<decltype(board(_1{}, _2{})), ArithmeticTuple<_1, _4>>);
// A stride 0 in a direction moves nothing; a scale of 0 is a plain 0.
static_assert(make_layout(Shape<_4, _2>{}, Stride<E<1>, _0>{})(3, 1) == make_coord(0, 3));

/// Dividing and slicing an identity layout answers with the coordinates of what it picks.
constexpr bool divided_identity_by_brute_force() {
  auto const tiles = zipped_divide(make_identity_layout(make_shape(_8{}, 6)), Shape<_4, _2>{});  // ((4,2),(2,3))
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 2; ++n)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
          if (!(tiles(make_coord(m, n), make_coord(i, j)) == make_coord(4 * i + m, 2 * j + n))) return false;
  return true;
}
static_assert(divided_identity_by_brute_force());

/// composition of an identity layout: the tiler's offsets as coordinates, with a gap and across modes.
constexpr bool composed_identity_by_brute_force() {
  auto const identity = make_identity_layout(Shape<_4, _6>{});
  auto const every_second = composition(identity, Layout<_12, _2>{});
  for (int i = 0; i < 12; ++i)
    if (!(every_second(i) == make_coord(2 * i % 4, 2 * i / 4))) return false;
  auto const rows = composition(identity, make_tile(Layout<_2, _2>{}, Layout<_3, _1>{}));
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 3; ++n)
      if (!(rows(m, n) == make_coord(2 * m, n))) return false;
  return true;
}
static_assert(composed_identity_by_brute_force());

/// A tiler with basis strides names the mode it walks: d·E<i> steps d along mode i of the layout it picks from.
constexpr bool tilers_of_bases_by_brute_force() {
  auto const matrix = make_layout(make_shape(_4{}, _6{}), make_stride(10, _1{}));
  auto const across = composition(matrix, Layout<_3, ScaledBasis<_2, 1>>{});
  auto const turned = composition(matrix, Layout<Shape<_6, _2>, Stride<E<1>, ScaledBasis<_2, 0>>>{});
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 2; ++i)
      if (turned(j, i) != 10 * (2 * i) + j) return false;
  auto const deep = make_layout(make_shape(_4{}, make_shape(_2{}, 3)), make_stride(Int<100>{}, make_stride(7, _1{})));
  auto const inner = composition(deep, Layout<_3, E<1, 1>>{});
  return across(0) == 0 && across(1) == 2 && across(2) == 4 && inner(0) == 0 && inner(1) == 1 && inner(2) == 2;
}
static_assert(tilers_of_bases_by_brute_force());

TEST(Basis, CoordinatesAtRunTime) {
  int const m = 3, n = 5;
  auto const wide = make_layout(make_shape(m, n), make_stride(E<1>{}, E<0>{}));  // transposing
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) EXPECT_TRUE(wide(i, j) == make_coord(j, i));
}

}  // namespace
}  // namespace tilewright
