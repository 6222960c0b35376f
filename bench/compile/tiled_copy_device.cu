// The tiled-copy program as it runs on a GPU, for nvcc: the same two kernels as __global__ functions.
#include "tilewright/tilewright.hpp"

#include <cstdio>

namespace {

using namespace tilewright;

template <class TiledCopy, class TileLayout>
__global__ void show_ownership(TiledCopy tiled_copy, TileLayout tile_layout) {
  extern __shared__ float smem[];
  auto tile = make_tensor(make_smem_ptr(smem), tile_layout);                                       // (M, N)
  auto const mine = tiled_copy.get_thread_slice(static_cast<int>(threadIdx.x)).partition_D(tile);  // (Cpy, M, N)
  for (int i = 0; i < size(mine); ++i) mine(i) = static_cast<float>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int m = 0; m < size<0>(tile); ++m) {
    printf("r%-4d  ", m);
    for (int n = 0; n < size<1>(tile); ++n) printf("T%02d   ", static_cast<int>(tile(m, n)));
    printf("\n");
  }
}

template <class TiledCopy, class GmemLayout, class SmemLayout>
__global__ void copy_tile(float const* __restrict__ data, GmemLayout gmem_layout, SmemLayout smem_layout,
                          TiledCopy tiled_copy) {
  extern __shared__ float smem[];
  auto const src = make_tensor(make_gmem_ptr(data), gmem_layout);  // (M, N)
  auto tile = make_tensor(make_smem_ptr(smem), smem_layout);       // (M, N)
  auto const thr_copy = tiled_copy.get_thread_slice(static_cast<int>(threadIdx.x));
  auto const from = thr_copy.partition_S(src);  // (Cpy, RestM, RestN)
  auto const to = thr_copy.partition_D(tile);   // (Cpy, RestM, RestN)
  copy(tiled_copy, from, to);
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int m = 0; m < size<0>(tile); ++m) {
    printf("  row %2d: ", m);
    for (int n = 0; n < size<1>(tile); ++n) printf("%5.0f ", static_cast<double>(tile(m, n)));
    printf("\n");
  }
}

}  // namespace

int main() {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  auto const tile_layout = make_layout(make_shape(_16{}, _8{}), LayoutLeft{});
  int const bytes = 128 * static_cast<int>(sizeof(float));
  show_ownership<<<1, 32, bytes>>>(tiled_copy, tile_layout);

  float* data = nullptr;
  cudaMalloc(&data, bytes);
  cudaMemset(data, 0, bytes);
  copy_tile<<<1, 32, bytes>>>(data, tile_layout, tile_layout, tiled_copy);
  cudaDeviceSynchronize();
  cudaFree(data);
}
