// What one launch may ask for: extents of the grid and the block, and shared memory. The limits are those of CUDA
// devices of compute capability 9.0, so that a kernel that runs here fits there.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/units.hpp"
#include "tilewright/exec/dim3.hpp"
#include "tilewright/machine/arch.hpp"

#include <stdexcept>
#include <string>

namespace tilewright {

inline constexpr int max_threads_per_block = arch(arch_id::sm_90).threads_per_block;
inline constexpr dim3 max_block_extents{1024, 1024, 64};
inline constexpr dim3 max_grid_extents{2147483647, 65535, 65535};
inline constexpr int max_blocks_per_cluster = 16;  // 8 on devices that allow no more
inline constexpr bytes max_shared_per_block = arch(arch_id::sm_90).shared_per_block;

/// A launch that cannot be: extents or shared memory beyond the limits, or threads that disagree about their shared
/// memory. `what()` is one sentence with the values.
class launch_error : public std::invalid_argument {
 public:
  explicit launch_error(std::string const& sentence) : std::invalid_argument(sentence) {}
};

/// Where a kernel runs, and with how much shared memory for each block.
struct launch_config {
  dim3 grid{};
  dim3 block{};
  bytes shared_limit = max_shared_per_block;
  dim3 cluster{};  // blocks that run together; divides the grid
};

}  // namespace tilewright
