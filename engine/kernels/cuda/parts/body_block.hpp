// The block that a kernel compiled at run time is given.
#pragma once

#include "tilewright/base/config.hpp"

namespace tilewright::kernels {

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
/// What cuda_block (exec/cuda/block.hpp) says, without tensors.
struct bare_block {
  struct place {
    unsigned x;
  };
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE int thread() const { return static_cast<int>(threadIdx.x); }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE place index() const { return {blockIdx.x}; }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE place grid() const { return {gridDim.x}; }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void sync() const { __syncthreads(); }
};
#endif

/// Takes the coordinate of the next mode off an index; the last mode has what is left.
template <class Index, class Extent>
TILEWRIGHT_FN Index take_coordinate(Index& index, Extent extent, bool is_last) {
  Index const x = is_last ? index : index % static_cast<Index>(extent);
  index /= static_cast<Index>(extent);
  return x;
}

}  // namespace tilewright::kernels
