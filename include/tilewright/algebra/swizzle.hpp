// Swizzle<B,M,S> as a function of offsets, and ComposedLayout: swizzle ∘ offset ∘ layout. What is done to them is in swizzled.hpp.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/query.hpp"
#include "tilewright/layout/swizzle_value.hpp"

namespace tilewright {

/// x -> x ^ ((x & mask at M+S) >> S): B bits of the offset, S above bit M, are added without carry to the bits at M.
template <int B, int M, int S = B>
struct Swizzle {
  static constexpr int rank = 1;
  static constexpr int num_bits = B;
  static constexpr int num_base = M;
  static constexpr int num_shft = S;
  static constexpr swizzle_value value{B, M, S};
  static constexpr bool bits_fit_and_do_not_overlap = value.valid();
  static_assert(bits_fit_and_do_not_overlap,
                "Swizzle<B,M,S>: needs B >= 0, M >= 0, |S| >= B and fewer than 63 bits in all; enlarge S or shrink B "
                "(docs/errors.md#bad_swizzle)");
  static constexpr long long high_mask = value.high_mask();
  static constexpr long long period = value.period();

  /// pre: x >= 0; post: its own inverse
  template <DynamicInteger T>
  TILEWRIGHT_FN static constexpr T apply(T x) {
    if constexpr (S < 0) return static_cast<T>(x ^ static_cast<T>((x & static_cast<T>(high_mask)) << -S));
    else return static_cast<T>(x ^ static_cast<T>((x & static_cast<T>(high_mask)) >> S));
  }
  template <IntegerLike T>
  TILEWRIGHT_FN constexpr auto operator()(T const& x) const {
    if constexpr (is_constant_v<T>) return normal_constant<moved<T::value>>{};
    else return apply(x);
  }

 private:
  // Evaluated here and not in the function above, which a kernel may call while swizzle_value is the host's.
  template <auto x>
  static constexpr long long moved = value(x);
};

template <int B, int M, int S, int B2, int M2, int S2>
TILEWRIGHT_FN constexpr auto operator==(Swizzle<B, M, S> const&, Swizzle<B2, M2, S2> const&) {
  return C<(B == B2 && M == M2 && S == S2)>{};
}
template <int B, int M, int S, int B2, int M2, int S2>
TILEWRIGHT_FN constexpr auto operator!=(Swizzle<B, M, S> const& a, Swizzle<B2, M2, S2> const& b) {
  return !(a == b);
}

template <class T>
inline constexpr bool is_swizzle_v = false;
template <int B, int M, int S>
inline constexpr bool is_swizzle_v<Swizzle<B, M, S>> = true;

/// The offset 0 of a swizzled tile for shared memory that has no address yet, whose elements have Bits bits. It is printed as CuTe
/// prints it, the swizzle in bytes: Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1) has the swizzle Swizzle<3,3,3>.
template <int Bits>
struct smem_ptr_flag_bits : C<0> {};
template <int Bits>
inline constexpr bool is_constant_v<smem_ptr_flag_bits<Bits>> = true;
template <int Bits>
inline constexpr bool is_constant_v<smem_ptr_flag_bits<Bits> const> = true;
/// The same of a tile of which 1 of Sparsity elements is stored, in Bits bits (tensor/sparse.hpp). The layout counts all elements.
template <int Sparsity, int Bits>
struct smem_sparse_ptr_flag_bits : C<0> {};
template <int Sparsity, int Bits>
inline constexpr bool is_constant_v<smem_sparse_ptr_flag_bits<Sparsity, Bits>> = true;
template <int Sparsity, int Bits>
inline constexpr bool is_constant_v<smem_sparse_ptr_flag_bits<Sparsity, Bits> const> = true;

template <class A, class Offset, class B>
struct ComposedLayout;

/// A constant offset 0, with a flag or without.
template <class T>
concept ZeroOffset = std::is_base_of_v<C<0>, T>;

namespace detail {
/// The bits that a flag names; 0 for an offset without a flag.
template <class Offset>
inline constexpr int flagged_bits = 0;
template <int Bits>
inline constexpr int flagged_bits<smem_ptr_flag_bits<Bits>> = Bits;
template <int Sparsity, int Bits>
inline constexpr int flagged_bits<smem_sparse_ptr_flag_bits<Sparsity, Bits>> = Bits / Sparsity;
template <class Offset>
concept FlaggedOffset = flagged_bits<Offset>
!= 0;
/// The swizzle of elements of Bits bits as one of bytes.
template <int Bits, int B, int M, int S>
TILEWRIGHT_FN constexpr auto swizzle_of_bytes(Swizzle<B, M, S> const&) {
  return Swizzle<B, M + math::countr_zero(Bits) - 3, S>{};
}

/// Composed layouts inside of one another keep their offsets, and the outer layouts, in slots of their own.
template <class B>
inline constexpr int composed_level = 0;
template <class A, class Offset, class B>
inline constexpr int composed_level<ComposedLayout<A, Offset, B>> = composed_level<B> + 1;

/// A base of its own: nvcc reorders the initializers of a base that is named with a variable template.
template <class A, class Offset, class B>
struct composed_parts : tuple_slot<composed_level<B>, Offset>, tuple_slot<-1 - composed_level<B>, A> {
  constexpr composed_parts() = default;
  TILEWRIGHT_HOST_DEVICE constexpr composed_parts(A const& a, Offset const& offset)
      : tuple_slot<composed_level<B>, Offset>(offset),
        tuple_slot<-1 - composed_level<B>, A>(a) {}
};
}  // namespace detail

/// c -> A(offset + B(c)), with A a swizzle (or a layout) and B a layout (or a swizzle).
template <class A, class Offset, class B>
struct ComposedLayout : detail::composed_parts<A, Offset, B>, B {
  using layout_a_type = A;
  using offset_type = Offset;
  using layout_b_type = B;
  static constexpr int rank = B::rank;

  constexpr ComposedLayout() = default;
  TILEWRIGHT_HOST_DEVICE constexpr ComposedLayout(A const& a, Offset const& offset, B const& b)
      : detail::composed_parts<A, Offset, B>(a, offset),
        B(b) {}

  TILEWRIGHT_FN constexpr A layout_a() const { return detail::get_slot<-1 - detail::composed_level<B>>(*this); }
  TILEWRIGHT_FN constexpr Offset offset() const { return detail::get_slot<detail::composed_level<B>>(*this); }
  TILEWRIGHT_FN constexpr B const& layout_b() const { return *this; }
  template <int... I>
  TILEWRIGHT_FN constexpr auto shape() const {
    return layout_b().template shape<I...>();
  }
  TILEWRIGHT_FN constexpr auto shape() const { return layout_b().shape(); }

  template <class... Coords>
  TILEWRIGHT_FN constexpr auto operator()(Coords const&... coords) const;
  template <class... Tilers>
  TILEWRIGHT_FN constexpr auto compose(Tilers const&... tilers) const;
  template <class... Tilers>
  TILEWRIGHT_FN constexpr auto tile(Tilers const&... tilers) const;
  template <class... Extents>
  TILEWRIGHT_FN constexpr auto with_shape(Extents const&... extents) const;
};

template <class T>
inline constexpr bool is_composed_layout_v = false;
template <class A, class O, class B>
inline constexpr bool is_composed_layout_v<ComposedLayout<A, O, B>> = true;
/// The swizzled layouts: what operations below accept next to LayoutType.
template <class T>
concept ComposedType = is_composed_layout_v<T>;
template <class T>
concept AnyLayout = LayoutType<T> || ComposedType<T>;

}  // namespace tilewright
