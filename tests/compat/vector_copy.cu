// A vector copied by local_partition and by a tiled copy, with a remainder that a predicate cuts off. Prints "passed".
#include <cute/tensor.hpp>

#include <cstdio>
#include <vector>

using namespace cute;

template <int kNumElemPerThread = 8>
__global__ void vector_copy(float* dst, float const* src, int num) {
  constexpr int kThreads = 128;
  Tensor gSrc = make_tensor(make_gmem_ptr(src), make_shape(num));
  Tensor gDst = make_tensor(make_gmem_ptr(dst), make_shape(num));
  auto tile = make_shape(Int<kThreads * kNumElemPerThread>{});
  Tensor bSrc = local_tile(gSrc, tile, make_coord(blockIdx.x));  // (BLK)
  Tensor bDst = local_tile(gDst, tile, make_coord(blockIdx.x));  // (BLK)
  Tensor bCrd = local_tile(make_identity_tensor(make_shape(num)), tile, make_coord(blockIdx.x));

  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Int<kThreads>>{}, Layout<_4>{});
  auto thr_copy = tiled_copy.get_slice(threadIdx.x);
  Tensor tSrc = thr_copy.partition_S(bSrc);  // (Cpy, RestM)
  Tensor tDst = thr_copy.partition_D(bDst);  // (Cpy, RestM)
  Tensor tCrd = thr_copy.partition_S(bCrd);  // (Cpy, RestM)

  Tensor fragment = make_fragment_like(tSrc);
  Tensor pred = make_tensor<bool>(shape(tSrc));
  CUTE_UNROLL
  for (int i = 0; i < size(pred); ++i) pred(i) = elem_less(tCrd(i), make_shape(num));
  copy_if(pred, tSrc, fragment);
  transform(fragment, [](float x) { return 2.0f * x; });
  copy_if(pred, fragment, tDst);
}

int main() {
  constexpr int num = 10'000;
  std::vector<float> source(num), target(num, -1.0f);
  for (int i = 0; i < num; ++i) source[i] = float(i);
  float *d_src = nullptr, *d_dst = nullptr;
  cudaMalloc(&d_src, num * sizeof(float));
  cudaMalloc(&d_dst, num * sizeof(float));
  cudaMemcpy(d_src, source.data(), num * sizeof(float), cudaMemcpyHostToDevice);
  int const per_block = 128 * 8;
  vector_copy<<<ceil_div(num, per_block), 128>>>(d_dst, d_src, num);
  cudaMemcpy(target.data(), d_dst, num * sizeof(float), cudaMemcpyDeviceToHost);
  bool same = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < num; ++i) same = same && target[i] == 2.0f * source[i];
  cudaFree(d_src);
  cudaFree(d_dst);
  std::printf(same ? "passed\n" : "failed\n");
  return same ? 0 : 1;
}
