// The matrix operation of a warp of SM120 on floats of 8, 6 and 4 bits, in any pair: SM120_16x8x32_TN<A, B, float>. An element has a byte in
// its register, whatever its width: one of 6 bits is bits 0 to 5 of it, one of 4 bits is bits 2 to 5.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/ptx/mma_narrow_floats.hpp"
#include "tilewright/mma/warp_atoms.hpp"

namespace tilewright {
namespace detail {

template <class T>
inline constexpr bool is_narrow_float =
    std::is_same_v<T, float_e4m3_t> || std::is_same_v<T, float_e5m2_t> || std::is_same_v<T, float_e3m2_t> ||
    std::is_same_v<T, float_e2m3_t> || std::is_same_v<T, float_e2m1_t>;
/// Where a float begins in its byte.
template <class T>
inline constexpr int narrow_float_shift = sizeof_bits_v<T> == 4 ? 2 : 0;

/// A float of T in its byte.
template <class T>
struct narrow_float_byte {
  std::uint8_t storage;
  explicit operator float() const {
    T out;
    out.storage = static_cast<std::uint8_t>(storage >> narrow_float_shift<T> & ((1 << sizeof_bits_v<T>)-1));
    return static_cast<float>(out);
  }
};
/// What a host adds up: the values in the bytes of A and B.
template <class A, class B>
struct narrow_float_values : warp_mma_traits<16, 8, 32, float, std::uint8_t, std::uint8_t> {
  using ValTypeA = narrow_float_byte<A>;
  using ValTypeB = narrow_float_byte<B>;
};

}  // namespace detail

/// D (16,8) = A (16,32) · B (8,32) + C.
template <class A, class B, class D>
struct SM120_16x8x32_TN : detail::separate_registers<SM120_16x8x32_TN<A, B, D>> {
  static_assert(
      detail::is_narrow_float<A> && detail::is_narrow_float<B> && std::is_same_v<D, float>,
      "SM120_16x8x32_TN: multiplies float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t and float_e2m1_t to float");
  static constexpr char const* name = "SM120_16x8x32_TN";
  using DRegisters = float[4];
  using ARegisters = std::uint32_t[4];
  using BRegisters = std::uint32_t[2];
  using CRegisters = float[4];

  /// pre: all threads of the warp call it
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(DRegisters& d, ARegisters const& a, BRegisters const& b, CRegisters const& c) {
#if TILEWRIGHT_ON_DEVICE
    ptx::mma_narrow_floats<A, B>(d, a, b, c);
#elif TILEWRIGHT_HOSTED
    detail::mma_on_host<detail::narrow_float_values<A, B>, detail::mma_rule::multiply_add>(name, d, a, b, c);
#endif
  }
};
template <class A, class B, class D>
struct MMA_Traits<SM120_16x8x32_TN<A, B, D>> : detail::warp_mma_traits<16, 8, 32, D, std::uint8_t, std::uint8_t> {};

/// Floats of 4 bits, as they are loaded in the low half of a byte each, to the bits that the operation reads. Others stay.
template <class A, class B, class D, class T>
TILEWRIGHT_FN constexpr void fp4_shift_A(SM120_16x8x32_TN<A, B, D> const&, T&& tensor) {
  if constexpr (detail::narrow_float_shift<A> != 0) {
    TILEWRIGHT_UNROLL
    for (int i = 0; i < static_cast<int>(size(tensor)); ++i)
      tensor(i) = static_cast<std::uint8_t>(tensor(i) << detail::narrow_float_shift<A>);
  }
}
template <class A, class B, class D, class T>
TILEWRIGHT_FN constexpr void fp4_shift_B(SM120_16x8x32_TN<A, B, D> const&, T&& tensor) {
  fp4_shift_A(SM120_16x8x32_TN<B, A, D>{}, tensor);
}

}  // namespace tilewright
