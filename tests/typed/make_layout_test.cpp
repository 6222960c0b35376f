// Making layouts: compact ones by first, last or any order of modes, layouts of layouts, after another
// layout's pattern, and identity layouts, whose offsets are coordinates.
#include <gtest/gtest.h>

#include <type_traits>

#include "plain.hpp"
#include "tilewright/algebra/operations.hpp"

namespace tilewright {
namespace {

using tests::answers;
using tests::plain;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

// --- compact
// ---------------------------------------------------------------------------------------------------------
using Nested = Shape<_2, Shape<_3, _4>>;

static_assert(same<Layout<Nested>, Layout<Nested, Stride<_1, Stride<_2, _6>>>>);
static_assert(same<decltype(make_layout(Nested{})), Layout<Nested>>);
static_assert(same<decltype(make_layout(Nested{}, LayoutLeft{})), Layout<Nested>>);
static_assert(same<decltype(make_layout(Nested{}, LayoutRight{})), Layout<Nested, Stride<_12, Stride<_4, _1>>>>);
static_assert(same<GenColMajor, LayoutLeft> && same<GenRowMajor, LayoutRight>);
static_assert(same<decltype(make_layout(_1{})), Layout<_1, _0>> && same<decltype(make_layout(_7{})), Layout<_7, _1>>);
static_assert(same<decltype(make_layout(make_shape(_4{}, _1{}, _2{}))), Layout<Shape<_4, _1, _2>, Stride<_1, _0, _4>>>);

static_assert(same<decltype(make_ordered_layout(Shape<_2, _3, _4>{}, Step<_2, _0, _1>{})),
                   Layout<Shape<_2, _3, _4>, Stride<_12, _1, _3>>>);
// A leaf of the order ranks a whole mode; within it the first leaf is fastest.
static_assert(
    same<decltype(make_ordered_layout(Nested{}, Step<_1, _0>{})), Layout<Nested, Stride<_12, Stride<_1, _3>>>>);
static_assert(same<decltype(make_ordered_layout(Nested{}, Step<_1, Step<_2, _0>>{})),
                   Layout<Nested, Stride<_4, Stride<_8, _1>>>>);
static_assert(make_ordered_layout(make_shape(2, _3{}, 4), Step<_2, _0, _1>{}) ==
              make_layout(make_shape(2, 3, 4), make_stride(12, 1, 3)));

static_assert(same<decltype(compact_col_major(Nested{})), Stride<_1, Stride<_2, _6>>>);
static_assert(same<decltype(compact_row_major(Nested{})), Stride<_12, Stride<_4, _1>>>);
static_assert(same<decltype(compact_order(Nested{}, Step<_1, _0>{})), Stride<_12, Stride<_1, _3>>>);
static_assert(same<decltype(compact_major(Nested{}, LayoutRight{})), Stride<_12, Stride<_4, _1>>>);

// Run-time extents: the strides in front of them stay constants, those behind multiply.
constexpr auto left = make_layout(make_shape(_4{}, 5, make_shape(_2{}, 3)));
static_assert(same<decltype(stride<0>(left)), _1> && same<decltype(stride<1>(left)), _4> && stride<2, 1>(left) == 40);
constexpr auto right = make_layout(make_shape(_4{}, 5, make_shape(_2{}, 3)), LayoutRight{});
static_assert(same<decltype(stride<2, 1>(right)), _1> && stride<0>(right) == 30 && stride<1>(right) == 6);
static_assert(answers(left) && answers(right) && plain(left).compact() && plain(right).compact());

/// Every order of three modes, by another formula: the stride of a mode is the product of those that come
/// before it.
constexpr bool orders_by_brute_force() {
  int const extents[] = {2, 3, 4};
  int const all[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  auto const check = [&](auto const& layout, int const* order) {
    auto const p = plain(layout);
    for (int i = 0; i < 3; ++i) {
      int stride = 1;
      for (int k = 0; k < 3; ++k)
        if (order[k] < order[i]) stride *= extents[k];
      if (p.stride[i] != stride) return false;
    }
    return p.compact();
  };
  auto const shape = make_shape(2, _3{}, 4);
  return check(make_ordered_layout(shape, Step<_0, _1, _2>{}), all[0]) &&
         check(make_ordered_layout(shape, Step<_0, _2, _1>{}), all[1]) &&
         check(make_ordered_layout(shape, Step<_1, _0, _2>{}), all[2]) &&
         check(make_ordered_layout(shape, Step<_1, _2, _0>{}), all[3]) &&
         check(make_ordered_layout(shape, Step<_2, _0, _1>{}), all[4]) &&
         check(make_ordered_layout(shape, Step<_2, _1, _0>{}), all[5]);
}
static_assert(orders_by_brute_force());

// --- of layouts, after layouts
// ---------------------------------------------------------------------------------------
static_assert(same<decltype(make_layout(Layout<_2, _7>{}, Layout<Shape<_3, _4>>{})),
                   Layout<Shape<_2, Shape<_3, _4>>, Stride<_7, Stride<_1, _3>>>>);
static_assert(same<decltype(make_layout(Layout<_2, _7>{})), Layout<Shape<_2>, Stride<_7>>>);

static_assert(
    same<decltype(make_layout_like(Layout<Shape<_4, _8>, Stride<_32, _2>>{})), Layout<Shape<_4, _8>, Stride<_8, _1>>>);
static_assert(same<decltype(make_layout_like(Layout<Shape<_4, _8, _2>, Stride<_0, _2, _1>>{})),
                   Layout<Shape<_4, _8, _2>, Stride<_0, _2, _1>>>);
static_assert(plain(make_layout_like(Layout<Shape<_2, Shape<_3, _4>>, Stride<Int<50>, Stride<_1, _9>>>{})).compact());
// Run-time strides rank behind the constants, in order.
static_assert(make_layout_like(make_layout(make_shape(_2{}, _3{}, _4{}), make_stride(100, _1{}, 7))).stride() ==
              make_stride(_3{}, _1{}, _6{}));

// A fragment keeps an atom's values contiguous, whatever their strides were; the rest follows the source.
static_assert(
    same<decltype(make_fragment_layout(Layout<Shape<Shape<_4, _1>, _2, _8>, Stride<Stride<Int<64>, _0>, _8, _1>>{})),
         Layout<Shape<Shape<_4, _1>, _2, _8>, Stride<Stride<_1, _0>, _32, _4>>>);
static_assert(same<decltype(make_fragment_layout(Layout<_8, _4>{})), Layout<_8, _1>>);

// --- identity
// --------------------------------------------------------------------------------------------------------
constexpr auto identity = make_identity_layout(make_shape(_4{}, make_shape(3, _2{})));
static_assert(same<decltype(identity.stride()), Stride<E<0>, Stride<E<1, 0>, E<1, 1>>>>);
static_assert(identity(2, 5) == make_coord(2, make_coord(2, 1)));
static_assert(identity(make_coord(3, make_coord(1, 1))) == make_coord(3, make_coord(1, 1)));
static_assert(identity(4 * 5 + 2) == make_coord(2, make_coord(2, 1)));
static_assert(same<decltype(identity(_2{}, make_coord(_0{}, _1{}))), ArithmeticTuple<_2, ArithmeticTuple<_0, _1>>>);
static_assert(same<decltype(make_identity_layout(_5{})), Layout<_5, _1>>);

constexpr bool identity_is_the_identity() {
  auto const deep = make_identity_layout(make_shape(_2{}, make_shape(3, make_shape(_2{}, 2))));
  for (int i = 0; i < 24; ++i)
    if (!(deep(i) == make_coord(i % 2, make_coord(i / 2 % 3, make_coord(i / 6 % 2, i / 12))))) return false;
  return true;
}
static_assert(identity_is_the_identity());

}  // namespace
}  // namespace tilewright
