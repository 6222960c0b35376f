// setmaxnreg (PTX ISA, "Miscellaneous Instructions: setmaxnreg", sm_90a): how many registers each thread of a warpgroup has.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// pre: all threads of a warpgroup call it; a multiple of 8 from 24 to 256.  Where the target lacks it, nothing happens.
template <std::uint32_t Count>
TILEWRIGHT_FN void take_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM120_ALL)
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
#endif
}
template <std::uint32_t Count>
TILEWRIGHT_FN void give_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM120_ALL)
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
#endif
}

#endif

}  // namespace tilewright::ptx
