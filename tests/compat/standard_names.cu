// Names that programs use because CuTe's headers include the CUDA C++ standard library and parts of the host's.
#include <cute/tensor.hpp>

#include <cstdio>

__global__ void limits_of(float* out) {
  out[0] = cuda::std::numeric_limits<float>::max();
  static_assert(cuda::std::is_same_v<cuda::std::uint32_t, unsigned>);
  out[1] = static_cast<float>(cuda::std::pair<int, int>{1, 2}.second);
}

int main() {
  auto const start = std::chrono::high_resolution_clock::now();
  int order[]{2, 1};
  std::sort(order, order + 2);
  std::unordered_map<int, std::function<int()>> const calls{{1, [&] { return order[0]; }}};
  if (calls.at(1)() != 1 || std::chrono::high_resolution_clock::now() < start) return 1;
  float* out = nullptr;
  if (cudaMallocManaged(&out, 2 * sizeof(float)) != cudaSuccess) return 1;
  limits_of<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::puts(out[0] > 3e38f && out[1] == 2 ? "passed" : "failed");
  return cudaFree(out) == cudaSuccess ? 0 : 1;
}
