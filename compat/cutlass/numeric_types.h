// CUTLASS's names of the numeric types.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/complex.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/block_scaled_types.h"
#include "cutlass/detail/number_literals.h"

namespace cutlass {

using cute::bfloat16_t;
using cute::bin1_t;
using cute::complex;
using cute::float_e2m1_t;
using cute::float_e2m3_t;
using cute::float_e3m2_t;
using cute::float_e4m3_t;
using cute::float_e5m2_t;
using cute::float_ue4m3_t;
using cute::float_ue8m0_t;
using cute::half_t;
using cute::int2b_t;
using cute::int4b_t;
using cute::is_subbyte;
using cute::is_subbyte_v;
using cute::sizeof_bits;
using cute::sizeof_bits_v;
using cute::tfloat32_t;
using cute::uint1b_t;
using cute::uint2b_t;
using cute::uint4b_t;

/// As CuTe's, with the type of the result to be chosen.
template <class R = int, class T>
CUTLASS_HOST_DEVICE constexpr R bits_to_bytes(T bits) {
  return static_cast<R>(cute::bits_to_bytes(bits));
}
template <class R = int, class T>
CUTLASS_HOST_DEVICE constexpr R bytes_to_bits(T bytes) {
  return static_cast<R>(cute::bytes_to_bits(bytes));
}

}  // namespace cutlass
