// Names that programs use because CuTe's headers include the CUDA C++ standard library.
#include <cute/tensor.hpp>

#include <cstdio>

__global__ void limits_of(float* out) {
  out[0] = cuda::std::numeric_limits<float>::max();
  static_assert(cuda::std::is_same_v<cuda::std::uint32_t, unsigned>);
  out[1] = static_cast<float>(cuda::std::pair<int, int>{1, 2}.second);
}

int main() {
  float* out = nullptr;
  if (cudaMallocManaged(&out, 2 * sizeof(float)) != cudaSuccess) return 1;
  limits_of<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::puts(out[0] > 3e38f && out[1] == 2 ? "passed" : "failed");
  return cudaFree(out) == cudaSuccess ? 0 : 1;
}
