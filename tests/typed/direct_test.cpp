// What the typed face answers without a run of the algebra (algebra/direct.hpp) is what the run gives, types included.
#include <gtest/gtest.h>

#include "tilewright/tilewright.hpp"

#include <type_traits>
#include <utility>

namespace tilewright::tests {
namespace {

template <class Op, class... In>
using of_run = decltype(lift::call<Op, In...>::on(std::declval<In const&>()...));

template <class S, int... I>
constexpr bool same_size = std::is_same_v<decltype(size<I...>(std::declval<S const&>())), of_run<op::size_of<I...>, S>>;
template <class X, class L>
constexpr bool same_slice =
    std::is_same_v<decltype(slice(std::declval<X const&>(), std::declval<L const&>())), of_run<op::slice, L, X>>;
template <class X, class L>
constexpr bool is_direct = tilewright::detail::is_direct_slice<X, L>;

using nested = Shape<Shape<_2, Int<3>>, _4, Shape<_1, Shape<Int<5>, _8>>>;
static_assert(same_size<nested> && tilewright::detail::direct_size<nested> == 960);
static_assert(same_size<nested, 0> && same_size<nested, 1> && same_size<nested, 2, 1> && same_size<nested, 2, 1, 0>);
static_assert(tilewright::detail::direct_size_of_mode<nested, 2, 1>::value == 40);
static_assert(same_size<_8> && same_size<Shape<>> && same_size<C<7u>> && same_size<Shape<C<6L>, C<5LL>>>);
// Beyond int, and what is left to the run: zero, negative and run-time extents, modes of a leaf, more than 62 bits.
using large = Shape<Int<1 << 20>, Int<1 << 20>>;
static_assert(same_size<large> && std::is_same_v<decltype(size(large{})), C<(1LL << 40)>>);
static_assert(tilewright::detail::direct_size<Shape<large, large>> == tilewright::detail::not_direct);
static_assert(same_size<Shape<_0, _4>> && same_size<Shape<_4, _0>> &&
              tilewright::detail::direct_size<Shape<_4, _0>> < 0);
static_assert(same_size<Shape<Int<-2>, _4>> && tilewright::detail::direct_size<Shape<Int<-2>, _4>> < 0);
static_assert(same_size<Shape<_4, int>> && same_size<Shape<_4, int>, 0> && same_size<Shape<_4, int>, 1>);
static_assert(same_size<Shape<_4, _2>, 1, 0> &&
              tilewright::detail::direct_size_of_mode<_4, 0>::value == tilewright::detail::not_direct);
static_assert(tilewright::detail::direct_size<C<true>> == tilewright::detail::not_direct);

using still = Layout<Shape<Shape<_2, Int<3>>, _4, _8>, Stride<Stride<_1, _8>, _2, Int<-24>>>;
using moving = Layout<Shape<int, Shape<_4, long long>, unsigned>, Stride<_1, Stride<int, _0>, long long>>;
using basis = Layout<Shape<_4, int>, Stride<ScaledBasis<_1, 0>, ScaledBasis<int, 1>>>;
template <class L>
constexpr bool same_slices =
    same_slice<tuple<Underscore, int, Underscore>, L>&& same_slice<tuple<int, Underscore, _1>, L>&&
        same_slice<tuple<Underscore, Underscore, Underscore>, L>&& same_slice<tuple<int, _0, long long>, L>&&
            is_direct<tuple<Underscore, int, Underscore>, L>&& is_direct<tuple<_0, int, unsigned>, L>;
static_assert(same_slices<still> && same_slices<moving>);
static_assert(same_slice<tuple<Underscore, int>, basis> && is_direct<tuple<int, Underscore>, basis>);
// Left to the run: coordinates with modes, a whole layout, leaves of other types than runs give.
static_assert(same_slice<tuple<tuple<Underscore, int>, Underscore, int>, still> &&
              !is_direct<tuple<tuple<Underscore, int>, Underscore, int>, still>);
static_assert(same_slice<Underscore, still> && same_slice<int, still> && !is_direct<int, still>);
using narrow = Layout<Shape<short, C<8L>>, Stride<_1, long>>;
static_assert(same_slice<tuple<Underscore, Underscore>, narrow> && !is_direct<tuple<Underscore, int>, narrow>);
static_assert(!is_direct<tuple<Underscore, int>, Layout<Shape<_4, _4>, Stride<_1, ScaledBasis<_0, 1>>>>);
static_assert(!is_direct<tuple<Underscore, int>, Layout<Shape<_4, Shape<_2, _2>>, Stride<_1, _4>>>);

TEST(direct, slices_have_the_extents_and_strides_of_their_modes) {
  moving const a{make_shape(5, make_shape(_4{}, 7LL), 9u), make_stride(_1{}, make_stride(11, _0{}), 13LL)};
  auto const kept = slice(make_coord(_, 2, _), a);
  EXPECT_EQ(kept.shape(), make_shape(5, 9u));
  EXPECT_EQ(kept.stride(), make_stride(_1{}, 13LL));
  auto const middle = slice(make_coord(1, _, 0), a);
  EXPECT_EQ(middle.shape(), make_shape(make_shape(_4{}, 7LL)));
  EXPECT_EQ(middle.stride(), make_stride(make_stride(11, _0{})));
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 9; ++k) EXPECT_EQ(kept(i, k) + crd2idx(make_coord(0, 2, 0), a), a(i, 2, k)) << i << ' ' << k;
}

}  // namespace
}  // namespace tilewright::tests
