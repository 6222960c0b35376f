// The sixteen barriers of a block by number (PTX ISA, "Parallel Synchronization and Communication Instructions: barrier";
// every architecture): a part of the block's warps meets at one. Barrier 0 is that of __syncthreads. Device code alone.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// Arrives and waits until `threads` threads have arrived.  pre: threads is a multiple of 32, number < 16
TILEWRIGHT_FN void named_barrier_sync(std::uint32_t threads, std::uint32_t number) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
/// The same where the threads of a warp may come one by one.
TILEWRIGHT_FN void named_barrier_sync_unaligned(std::uint32_t threads, std::uint32_t number) {
  asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
TILEWRIGHT_FN void named_barrier_arrive_unaligned(std::uint32_t threads, std::uint32_t number) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
/// Arrives without waiting.
TILEWRIGHT_FN void named_barrier_arrive(std::uint32_t threads, std::uint32_t number) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

#endif

}  // namespace tilewright::ptx
