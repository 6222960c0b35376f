// A number in global memory by which blocks wait for each other (PTX ISA, "Data Movement and Conversion Instructions: ld",
// "Parallel Synchronization and Communication Instructions: red"; sm_70). Device code alone.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// What the thread that wrote the number wrote before it can be read afterwards.
TILEWRIGHT_FN int load_flag(int const* flag) {
  int value;
  asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
/// What this thread wrote before can be read by those that see the sum.
TILEWRIGHT_FN void add_to_flag(int* flag, int value) {
  asm volatile("red.global.release.gpu.add.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

#endif

}  // namespace tilewright::ptx
