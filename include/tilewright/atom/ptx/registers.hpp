// What a thread asks of the machine it runs on: special registers (PTX ISA, "Special Registers"), barriers, and the
// block's dynamic shared memory. Each function exists on the host too, where it answers for one thread alone, so that
// host-device kernels compile; nothing calls it there.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

#if TILEWRIGHT_HOSTED
#include <cstdio>
#endif

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

TILEWRIGHT_FN ::dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
TILEWRIGHT_FN ::dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
TILEWRIGHT_FN ::dim3 block_extents() { return {blockDim.x, blockDim.y, blockDim.z}; }
TILEWRIGHT_FN ::dim3 grid_extents() { return {gridDim.x, gridDim.y, gridDim.z}; }
TILEWRIGHT_FN void block_barrier() { __syncthreads(); }
TILEWRIGHT_FN void warp_barrier() { __syncwarp(); }

/// The size given at the launch (%dynamic_smem_size).
TILEWRIGHT_FN unsigned dynamic_shared_bytes() {
  unsigned size;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
  return size;
}

TILEWRIGHT_FN void* dynamic_shared_memory(unsigned offset) {
  extern __shared__ __align__(1024) unsigned char tilewright_dynamic_shared_memory[];
  return tilewright_dynamic_shared_memory + offset;
}

/// 16 bytes of shared memory that belong to no thread, zeroed: for threads whose own address must not be used by an
/// instruction that the whole warp executes.
TILEWRIGHT_FN void* spare_shared_row() {
  static __shared__ __align__(16) unsigned char row[16];
  for (int i = 0; i < 16; ++i) row[i] = 0;
  return row;
}

/// Prints the sentence, in checked builds, and stops the kernel.
TILEWRIGHT_FN void stop([[maybe_unused]] char const* sentence) {
#if TILEWRIGHT_CHECKED
  printf("%s", sentence);
#endif
  __trap();
}

#else

TILEWRIGHT_FN ::dim3 thread_index() { return {0, 0, 0}; }
TILEWRIGHT_FN ::dim3 block_index() { return {0, 0, 0}; }
TILEWRIGHT_FN ::dim3 block_extents() { return {1, 1, 1}; }
TILEWRIGHT_FN ::dim3 grid_extents() { return {1, 1, 1}; }
TILEWRIGHT_FN void block_barrier() {}
TILEWRIGHT_FN void warp_barrier() {}
TILEWRIGHT_FN unsigned dynamic_shared_bytes() { return 0; }
TILEWRIGHT_FN void* dynamic_shared_memory(unsigned) { return nullptr; }
TILEWRIGHT_FN void stop(char const*) {}

#endif

}  // namespace tilewright::ptx

#endif
