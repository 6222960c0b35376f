// A matrix copied tile by tile: with local_partition, with a vectorised tiled copy, and through shared memory by
// cp.async. Prints "passed".
#include <cute/tensor.hpp>

#include <cstdio>
#include <vector>

using namespace cute;

template <class TensorS, class TensorD, class ThreadLayout>
__global__ void copy_kernel(TensorS S, TensorD D, ThreadLayout) {
  Tensor tile_S = S(make_coord(_, _), blockIdx.x, blockIdx.y);  // (BlockShape_M, BlockShape_N)
  Tensor tile_D = D(make_coord(_, _), blockIdx.x, blockIdx.y);  // (BlockShape_M, BlockShape_N)
  Tensor thr_tile_S = local_partition(tile_S, ThreadLayout{}, threadIdx.x);
  Tensor thr_tile_D = local_partition(tile_D, ThreadLayout{}, threadIdx.x);
  Tensor fragment = make_tensor_like(thr_tile_S);
  copy(thr_tile_S, fragment);
  copy(fragment, thr_tile_D);
}

template <class TensorS, class TensorD, class Tiled_Copy>
__global__ void copy_kernel_vectorized(TensorS S, TensorD D, Tiled_Copy tiled_copy) {
  Tensor tile_S = S(make_coord(_, _), blockIdx.x, blockIdx.y);
  Tensor tile_D = D(make_coord(_, _), blockIdx.x, blockIdx.y);
  ThrCopy thr_copy = tiled_copy.get_thread_slice(threadIdx.x);
  Tensor thr_tile_S = thr_copy.partition_S(tile_S);  // (CopyOp, CopyM, CopyN)
  Tensor thr_tile_D = thr_copy.partition_D(tile_D);  // (CopyOp, CopyM, CopyN)
  Tensor fragment = make_fragment_like(thr_tile_D);
  copy(tiled_copy, thr_tile_S, fragment);
  copy(tiled_copy, fragment, thr_tile_D);
}

template <class TensorS, class TensorD, class SmemLayout, class G2S, class S2G>
__global__ void copy_kernel_async(TensorS S, TensorD D, SmemLayout smem_layout, G2S g2s, S2G s2g) {
  __shared__ alignas(16) float smem[cosize_v<SmemLayout>];
  Tensor tile_S = S(make_coord(_, _), blockIdx.x, blockIdx.y);
  Tensor tile_D = D(make_coord(_, _), blockIdx.x, blockIdx.y);
  Tensor tile_smem = make_tensor(make_smem_ptr(smem), smem_layout);
  auto thr_in = g2s.get_slice(threadIdx.x);
  copy(g2s, thr_in.partition_S(tile_S), thr_in.partition_D(tile_smem));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  auto thr_out = s2g.get_slice(threadIdx.x);
  copy(s2g, thr_out.partition_S(tile_smem), thr_out.partition_D(tile_D));
}

int main() {
  using Element = float;
  auto tensor_shape = make_shape(256, 512);
  std::vector<Element> h_S(size(tensor_shape)), h_D(size(tensor_shape));
  for (std::size_t i = 0; i < h_S.size(); ++i) h_S[i] = static_cast<Element>(i);
  Element *d_S = nullptr, *d_D = nullptr;
  std::size_t const bytes = h_S.size() * sizeof(Element);
  cudaMalloc(&d_S, bytes);
  cudaMalloc(&d_D, bytes);
  cudaMemcpy(d_S, h_S.data(), bytes, cudaMemcpyHostToDevice);

  Tensor tensor_S = make_tensor(make_gmem_ptr(d_S), make_layout(tensor_shape));
  Tensor tensor_D = make_tensor(make_gmem_ptr(d_D), make_layout(tensor_shape));
  auto block_shape = make_shape(Int<128>{}, Int<64>{});
  CUTE_STATIC_ASSERT(is_static<decltype(block_shape)>::value, "the block shape is static");
  if (size<0>(tensor_shape) % size<0>(block_shape) || size<1>(tensor_shape) % size<1>(block_shape)) return 1;
  Tensor tiled_tensor_S = tiled_divide(tensor_S, block_shape);  // ((M, N), m', n')
  Tensor tiled_tensor_D = tiled_divide(tensor_D, block_shape);  // ((M, N), m', n')

  Layout thr_layout = make_layout(make_shape(Int<32>{}, Int<8>{}));
  Layout val_layout = make_layout(make_shape(Int<4>{}, Int<1>{}));
  using CopyOp = UniversalCopy<cutlass::AlignedArray<Element, size(val_layout)>>;
  using Atom = Copy_Atom<CopyOp, Element>;
  auto tiled_copy = make_tiled_copy(Atom{}, thr_layout, val_layout);
  auto async_copy = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, Element>{}, thr_layout, val_layout);
  dim3 gridDim(size<1>(tiled_tensor_D), size<2>(tiled_tensor_D));
  dim3 blockDim(size(thr_layout));

  bool ok = true;
  auto const check = [&] {
    ok = ok && cudaDeviceSynchronize() == cudaSuccess;
    cudaMemcpy(h_D.data(), d_D, bytes, cudaMemcpyDeviceToHost);
    cudaMemset(d_D, 0, bytes);
    ok = ok && h_D == h_S;
  };
  copy_kernel<<<gridDim, blockDim>>>(tiled_tensor_S, tiled_tensor_D, thr_layout);
  check();
  copy_kernel_vectorized<<<gridDim, blockDim>>>(tiled_tensor_S, tiled_tensor_D, tiled_copy);
  check();
  auto smem_layout = make_layout(block_shape);
  copy_kernel_async<<<gridDim, blockDim>>>(tiled_tensor_S, tiled_tensor_D, smem_layout, async_copy, tiled_copy);
  check();
  cudaFree(d_S);
  cudaFree(d_D);
  std::printf(ok ? "passed\n" : "failed\n");
  return ok ? 0 : 1;
}
