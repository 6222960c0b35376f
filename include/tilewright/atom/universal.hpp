// The copies every machine has: UniversalCopy<S> moves one S by an ordinary load and store, AutoVectorizingCopy as many
// bits at a time as layouts and alignment prove, DefaultCopy is the one a plain copy(src, dst) uses.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/copy_traits.hpp"

namespace tilewright {

/// One load and one store of the width of S.
template <class S, class D = S>
struct UniversalCopy {
  using SRegisters = S[1];
  using DRegisters = D[1];
};

/// Vectorises up to MaxBits, assuming that every tensor's first element is aligned to that.
template <int MaxBits>
struct AutoVectorizingCopyWithAssumedAlignment {
  static constexpr bool alignment_is_a_power_of_two = MaxBits % 8 == 0 && math::has_single_bit(MaxBits);
  static_assert(
      alignment_is_a_power_of_two,
      "AutoVectorizingCopyWithAssumedAlignment<N>: N is a power of two of at least 8 bits; state the alignment "
      "that the pointers have (docs/errors.md#assumed_alignment)");
};
using AutoVectorizingCopy = AutoVectorizingCopyWithAssumedAlignment<128>;

/// Vectorises only on what is known of the tensors: owned registers are aligned, raw pointers to their element.
struct DefaultCopy {};

namespace op {

/// Are the first `n` elements of the layout, in order of their index, contiguous?
struct contiguous_run {
  static constexpr auto kind = lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) {
    int_tree const f = algebra::coalesce(c, a);
    subtree const first = f.first_mode(f.root());
    bool const counts = f.stride[first.leaf].is(1) && f.shape[first.leaf].is_static();
    return leaf_tree(counts ? f.shape[first.leaf] : constant_leaf(1));
  }
};

}  // namespace op

namespace detail {

template <class L>
TILEWRIGHT_CONSTEXPR int count_contiguous_elements() {
  if constexpr (is_composed_layout_v<L> && !layout_swizzles<L>) {
    return elements_kept_by<L>;
  } else if constexpr (is_composed_layout_v<L>) {
    using Swizzled = typename L::layout_a_type;
    constexpr int run = decltype(lift::call<op::contiguous_run, typename L::layout_b_type>::on(
        std::declval<typename L::layout_b_type const&>()))::value;
    return Swizzled::num_bits == 0 || run < (1 << Swizzled::num_base) ? run : (1 << Swizzled::num_base);
  } else {
    return static_cast<int>(decltype(lift::call<op::contiguous_run, L>::on(std::declval<L const&>()))::value);
  }
}
/// The number of leading elements that are next to each other.
template <class L>
inline constexpr int contiguous_elements = count_contiguous_elements<L>();

/// Does an operand start with that many contiguous bits?
template <class T, int Bits>
inline constexpr bool holds_contiguous_bits =
    contiguous_elements<typename T::layout_type>* sizeof_bits_v<typename T::value_type> >= Bits;

template <class L, int Values>
struct source_is_contiguous {
  static constexpr bool value = contiguous_elements<L> >= Values;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "UniversalCopy: the atom's values are not contiguous in the source; let the value layout run along the "
        "mode of stride 1, or use a narrower atom (docs/errors.md#not_contiguous_source)");
    return invalid_layout{};
  }
};
template <class L, int Values>
struct destination_is_contiguous {
  static constexpr bool value = contiguous_elements<L> >= Values;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "UniversalCopy: the atom's values are not contiguous in the destination; let the value layout run along "
        "the mode of stride 1, or use a narrower atom (docs/errors.md#not_contiguous_destination)");
    return invalid_layout{};
  }
};

/// Where a tensor's first element is. Not at data() where a swizzle or the offset under it moves it.
template <class T>
TILEWRIGHT_FN constexpr auto first_element(T&& t) {
  if constexpr (is_composed_layout_v<typename std::remove_cvref_t<T>::layout_type>)
    return t.data() + t.layout()(C<0>{});
  else return t.data();
}

/// The word a pointer's elements are moved in: the element itself where the widths agree.
template <int Bits, class Element>
using carrier = std::conditional_t<sizeof_bits_v<Element> == Bits, Element,
                                   std::conditional_t<(Bits < 8), uint_bit_t<Bits>, word<(Bits < 8 ? 8 : Bits)>>>;

/// Moves `Bits` bits from where src starts to where dst starts.
/// pre: both contiguous over that many bits and aligned to them
template <int Bits, class Src, class Dst>
TILEWRIGHT_FN constexpr void copy_word(Src const& src, Dst&& dst) {
  using S = typename Src::value_type;
  using D = typename std::remove_cvref_t<Dst>::value_type;
  if constexpr (sizeof_bits_v<S> == Bits && std::is_same_v<S, D>) {
    first_element(dst)[0] = static_cast<D>(first_element(src)[0]);
  } else {
    *recast_ptr<carrier<Bits, void>>(first_element(dst)) = *recast_ptr<carrier<Bits, void>>(first_element(src));
  }
}

}  // namespace detail

template <class S, class D>
struct Copy_Traits<UniversalCopy<S, D>> {
  static constexpr int bits = sizeof_bits_v<S>;
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, C<bits>>, Stride<_0, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;

  template <class Src, class Dst>
  using operands_check = all_hold<
      detail::source_is_contiguous<typename Src::layout_type, bits / sizeof_bits_v<typename Src::value_type>>,
      detail::destination_is_contiguous<typename Dst::layout_type, bits / sizeof_bits_v<typename Dst::value_type>>>;

  template <class Src, class Dst>
  TILEWRIGHT_FN static constexpr void copy(Src const& src, Dst&& dst) {
    detail::copy_word<bits>(src, dst);
  }

  static constexpr bool both_sides_have_one_width = bits == sizeof_bits_v<D>;
  static_assert(both_sides_have_one_width,
                "UniversalCopy<S,D>: a load and a store move the same bits; name one width for both, and convert in "
                "registers (docs/errors.md#atom_widths)");
};

namespace detail {
/// An operation that adapts: one bit here, so that one element in any type.
struct adaptive_traits {
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, _1>, Stride<_0, _0>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
  template <class Src, class Dst>
  TILEWRIGHT_FN static constexpr void copy(Src const& src, Dst&& dst) {
    first_element(dst)[0] = static_cast<typename std::remove_cvref_t<Dst>::value_type>(first_element(src)[0]);
  }
};
}  // namespace detail

template <int MaxBits>
struct Copy_Traits<AutoVectorizingCopyWithAssumedAlignment<MaxBits>> : detail::adaptive_traits {};
template <>
struct Copy_Traits<DefaultCopy> : detail::adaptive_traits {};

}  // namespace tilewright
