// Coordinates: index to coordinate and offset and back, in nested, row-major and run-time layouts; 64-bit
// offsets and negative strides; how shapes compare; and integer arithmetic on shapes, entry by entry.
#include <gtest/gtest.h>

#include <type_traits>

#include "plain.hpp"
#include "tilewright/algebra/operations.hpp"

namespace tilewright {
namespace {

using tests::number;
using tests::plain;
using tests::plain_layout;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

// --- index and coordinate
// --------------------------------------------------------------------------------------------
static_assert(same<decltype(idx2crd(_7{}, Shape<_2, Shape<_3, _4>>{})), Coord<_1, Coord<_0, _1>>>);
static_assert(same<decltype(crd2idx(Coord<_1, Coord<_0, _1>>{}, Shape<_2, Shape<_3, _4>>{})), _7>);
static_assert(crd2idx(make_coord(1, 2), make_shape(3, 4), make_stride(10, _1{})) == 12);
static_assert(crd2idx(make_coord(_, 2), make_layout(make_shape(3, 4), make_stride(10, _1{}))) == 2);

constexpr bool index_and_coordinate_by_brute_force() {
  auto const shape = make_shape(2, make_shape(_3{}, make_shape(2, _2{})));
  for (int i = 0; i < 24; ++i) {
    auto const crd = idx2crd(i, shape);
    if (!(crd == make_coord(i % 2, make_coord(i / 2 % 3, make_coord(i / 6 % 2, i / 12))))) return false;
    if (crd2idx(crd, shape) != i || crd2idx(i, shape) != i) return false;
  }
  return true;
}
static_assert(index_and_coordinate_by_brute_force());

/// An integer stands for any mode: every way to nest the coordinate gives the same offset.
constexpr bool coordinates_of_every_depth() {
  auto const layout = make_layout(make_shape(_4{}, make_shape(2, _3{})), make_stride(7, make_stride(Int<100>{}, 31)));
  for (int m = 0; m < 4; ++m)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) {
        int const want = 7 * m + 100 * j + 31 * k, n = j + 2 * k;
        if (layout(m + 4 * n) != want || layout(m, n) != want || layout(m, make_coord(j, k)) != want) return false;
        if (layout(make_coord(m, make_coord(j, k))) != want || crd2idx(make_coord(m, n), layout) != want) return false;
      }
  return true;
}
static_assert(coordinates_of_every_depth());

// --- offset to coordinate
// --------------------------------------------------------------------------------------------
template <class L>
constexpr bool coordinates_lead_back(L const& layout) {
  if (!plain(layout).compact()) return false;
  for (int i = 0; i < static_cast<int>(size(layout)); ++i) {
    auto const offset = static_cast<int>(layout(i));
    auto const hier = layout.get_hier_coord(offset);
    auto const flat = layout.get_flat_coord(offset);
    if (!congruent(hier, layout) || rank_v<decltype(flat)> != rank_v<L>) return false;
    if (layout(hier) != offset || layout(flat) != offset || layout.get_1d_coord(offset) != i) return false;
  }
  return true;
}
static_assert(coordinates_lead_back(Layout<Shape<_4, _6>>{}));
static_assert(coordinates_lead_back(Layout<Shape<_4, _6>, Stride<_6, _1>>{}));
static_assert(coordinates_lead_back(Layout<Shape<_2, Shape<_3, _4>>, Stride<_12, Stride<_4, _1>>>{}));
static_assert(
    coordinates_lead_back(Layout<Shape<Shape<_2, _1>, Shape<_3, _4>>, Stride<Stride<_3, _0>, Stride<_1, _6>>>{}));
static_assert(coordinates_lead_back(make_layout(make_shape(3, _1{}, make_shape(_2{}, 4)), LayoutRight{})));
static_assert(coordinates_lead_back(make_layout(make_shape(3, make_shape(_2{}, 4)),
                                                make_stride(8, make_stride(_1{}, _2{})))));
static_assert(coordinates_lead_back(Layout<_12, _1>{}));

// --- negative strides, wide offsets
// ----------------------------------------------------------------------------------
static_assert(tests::answers(Layout<Shape<_4, _8>, Stride<_8, Int<-1>>>{}));
static_assert(tests::answers(make_layout(make_shape(4, _3{}), make_stride(-5, _20{}))));
static_assert(same<decltype(Layout<Shape<_4, _8>, Stride<_8, Int<-1>>>{}(_1{}, _3{})), _5>);
static_assert(cosize(Layout<Shape<_4, _8>, Stride<_8, Int<-1>>>{}) == 1 + 24 + 7);

constexpr auto huge = make_layout(make_shape(1 << 20, Int<1 << 14>{}), make_stride(Int<1 << 14>{}, _1{}));
static_assert(huge((1 << 20) - 1, (1 << 14) - 1) == (1LL << 34) - 1 && size(huge) == 1LL << 34);
static_assert(same<decltype(make_layout(Shape<C<1 << 20>, C<1 << 20>>{})(C<(1 << 20) - 1>{}, C<(1 << 20) - 1>{})),
                   C<(1LL << 40) - 1>>);
static_assert(same<decltype(size(Shape<C<1 << 20>, C<1 << 20>>{})), C<1LL << 40>>);

TEST(Coordinate, OffsetsOfRunTimeStridesAre64BitsWide) {
  int const stride = 3'000'000;
  auto const layout = make_layout(make_shape(2000, 2000), make_stride(stride, 1));
  EXPECT_EQ(number(layout(1999, 7)), 1999LL * stride + 7);
  EXPECT_EQ(number(layout(1999 + 2000 * 7)), 1999LL * stride + 7);
  EXPECT_EQ(number(cosize(layout)), 1 + 1999LL * stride + 1999);
  long long const offset = 1999LL * 2'000'000;  // below 2^32
  auto const compact = make_layout(make_shape(1 << 16, 1 << 16), LayoutRight{});
  EXPECT_EQ(number(compact.get_1d_coord(offset)), offset % (1 << 16) * (1 << 16) + offset / (1 << 16));
}

// --- comparing shapes
// ------------------------------------------------------------------------------------------------
static_assert(congruent(Shape<_2, Shape<_3, _4>>{}, make_shape(5, make_shape(6, 7))));
static_assert(!congruent(Shape<_2, _3>{}, Shape<_2, Shape<_3, _4>>{}) && !congruent(_2{}, Shape<_2>{}));
static_assert(congruent(Layout<Shape<_2, _3>>{}, Shape<int, _9>{}));

static_assert(compatible(_24{}, Shape<_2, _12>{}) && compatible(Shape<_2, _12>{}, Shape<_2, Shape<_3, _4>>{}));
static_assert(!compatible(Shape<_2, Shape<_3, _4>>{}, Shape<_2, _12>{}) && !compatible(Int<23>{}, Shape<_2, _12>{}));
static_assert(compatible(_24{}, _24{}) && !compatible(Shape<_24>{}, _24{}) && compatible(_24{}, Shape<_24>{}));
static_assert(weakly_compatible(_6{}, Shape<_2, _12>{}) &&
              weakly_compatible(Shape<_2, _4>{}, Shape<_2, Shape<_3, _4>>{}));
static_assert(!weakly_compatible(_5{}, Shape<_2, _12>{}) && !weakly_compatible(Shape<_2, _24>{}, Shape<_2, _12>{}));

// --- arithmetic on shapes
// --------------------------------------------------------------------------------------------
static_assert(same<decltype(ceil_div(Shape<_7, _9, _5>{}, Shape<_2, _4>{})), Shape<_4, _3, _5>>);
static_assert(ceil_div(make_shape(100, 33, 7), make_shape(_16{}, _16{})) == make_shape(7, 3, 7));
static_assert(ceil_div(make_shape(_4{}, 6), 8) == make_shape(_1{}, 3));  // used up from the left
static_assert(ceil_div(make_shape(make_shape(_4{}, _3{}), 6), make_shape(_6{}, _4{})) ==
              make_shape(make_shape(_1{}, _2{}), 2));
static_assert(round_up(17, 8) == 24 && round_up(16, _8{}) == 16 && same<decltype(round_up(Int<17>{}, _8{})), _24>);

static_assert(elem_less(make_coord(3, 4), make_shape(4, 5)) && !elem_less(make_coord(3, 5), make_shape(4, 5)));
static_assert(!elem_less(make_coord(4, 0), make_shape(4, 5)) && elem_less(3, 4) && !elem_less(4, _4{}));
static_assert(elem_less(make_coord(1, make_coord(2, 0)), make_shape(_2{}, make_shape(_3{}, _1{}))));
static_assert(!elem_less(make_coord(1, make_coord(2, 1)), make_shape(_2{}, make_shape(_3{}, _1{}))));
static_assert(elem_less(make_coord(3), make_shape(4, 5)) &&
              elem_less(make_coord(1, 5), make_shape(2, make_shape(2, 3))));
static_assert(elem_less(make_arithmetic_tuple(1, 2), make_shape(2, 3)));

}  // namespace
}  // namespace tilewright
