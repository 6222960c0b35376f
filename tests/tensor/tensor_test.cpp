// Tensors: owning and not, const and not, element access by coordinates of every depth, slices with `_` at
// every position, and other views of the same elements (recast, flatten, group, take, select, compose,
// domain_offset).
#include <gtest/gtest.h>

#include <string>

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "plain.hpp"
#include "tilewright/tensor/partition.hpp"

namespace tilewright {
namespace {

using tests::number;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

std::vector<int> iota(int n) {
  std::vector<int> out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// --- owning
// ----------------------------------------------------------------------------------------------------------
using Fragment = decltype(make_tensor<float>(Shape<_4, _2>{}));
static_assert(is_owning_v<Fragment> && sizeof(Fragment) == 32 && alignof(Fragment) == 32);
static_assert(same<Fragment::value_type, float> && Fragment::rank == 2);
static_assert(sizeof(make_tensor<double>(Layout<Shape<_2, _3>, Stride<_4, _1>>{})) >= 7 * sizeof(double));  // its span
static_assert(sizeof(make_tensor<int4b_t>(Shape<_8>{})) == 4 && sizeof(make_tensor<uint1b_t>(Shape<_9>{})) == 2);
static_assert(alignof(ArrayEngine<char, 3>) == 16 && sizeof(ArrayEngine<char, 3>) == 16);
static_assert(same<decltype(make_tensor<float>(Shape<_4, _2>{}, Stride<_2, _1>{}).layout()),
                   Layout<Shape<_4, _2>, Stride<_2, _1>>>);
static_assert(
    same<decltype(make_tensor<float>(Shape<_4, _2>{}, LayoutRight{}).layout()), Layout<Shape<_4, _2>, Stride<_2, _1>>>);

constexpr int owned_sum() {
  auto t = make_tensor<int>(Layout<Shape<_3, _4>, Stride<_4, _1>>{});
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 4; ++n) t(m, n) = 10 * m + n;
  auto const copy_of_it = t;  // owns elements of its own
  t(2, 3) = 1000;
  int sum = 0;
  for (int i = 0; i < 12; ++i) sum += copy_of_it(i) * (i + 1);
  return sum;
}
constexpr int owned_sum_by_hand() {
  int sum = 0;
  for (int i = 0; i < 12; ++i) sum += (10 * (i % 3) + i / 3) * (i + 1);
  return sum;
}
static_assert(owned_sum() == owned_sum_by_hand());

// Like another tensor: compact in the same order; like a partition: an atom's values first.
static_assert(same<decltype(make_tensor_like<short>(Layout<Shape<_4, _8>, Stride<_32, _2>>{}).layout()),
                   Layout<Shape<_4, _8>, Stride<_8, _1>>>);
static_assert(
    same<decltype(make_fragment_like<short>(Layout<Shape<Shape<_4, _1>, _2>, Stride<Stride<_16, _0>, _1>>{}).layout()),
         Layout<Shape<Shape<_4, _1>, _2>, Stride<Stride<_1, _0>, _4>>>);
static_assert(same<decltype(make_tensor_like(Fragment{}))::value_type, float> &&
              is_owning_v<decltype(make_fragment_like(Fragment{}))>);

// --- const-ness
// ------------------------------------------------------------------------------------------------------
static_assert(same<decltype(std::declval<Fragment&>()(0)), float> &&
              std::is_same_v<decltype(std::declval<Fragment&>()(0)), float&>);
static_assert(std::is_same_v<decltype(std::declval<Fragment const&>()(0)), float const&>);
using View = decltype(make_tensor(std::declval<float*>(), Shape<_4, _2>{}));
static_assert(
    std::is_same_v<decltype(std::declval<View const&>()(0)), float&>);  // a view's own const is not its elements'
using ConstView = decltype(make_tensor(std::declval<float const*>(), Shape<_4, _2>{}));
static_assert(std::is_same_v<decltype(std::declval<ConstView&>()(0)), float const&> &&
              same<ConstView::value_type, float>);
static_assert(!is_owning_v<View> && std::is_same_v<decltype(std::declval<Fragment const&>()(_, 0)(0)), float const&>);
static_assert(same<decltype(make_tensor(make_smem_ptr(std::declval<float*>()), _4{}))::iterator, smem_ptr<float*>>);
static_assert(rank_v<View const> == 2 && std::is_trivially_copyable_v<View> && sizeof(View) == sizeof(float*));

// --- access and slices
// -----------------------------------------------------------------------------------------------
TEST(Tensor, ElementsByCoordinatesOfEveryDepth) {
  auto data = iota(120);
  auto const t =
      make_tensor(data.data(), make_shape(_4{}, make_shape(5, _6{})), make_stride(30, make_stride(_6{}, _1{})));
  for (int m = 0; m < 4; ++m)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 6; ++j) {
        int const want = 30 * m + 6 * i + j;
        ASSERT_TRUE(t(m, make_coord(i, j)) == want && t(m, i + 5 * j) == want && t[m + 4 * (i + 5 * j)] == want &&
                    t[make_coord(m, make_coord(i, j))] == want);
      }
  t(3, 29) = -1;
  EXPECT_EQ(data[119], -1);
}

TEST(Tensor, SlicesAtEveryPosition) {
  auto data = iota(2 * 3 * 4 * 5);
  auto const t = make_tensor(data.data(), make_shape(_2{}, make_shape(3, _4{}), 5));
  auto const at = [](int a, int b, int c, int d) { return a + 2 * (b + 3 * (c + 4 * d)); };
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 4; ++c)
        for (int d = 0; d < 5; ++d) {
          int const want = at(a, b, c, d);
          ASSERT_TRUE(t(_, make_coord(b, c), d)(a) == want && t(a, _, d)(b + 3 * c) == want &&
                      t(a, make_coord(b, c), _)(d) == want && t(a, make_coord(_, c), d)(b) == want &&
                      t(a, make_coord(b, _), d)(c) == want && t(_, make_coord(_, c), d)(a, b) == want &&
                      t(_, make_coord(b, _), _)(a, c, d) == want && t(a, _, _)(b + 3 * c, d) == want &&
                      t(_, _, _)(a, make_coord(b, c), d) == want && t(make_coord(a, _, d))(b + 3 * c) == want &&
                      t(a, _, _)(_, d)(b + 3 * c) == want);
        }
  static_assert(rank_v<decltype(t(_, make_coord(_, 0), 0))> == 2 && rank_v<decltype(t(0, make_coord(0, 0), _))> == 1);
}

