// Swizzled pointers: p[i] is the element that is i elements after p before the swizzle and at the swizzled address
// after it. The swizzle moves bits of the absolute byte address, as TMA does, so that a tile is found from any pointer
// into it; a swizzled layout moves bits of the offset. Where the memory starts at a multiple of the swizzle's span both
// name the same element.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {

/// Swizzle counts in bytes. Sums happen before the swizzle: *(p + i) is p[i].
template <class SwizzleFn, class It>
struct swizzle_ptr;

namespace detail {

/// By how many bytes the swizzle moves an address.
template <class SwizzleFn>
TILEWRIGHT_FN std::ptrdiff_t swizzle_distance(std::uintptr_t address) {
  return static_cast<std::ptrdiff_t>(SwizzleFn::apply(address)) - static_cast<std::ptrdiff_t>(address);
}
/// The pointer whose address is the swizzled one; the sum keeps it in its object and, on a GPU, in its memory space.
template <class SwizzleFn, class T>
TILEWRIGHT_FN T* swizzled(T* p) {
  using byte = std::conditional_t<std::is_const_v<T>, char const, char>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(p) +
                              swizzle_distance<SwizzleFn>(reinterpret_cast<std::uintptr_t>(p)));
}
/// Iterators of checked memory and of sparse elements have a member for it.
template <class SwizzleFn, class It>
requires requires(It const& it) { it.template swizzled<SwizzleFn>(); }
TILEWRIGHT_FN auto swizzled(It const& it) { return it.template swizzled<SwizzleFn>(); }
template <class SwizzleFn, class T>
TILEWRIGHT_FN subbyte_iterator<T> swizzled(subbyte_iterator<T> const& it) {
  return subbyte_iterator<T>(swizzled<SwizzleFn>(it.base + (it.bit >> 3)), it.bit & 7);
}
template <class SwizzleFn, class It, memory_space S>
TILEWRIGHT_FN auto swizzled(tagged_ptr<It, S> const& it) {
  return swizzled<SwizzleFn>(it.ptr);
}

/// 2^N elements of `Bits` bits are 2^(N + shift) bytes.
template <int Bits>
inline constexpr int log2_of_bytes = math::countr_zero(static_cast<unsigned long long>(Bits)) - 3;

template <int Bits, int Base>
struct swizzle_moves_whole_bytes {
  static constexpr bool value = math::has_single_bit(Bits) && Base + log2_of_bytes<Bits> >= 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "swizzle_ptr: the swizzle of addresses moves whole bytes; choose elements of a power of two of bits, "
                  "and a swizzle whose base M covers a byte (docs/errors.md#swizzle_bytes)");
    return invalid_layout{};
  }
};
template <int B, int M, int Bits>
struct swizzle_moves_whole_elements {
  static constexpr bool value = B == 0 || (math::has_single_bit(Bits) && (8LL << M) >= Bits);
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "swizzle_ptr: the swizzle moves bytes inside of an element; use a swizzle whose base M covers the "
                  "element, which has a power of two of bits (docs/errors.md#swizzle_element)");
    return invalid_layout{};
  }
};

}  // namespace detail

template <int B, int M, int S, class It>
struct swizzle_ptr<Swizzle<B, M, S>, It> {
  using swizzle_type = Swizzle<B, M, S>;
  using iterator = It;
  using element_type = iter_element_t<It>;
  using value_type = iter_value_t<It>;
  using reference = iter_reference_t<It>;
  It ptr{};

