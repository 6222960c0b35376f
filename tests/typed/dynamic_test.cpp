// The two faces agree when leaves are run-time values: every operation is run on a layout with some leaves made dynamic
// and compared, coordinate by coordinate, with the same operation on the all-static layout.
#include <gtest/gtest.h>

#include "tilewright/algebra/operations.hpp"

namespace tilewright {
namespace {

// --- a layout with the leaves of a mask made run-time values ---------------------------------------------------------
template <unsigned Mask, int At, class T>
constexpr auto loosened(T const&) {
  if constexpr ((Mask >> At & 1u) != 0) return static_cast<int>(T::value);
  else return T{};
}
template <unsigned Mask, int At, class... T, int... N>
constexpr auto loosened_entries(tuple<T...> const& t, seq<N...>);
template <unsigned Mask, int At, class... T>
constexpr auto loosened(tuple<T...> const& t) {
  return loosened_entries<Mask, At>(t, make_seq<static_cast<int>(sizeof...(T))>{});
}
template <class T>
constexpr int leaf_count = lift::value_of<T>.tree.leaves;
template <class... T>
constexpr int leaves_in_front(int k) {
  int const counts[] = {leaf_count<T>..., 0};
  int sum = 0;
  for (int i = 0; i < k; ++i) sum += counts[i];
  return sum;
}
template <unsigned Mask, int At, class... T, int... N>
constexpr auto loosened_entries(tuple<T...> const& t, seq<N...>) {
  return make_tuple(loosened<Mask, At + leaves_in_front<T...>(N)>(get<N>(t))...);
}

/// Shape leaves by ShapeMask, stride leaves by StrideMask.
template <unsigned ShapeMask, unsigned StrideMask, class S, class D>
constexpr auto twin(Layout<S, D> const&) {
  return make_layout(loosened<ShapeMask, 0>(S{}), loosened<StrideMask, 0>(D{}));
}

int compared = 0;

template <class A, class B>
void expect_same_function(A const& is, B const& want) {
  ASSERT_EQ(static_cast<long long>(size(is)), static_cast<long long>(size(want)));
  for (int i = 0; i < static_cast<int>(size(want)); ++i)
    ASSERT_EQ(static_cast<long long>(is(i)), static_cast<long long>(want(i))) << "at index " << i;
  ++compared;
}

/// Op on the loosened layout, where the run on values does not refuse it; Tiler stays as it is.
template <class Op, unsigned ShapeMask, unsigned StrideMask, class L, class... Tiler>
void check(L const& layout, Tiler const&... tiler) {
  auto const loose = twin<ShapeMask, StrideMask>(layout);
  using Loose = std::remove_const_t<decltype(loose)>;
  if constexpr (lift::Run<Op, Loose, lift::as_tiler<Tiler>...>::value.error.code == errc::ok) {
    auto const want = lift::call<Op, L, lift::as_tiler<Tiler>...>::on(layout, tiler...);
    expect_same_function(lift::call<Op, Loose, lift::as_tiler<Tiler>...>::on(loose, tiler...), want);
  }
}

template <unsigned ShapeMask, unsigned StrideMask, class L, class Whole, class ByMode>
void check_all(L const& layout, Whole const& whole, ByMode const& by_mode) {
  check<op::coalesce, ShapeMask, StrideMask>(layout);
  if constexpr (StrideMask == 0) check<op::filter_zeros, ShapeMask, 0>(layout);  // a run-time 0 is not filtered
  check<op::flatten, ShapeMask, StrideMask>(layout);
  check<op::composition, ShapeMask, StrideMask>(layout, whole);
  check<op::logical_divide, ShapeMask, StrideMask>(layout, whole);
  check<op::composition, ShapeMask, StrideMask>(layout, by_mode);
  check<op::logical_divide, ShapeMask, StrideMask>(layout, by_mode);
  check<op::zipped_divide, ShapeMask, StrideMask>(layout, by_mode);
  check<op::tiled_divide, ShapeMask, StrideMask>(layout, by_mode);
  check<op::flat_divide, ShapeMask, StrideMask>(layout, by_mode);
}

template <class L, class Whole, class ByMode>
void check_masks(L const& layout, Whole const& whole, ByMode const& by_mode) {
  check_all<1, 0>(layout, whole, by_mode);
  check_all<3, 0>(layout, whole, by_mode);
  check_all<0, 2>(layout, whole, by_mode);
  check_all<7, 7>(layout, whole, by_mode);
}

TEST(Dynamic, OperationsAgreeWithTheStaticOnes) {
  compared = 0;
  check_masks(Layout<Shape<_8, _12>>{}, Layout<_4, _2>{}, Tile<_4, _3>{});
  check_masks(Layout<Shape<_8, _12>, Stride<_12, _1>>{}, Layout<_8, _1>{}, Tile<_2, _6>{});
  check_masks(Layout<Shape<Shape<_2, _4>, _6>, Stride<Stride<_1, _12>, _2>>{}, Layout<_2, _1>{},
              Tile<Layout<_2, _1>, Layout<_3, _2>>{});
  check_masks(Layout<Shape<_4, _6, _8>, Stride<_48, _8, _1>>{}, Layout<_4, _1>{}, Tile<_2, Underscore, _4>{});
  check_masks(Layout<Shape<_16, _4>, Stride<_0, _1>>{}, Layout<_16, _1>{}, Tile<_8, _2>{});
  EXPECT_GE(compared, 80);  // refused combinations are few
}

TEST(Dynamic, CoordinatesAndOffsets) {
  auto const layout = make_layout(make_shape(5, make_shape(_3{}, 4)), make_stride(_7{}, make_stride(100, _1{})));
  Layout<Shape<Int<5>, Shape<_3, _4>>, Stride<_7, Stride<Int<100>, _1>>> const fixed;
  for (int m = 0; m < 5; ++m)
    for (int n = 0; n < 12; ++n) {
      EXPECT_EQ(layout(m, n), fixed(m, n));
      EXPECT_EQ(layout(m, make_coord(n % 3, n / 3)), fixed(m, n));
      EXPECT_EQ(layout(make_coord(m, n)), layout(m + 5 * n));
    }
  EXPECT_EQ(size(layout), 60);
  EXPECT_EQ(cosize(layout), 1 + 4 * 7 + 200 + 3);
}

TEST(Dynamic, OffsetsBeyond32BitsDoNotWrap) {
  int const rows = 1 << 20, columns = 1 << 14;
  auto const layout = make_layout(make_shape(rows, columns));
  EXPECT_EQ(layout(rows - 1, columns - 1), (1LL << 34) - 1);
  EXPECT_EQ(size(layout), 1LL << 34);
  EXPECT_EQ(cosize(make_layout(make_shape(rows, columns), make_stride(columns, 1))), 1LL << 34);
}

TEST(Dynamic, UnsignedThreadIndicesAndNegativeStrides) {
  Layout<Shape<_4, _8>, Stride<_8, Int<-1>>> const mirrored;
  unsigned const column = 3;
  EXPECT_EQ(static_cast<long long>(mirrored(2u, column)), 16 - 3);
  EXPECT_EQ(static_cast<long long>(mirrored(0u, column)), -3);
}

#if TILEWRIGHT_CHECKED
TEST(Dynamic, ATilerThatDoesNotDivideIsRefusedAtRunTime) {
  auto const layout = make_layout(make_shape(6, 4), make_stride(_1{}, 100));
  EXPECT_THROW((void)composition(layout, Layout<_4, _2>{}), layout_error);  // 0, 2, 4 and then the next row
  auto const fits = make_layout(make_shape(8, 4), make_stride(_1{}, 100));
  EXPECT_EQ((composition(fits, Layout<_4, _1>{})(3)), 3);
}

TEST(Dynamic, OverflowIsAnErrorNotAWrap) {
  long long const large = 1LL << 40;
  EXPECT_THROW((void)make_layout(make_shape(large, large, 2)), layout_error);
}
#endif

// --- stated facts ----------------------------------------------------------------------------------------------------
TEST(Facts, PropagateThroughDivision) {
  auto const layout = make_layout(make_shape(multiple_of<8>(40), 16));
  auto const tiled = logical_divide(layout, make_tile(Int<4>{}, _));
  static_assert(std::is_same_v<decltype(shape<0, 0>(tiled)), _4>);
  static_assert(std::is_same_v<decltype(shape<0, 1>(tiled)), multiple<2, int>>);
  EXPECT_EQ((shape<0, 1>(tiled)), 10);
  static_assert(std::is_same_v<decltype(stride<1>(layout)), multiple<8, int>>);
}

TEST(Facts, MakeAStaticAnswerWhereThereIsOne) {
  // A row of 8n elements holds whole vectors of 4, whatever n is.
  auto const layout = make_layout(make_shape(multiple_of<8>(24), 3), make_stride(_1{}, multiple_of<4>(28)));
  auto const vectors = composition(layout, Layout<_4, _1>{});
  static_assert(std::is_same_v<decltype(vectors), Layout<_4, _1> const>);
  auto const wide = upcast<4>(layout);
  EXPECT_EQ(size<0>(wide), 6);
  EXPECT_EQ(stride<1>(wide), 7);
}

#if TILEWRIGHT_CHECKED
TEST(Facts, AreVerifiedWhereTheyAreStated) {
  EXPECT_THROW((void)multiple_of<8>(12), layout_error);
  EXPECT_THROW((void)multiple_of<8>(0), layout_error);
}
#endif

}  // namespace
}  // namespace tilewright
