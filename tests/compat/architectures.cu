// Macros by which programs ask for instructions: an operation of the program's own, guarded as CuTe's own are.
// ptx: cp\.async\.ca\.shared
#include <cute/tensor.hpp>

#include <cstdio>

#if !defined(CUTLASS_ARCH_MMA_SM90_SUPPORTED) || !defined(CUTE_ARCH_LDSM_SM75_SUPPORTED)
#error "what the compiler knows is not said"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900 && defined(CUTE_ARCH_TMA_SM90_ENABLED)
#error "an instruction that the architecture lacks"
#endif
#if !defined(__CUDA_ARCH__) && (defined(CUTE_ARCH_MMA_SM80_ENABLED) || defined(CUTE_ARCH_CP_ASYNC_SM80_ENABLED))
#error "host code has no instructions of a GPU"
#endif

struct own_cp_async {
  __device__ static void copy(int const& source, int& destination) {
#if defined(CUTE_ARCH_CP_ASYNC_SM80_ENABLED) && defined(CUTE_ARCH_MMA_SM80_ENABLED) && \
    defined(CUTE_ARCH_LDSM_SM75_ACTIVATED) && defined(CUTE_ARCH_MMA_SM70_ENABLED)
    unsigned const to = cute::cast_smem_ptr_to_uint(&destination);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(to), "l"(&source) : "memory");
#else
    destination = -1;
    CUTE_INVALID_CONTROL_PATH("cp.async is not enabled");
#endif
  }
};

__global__ void kernel(int const* in, int* out) {
  __shared__ int memory[32];
  own_cp_async::copy(in[threadIdx.x], memory[threadIdx.x]);
  cute::cp_async_fence();
  cute::cp_async_wait<0>();
  __syncthreads();
  out[threadIdx.x] = memory[31 - threadIdx.x];
}

int main() {
  int host[32], *in, *out;
  for (int i = 0; i < 32; ++i) host[i] = 3 * i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (host[i] != 3 * (31 - i)) return std::printf("failed at %d\n", i), 1;
  std::printf("passed\n");
}
