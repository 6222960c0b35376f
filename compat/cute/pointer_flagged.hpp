// Shared-memory pointers with a swizzle, and the flag of tiles that have no pointer yet.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/pointer_swizzle.hpp"
#include "tilewright/algebra/swizzled.hpp"

namespace cute {

using tilewright::smem_ptr_flag_bits;
using smem_ptr_flag = smem_ptr_flag_bits<1>;

namespace detail {
/// The base, in elements of Bits bits, of a swizzle that is given with a flag: one of bytes, as programs write it, moves 16 of them at
/// least; a smaller base (a larger one for elements narrower than a byte) is that of layout_a() of a tile, which counts elements.
template <int Bits>
CUTE_HOST_DEVICE constexpr int base_in_elements(int m) {
  int const of_bytes = m + 3 - tilewright::math::countr_zero(Bits);
  if (Bits >= 8) return m >= 4 ? of_bytes : m;
  return m < 7 - tilewright::math::countr_zero(Bits) ? of_bytes : m;
}
}  // namespace detail

/// A tile of shared memory whose elements have Bits bits.
template <int B, int M, int S, int Bits, tilewright::LayoutType L>
CUTE_HOST_DEVICE constexpr auto composition(tilewright::Swizzle<B, M, S> const&, smem_ptr_flag_bits<Bits> const& flag,
                                            L const& layout) {
  constexpr int base = detail::base_in_elements<Bits>(M);
  return tilewright::make_composed_layout(tilewright::Swizzle<B, base, S>{}, flag, layout);
}

namespace detail {
/// A tile that a program writes as a type has a swizzle of bytes, too: ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, L> is the
/// tile with Sw<3,3,3> of elements. Swizzles of 16-byte pieces by the row are taken so.
template <int B, int M, int S, int Bits>
inline constexpr bool is_swizzle_of_bytes = B > 0 && M == 4 && S == 3 && Bits != 8;

template <int B, int M, int S, int Bits, class L>
CUTE_HOST_DEVICE constexpr auto count_elements(
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, smem_ptr_flag_bits<Bits>, L> const& a) {
  return tilewright::make_composed_layout(tilewright::Swizzle<B, base_in_elements<Bits>(M), S>{}, a.offset(),
                                          a.layout_b());
}
}  // namespace detail

template <int N, int B, int M, int S, int Bits, tilewright::LayoutType L>
requires(detail::is_swizzle_of_bytes<B, M, S, Bits>) CUTE_HOST_DEVICE constexpr auto upcast(
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, smem_ptr_flag_bits<Bits>, L> const& a) {
  return cute::upcast<N>(detail::count_elements(a));
}
template <int B, int M, int S, int Bits, tilewright::LayoutType L, class... Order>
requires(detail::is_swizzle_of_bytes<B, M, S, Bits>) CUTE_HOST_DEVICE constexpr auto tile_to_shape(
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, smem_ptr_flag_bits<Bits>, L> const& block,
    Order const&... target_and_order) {
  return cute::tile_to_shape(detail::count_elements(block), target_and_order...);
}
template <int B, int M, int S, class It, int Bits, class L>
requires(detail::is_swizzle_of_bytes<B, M, S, Bits>) CUTE_HOST_DEVICE constexpr auto make_tensor(
    smem_ptr<It> const& it,
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, smem_ptr_flag_bits<Bits>, L> const& layout) {
  return tilewright::as_position_dependent_swizzle_tensor(tilewright::make_tensor(it, detail::count_elements(layout)));
}

/// A tile with its address: the swizzle is in the pointer, as one of bytes, and the layout is the plain one below it. The first
/// parameter is a number, so that a call make_tensor<T>(…) is never this one.
template <int B, int M, int S, class It, tilewright::detail::FlaggedOffset Flag, class L>
CUTE_HOST_DEVICE constexpr auto make_tensor(
    smem_ptr<It> const& it, tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, Flag, L> const& layout) {
  return tilewright::as_position_dependent_swizzle_tensor(tilewright::make_tensor(it, layout));
}

}  // namespace cute
