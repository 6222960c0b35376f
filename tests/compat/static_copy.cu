// Tiles that go through shared memory by plain copies, swizzled and not, and back in another order. A plain copy between constant
// layouts moves vectors, though an address known at run time promises the alignment of one element alone.
// A kernel of half_t has a name with "cutlass" in it, as with CuTe: ptxas orders its instructions by that.
// Prints "passed".
// ptx: st\.shared\.v[24]
// ptx: \.entry \S*transpose_tiles\S*cutlass
#include <cute/tensor.hpp>

#include <cstdio>
#include <vector>

using namespace cute;

constexpr int kRows = 64, kColumns = 64, kThreads = 128, kTiles = 7;

template <class SharedLayout>
__global__ void transpose_tiles(half_t* dst, half_t const* src, SharedLayout shared_layout, int first) {
  extern __shared__ half_t stage[];
  Tensor sTile = make_tensor(make_smem_ptr(stage + first), shared_layout);  // (M,N)
  auto tile_layout = Layout<Shape<Int<kRows>, Int<kColumns>>, Stride<Int<kColumns>, _1>>{};
  Tensor gSrc = make_tensor(make_gmem_ptr(src + blockIdx.x * kRows * kColumns), tile_layout);
  Tensor gDst = make_tensor(make_gmem_ptr(dst + blockIdx.x * kRows * kColumns), tile_layout);

  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<cute::uint128_t>, half_t>{},
                                    Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto thr_copy = tiled_copy.get_slice(threadIdx.x);
  Tensor tSrc = thr_copy.partition_S(gSrc);  // (Cpy, RestM, RestN)
  Tensor tStage = thr_copy.partition_D(sTile);
  Tensor fragment = make_fragment_like(tStage);
  copy(tiled_copy, tSrc, fragment);
  copy(fragment, tStage);
  __syncthreads();

  Tensor sTransposed = make_tensor(
      sTile.data(),
      composition(sTile.layout(), make_layout(Shape<Int<kColumns>, Int<kRows>>{}, Stride<Int<kRows>, _1>{})));
  Tensor mine = local_partition(sTransposed, Layout<Shape<_2, _64>, Stride<_64, _1>>{}, threadIdx.x);
  Tensor to = local_partition(gDst, Layout<Shape<_2, _64>, Stride<_64, _1>>{}, threadIdx.x);
  Tensor values = make_fragment_like(to);
  copy(mine, values);
  copy(values, to);
}

template <class SharedLayout>
bool passes(SharedLayout shared_layout) {
  constexpr int count = kTiles * kRows * kColumns;
  std::vector<half_t> source(count), target(count);
  for (int i = 0; i < count; ++i) source[i] = half_t(float(i % 2039));
  half_t *d_src = nullptr, *d_dst = nullptr;
  cudaMalloc(&d_src, count * sizeof(half_t));
  cudaMalloc(&d_dst, count * sizeof(half_t));
  cudaMemcpy(d_src, source.data(), count * sizeof(half_t), cudaMemcpyHostToDevice);
  transpose_tiles<<<kTiles, kThreads, cosize_v<SharedLayout> * sizeof(half_t)>>>(d_dst, d_src, shared_layout, 0);
  cudaMemcpy(target.data(), d_dst, count * sizeof(half_t), cudaMemcpyDeviceToHost);
  bool const ran = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(d_src);
  cudaFree(d_dst);
  for (int t = 0; t < kTiles; ++t)
    for (int m = 0; m < kRows; ++m)
      for (int n = 0; n < kColumns; ++n)
        if (float(target[t * 4096 + m * 64 + n]) != float(source[t * 4096 + n * 64 + m])) return false;
  return ran;
}

int main() {
  using Plain = Layout<Shape<Int<kRows>, Int<kColumns>>, Stride<Int<kColumns>, _1>>;
  bool const all = passes(Plain{}) && passes(composition(Swizzle<3, 3, 3>{}, Plain{})) &&
                   passes(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<Int<kRows>, Int<kColumns>>{}));
  std::puts(all ? "passed" : "failed");
  return all ? 0 : 1;
}