  /// The address before the swizzle.
  TILEWRIGHT_FN constexpr It get() const { return ptr; }
  TILEWRIGHT_FN reference operator*() const {
    using check = detail::swizzle_moves_whole_elements<B, M, sizeof_bits_v<value_type>>;
    if constexpr (!check::value) (void)check::sentence();
    return *detail::swizzled<swizzle_type>(ptr);
  }
  template <class I>
  TILEWRIGHT_FN reference operator[](I const& i) const {
    return *(*this + i);
  }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class I>
  TILEWRIGHT_FN constexpr swizzle_ptr operator+(I const& i) const {
    return {ptr + i};
  }
  friend constexpr bool operator==(swizzle_ptr const&, swizzle_ptr const&) = default;
  // In the order of the addresses before the swizzle.
  friend TILEWRIGHT_FN constexpr bool operator<(swizzle_ptr const& a, swizzle_ptr const& b) { return a.ptr < b.ptr; }
  friend TILEWRIGHT_FN constexpr bool operator>(swizzle_ptr const& a, swizzle_ptr const& b) { return b.ptr < a.ptr; }
  friend TILEWRIGHT_FN constexpr bool operator<=(swizzle_ptr const& a, swizzle_ptr const& b) {
    return !(b.ptr < a.ptr);
  }
  friend TILEWRIGHT_FN constexpr bool operator>=(swizzle_ptr const& a, swizzle_ptr const& b) {
    return !(a.ptr < b.ptr);
  }
};

template <class T>
inline constexpr bool is_swizzle_ptr_v = false;
template <class F, class It>
inline constexpr bool is_swizzle_ptr_v<swizzle_ptr<F, It>> = true;

template <class F, class It>
inline constexpr memory_space space_of<swizzle_ptr<F, It>> = space_of<It>;
/// For instructions that take an address: the swizzled one.
template <class F, class It>
TILEWRIGHT_FN auto untagged(swizzle_ptr<F, It> const& it) {
  return detail::swizzled<F>(it.ptr);
}
template <class F, class It, memory_space S>
TILEWRIGHT_FN auto untagged(tagged_ptr<swizzle_ptr<F, It>, S> const& it) {
  return detail::swizzled<F>(it.ptr.ptr);
}

namespace detail {
/// The same before the swizzle, for instructions that swizzle by themselves.
template <class It>
TILEWRIGHT_FN constexpr auto untagged_before_swizzle(It const& it) {
  return untagged(it);
}
template <class F, class It>
TILEWRIGHT_FN auto untagged_before_swizzle(swizzle_ptr<F, It> const& it) {
  return swizzled<Swizzle<0, 4, 3>>(it.ptr);
}
template <class F, class It, memory_space S>
TILEWRIGHT_FN auto untagged_before_swizzle(tagged_ptr<swizzle_ptr<F, It>, S> const& it) {
  return untagged_before_swizzle(it.ptr);
}

template <class F, class It>
inline constexpr bool can_be_null<swizzle_ptr<F, It>> = can_be_null<It>;

template <class It>
struct swizzle_of {
  using type = Swizzle<0, 4, 3>;
};
template <class F, class It>
struct swizzle_of<swizzle_ptr<F, It>> {
  using type = F;
};
template <class It, memory_space S>
struct swizzle_of<tagged_ptr<It, S>> : swizzle_of<It> {};
template <class E, class L>
struct swizzle_of<Tensor<E, L>> : swizzle_of<typename E::iterator> {};
template <class F, class O, class L>
struct swizzle_of<ComposedLayout<F, O, L>> {
  using type = F;
};
}  // namespace detail

/// The swizzle of a pointer or of a tensor's pointer, in bytes; of a layout, in elements. Swizzle<0,4,3> means none.
template <class T>
using get_swizzle_t = typename detail::swizzle_of<std::remove_cvref_t<T>>::type;

/// `swizzle` counts in bytes. A swizzle of no bits leaves the pointer as it is; get() of the others gives it back, with its memory space.
template <class T, int B, int M, int S>
TILEWRIGHT_FN constexpr auto make_swizzle_ptr(T* p, Swizzle<B, M, S> const&) {
  if constexpr (B == 0) return p;
  else if constexpr (is_subbyte_v<T>) return swizzle_ptr<Swizzle<B, M, S>, subbyte_iterator<T>>{subbyte_iterator<T>(p)};
  else return swizzle_ptr<Swizzle<B, M, S>, T*>{p};
}
template <IteratorClass It, int B, int M, int S>
TILEWRIGHT_FN constexpr auto make_swizzle_ptr(It const& it, Swizzle<B, M, S> const&) {
  if constexpr (B == 0) return it;
  else return swizzle_ptr<Swizzle<B, M, S>, It>{it};
}

