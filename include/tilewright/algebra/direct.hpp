// Answers that types give without a run of the algebra: the size of a static shape, and the modes that a flat coordinate keeps. A
// run costs nvcc's front end 3 to 5 ms, these 0.3 ms; kernels ask them for hundreds of layouts. The answers are those of
// the runs, types included (tests/typed/direct_test.cpp); what they do not cover is left to the runs, errors among it.
//
//   size of (2,(3,4))  =  24            slice (_,k,_) of (2,3,4):(1,2,6)  =  (2,4):(1,6)
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/ints/basis.hpp"
#include "tilewright/layout/layout.hpp"

namespace tilewright::detail {

inline constexpr long long not_direct = -1;

/// The product of a static shape's extents, all of them positive; not_direct for other shapes and beyond 62 bits.
template <class T>
inline constexpr long long direct_size = not_direct;
template <auto v>
inline constexpr long long direct_size<C<v>> = v > 0 ? static_cast<long long>(v) : not_direct;
template <>
inline constexpr long long direct_size<C<true>> = not_direct;
template <class... T>
TILEWRIGHT_CONSTEXPR long long direct_product() {
  long long product = 1;
  bool const all =
      (true && ... &&
       (direct_size<T> > 0 && direct_size<T> <= (1LL << 62) / product && (product *= direct_size<T>, true)));
  return all ? product : not_direct;
}
template <class... T>
inline constexpr long long direct_size<tuple<T...>> = direct_product<T...>();

/// Of mode I (of mode J of mode I, …).
template <class T, int... I>
struct direct_size_of_mode {
  static constexpr long long value = not_direct;
};
template <class T>
struct direct_size_of_mode<T> {
  static constexpr long long value = direct_size<T>;
};
template <class... T, int I, int... J>
requires(I >= 0 && I < static_cast<int>(sizeof...(T))) struct direct_size_of_mode<tuple<T...>, I, J...>
    : direct_size_of_mode<tuple_element_t<I, tuple<T...>>, J...> {
};

/// Is the type of a leaf the one that runs give?
template <class T>
inline constexpr bool is_usual_leaf = false;
template <auto v>
inline constexpr bool is_usual_leaf<C<v>> = std::is_same_v<normal_constant<static_cast<long long>(v)>, C<v>>;
template <>
inline constexpr bool is_usual_leaf<int> = true;
template <>
inline constexpr bool is_usual_leaf<unsigned> = true;
template <>
inline constexpr bool is_usual_leaf<long long> = true;
template <>
inline constexpr bool is_usual_leaf<unsigned long long> = true;
/// An extent and a stride of one nesting, of usual leaves.
template <class S, class D>
inline constexpr bool is_usual_mode = is_usual_leaf<S>&& is_usual_leaf<D>;
template <class S, class T, int... I>
inline constexpr bool is_usual_mode<S, ScaledBasis<T, I...>> = is_usual_leaf<S>&& is_usual_leaf<T> &&
                                                               !std::is_same_v<T, C<0>> && sizeof...(I) > 0 &&
                                                               sizeof...(I) <= 4 && ((I >= 0 && I <= 62) && ...);
template <class... S, class... D>
requires(sizeof...(S) ==
         sizeof...(D)) inline constexpr bool is_usual_mode<tuple<S...>, tuple<D...>> = (is_usual_mode<S, D> && ...);

/// Which entries of a flat coordinate are `_`: bit i for entry i; not_direct for other coordinates.
template <class X>
inline constexpr long long direct_kept = not_direct;
template <class T>
inline constexpr bool is_flat_entry = std::is_same_v<T, Underscore> || std::is_integral_v<T> || is_constant_v<T>;
template <class... X>
TILEWRIGHT_CONSTEXPR long long find_kept() {
  constexpr int count = static_cast<int>(sizeof...(X));
  bool const is_kept[]{std::is_same_v<X, Underscore>..., false};
  long long kept = 0;
  for (int i = 0; i < count && i < 16; ++i)
    if (is_kept[i]) kept |= 1LL << i;
  return count <= 16 && (is_flat_entry<X> && ...) ? kept : not_direct;
}
template <class... X>
inline constexpr long long direct_kept<tuple<X...>> = find_kept<X...>();

template <long long Kept>
struct positions_of_bits {
  int at[16]{};
  int count = 0;
};
template <long long Kept>
TILEWRIGHT_CONSTEXPR positions_of_bits<Kept> find_positions() {
  positions_of_bits<Kept> out{};
  for (int i = 0; i < 16; ++i)
    if ((Kept >> i & 1) != 0) out.at[out.count++] = i;
  return out;
}
template <long long Kept>
inline constexpr auto kept_positions = find_positions<Kept>();

template <class X, class L>
inline constexpr bool is_direct_slice = false;
template <class... X, class... S, class... D>
requires(sizeof...(X) ==
         sizeof...(S)) inline constexpr bool is_direct_slice<tuple<X...>, Layout<tuple<S...>, tuple<D...>>> =
    direct_kept<tuple<X...>> != not_direct && is_usual_mode<tuple<S...>, tuple<D...>>;

template <long long Kept, class S, class D, int... N>
TILEWRIGHT_FN constexpr auto kept_modes(Layout<S, D> const& a, seq<N...>) {
  using Shapes = tuple<tuple_element_t<kept_positions<Kept>.at[N], S>...>;
  using Strides = tuple<tuple_element_t<kept_positions<Kept>.at[N], D>...>;
  return Layout<Shapes, Strides>{Shapes{get<kept_positions<Kept>.at[N]>(a.shape())...},
                                 Strides{get<kept_positions<Kept>.at[N]>(a.stride())...}};
}
/// The modes at `_`.  pre: is_direct_slice<X, Layout<S, D>>
template <class X, class S, class D>
TILEWRIGHT_FN constexpr auto direct_slice(Layout<S, D> const& a) {
  constexpr long long kept = direct_kept<X>;
  return kept_modes<kept>(a, make_seq<kept_positions<kept>.count>{});
}

}  // namespace tilewright::detail
