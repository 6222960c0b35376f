// Registers moved between the warpgroups of a block (sm_90a): a producer gives some up, consumers take them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
#include "tilewright/atom/ptx/register_count.hpp"

#if defined(__CUDACC__)
namespace cutlass::arch {

/// pre: called by all threads of a warpgroup; a multiple of 8 from 24 to 256
template <std::uint32_t RegCount>
CUTLASS_DEVICE void warpgroup_reg_alloc() {
#if TILEWRIGHT_ON_DEVICE
  tilewright::ptx::take_registers<RegCount>();
#endif
}
template <std::uint32_t RegCount>
CUTLASS_DEVICE void warpgroup_reg_dealloc() {
#if TILEWRIGHT_ON_DEVICE
  tilewright::ptx::give_registers<RegCount>();
#endif
}

}  // namespace cutlass::arch
#endif
