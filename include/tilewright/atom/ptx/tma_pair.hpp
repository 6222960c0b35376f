// Loads of the tensor memory accelerator by two blocks of a cluster that multiply together (PTX ISA, "cp.async.bulk.tensor" with
// .cta_group::2; sm_100a and its family): the bytes are counted by the barrier of the block of even rank.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/tcgen05.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// The address of the same place in the block of even rank: bit 24 of an address of a cluster's shared memory tells the blocks
/// of a pair apart.
inline constexpr std::uint32_t even_block_of_a_pair = 0xfeffffff;

template <int Rank>
TILEWRIGHT_FN void tma_load_pair([[maybe_unused]] void const* map, [[maybe_unused]] int const (&c)[Rank],
                                 [[maybe_unused]] void* smem, [[maybe_unused]] std::uint64_t* barrier,
                                 [[maybe_unused]] std::uint64_t hint) {
  if constexpr (!has_tcgen05) return refuse(needs_tcgen05);
  auto const d = reinterpret_cast<std::uint64_t>(map);
  std::uint32_t const to = cast_smem_ptr_to_uint(smem), on = cast_smem_ptr_to_uint(barrier) & even_block_of_a_pair;
  if constexpr (has_tcgen05 && Rank == 1) {
    asm volatile(
        "cp.async.bulk.tensor.1d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4}], [%2], %3;" ::"r"(to),
        "l"(d), "r"(on), "l"(hint), "r"(c[0])
        : "memory");
  } else if constexpr (has_tcgen05 && Rank == 2) {
    asm volatile(
        "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5}], [%2], %3;" ::"r"(to),
        "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1])
        : "memory");
  } else if constexpr (has_tcgen05 && Rank == 3) {
    asm volatile(
        "cp.async.bulk.tensor.3d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6}], [%2], %3;" ::"r"(to),
        "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2])
        : "memory");
  } else if constexpr (has_tcgen05 && Rank == 4) {
    asm volatile(
        "cp.async.bulk.tensor.4d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6, %7}], [%2], %3;" ::"r"(to),
        "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
        : "memory");
  } else if constexpr (has_tcgen05) {
    asm volatile(
        "cp.async.bulk.tensor.5d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3;" ::"r"(to),
        "l"(d), "r"(on), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
        : "memory");
  }
}

/// Into every block of the cluster whose bit is set; each pair's even block counts the bytes of both.
template <int Rank>
TILEWRIGHT_FN void tma_load_pair_multicast([[maybe_unused]] void const* map, [[maybe_unused]] int const (&c)[Rank],
                                           [[maybe_unused]] void* smem, [[maybe_unused]] std::uint64_t* barrier,
                                           [[maybe_unused]] std::uint16_t blocks, [[maybe_unused]] std::uint64_t hint) {
  if constexpr (!has_tcgen05) return refuse(needs_tcgen05);
  auto const d = reinterpret_cast<std::uint64_t>(map);
  std::uint32_t const to = cast_smem_ptr_to_uint(smem), on = cast_smem_ptr_to_uint(barrier) & even_block_of_a_pair;
  if constexpr (has_tcgen05 && Rank == 1) {
    asm volatile(
        "cp.async.bulk.tensor.1d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5}], [%2], %3, %4;" ::"r"(to),
        "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0])
        : "memory");
  } else if constexpr (has_tcgen05 && Rank == 2) {
    asm volatile(
        "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5, %6}], [%2], %3, %4;" ::"r"(to),
        "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0]), "r"(c[1])
        : "memory");
  } else if constexpr (has_tcgen05 && Rank == 3) {
    asm volatile(
        "cp.async.bulk.tensor.3d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5, %6, %7}], [%2], %3, %4;" ::"r"(to),
        "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2])
        : "memory");
  } else if constexpr (has_tcgen05 && Rank == 4) {
    asm volatile(
        "cp.async.bulk.tensor.4d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5, %6, %7, %8}], [%2], %3, %4;" ::"r"(to),
        "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
        : "memory");
  } else if constexpr (has_tcgen05) {
    asm volatile(
        "cp.async.bulk.tensor.5d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [%0], [%1, {%5, %6, %7, %8, %9}], [%2], %3, %4;" ::"r"(to),
        "l"(d), "r"(on), "h"(blocks), "l"(hint), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
        : "memory");
  }
}

#endif

}  // namespace tilewright::ptx
