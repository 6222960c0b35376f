// Tuple algorithms, integer tuples and numbers, written inside of namespace cute as CuTe's own clients sometimes are.
#include <gtest/gtest.h>
#include <cute/algorithm/tuple_algorithms.hpp>
#include <cute/int_tuple.hpp>
#include <cute/numeric/math.hpp>
#include <cute/stride.hpp>
#include <cute/tensor.hpp>

namespace cute {
namespace {

TEST(CuteTuples, ApplyForEachTransform) {
  auto t = make_tuple(1, Int<2>{}, make_tuple(3, Int<4>{}));
  EXPECT_EQ(apply(make_tuple(1, 2, 3), [](auto... v) { return (v + ...); }), 6);
  int visited = 0;
  for_each(t, [&](auto const&) { ++visited; });
  EXPECT_EQ(visited, 3);
  int total = 0;
  for_each_leaf(t, [&](auto const& v) { total += v; });
  EXPECT_EQ(total, 10);
  EXPECT_TRUE(transform(make_tuple(1, 2), [](auto v) { return v * 10; }) == make_tuple(10, 20));
  EXPECT_TRUE(transform(make_tuple(1, 2), make_tuple(3, 4), plus{}) == make_tuple(4, 6));
  auto doubled = transform(Shape<_2, _3>{}, [](auto v) { return v * Int<2>{}; });
  static_assert(is_same_v<decltype(doubled), tuple<_4, _6>>);
  EXPECT_EQ(transform(7, negate{}), -7);
  int counted = 0;
  for_each(make_seq<4>{}, [&](auto i) { counted += decltype(i)::value; });
  EXPECT_EQ(counted, 6);
  EXPECT_EQ(conditional_return<true>(1, Int<2>{}), 1);
  EXPECT_TRUE(transform_leaf(t, [](auto v) { return v + 1; }) == make_tuple(2, 3, make_tuple(4, 5)));
  EXPECT_EQ(transform_apply(make_tuple(1, 2, 3), negate{}, [](auto... v) { return (v + ...); }), -6);
}

TEST(CuteTuples, FoldsScansSearches) {
  EXPECT_EQ(fold(make_tuple(1, 2, 3), 10, plus{}), 16);
  EXPECT_EQ(fold_first(make_tuple(5, 2), minus{}), 3);
  EXPECT_TRUE(iscan(make_tuple(1, 2, 3), 0, plus{}) == make_tuple(1, 3, 6));
  EXPECT_TRUE(escan(make_tuple(2, 3, 4), 1, multiplies{}) == make_tuple(1, 2, 6));
  auto is_two = [](auto v) { return is_constant<2, decltype(v)>{}; };
  CUTE_STATIC_ASSERT_V(find_if(Shape<_1, _2, _3>{}, is_two) == Int<1>{});
  CUTE_STATIC_ASSERT_V(find_if(Shape<_1, _3>{}, is_two) == Int<2>{});
  static_assert(decltype(any_of(Shape<_1, _2>{}, is_two))::value);
  static_assert(!decltype(all_of(Shape<_1, _2>{}, is_two))::value);
  static_assert(decltype(none_of(Shape<_1, _3>{}, is_two))::value);
  CUTE_STATIC_ASSERT_V(find(make_tuple(1, _, 3u), _) == Int<1>{});
}

TEST(CuteTuples, Rearranging) {
  auto odd = filter_tuple(Shape<_1, _2, _3>{}, [](auto v) {
    if constexpr (decltype(v)::value % 2 == 1) return make_tuple(v);
    else return make_tuple();
  });
  static_assert(is_same_v<decltype(odd), tuple<_1, _3>>);
  EXPECT_TRUE(zip(make_tuple(1, 2), make_tuple(3, 4)) == make_tuple(make_tuple(1, 3), make_tuple(2, 4)));
  EXPECT_TRUE(zip(make_tuple(make_tuple(1, 2), make_tuple(3, 4))) == make_tuple(make_tuple(1, 3), make_tuple(2, 4)));
  EXPECT_TRUE(zip2_by(make_tuple(make_tuple(1, 2), make_tuple(3, 4), 5), make_tuple(0, 0)) ==
              make_tuple(make_tuple(1, 3), make_tuple(2, 4, 5)));
  EXPECT_TRUE(reverse(make_tuple(1, 2, 3)) == make_tuple(3, 2, 1));
  static_assert(decltype(max(_2{}))::value == 2 && decltype(min(make_shape(_3{}, _2{})))::value == 2);
  EXPECT_EQ(max(7), 7);
  static_assert(is_same_v<decltype(product_each(_32{})), tuple<_32>>);
  EXPECT_TRUE(E<0>{} * 3 + E<1>{} * _2{} == make_arithmetic_tuple(3, _2{}));
  EXPECT_TRUE(make_arithmetic_tuple(1, 2) + E<1>{} * 3 == make_arithmetic_tuple(1, 5));
  EXPECT_TRUE(as_arithmetic_tuple(E<1, 0>{} * 3) == make_tuple(0, make_tuple(3)));
  static_assert(!decltype(compatible(make_shape(_2{}, 4), make_shape(4, make_shape(2, 2, 2), 3)))::value);
  EXPECT_TRUE(insert<1>(make_tuple(1, 3), 2) == make_tuple(1, 2, 3));
  EXPECT_TRUE(remove<1>(make_tuple(1, 2, 3)) == make_tuple(1, 3));
  EXPECT_TRUE(replace<0>(make_tuple(1, 2), 9) == make_tuple(9, 2));
  EXPECT_TRUE(flatten_to_tuple(make_tuple(1, make_tuple(2, make_tuple(3)))) == make_tuple(1, 2, 3));
  EXPECT_TRUE(tuple_repeat<1>(4) == make_tuple(4));
  EXPECT_TRUE(repeat_like(make_tuple(1, make_tuple(2, 3)), 0) == make_tuple(0, make_tuple(0, 0)));
  EXPECT_EQ(back(make_tuple(1, make_tuple(2, 3))), 3);
  EXPECT_TRUE((append<3>(make_tuple(1), 0) == make_tuple(1, 0, 0)));
  EXPECT_TRUE((group<0, 2>(make_tuple(1, 2, 3)) == make_tuple(make_tuple(1, 2), 3)));
  EXPECT_TRUE((take<1, 3>(make_tuple(1, 2, 3)) == make_tuple(2, 3)));
}

TEST(CuteTuples, IntegerTuples) {
  auto shape = make_shape(4, make_shape(Int<2>{}, 3));
  EXPECT_EQ(size(shape), 24);
  EXPECT_EQ(product(shape), 24);
  EXPECT_EQ((size<1, 1>(shape)), 3);
  CUTE_STATIC_ASSERT_V(rank(shape) == Int<2>{});
  CUTE_STATIC_ASSERT_V(depth(shape) == Int<2>{});
  EXPECT_EQ(max(shape), 4);
  EXPECT_EQ(min(1, 5, 3), 1);
  EXPECT_EQ(sum(shape), 9);
  EXPECT_EQ(inner_product(make_tuple(1, 2), make_tuple(3, 4)), 11);
  EXPECT_TRUE(ceil_div(make_shape(10, 7), Shape<_4, _4>{}) == make_shape(3, 2));
  EXPECT_EQ(round_up(10, 4), 12);
  EXPECT_TRUE((shape_div(Shape<_8, _4>{}, Int<16>{}) == Shape<_1, _2>{}));
  EXPECT_TRUE((shape_div(Shape<_8, _4>{}, Shape<_2, _4>{}) == Shape<_4, _1>{}));
  EXPECT_EQ(shape_div(7, 3), 3);
  EXPECT_EQ(shape_div(_4{}, 3), 2);
  EXPECT_EQ(shape_div(3, 4), 1);
  EXPECT_TRUE(shape_div(make_shape(4, make_shape(3, 5)), 6) == make_shape(1, make_shape(2, 5)));
  EXPECT_TRUE(shape_div(make_shape(5, 7), make_shape(2, _3{})) == make_shape(3, 3));
  EXPECT_TRUE(product_like(make_tuple(make_tuple(2, 3), 4), make_tuple(0, 0)) == make_tuple(6, 4));
  static_assert(decltype(congruent(Shape<_1, Shape<_2, _3>>{}, Shape<_4, Shape<_5, _6>>{}))::value);
  static_assert(decltype(weakly_congruent(Shape<_1, _2>{}, Shape<_4, Shape<_5, _6>>{}))::value);
  static_assert(!decltype(weakly_congruent(Shape<_1, Shape<_2, _3>>{}, Shape<_4, _5>{}))::value);
  static_assert(decltype(compatible(Int<24>{}, Shape<_4, _6>{}))::value);
}

TEST(CuteTuples, Comparisons) {
  EXPECT_TRUE(elem_less(make_coord(1, 2), make_shape(2, 3)));
  EXPECT_FALSE(elem_less(make_coord(1, 3), make_shape(2, 3)));
  EXPECT_TRUE(elem_leq(make_coord(2, 3), make_shape(2, 3)));
  EXPECT_TRUE(elem_gtr(make_coord(3, 4), make_shape(2, 3)));
  EXPECT_TRUE(lex_less(make_coord(1, 9), make_coord(2, 0)));
  EXPECT_TRUE(colex_less(make_coord(9, 1), make_coord(0, 2)));
  EXPECT_TRUE(colex_geq(make_coord(0, 2), make_coord(9, 1)));
}

TEST(CuteTuples, OneConstantThatDiffersDecidesAComparison) {
  static_assert(is_constant<0, decltype(make_tuple(1, _2{}) == make_tuple(1, _3{}))>::value);
  static_assert(is_constant<1, decltype(make_tuple(1, _2{}) != make_tuple(1, _3{}))>::value);
  static_assert(is_constant<0, decltype(make_layout(make_shape(1, _2{})) == make_layout(make_shape(1, _3{})))>::value);
  static_assert(is_constant<0, decltype(make_tuple(1, E<0>{}) == make_tuple(1, E<1>{}))>::value);
  static_assert(is_constant<0, decltype(_1{} == E<0>{})>::value);
  static_assert(!is_static<decltype(make_tuple(1, _2{}) == make_tuple(1, _2{}))>::value);
  EXPECT_TRUE(make_tuple(1, _2{}) == make_tuple(1, _2{}));
}

TEST(CuteTuples, Numbers) {
  static_assert(decltype(gcd(Int<12>{}, Int<18>{}))::value == 6);
  EXPECT_EQ(lcm(4, 6), 12);
  static_assert(decltype(has_single_bit(Int<16>{}))::value);
  static_assert(decltype(log_2(Int<32>{}))::value == 5);
  static_assert(decltype(bit_width(Int<5>{}))::value == 3);
  static_assert(decltype(countr_zero(Int<24>{}))::value == 3);
  EXPECT_EQ(signum(-3), -1);
  EXPECT_EQ(max(1.5, 2), 2.0);
  EXPECT_EQ(bit_ceil(5u), 8u);
  EXPECT_EQ(popcount(255), 8);
  using namespace cute;
  EXPECT_EQ(12_c + 4_c, 16);
  static_assert(is_same_v<uint_bit_t<32>, std::uint32_t> && is_same_v<uint_byte_t<16>, uint128_t>);
  static_assert(sizeof_bits<int4_t>::value == 4 && sizeof_bits_v<half_t> == 16 && is_subbyte<uint1_t>::value);
}

TEST(CuteTuples, ArraysAndFields) {
  array<int, 4> a{{1, 2, 3, 4}};
  EXPECT_EQ(a[2], 3);
  EXPECT_EQ(fold(a, 0, plus{}), 10);
  fill(a, 7);
  EXPECT_EQ(a.back(), 7);
  array_subbyte<uint4_t, 6> packed;
  packed.fill(uint4_t(5));
  packed[3] = uint4_t(9);
  EXPECT_EQ(int(packed[3]), 9);
  EXPECT_EQ(int(packed[2]), 5);
  EXPECT_EQ(sizeof(packed), 3u);
  static_assert(alignof(cutlass::AlignedArray<float, 4>) == 16 && sizeof(cutlass::AlignedArray<float, 4>) == 16);
  EXPECT_TRUE(is_byte_aligned<16>(nullptr));
}

// A step is a coordinate too: X is `_`.
TEST(CuteTuples, StepsSliceAndDice) {
  static_assert(std::is_same_v<X, Underscore>);
  EXPECT_EQ(dice(Step<_1, X, _1>{}, make_shape(1, 2, 3)), make_shape(1, 3));
  EXPECT_EQ(slice(Step<_1, X, _1>{}, make_shape(1, 2, 3)), make_shape(2));
  auto const layout = make_layout(make_shape(4, 5, 6));
  EXPECT_EQ(layout(1, X{}, X{}), make_layout(make_shape(5, 6), make_stride(4, 20)));
  auto const tensor = make_tensor(counting_iterator<int>{}, make_layout(make_shape(128, 64)));
  auto const tiles = zipped_divide(tensor, dice(Step<_1, X, _1>{}, make_tile(_32{}, _8{}, _16{})));
  EXPECT_EQ(int(size<0>(tiles)), 32 * 16);
}

}  // namespace
}  // namespace cute