/// The same bytes: the swizzle counts in them and stays.
template <class U, int B, int M, int S, class It>
TILEWRIGHT_FN auto recast_ptr(swizzle_ptr<Swizzle<B, M, S>, It> const& it) {
  using check = detail::swizzle_moves_whole_elements<B, M, sizeof_bits_v<U>>;
  if constexpr (!check::value) (void)check::sentence();
  return make_swizzle_ptr(recast_ptr<U>(it.ptr), Swizzle<B, M, S>{});
}

namespace detail {
template <int Shift, int B, int M, int S>
TILEWRIGHT_FN constexpr Swizzle<B, M + Shift, S> with_base(Swizzle<B, M, S> const&) {
  return {};
}
template <class It>
TILEWRIGHT_FN constexpr It without_swizzle(It const& it) {
  return it;
}
template <class F, class It>
TILEWRIGHT_FN constexpr It without_swizzle(swizzle_ptr<F, It> const& it) {
  return it.ptr;
}
template <class F, class It, memory_space S>
TILEWRIGHT_FN constexpr auto without_swizzle(tagged_ptr<swizzle_ptr<F, It>, S> const& it) {
  return tagged_ptr<It, S>{it.ptr.ptr};
}
}  // namespace detail

/// A swizzled layout is position independent as it is: it moves bits of offsets.
template <AnyLayout L>
TILEWRIGHT_FN constexpr L as_position_independent_swizzle_layout(L const& layout) {
  return layout;
}
/// One of a swizzled pointer becomes a layout over a plain one.
template <class F, detail::FlaggedOffset Flag, class L>
TILEWRIGHT_FN constexpr auto as_position_independent_swizzle_layout(ComposedLayout<F, Flag, L> const& layout) {
  if constexpr (F::num_bits == 0) return layout.layout_b();
  else return make_composed_layout(layout.layout_a(), C<0>{}, layout.layout_b());
}

/// The swizzle in the layout, where it is arithmetic on offsets that constants fold, instead of in the pointer.
/// pre: the first byte is at a multiple of the swizzle's span 2^(M+B+|S|), in bytes; the layout's offsets are >= 0
/// post: names the same elements
template <TensorType T>
TILEWRIGHT_FN constexpr auto as_position_independent_swizzle_tensor(T&& tensor) {
  using It = std::remove_cvref_t<decltype(tensor.data())>;
  using InBytes = get_swizzle_t<It>;
  if constexpr (InBytes::num_bits == 0) {
    return make_tensor(tensor.data(), as_position_independent_swizzle_layout(tensor.layout()));
  } else {
    constexpr int bits = sizeof_bits_v<iter_value_t<It>>;
    using check = detail::swizzle_moves_whole_elements<InBytes::num_bits, InBytes::num_base, bits>;
    if constexpr (!check::value) {
      return check::sentence();
    } else {
      constexpr auto in_elements = detail::with_base<-detail::log2_of_bytes<bits>>(InBytes{});
      return make_tensor(detail::without_swizzle(tensor.data()), composition(in_elements, tensor.layout()));
    }
  }
}
/// The swizzle in the pointer instead of in the layout; a tensor without a swizzle stays as it is.
/// pre: the first byte is at a multiple of the swizzle's span, in bytes
/// post: names the same elements
template <TensorType T>
TILEWRIGHT_FN constexpr auto as_position_dependent_swizzle_tensor(T&& tensor) {
  using L = typename std::remove_cvref_t<T>::layout_type;
  if constexpr (is_composed_layout_v<L>) {
    using InElements = get_swizzle_t<L>;
    constexpr int bits = sizeof_bits_v<typename std::remove_cvref_t<T>::value_type>;
    using check = detail::swizzle_moves_whole_bytes<bits, InElements::num_base>;
    if constexpr (!check::value) {
      return check::sentence();
    } else {
      constexpr auto in_bytes = detail::with_base<detail::log2_of_bytes<bits>>(InElements{});
      auto const layout = tensor.layout();
      return make_tensor(make_swizzle_ptr(tensor.data(), in_bytes) + layout.offset(), layout.layout_b());
    }
  } else {
    return make_tensor(tensor.data(), tensor.layout());
  }
}
}  // namespace tilewright
