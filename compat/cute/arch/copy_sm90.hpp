// stmatrix: 8×8 matrices of 16-bit elements from a warp's registers to shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm80.hpp"
#include "cute/numeric/int.hpp"
#include "tilewright/atom/stmatrix.hpp"

namespace cute {

using tilewright::SM90_U16x2_STSM_T;
using tilewright::SM90_U16x4_STSM_T;
using tilewright::SM90_U16x8_STSM_T;
using tilewright::SM90_U32x1_STSM_N;
using tilewright::SM90_U32x2_STSM_N;
using tilewright::SM90_U32x4_STSM_N;

/// This thread's registers of 1, 2 or 4 matrices, as many as a T holds, to its row.
template <class T>
CUTE_HOST_DEVICE void copy_stsm(T const* rmem_ptr, uint128_t* smem_ptr) {
  auto const* const from = reinterpret_cast<std::uint32_t const*>(rmem_ptr);
  if constexpr (sizeof(T) == 4) SM90_U32x1_STSM_N::copy(from[0], smem_ptr[0]);
  else if constexpr (sizeof(T) == 8) SM90_U32x2_STSM_N::copy(from[0], from[1], smem_ptr[0]);
  else SM90_U32x4_STSM_N::copy(from[0], from[1], from[2], from[3], smem_ptr[0]);
}
template <class T>
CUTE_HOST_DEVICE void copy_stsm_trans(T const* rmem_ptr, uint128_t* smem_ptr) {
  auto const* const from = reinterpret_cast<std::uint32_t const*>(rmem_ptr);
  if constexpr (sizeof(T) == 4) SM90_U16x2_STSM_T::copy(from[0], smem_ptr[0]);
  else if constexpr (sizeof(T) == 8) SM90_U16x4_STSM_T::copy(from[0], from[1], smem_ptr[0]);
  else SM90_U16x8_STSM_T::copy(from[0], from[1], from[2], from[3], smem_ptr[0]);
}

}  // namespace cute
