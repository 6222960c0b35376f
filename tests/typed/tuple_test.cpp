// Tuples: entries by get and structured bindings, constants without storage, concatenation; and the
// rearranging functions that tuples share with layouts: flatten, unflatten, group, append, prepend, replace,
// take, select.
#include <gtest/gtest.h>

#include <type_traits>

#include "tilewright/algebra/operations.hpp"

namespace tilewright {
namespace {

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

// --- storage
// ---------------------------------------------------------------------------------------------------------
static_assert(std::is_empty_v<tuple<>> && std::is_empty_v<Shape<_4, _8>> && std::is_empty_v<Shape<Shape<_4, _8>, _2>>);
static_assert(std::is_empty_v<Coord<_1, Underscore, X>>);
static_assert(sizeof(Shape<int, int>) == 2 * sizeof(int));
static_assert(sizeof(Shape<_4, int, _8>) == sizeof(int));
static_assert(sizeof(Shape<_4, Shape<int, _2>, Shape<_8, long long>>) == 2 * sizeof(long long));
static_assert(std::is_trivially_copyable_v<Shape<_4, Shape<int, _2>>>);
// Two constants of one type in one tuple are two entries without storage as well.
static_assert(std::is_empty_v<Shape<_4, _4, _4>>);

static_assert(std::is_empty_v<Layout<Shape<_4, _8>, Stride<_8, _1>>>);
static_assert(sizeof(make_layout(make_shape(_4{}, 3), make_stride(7, _1{}))) == 2 * sizeof(int));

// --- entries
// ---------------------------------------------------------------------------------------------------------
constexpr auto nested = make_shape(_4{}, make_shape(5, _6{}), 7LL);

static_assert(same<decltype(get<0>(nested)), _4> && same<decltype(get<1, 1>(nested)), _6>);
static_assert(get<1, 0>(nested) == 5 && get<2>(nested) == 7);
static_assert(same<decltype(get<0>(12)), int> && get<0>(12) == 12 && same<decltype(get<0>(_3{})), _3>);
static_assert(same<tuple_element_t<1, Shape<_4, Shape<int, _6>>>, Shape<int, _6>>);
static_assert(tuple_size_v<decltype(nested)> == 3 && tuple_size_v<int> == 1 && is_tuple_v<Shape<>> && !is_tuple_v<_4>);
static_assert(std::tuple_size<Shape<_4, int>>::value == 2);

constexpr int bound_sum() {
  auto const [a, b, c] = make_coord(2, _3{}, 4);
  return a * 100 + b * 10 + c;
}
static_assert(bound_sum() == 234);

TEST(Tuple, EntriesCanBeAssigned) {
  auto t = make_coord(1, _2{}, 3);
  get<0>(t) = 10;
  get<2>(t) += 4;
  EXPECT_TRUE(t == make_coord(10, _2{}, 7));
  auto const [a, b, c] = t;
  EXPECT_EQ(a + b + c, 19);
}

// --- comparison and concatenation
// ------------------------------------------------------------------------------------
static_assert(make_shape(4, 5) == make_shape(_4{}, 5LL) && !(make_shape(4, 5) == make_shape(4, 6)));
static_assert(!(make_shape(4, 5) == make_shape(4)) &&
              make_shape(4, make_shape(5, 6)) == make_shape(4, make_shape(5, 6)));
static_assert(same<decltype(tuple_cat(Shape<_1>{}, Shape<>{}, Shape<_2, _3>{})), Shape<_1, _2, _3>>);
static_assert(tuple_cat(make_shape(1, 2), make_shape(3), make_shape(4, 5)) == make_shape(1, 2, 3, 4, 5));

static_assert(same<decltype(repeat<3>(_4{})), Shape<_4, _4, _4>> && same<decltype(repeat<1>(_4{})), _4>);
static_assert(same<decltype(wrap(_4{})), Shape<_4>> && same<decltype(wrap(Shape<_4>{})), Shape<_4>>);
static_assert(same<decltype(unwrap(Shape<Shape<_4>>{})), _4> && same<decltype(unwrap(Shape<_4, _5>{})), Shape<_4, _5>>);
static_assert(transform_tuple(make_shape(1, 2), [](int n) { return n * n; }) == make_shape(1, 4));
static_assert(transform_tuple(make_shape(1, 2), make_shape(3, 5), [](int a, int b) { return a * b; }) ==
              make_shape(3, 10));

// --- rearranging tuples
// ----------------------------------------------------------------------------------------------
using Nested = Shape<_2, Shape<_3, Shape<_4, _5>>, _6>;

static_assert(same<decltype(flatten(Nested{})), Shape<_2, _3, _4, _5, _6>>);
static_assert(same<decltype(flatten(_7{})), _7>);
static_assert(same<decltype(unflatten(flatten(Nested{}), Nested{})), Nested>);
static_assert(flatten(make_shape(2, make_shape(_3{}, 4))) == make_shape(2, _3{}, 4));
static_assert(unflatten(make_coord(1, 2, 3), make_shape(_9{}, make_shape(_9{}, _9{}))) ==
              make_coord(1, make_coord(2, 3)));

static_assert(same<decltype(group<1, 3>(Shape<_1, _2, _3, _4>{})), Shape<_1, Shape<_2, _3>, _4>>);
static_assert(same<decltype(group<0, 4>(Shape<_1, _2, _3, _4>{})), Shape<Shape<_1, _2, _3, _4>>>);
static_assert(group<0, 2>(make_shape(5, _2{}, 7)) == make_shape(make_shape(5, _2{}), 7));

static_assert(same<decltype(append(Shape<_1>{}, _2{})), Shape<_1, _2>> &&
              same<decltype(append(_1{}, _2{})), Shape<_1, _2>>);
static_assert(same<decltype(append<4>(Shape<_1, _2>{}, _9{})), Shape<_1, _2, _9, _9>>);
static_assert(same<decltype(append<2>(Shape<_1, _2>{}, _9{})), Shape<_1, _2>>);
static_assert(same<decltype(append<3>(_1{}, _)), Coord<_1, Underscore, Underscore>>);
static_assert(same<decltype(prepend(Shape<_1>{}, _2{})), Shape<_2, _1>>);
static_assert(same<decltype(prepend<4>(Shape<_1, _2>{}, _9{})), Shape<_9, _9, _1, _2>>);
static_assert(same<decltype(replace<1>(Shape<_1, _2, _3>{}, Shape<_7, _8>{})), Shape<_1, Shape<_7, _8>, _3>>);
static_assert(replace<0>(make_shape(1, 2), 5) == make_shape(5, 2));

static_assert(same<decltype(take<1, 3>(Shape<_1, _2, _3, _4>{})), Shape<_2, _3>>);
static_assert(same<decltype(take<2, -1>(Shape<_1, _2, _3, _4>{})), Shape<_3, _4>>);
static_assert(same<decltype(select<2, 0>(Shape<_1, _2, _3>{})), Shape<_3, _1>>);
static_assert(select<1, 1>(make_shape(4, 5)) == make_shape(5, 5));

static_assert(same<decltype(product_each(Nested{})), Shape<_2, Int<60>, _6>>);
static_assert(product_each(make_shape(make_shape(2, 3), 4)) == make_shape(6, 4) &&
              product(make_shape(2, 3, _4{})) == 24);

// --- measures of tuples
// ----------------------------------------------------------------------------------------------
static_assert(same<decltype(size(Nested{})), Int<720>> && same<decltype(size<1>(Nested{})), Int<60>>);
static_assert(same<decltype(size<1, 1>(Nested{})), _20> && same<decltype(rank(Nested{})), _3>);
static_assert(same<decltype(rank<1, 1>(Nested{})), _2> && same<decltype(depth(Nested{})), _3>);
static_assert(same<decltype(depth<1, 1>(Nested{})), _1> && same<decltype(depth<0>(Nested{})), _0>);
static_assert(same<decltype(shape<1, 0>(Nested{})), _3> && size_v<Nested> == 720 && rank_v<Nested> == 3);
static_assert(depth_v<Nested> == 3 && depth_v<_4> == 0 && size_v<_4> == 4);
static_assert(size(make_shape(3, make_shape(_4{}, 5))) == 60);

// --- the same functions on layouts
// -----------------------------------------------------------------------------------
using Four = Layout<Shape<_2, _3, Shape<_4, _5>>, Stride<_1, _10, Stride<Int<100>, Int<1000>>>>;

static_assert(same<decltype(flatten(Four{})), Layout<Shape<_2, _3, _4, _5>, Stride<_1, _10, Int<100>, Int<1000>>>>);
static_assert(same<decltype(unflatten(flatten(Four{}), Four{}.shape())), Four>);
static_assert(same<decltype(group<0, 2>(Four{})),
                   Layout<Shape<Shape<_2, _3>, Shape<_4, _5>>, Stride<Stride<_1, _10>, Stride<Int<100>, Int<1000>>>>>);
static_assert(
    same<decltype(take<1, 3>(Four{})), Layout<Shape<_3, Shape<_4, _5>>, Stride<_10, Stride<Int<100>, Int<1000>>>>>);
static_assert(same<decltype(select<1, 0>(Four{})), Layout<Shape<_3, _2>, Stride<_10, _1>>>);
static_assert(same<decltype(append(Layout<_2, _1>{}, Layout<_3, _7>{})), Layout<Shape<_2, _3>, Stride<_1, _7>>>);
static_assert(same<decltype(append<3>(Layout<_2, _1>{})), Layout<Shape<_2, _1, _1>, Stride<_1, _0, _0>>>);
static_assert(same<decltype(prepend(Layout<_2, _1>{}, Layout<_3, _7>{})), Layout<Shape<_3, _2>, Stride<_7, _1>>>);
static_assert(same<decltype(prepend<2>(Layout<_2, _1>{}, Layout<_3, _7>{})), Layout<Shape<_3, _2>, Stride<_7, _1>>>);
static_assert(same<decltype(replace<1>(Layout<Shape<_2, _3>, Stride<_1, _2>>{}, Layout<_5, _9>{})),
                   Layout<Shape<_2, _5>, Stride<_1, _9>>>);

constexpr auto mixed = make_layout(make_shape(2, make_shape(_3{}, 4)), make_stride(_1{}, make_stride(20, _5{})));
static_assert(flatten(mixed) == make_layout(make_shape(2, _3{}, 4), make_stride(_1{}, 20, _5{})));
static_assert(select<1, 0>(mixed) == make_layout(layout<1>(mixed), layout<0>(mixed)));
static_assert(take<1, 2>(mixed) == make_layout(make_shape(make_shape(_3{}, 4)), make_stride(make_stride(20, _5{}))));
static_assert(group<0, 2>(mixed)(make_coord(make_coord(1, make_coord(2, 3)))) == 1 + 40 + 15);
static_assert(append(mixed, make_layout(7, 100))(1, make_coord(2, 3), 4) == 1 + 40 + 15 + 400);
static_assert(prepend(mixed, make_layout(7, 100))(4, 1, make_coord(2, 3)) == 1 + 40 + 15 + 400);
static_assert(replace<0>(mixed, make_layout(7, 100))(4, make_coord(2, 3)) == 40 + 15 + 400);
static_assert(same<decltype(stride<1, 1>(mixed)), _5> && stride<1, 0>(mixed) == 20 && shape<1, 1>(mixed) == 4);
static_assert(same<decltype(rank<1>(mixed)), _2> && same<decltype(depth(mixed)), _2> && size<1>(mixed) == 12);
static_assert(cosize(mixed) == 1 + 1 + 40 + 15 && cosize<1>(mixed) == 1 + 40 + 15 && cosize_v<Four> == 4322);
static_assert(layout<1, 0>(mixed) == make_layout(_3{}, 20) && get<0>(mixed) == make_layout(2, _1{}));

}  // namespace
}  // namespace tilewright
