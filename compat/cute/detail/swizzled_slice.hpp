// Slices of swizzled layouts, as CuTe's: where the bits of the offsets that vary do not swizzle one another, the swizzle is
// worked into the strides, and the slice is a layout without a swizzle.
//
// Column 1 of Sw<2,0,3> o (8,8):(1,8) has the offsets 8 to 15. Bit 3, which is set, flips bit 0, so that the offsets become
// 9, 8, 11, 10, …: from 9 on, those of (2,4):(-1,2).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/mixed_bits.hpp"
#include "cute/detail/layout_algebra.hpp"

namespace cute {

namespace detail {

/// The bits that offsets of a static layout set. Each bit belongs to one mode at most, or `known` is false.
struct bits_of_offsets {
  bool known = false;
  long long mask = 0;
};
template <class L>
struct offset_bits {
  TILEWRIGHT_CONSTEXPR static bits_of_offsets find() {
    tilewright::int_tree const& a = tilewright::lift::value_of<L>.tree;
    bits_of_offsets out{true, 0};
    for (int i = 0; i < a.leaves; ++i) {
      tilewright::leaf const s = a.shape[i], d = a.stride[i];
      if (!s.is_static() || !d.is_static() || !d.basis().empty() || d.number < 0) return {};
      if (s.number == 1 || d.number == 0) continue;
      if (!tilewright::math::has_single_bit(static_cast<unsigned long long>(d.number))) return {};
      long long extent = 1;
      while (extent < s.number) extent *= 2;
      long long const bits = (extent - 1) * d.number;
      if ((out.mask & bits) != 0) return {};
      out.mask |= bits;
    }
    return out;
  }
  static constexpr bits_of_offsets value = find();
};

/// A coordinate with 0 in place of the numbers known at run time, and with _ in place of all others.
template <class X>
struct parts_of {
  static constexpr bool at_run_time = !std::is_same_v<X, tilewright::Underscore> && !tilewright::is_constant_v<X>;
  using constants = std::conditional_t<at_run_time, C<0>, X>;
  using run_time = std::conditional_t<at_run_time, X, tilewright::Underscore>;
};
template <class... X>
struct parts_of<tilewright::tuple<X...>> {
  static constexpr bool at_run_time = (parts_of<X>::at_run_time || ...);
  using constants = tilewright::tuple<typename parts_of<X>::constants...>;
  using run_time = tilewright::tuple<typename parts_of<X>::run_time...>;
};

/// The modes of a layout that the numbers known at run time choose a part of.
template <class X, class L>
CUTE_HOST_DEVICE constexpr auto run_time_modes(L const& a) {
  if constexpr (!parts_of<X>::at_run_time) return tilewright::Layout<C<1>, C<0>>{};
  else return tilewright::dice(typename parts_of<X>::run_time{}, a);
}

/// Of an offset that is a constant or MixedBits.
template <class O>
inline constexpr bool has_known_bits = is_mixed_bits<O>::value || tilewright::is_constant_v<O>;
template <class O>
struct bits_of_offset : known_bits<C<O::value>> {};
template <std::uint32_t S, std::uint32_t D>
struct bits_of_offset<MixedBits<S, D>> : known_bits<MixedBits<S, D>> {};

/// What a slice at X of offset O and layout L is made of.
/// fixed: the bits of the offset that are constants;  unknown: those that the offset and the coordinate set at run time
template <class V, class X, class O, class L>
struct slice_bits {
  static constexpr bool folds = false, splits = false;
};
template <int B, int M, int S, class X, class O, class L>
requires(B > 0 && has_known_bits<O> && std::is_empty_v<L> &&
         tilewright::detail::flagged_bits<O> == 0) struct slice_bits<tilewright::Swizzle<B, M, S>, X, O, L> {
  using rest = std::remove_cvref_t<decltype(tilewright::slice(std::declval<X const&>(), L{}))>;
  using unknown_modes = std::remove_cvref_t<decltype(run_time_modes<X>(L{}))>;
  static constexpr bits_of_offsets varying = offset_bits<rest>::value, chosen = offset_bits<unknown_modes>::value;
  static constexpr bits_of_offsets unknown{chosen.known && (chosen.mask & bits_of_offset<O>::unknown) == 0,
                                           chosen.mask | bits_of_offset<O>::unknown};
  static constexpr long long fixed = static_cast<long long>(bits_of_offset<O>::ones) +
                                     decltype(tilewright::crd2idx(typename parts_of<X>::constants{}, L{}))::value;
  /// Bit to + i is flipped by bit from + i.
  static constexpr int to = swizzled_bits_at<B, M, S>, from = swizzling_bits_at<B, M, S>;
  static constexpr long long ones = (1LL << B) - 1;
  static constexpr bool no_carry =
      (varying.mask & unknown.mask) == 0 && (varying.mask & fixed) == 0 && (unknown.mask & fixed) == 0 && fixed >= 0;
  static constexpr bool is_linear = ((varying.mask >> to) & (varying.mask >> from) & ones) == 0;
  static constexpr bool splits = varying.known && unknown.known && no_carry && fixed < (1LL << 30) &&
                                 varying.mask < (1LL << 30) && unknown.mask < (1LL << 30);
  static constexpr bool folds = splits && is_linear;
  /// The bits that the swizzle reads or writes.
  static constexpr long long swizzled = ones << to | ones << from;

  /// By how much bit P of the varying offset moves the swizzled one: 2^P, less where it flips a bit that is set.
  template <int P, class Offset>
  CUTE_HOST_DEVICE static constexpr auto step(Offset const& start) {
    constexpr bool written = P >= to && P < to + B, read = P >= from && P < from + B;
    constexpr int other = written ? P - to + from : read ? P - from + to : 0;
    constexpr int moved = written ? P : other;  // the bit that is set or cleared
    constexpr int kept = written ? 0 : 1 << P;
    if constexpr (!written && !read) return C<(1 << P)>{};
    else if constexpr (((unknown.mask >> other) & 1) == 0)
      return C<kept + (((fixed >> other) & 1) != 0 ? -(1 << moved) : 1 << moved)>{};
    else return kept + (1 << moved) - ((static_cast<int>(start) >> other & 1) << (moved + 1));
  }
  /// Bit by bit, the last one for all above.
  template <class Offset, int... P>
  CUTE_HOST_DEVICE static constexpr auto steps(Offset const& start, tilewright::seq<P...>) {
    constexpr int count = static_cast<int>(sizeof...(P));
    return tilewright::make_layout(tilewright::make_tuple(C<(P + 1 < count ? 2 : 1 << (30 - P))>{}...),
                                   tilewright::make_tuple(step<P>(start)...));
  }
  static constexpr int bits = (to > from ? to : from) + B + 1;
};

/// A slice that keeps its swizzle: bits of the offset that the swizzle neither reads nor writes are beside it, and what is known of
/// the others stays known: column 3 of four of 16 elements starts at M_0|(48&48).
template <class Parts, class V, class O, class L, class X>
CUTE_HOST_DEVICE constexpr auto split_slice(X const& x, tilewright::ComposedLayout<V, O, L> const& a) {
  constexpr long long known = Parts::fixed & Parts::swizzled, unknown = Parts::unknown.mask & Parts::swizzled;
  auto const start = a.offset() + tilewright::crd2idx(x, a.layout_b());
  auto const offset = make_mixed_bits(C<known>{}, start, C<unknown>{});
  auto const beside = [&] {
    if constexpr ((Parts::unknown.mask & ~Parts::swizzled) == 0)
      return C<static_cast<int>(Parts::fixed & ~Parts::swizzled)>{};
    else return static_cast<int>(start) & static_cast<int>(~Parts::swizzled);
  }();
  auto const rest = [&] {
    if constexpr (unknown == 0)
      return tilewright::make_composed_layout(V{}, C<static_cast<int>(known)>{}, tilewright::slice(x, a.layout_b()));
    else return tilewright::make_composed_layout(V{}, offset, tilewright::slice(x, a.layout_b()));
  }();
  return tilewright::sliced<std::remove_const_t<decltype(rest)>, std::remove_const_t<decltype(beside)>>{rest, beside};
}

/// A slice that keeps its swizzle: whole periods of the swizzle are beside it, and a flag stays where nothing else is in the offset.
template <class V, class O, class L, class X>
CUTE_HOST_DEVICE constexpr auto keep_swizzle(X const& x, tilewright::ComposedLayout<V, O, L> const& a) {
  auto const part = tilewright::slice_and_offset(x, a);
  if constexpr (tilewright::detail::flagged_bits<O> != 0 &&
                std::is_same_v<std::remove_cvref_t<decltype(part.layout.offset())>, C<0>>) {
    auto const rest = tilewright::make_composed_layout(V{}, O{}, part.layout.layout_b());
    return tilewright::sliced<std::remove_const_t<decltype(rest)>, std::remove_cvref_t<decltype(part.offset)>>{
        rest, part.offset};
  } else {
    return part;
  }
}

template <class V, class O, class L, class X>
CUTE_HOST_DEVICE constexpr auto slice_swizzled(X const& x, tilewright::ComposedLayout<V, O, L> const& a) {
  using parts = slice_bits<V, X, O, L>;
  if constexpr (parts::folds) {
    auto const start = a.offset() + tilewright::crd2idx(x, a.layout_b());
    auto const steps = parts::steps(start, tilewright::make_seq<parts::bits>{});
    if constexpr (tilewright::lift::succeeds<op::exact_composition, std::remove_const_t<decltype(steps)>,
                                             tilewright::lift::as_tiler<typename parts::rest>>::value) {
      auto const rest = cute::composition(steps, typename parts::rest{});
      auto const offset = a.layout_a()(start);
      return tilewright::sliced<std::remove_const_t<decltype(rest)>, std::remove_const_t<decltype(offset)>>{rest,
                                                                                                            offset};
    } else {
      return split_slice<parts>(x, a);
    }
  } else if constexpr (parts::splits) {
    return split_slice<parts>(x, a);
  } else {
    return keep_swizzle(x, a);
  }
}
template <class X>
inline constexpr bool fixes_something = !std::is_same_v<X, tilewright::Underscore>;
template <class... X>
inline constexpr bool fixes_something<tilewright::tuple<X...>> = (fixes_something<X> || ...);

}  // namespace detail

using tilewright::slice_and_offset;

/// The slice, and the offset of its first element beside it, as for layouts.
/// post: R.offset + R.layout(c) == A(x with c in place of _)
template <class X, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto slice_and_offset(X const& x, L const& a) {
  if constexpr (std::is_same_v<X, tilewright::Underscore>) {
    return tilewright::sliced<L, C<0>>{a, {}};
  } else if constexpr (!detail::fixes_something<X>) {  // modes in place of tuples of modes
    auto const rest = tilewright::make_composed_layout(a.layout_a(), a.offset(), tilewright::slice(x, a.layout_b()));
    return tilewright::sliced<std::remove_const_t<decltype(rest)>, C<0>>{rest, {}};
  } else if constexpr (tilewright::is_swizzle_v<typename L::layout_a_type>) {
    return detail::slice_swizzled(x, a);
  } else {
    return tilewright::slice_and_offset(x, a);
  }
}
template <class X, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto slice(X const& x, L const& a) {
  return cute::slice_and_offset(x, a).layout;
}

}  // namespace cute

// layout(_,1) and tensor(_,1): members of classes that both namespaces share.
namespace tilewright::detail {
template <class X, cute::detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto sliced_at(as_member, X const& x, L const& layout) {
  return cute::slice(x, layout);
}
template <class X, cute::detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto part_at(as_member, X const& x, L const& layout) {
  return cute::slice_and_offset(x, layout);
}
}  // namespace tilewright::detail
