// Copies of the tensor memory accelerator (PTX ISA, "Data Movement and Conversion Instructions: Tensor copy":
// cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, cp.async.bulk.prefetch.tensor; prefetch.tensormap; sm_90): a box of
// a tensor of 1 to 5 modes, at signed coordinates, between global and shared memory. One thread starts a copy.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

inline constexpr char const* needs_tma = "TMA needs compute capability 9.0; compile for sm_90 or later";

/// Global to shared memory; the barrier counts the box's bytes as they arrive.
template <int Rank>
TILEWRIGHT_FN void tma_load(void const* map, int const (&c)[Rank], void* smem, std::uint64_t* barrier,
                            std::uint64_t hint) {
#if __CUDA_ARCH__ >= 900
  auto const d = reinterpret_cast<std::uint64_t>(map);
  std::uint32_t const to = cast_smem_ptr_to_uint(smem), on = cast_smem_ptr_to_uint(barrier);
  if constexpr (Rank == 1) {
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4}], [%2], %3;"
        :
        : "r"(to), "l"(d), "r"(on), "l"(hint), "r"(c[0])
        : "memory");
  } else if constexpr (Rank == 2) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5}], [%2], %3;"
        :
        : "r"(to), "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1])
        : "memory");
  } else if constexpr (Rank == 3) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6}], [%2], %3;"
        :
        : "r"(to), "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2])
        : "memory");
  } else if constexpr (Rank == 4) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6, %7}], [%2], %3;"
        :
        : "r"(to), "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3;"
        :
        : "r"(to), "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
        : "memory");
  }
#else
  refuse(needs_tma);
#endif
}

/// The same into every block of the cluster whose bit is set, at the same offset of its shared memory, counted by the
/// barrier at the same offset there.
template <int Rank>
TILEWRIGHT_FN void tma_load_multicast(void const* map, int const (&c)[Rank], void* smem, std::uint64_t* barrier,
                                      std::uint16_t blocks, std::uint64_t hint) {
#if __CUDA_ARCH__ >= 900
  auto const d = reinterpret_cast<std::uint64_t>(map);
  std::uint32_t const to = cast_smem_ptr_to_uint(smem), on = cast_smem_ptr_to_uint(barrier);
  if constexpr (Rank == 1) {
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5}], [%2], %3, %4;"
        :
        : "r"(to), "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0])
        : "memory");
  } else if constexpr (Rank == 2) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5, %6}], [%2], %3, %4;"
        :
        : "r"(to), "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0]), "r"(c[1])
        : "memory");
  } else if constexpr (Rank == 3) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5, %6, %7}], [%2], %3, %4;"
        :
        : "r"(to), "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2])
        : "memory");
  } else if constexpr (Rank == 4) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5, %6, %7, %8}], [%2], %3, %4;"
        :
        : "r"(to), "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5, %6, %7, %8, %9}], [%2], %3, %4;"
        :
        : "r"(to), "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
        : "memory");
  }
#else
  refuse(needs_tma);
#endif
}

/// Shared to global memory, in the thread's current bulk group.
template <int Rank>
TILEWRIGHT_FN void tma_store(void const* map, int const (&c)[Rank], void const* smem) {
#if __CUDA_ARCH__ >= 900
  auto const d = reinterpret_cast<std::uint64_t>(map);
  std::uint32_t const from = cast_smem_ptr_to_uint(smem);
  if constexpr (Rank == 1) {
    asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%2}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0])
                 : "memory");
  } else if constexpr (Rank == 2) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1])
                 : "memory");
  } else if constexpr (Rank == 3) {
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  } else if constexpr (Rank == 4) {
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  } else {
    asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
                 : "memory");
  }
#else
  refuse(needs_tma);
#endif
}

/// The same, added to what is there.
template <int Rank>
TILEWRIGHT_FN void tma_reduce_add(void const* map, int const (&c)[Rank], void const* smem) {
#if __CUDA_ARCH__ >= 900
  auto const d = reinterpret_cast<std::uint64_t>(map);
  std::uint32_t const from = cast_smem_ptr_to_uint(smem);
  if constexpr (Rank == 1) {
    asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%0, {%2}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0])
                 : "memory");
  } else if constexpr (Rank == 2) {
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%2, %3}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1])
                 : "memory");
  } else if constexpr (Rank == 3) {
    asm volatile("cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.bulk_group [%0, {%2, %3, %4}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  } else if constexpr (Rank == 4) {
    asm volatile("cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.bulk_group [%0, {%2, %3, %4, %5}], [%1];"
                 :
                 : "l"(d), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  } else {
    asm volatile("cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];"
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
TILEWRIGHT_FN void tma_prefetch(void const* map, int const (&c)[Rank]) {
#if __CUDA_ARCH__ >= 900
  auto const d = reinterpret_cast<std::uint64_t>(map);
  if constexpr (Rank == 1) {
    asm volatile("cp.async.bulk.prefetch.tensor.1d.L2.global [%0, {%1}];" : : "l"(d), "r"(c[0]) : "memory");
  } else if constexpr (Rank == 2) {
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];"
                 :
                 : "l"(d), "r"(c[0]), "r"(c[1])
                 : "memory");
  } else if constexpr (Rank == 3) {
    asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global [%0, {%1, %2, %3}];"
                 :
                 : "l"(d), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  } else if constexpr (Rank == 4) {
    asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global [%0, {%1, %2, %3, %4}];"
                 :
                 : "l"(d), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  } else {
    asm volatile("cp.async.bulk.prefetch.tensor.5d.L2.global [%0, {%1, %2, %3, %4, %5}];"
                 :
                 : "l"(d), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
                 : "memory");
  }
#else
  refuse(needs_tma);
#endif
}

/// Brings the map itself near, before the first copy.
TILEWRIGHT_FN void prefetch_tensor_map(void const* map) {
#if __CUDA_ARCH__ >= 900
  asm volatile("prefetch.tensormap [%0];" ::"l"(reinterpret_cast<std::uint64_t>(map)) : "memory");
#else
  refuse(needs_tma);
#endif
}

#endif

}  // namespace tilewright::ptx
