// The entry point of the precompiled kernel for few bytes, a module of its own, since the driver translates a module as a whole.
// tools/make_generic_ptx compiles this file to few_bytes.ptx, which is kept with the sources.
#include "engine/cuda/few_bytes.hpp"

using namespace tilewright::gpu;

extern "C" __global__ void __launch_bounds__(few_bytes_threads)
    tilewright_few_bytes(unsigned char const* src, unsigned char* dst, std::uint64_t bytes) {
  copy_few_bytes(src, dst, bytes, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}
