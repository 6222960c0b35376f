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

/// A tile of bits that a program writes as a type has a swizzle of bytes: Sw<3,4,3> of bytes is Sw<3,7,3> of bits.
template <int N, int B, int M, int S, tilewright::LayoutType L>
requires(M < 7) CUTE_HOST_DEVICE
    constexpr auto upcast(tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, smem_ptr_flag, L> const& a) {
  return cute::upcast<N>(
      tilewright::make_composed_layout(tilewright::Swizzle<B, M + 3, S>{}, a.offset(), a.layout_b()));
}

/// A tile with its address: the swizzle is in the pointer, as one of bytes, and the layout is the plain one below it. The first
/// parameter is a number, so that a call make_tensor<T>(…) is never this one.
template <int B, int M, int S, class It, tilewright::detail::FlaggedOffset Flag, class L>
CUTE_HOST_DEVICE constexpr auto make_tensor(
    smem_ptr<It> const& it, tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, Flag, L> const& layout) {
  return tilewright::as_position_dependent_swizzle_tensor(tilewright::make_tensor(it, layout));
}

}  // namespace cute
