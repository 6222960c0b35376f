// The matrix operations of a warp on complex<double>, SM80 and SM90: each is four operations on doubles of the same shape, so
// that a thread's values are where those of the doubles are.
//   D.re = -A.im·B.im + (A.re·B.re + C.re)      D.im = A.im·B.re + (A.re·B.im + C.im)
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/complex.hpp"
#include "tilewright/mma/warp_atoms.hpp"

namespace cute::detail {

/// Real: the operation on doubles.
template <class Op, class Real>
struct complex_mma : tilewright::detail::separate_registers<Op> {
  template <class R>
  static constexpr std::size_t count = static_cast<std::size_t>(tilewright::detail::register_count<R>);
  static constexpr std::size_t nd = count<typename Real::DRegisters>, na = count<typename Real::ARegisters>,
                               nb = count<typename Real::BRegisters>;
  using DRegisters = complex<double>[nd];
  using ARegisters = complex<double>[na];
  using BRegisters = complex<double>[nb];
  using CRegisters = DRegisters;

  /// pre: all threads of the warp call it
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(DRegisters& d, ARegisters const& a, BRegisters const& b, CRegisters const& c) {
    double re_a[na], im_a[na], minus_im_a[na], re_b[nb], im_b[nb], re_c[nd], im_c[nd], re_d[nd], im_d[nd];
    TILEWRIGHT_UNROLL
    for (std::size_t i = 0; i < na; ++i) re_a[i] = a[i].real(), im_a[i] = a[i].imag(), minus_im_a[i] = -im_a[i];
    TILEWRIGHT_UNROLL
    for (std::size_t i = 0; i < nb; ++i) re_b[i] = b[i].real(), im_b[i] = b[i].imag();
    TILEWRIGHT_UNROLL
    for (std::size_t i = 0; i < nd; ++i) re_c[i] = c[i].real(), im_c[i] = c[i].imag();
    Real::run(re_d, re_a, re_b, re_c);
    Real::run(im_d, re_a, im_b, im_c);
    Real::run(re_c, minus_im_a, im_b, re_d);
    Real::run(im_c, im_a, re_b, im_d);
    TILEWRIGHT_UNROLL
    for (std::size_t i = 0; i < nd; ++i) d[i] = complex<double>(re_c[i], im_c[i]);
  }
};

template <class Real>
struct complex_mma_traits : tilewright::MMA_Traits<Real> {
  using ValTypeD = complex<double>;
  using ValTypeA = complex<double>;
  using ValTypeB = complex<double>;
  using ValTypeC = complex<double>;
};

}  // namespace cute::detail

namespace cute {

struct SM80_8x8x4_C64C64C64C64_TN
    : detail::complex_mma<SM80_8x8x4_C64C64C64C64_TN, tilewright::SM80_8x8x4_F64F64F64F64_TN> {};
struct SM90_16x8x4_C64C64C64C64_TN
    : detail::complex_mma<SM90_16x8x4_C64C64C64C64_TN, tilewright::SM90_16x8x4_F64F64F64F64_TN> {};
struct SM90_16x8x8_C64C64C64C64_TN
    : detail::complex_mma<SM90_16x8x8_C64C64C64C64_TN, tilewright::SM90_16x8x8_F64F64F64F64_TN> {};
struct SM90_16x8x16_C64C64C64C64_TN
    : detail::complex_mma<SM90_16x8x16_C64C64C64C64_TN, tilewright::SM90_16x8x16_F64F64F64F64_TN> {};

}  // namespace cute

namespace tilewright {

template <>
struct MMA_Traits<cute::SM80_8x8x4_C64C64C64C64_TN> : cute::detail::complex_mma_traits<SM80_8x8x4_F64F64F64F64_TN> {};
template <>
struct MMA_Traits<cute::SM90_16x8x4_C64C64C64C64_TN> : cute::detail::complex_mma_traits<SM90_16x8x4_F64F64F64F64_TN> {};
template <>
struct MMA_Traits<cute::SM90_16x8x8_C64C64C64C64_TN> : cute::detail::complex_mma_traits<SM90_16x8x8_F64F64F64F64_TN> {};
template <>
struct MMA_Traits<cute::SM90_16x8x16_C64C64C64C64_TN> : cute::detail::complex_mma_traits<SM90_16x8x16_F64F64F64F64_TN> {
};

}  // namespace tilewright
