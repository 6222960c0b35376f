// half_t, bfloat16_t and the 8-bit floats beside CUDA's own types: conversions by name and assignments, on the host and on a GPU.
// Prints "passed".
#include <cute/tensor.hpp>

#include <cstdio>
#include <cstdlib>

using namespace cute;

template <typename T>
void fill_with(T* data, int n) {
  for (int i = 0; i < n; ++i) {
    float v = (i % 200 - 100) * 0.01;
    data[i] = v;
  }
}

template <class CudaType, class T>
__host__ __device__ bool same_bits(CudaType const& a, T const& b) {
  return sizeof(a) == sizeof(b) && reinterpret_cast<T const&>(a).raw() == b.raw();
}

__host__ __device__ bool converts() {
  half_t h;
  h = __float2half(0.1f);
  bool right =
      same_bits(__float2half(0.1f), h) && same_bits(h.to_half(), h) && half_t(__float2half(-7.0f)) == half_t(-7.0f);
  h = 1.0 / 3;
  right = right && h == half_t(1.0 / 3);
  h = 5;
  right = right && h == half_t(5);
  bfloat16_t b(__float2bfloat16(0.1f));
  right = right && b == bfloat16_t(0.1f) && same_bits(b.to_nv_bfloat16(), b);
  float_e4m3_t e(__nv_fp8_e4m3(0.3f));
  right = right && e == float_e4m3_t(0.3f);
  float_e5m2_t f;
  f = __nv_fp8_e5m2(0.3f);
  return right && f == float_e5m2_t(0.3f);
}

__global__ void on_device(half_t* x, int* right) {
  half_t const root = half_t(hsqrt(x[threadIdx.x].to_half()));
  x[threadIdx.x] = root;
  if (threadIdx.x == 0) *right = converts();
}

/// From CUDA's half through shared memory to half_t, by atoms of either.
__global__ void copy_between(half const* from, half_t* to) {
  __shared__ half_t memory[256];
  auto const layout = Layout<Shape<_8, _32>, Stride<_32, _1>>{};
  Tensor gmem = make_tensor(make_gmem_ptr(from), layout);
  Tensor smem = make_tensor(make_smem_ptr(memory), layout);
  Tensor result = make_tensor(make_gmem_ptr(to), layout);
  auto const load = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{},
                                    Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _8>>{});
  auto const store = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half>{},
                                     Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _8>>{});
  auto const loads = load.get_slice(threadIdx.x);
  copy(load, loads.partition_S(gmem), loads.partition_D(smem));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  auto const stores = store.get_slice(threadIdx.x);
  copy(store, stores.partition_S(smem), stores.partition_D(result));
}
bool copies_between() {
  half* from = nullptr;
  half_t* to = nullptr;
  cudaMallocManaged(&from, 256 * sizeof(half));
  cudaMallocManaged(&to, 256 * sizeof(half_t));
  for (int i = 0; i < 256; ++i) from[i] = __float2half(float(i));
  copy_between<<<1, 32>>>(from, to);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 256 && right; ++i) right = to[i] == half_t(float(i));
  cudaFree(from);
  cudaFree(to);
  return right;
}

int main() {
  half_t values[64];
  fill_with(values, 64);
  bool right = converts();
  for (int i = 0; i < 64; ++i) right = right && values[i] == half_t(float((i % 200 - 100) * 0.01));
  half_t* x = nullptr;
  int* on_gpu = nullptr;
  cudaMallocManaged(&x, 64 * sizeof(half_t));
  cudaMallocManaged(&on_gpu, sizeof(int));
  for (int i = 0; i < 64; ++i) x[i] = i * i;
  on_device<<<1, 64>>>(x, on_gpu);
  right = cudaDeviceSynchronize() == cudaSuccess && right && *on_gpu != 0;
  for (int i = 0; i < 64 && right; ++i) right = x[i] == half_t(i);
  right = right && copies_between();
  cudaFree(x);
  cudaFree(on_gpu);
  std::puts(right ? "passed" : "failed");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
