// shfl.sync (PTX ISA, "Data Movement and Conversion Instructions: shfl.sync"): words between the registers of a warp's threads.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// The word of the thread whose number in the warp differs in the bits of mask.
/// pre: every thread of the warp calls it
TILEWRIGHT_FN std::uint32_t shuffle_xor(std::uint32_t mine, std::uint32_t mask) {
  std::uint32_t other = 0;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(mine), "r"(mask));
  return other;
}
/// The word of a thread of the warp, whose number is taken modulo 32.
/// pre: every thread of the warp calls it
TILEWRIGHT_FN std::uint32_t shuffle_from(std::uint32_t mine, int lane) {
  std::uint32_t other = 0;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(mine), "r"(lane));
  return other;
}
/// This thread's number in its warp.
TILEWRIGHT_FN int lane() {
  std::uint32_t number = 0;
  asm("mov.u32 %0, %%laneid;" : "=r"(number));
  return static_cast<int>(number);
}

#endif

}  // namespace tilewright::ptx
