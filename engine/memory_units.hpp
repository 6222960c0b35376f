// The units that memory is reached by, as numbers of bytes, from the one table of machines.
#pragma once

#include "tilewright/machine/arch.hpp"

#include <cstdint>

namespace tilewright::engine {

inline constexpr std::int64_t cache_line = arch(arch_id::cpu).line.count;
// All GPUs of the table have the same.
inline constexpr std::int64_t gpu_line = arch(arch_id::sm_90).line.count,
                              gpu_sector = arch(arch_id::sm_90).sector.count;
inline constexpr int gpu_lanes = arch(arch_id::sm_90).warp;

}  // namespace tilewright::engine