#if TILEWRIGHT_CHECKED
TEST(Tensor, CoordinatesOutOfRangeAreRefused) {
  auto data = iota(12);
  auto const t = make_tensor(data.data(), make_shape(3, _4{}));
  EXPECT_NO_THROW((void)t(2, 3));
  EXPECT_THROW((void)t(3, 0), layout_error);
  EXPECT_THROW((void)t(0, 4), layout_error);
  EXPECT_THROW((void)t(-1, 0), layout_error);
  EXPECT_THROW((void)t(12), layout_error);
  EXPECT_THROW((void)t[12], layout_error);
  EXPECT_THROW((void)t(_, 4), layout_error);
  EXPECT_THROW((void)t(3, _), layout_error);
  // The sentence has the coordinate as it was written, and the tensor's shape.
  auto const sentence = [](auto const& access) -> std::string {
    try {
      access();
    } catch (layout_error const& e) {
      EXPECT_EQ(e.cause().code, errc::coordinate_out_of_range);
      return e.what();
    }
    return "nothing thrown";
  };
  std::string const remedy =
      "; use coordinates from 0 to extent - 1 in each mode (docs/errors.md#coordinate_out_of_range)";
  auto const nested = make_tensor(data.data(), make_shape(make_shape(3, _2{}), 2));
  EXPECT_EQ(sentence([&] { (void)t(3, 1); }),
            "tensor: the coordinate is out of range (coordinate (3,1), shape (3,4))" + remedy);
  EXPECT_EQ(sentence([&] { (void)t(-12); }),
            "tensor: the coordinate is out of range (coordinate -12, shape (3,4))" + remedy);
  EXPECT_EQ(sentence([&] { (void)nested(make_coord(1, 2), _); }),
            "tensor: the coordinate is out of range (coordinate ((1,2),_), shape ((3,2),2))" + remedy);
}
#endif

// --- other views
// -----------------------------------------------------------------------------------------------------
TEST(Tensor, OtherViewsOfTheSameElements) {
  auto data = iota(2 * 3 * 4 * 5);
  auto const t = make_tensor(make_gmem_ptr(data.data()), make_shape(_2{}, _3{}, make_shape(4, _5{})));
  auto const grouped = group_modes<0, 2>(t);
  auto const flat = flatten(t);
  auto const last = take<1, 3>(t);
  auto const turned = select<2, 0>(t);
  auto const mode = tensor<2>(t);
  auto const moved = domain_offset(make_coord(1, 1, make_coord(2, 1)), t);
  auto const composed = t.compose(_, Layout<_2, _2>{}, _);
  auto const one = composition(t, Layout<_6, _1>{});
  auto const shaped = with_shape(one, Shape<_3, _2>{});
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 20; ++c) {
        int const want = a + 2 * b + 6 * c;
        ASSERT_TRUE(grouped(a + 2 * b, c) == want && flat(a, b, c % 4, c / 4) == want && last(b, c) == want - a &&
                    turned(c, a) == want - 2 * b);
        ASSERT_EQ(mode(c), 6 * c);
      }
  EXPECT_EQ(&moved(0, 0, 0), &t(1, 1, make_coord(2, 1)));
  EXPECT_EQ(&moved(0, 1, make_coord(1, 2)), &t(1, 2, make_coord(3, 3)));
  EXPECT_EQ(composed(1, 1, 7), t(1, 2, 7));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(one(i), i);
  EXPECT_EQ(shaped(2, 1), 5);
  static_assert(is_gmem_v<decltype(grouped)::iterator>);
  EXPECT_EQ(number(size(t)), 120);
  EXPECT_EQ(number(size<2>(t)), 20);
  EXPECT_EQ(number(cosize(t)), 120);
  static_assert(decltype(depth(t))::value == 2 && decltype(rank<2>(t))::value == 2);
  EXPECT_TRUE(shape<2>(t) == make_shape(4, 5) && stride<1>(t) == 2);
}

