// Copies of the tensor memory accelerator in im2col mode (PTX ISA, "Data Movement and Conversion Instructions: Tensor copy":
// cp.async.bulk.tensor and cp.async.bulk.prefetch.tensor with .im2col and .im2col_no_offs; sm_90): pixels of images of 3 to
// 5 modes, coordinates C, W, H, D, N and offsets W, H, D.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/tma.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// Global to shared memory; the barrier counts the bytes of all pixels as they arrive.
/// c: channel, position, image; o: offsets of the pixels from their positions
template <int Rank>
TILEWRIGHT_FN void tma_load_im2col(void const* map, int const (&c)[Rank], std::uint16_t const (&o)[Rank - 2],
                                   void* smem, std::uint64_t* barrier, std::uint64_t hint) {
#if __CUDA_ARCH__ >= 900
  auto const d = reinterpret_cast<std::uint64_t>(map);
  std::uint32_t const to = cast_smem_ptr_to_uint(smem), on = cast_smem_ptr_to_uint(barrier);
  if constexpr (Rank == 3) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6}], [%2], {%7}, %3;"
        :
        : "r"(to), "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "h"(o[0])
        : "memory");
  } else if constexpr (Rank == 4) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6, %7}], [%2], {%8, %9}, %3;"
        :
        : "r"(to), "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"(o[0]), "h"(o[1])
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6, %7, %8}], [%2], {%9, %10, %11}, %3;"
        :
        : "r"(to), "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "h"(o[0]),
          "h"(o[1]), "h"(o[2])
        : "memory");
  }
#else
  refuse(needs_tma);
#endif
}

/// Shared to global memory, in the thread's current bulk group.
template <int Rank>
TILEWRIGHT_FN void tma_store_im2col(void const* map, int const (&c)[Rank], void const* smem) {
#if __CUDA_ARCH__ >= 900
  auto const d = reinterpret_cast<std::uint64_t>(map);
  std::uint32_t const from = cast_smem_ptr_to_uint(smem);
  if constexpr (Rank == 3) {
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  } else if constexpr (Rank == 4) {
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];"
        :
        : "l"(d), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
        : "memory");
  }
#else
  refuse(needs_tma);
#endif
}

/// Into the L2 cache alone.
template <int Rank>
TILEWRIGHT_FN void tma_prefetch_im2col(void const* map, int const (&c)[Rank], std::uint16_t const (&o)[Rank - 2]) {
#if __CUDA_ARCH__ >= 900
  auto const d = reinterpret_cast<std::uint64_t>(map);
  if constexpr (Rank == 3) {
    asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%0, {%1, %2, %3}], {%4};"
                 :
                 : "l"(d), "r"(c[0]), "r"(c[1]), "r"(c[2]), "h"(o[0])
                 : "memory");
  } else if constexpr (Rank == 4) {
    asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%0, {%1, %2, %3, %4}], {%5, %6};"
                 :
                 : "l"(d), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"(o[0]), "h"(o[1])
                 : "memory");
  } else {
    asm volatile("cp.async.bulk.prefetch.tensor.5d.L2.global.im2col [%0, {%1, %2, %3, %4, %5}], {%6, %7, %8};"
                 :
                 : "l"(d), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "h"(o[0]), "h"(o[1]), "h"(o[2])
                 : "memory");
  }
#else
  refuse(needs_tma);
#endif
}

#endif

}  // namespace tilewright::ptx
