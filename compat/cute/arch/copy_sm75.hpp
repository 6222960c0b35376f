// ldmatrix: 8×8 matrices of 16-bit elements from shared memory, to a warp's registers.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy.hpp"
#include "cute/numeric/int.hpp"
#include "tilewright/atom/ldmatrix.hpp"
#include "tilewright/atom/movmatrix.hpp"

namespace cute {

using tilewright::SM75_U16x2_LDSM_T;
using tilewright::SM75_U16x4_LDSM_T;
using tilewright::SM75_U16x8_LDSM_T;
using tilewright::SM75_U32x1_LDSM_N;
using tilewright::SM75_U32x2_LDSM_N;
using tilewright::SM75_U32x4_LDSM_N;

using tilewright::SM75_U32x1_MOVM_T;

/// This thread's row to its registers of 1, 2 or 4 matrices, as many as a T holds.
template <class T>
CUTE_HOST_DEVICE void copy_ldsm(uint128_t const* smem_ptr, T* rmem_ptr) {
  auto* const to = reinterpret_cast<std::uint32_t*>(rmem_ptr);
  if constexpr (sizeof(T) == 4) SM75_U32x1_LDSM_N::copy(smem_ptr[0], to[0]);
  else if constexpr (sizeof(T) == 8) SM75_U32x2_LDSM_N::copy(smem_ptr[0], to[0], to[1]);
  else SM75_U32x4_LDSM_N::copy(smem_ptr[0], to[0], to[1], to[2], to[3]);
}
template <class T>
CUTE_HOST_DEVICE void copy_ldsm_trans(uint128_t const* smem_ptr, T* rmem_ptr) {
  auto* const to = reinterpret_cast<std::uint32_t*>(rmem_ptr);
  if constexpr (sizeof(T) == 4) SM75_U16x2_LDSM_T::copy(smem_ptr[0], to[0]);
  else if constexpr (sizeof(T) == 8) SM75_U16x4_LDSM_T::copy(smem_ptr[0], to[0], to[1]);
  else SM75_U16x8_LDSM_T::copy(smem_ptr[0], to[0], to[1], to[2], to[3]);
}

}  // namespace cute