TEST(Tensor, CoalesceAndFilterKeepTheElements) {
  auto data = iota(24);
  auto const t = make_tensor(data.data(), make_shape(_2{}, make_shape(_3{}, _4{})));
  auto const line = coalesce(t);
  auto const rows = coalesce(t, Shape<_1, _1>{});
  static_assert(rank_v<decltype(line)> == 1 && rank_v<decltype(rows)> == 2);
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(line(i), i);
    EXPECT_EQ(rows(i), i);
  }
  auto const broadcast = make_tensor(data.data(), Layout<Shape<_4, _3>, Stride<_0, _1>>{});
  EXPECT_EQ(broadcast(3, 2), 2);
  EXPECT_EQ(number(size(filter_zeros(broadcast))), 3);
}

TEST(Tensor, RecastBetweenWidths) {
  alignas(16) std::uint16_t data[6 * 8];
  for (std::uint16_t i = 0; i < 48; ++i) data[i] = i;
  auto const t = make_tensor(make_smem_ptr(&data[0]), Layout<Shape<_8, _6>>{});
  auto const wide = recast<std::uint64_t>(t);
  auto const narrow = recast<std::uint8_t>(t);
  static_assert(same<decltype(wide.layout()), Layout<Shape<_2, _6>>> &&
                same<decltype(wide)::iterator, smem_ptr<std::uint64_t*>>);
  static_assert(same<decltype(narrow.layout()), Layout<Shape<_16, _6>>>);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&wide(1, 2)), reinterpret_cast<std::uintptr_t>(&t(4, 2)));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&narrow(9, 5)), reinterpret_cast<std::uintptr_t>(&t(4, 5)) + 1);
  auto const padded = make_tensor(&data[0], make_shape(_8{}, 2), make_stride(_1{}, multiple_of<8>(24)));
  auto const vectors = recast<uint128_t>(padded);
  EXPECT_EQ(number(size(vectors)), 2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&vectors(0, 1)), reinterpret_cast<std::uintptr_t>(&data[24]));
  static_assert(same<decltype(recast<std::uint16_t const>(t)), decltype(t)>);
}

// --- tensors without memory
// ------------------------------------------------------------------------------------------
TEST(Tensor, CountingAndIdentity) {
  auto const counting = make_counting_tensor(make_layout(make_shape(_4{}, 6), make_stride(6, _1{})));
  auto const identity = make_identity_tensor(make_shape(_4{}, make_shape(3, 2)));
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 6; ++n) {
      EXPECT_EQ(counting(m, n), 6 * m + n);
      EXPECT_EQ(counting(m, _)(n), 6 * m + n);
      EXPECT_TRUE(identity(m, n) == make_coord(m, make_coord(n % 3, n / 3)));
      EXPECT_TRUE(identity(_, n)(m) == make_coord(m, make_coord(n % 3, n / 3)));
    }
  EXPECT_EQ(*counting(2, _).data(), 12);
  auto const tile = local_tile(make_identity_tensor(make_shape(12, 10)), Shape<_4, _5>{}, make_coord(2, 1));
  EXPECT_TRUE(tile(3, 2) == make_coord(11, 7));
  auto const moved = domain_offset(make_coord(100, 200), make_identity_tensor(make_shape(4, 4)));
  EXPECT_TRUE(moved(1, 2) == make_coord(101, 202));
  auto const coordinates = make_counting_tensor(make_identity_layout(Shape<_3, _2>{}));
  EXPECT_TRUE(coordinates(2, 1) == make_coord(2, 1));
}
static_assert(make_identity_tensor(Shape<_4, _6>{})(3, 5) == make_coord(3, 5));
static_assert(make_identity_tensor(Shape<_4, Shape<_2, _3>>{})(3, 5) == make_coord(3, make_coord(1, 2)));

TEST(Tensor, CountingBeyond32Bits) {
  auto const plane = make_counting_tensor(make_layout(make_shape(1 << 20, 1 << 20)));
  EXPECT_EQ(plane(5, (1 << 20) - 1), 5 + ((1LL << 40) - (1LL << 20)));
  auto const fixed = make_counting_tensor(Layout<Shape<C<1 << 20>, C<1 << 20>>>{});
  EXPECT_EQ(fixed(5, (1 << 20) - 1), 5 + ((1LL << 40) - (1LL << 20)));
  static_assert(same<decltype(make_counting_tensor(Layout<Shape<_4, _8>>{}))::value_type, int>);
}

}  // namespace
}  // namespace tilewright
