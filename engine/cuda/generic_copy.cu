// The entry points of the precompiled kernel, one for each width of element and of index. tools/make_generic_ptx
// compiles this file to generic_copy.ptx, which is kept with the sources and translated by the driver.
#include "engine/cuda/generic_copy.hpp"

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

}  // extern "C"
