// Fences between the ways to reach shared memory (PTX ISA, "Parallel Synchronization and Communication Instructions:
// membar, fence"; sm_90): what threads write by stores is seen by the asynchronous copies that start after the fence.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// Orders this thread's accesses to shared memory before its asynchronous copies.
TILEWRIGHT_FN void fence_proxy_async_shared() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#else
  refuse("fence.proxy.async needs compute capability 9.0; compile for sm_90 or later");
#endif
}

/// Shows the barriers this thread has initialised to the cluster and to asynchronous copies.
TILEWRIGHT_FN void fence_mbarrier_init() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#elif __CUDA_ARCH__ >= 800
  asm volatile("fence.acq_rel.cta;" ::: "memory");
#else
  refuse("mbarrier needs compute capability 8.0; compile for sm_80 or later, or use block.sync()");
#endif
}

#endif

}  // namespace tilewright::ptx
