// The entry points of the precompiled kernels: one for each width of element and of index, and that for many pieces. tools/make_generic_ptx
// compiles this file to generic_copy.ptx, which is kept with the sources and translated by the driver.
#include "engine/cuda/generic_copy.hpp"
#include "engine/cuda/piece_copy.hpp"

using namespace tilewright::gpu;

namespace {

template <int Bits, class Index>
__device__ __forceinline__ void run(generic_arguments const& a) {
  generic_copy<Bits, Index>(a, static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x,
                            static_cast<Index>(gridDim.x) * blockDim.x);
}

}  // namespace

extern "C" {

__global__ void __launch_bounds__(256) tilewright_copy_4_32(__grid_constant__ generic_arguments const a) {
  run<4, std::uint32_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_8_32(__grid_constant__ generic_arguments const a) {
  run<8, std::uint32_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_16_32(__grid_constant__ generic_arguments const a) {
  run<16, std::uint32_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_32_32(__grid_constant__ generic_arguments const a) {
  run<32, std::uint32_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_64_32(__grid_constant__ generic_arguments const a) {
  run<64, std::uint32_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_128_32(__grid_constant__ generic_arguments const a) {
  run<128, std::uint32_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_4_64(__grid_constant__ generic_arguments const a) {
  run<4, std::uint64_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_8_64(__grid_constant__ generic_arguments const a) {
  run<8, std::uint64_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_16_64(__grid_constant__ generic_arguments const a) {
  run<16, std::uint64_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_32_64(__grid_constant__ generic_arguments const a) {
  run<32, std::uint64_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_64_64(__grid_constant__ generic_arguments const a) {
  run<64, std::uint64_t>(a);
}
__global__ void __launch_bounds__(256) tilewright_copy_128_64(__grid_constant__ generic_arguments const a) {
  run<128, std::uint64_t>(a);
}

__global__ void __launch_bounds__(512) tilewright_pieces(__grid_constant__ piece_arguments const a) {
  __shared__ std::uint32_t next;
  std::uint32_t const begin = blockIdx.x % 4 < a.far_blocks ? 0 : 1;
  for (std::uint32_t turn = 0; turn < 2; ++turn) {
    std::uint32_t const queue = begin ^ turn;
    for (;;) {
      __syncthreads();
      if (threadIdx.x == 0) next = atomicAdd(a.taken + queue, 1u);
      __syncthreads();
      if (next >= a.number[queue]) break;
      run_task(a, next + (queue == 0 ? 0 : a.number[0]), threadIdx.x, blockDim.x);
    }
  }
  // The last block leaves the counters as the next launch needs them; a memset before it would cost microseconds.
  if (threadIdx.x == 0 && atomicAdd(a.taken + 2, 1u) == gridDim.x - 1) a.taken[0] = a.taken[1] = a.taken[2] = 0;
}

}  // extern "C"
