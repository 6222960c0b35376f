// A matrix copied tile by tile where it does not fall into whole tiles: vectors of four floats along the rows, each row of
// a tile kept or left out by a predicate tensor, and again by a predicate that is a function. Prints "passed".
#include <cute/tensor.hpp>

#include <cstdio>
#include <vector>

#include "cutlass/util/GPU_Clock.hpp"
#include "cutlass/util/command_line.h"
#include "cutlass/util/helper_cuda.hpp"
#include "cutlass/util/print_error.hpp"

/// One tile a block, where every tile is whole.
template <class TensorS, class TensorD, class Tiled_Copy>
__global__ void copy_kernel_vectorized(TensorS S, TensorD D, Tiled_Copy tiled_copy) {
  using namespace cute;
  Tensor tile_S = S(make_coord(_, _), blockIdx.x, blockIdx.y);  // (BlockShape_M, BlockShape_N)
  Tensor tile_D = D(make_coord(_, _), blockIdx.x, blockIdx.y);  // (BlockShape_M, BlockShape_N)
  ThrCopy thr_copy = tiled_copy.get_thread_slice(threadIdx.x);
  Tensor thr_tile_S = thr_copy.partition_S(tile_S);  // (CopyOp, CopyM, CopyN)
  Tensor thr_tile_D = thr_copy.partition_D(tile_D);  // (CopyOp, CopyM, CopyN)
  Tensor fragment = make_fragment_like(thr_tile_D);  // (CopyOp, CopyM, CopyN)
  copy(tiled_copy, thr_tile_S, fragment);
  copy(tiled_copy, fragment, thr_tile_D);
}

/// One tile a block; a vector whose coordinate lies outside of the matrix stays where it is.
template <class TensorS, class TensorD, class BlockShape, class Tiled_Copy>
__global__ void copy_if_kernel(TensorS S, TensorD D, BlockShape block_shape, Tiled_Copy tiled_copy) {
  using namespace cute;
  auto coord = make_coord(blockIdx.x, blockIdx.y);
  Tensor tile_S = local_tile(S, block_shape, coord);                               // (BLK_M, BLK_N)
  Tensor tile_D = local_tile(D, block_shape, coord);                               // (BLK_M, BLK_N)
  Tensor tile_C = local_tile(make_identity_tensor(shape(S)), block_shape, coord);  // (BLK_M, BLK_N) -> (m, n)

  auto thr_copy = tiled_copy.get_slice(threadIdx.x);
  Tensor tSgS = thr_copy.partition_S(tile_S);  // (CPY, CPY_M, CPY_N)
  Tensor tDgD = thr_copy.partition_D(tile_D);  // (CPY, CPY_M, CPY_N)
  Tensor tCcC = thr_copy.partition_S(tile_C);  // (CPY, CPY_M, CPY_N)

  Tensor tSpS = make_tensor<bool>(make_shape(size<1>(tSgS), size<2>(tSgS)));  // (CPY_M, CPY_N)
  CUTE_UNROLL
  for (int m = 0; m < size<0>(tSpS); ++m) {
    CUTE_UNROLL
    for (int n = 0; n < size<1>(tSpS); ++n) tSpS(m, n) = elem_less(tCcC(0, m, n), shape(S));
  }
  Tensor tSrS = make_tensor_like(tSgS);  // (CPY, CPY_M, CPY_N)
  copy_if(tiled_copy, tSpS, tSgS, tSrS);
  copy_if(tiled_copy, tSpS, tSrS, tDgD);
}

/// The predicate as a function of the vector's number.
template <class TensorS, class TensorD, class BlockShape, class Tiled_Copy>
__global__ void copy_if_function_kernel(TensorS S, TensorD D, BlockShape block_shape, Tiled_Copy tiled_copy) {
  using namespace cute;
  auto coord = make_coord(blockIdx.x, blockIdx.y);
  auto thr_copy = tiled_copy.get_slice(threadIdx.x);
  Tensor tSgS = thr_copy.partition_S(local_tile(S, block_shape, coord));
  Tensor tDgD = thr_copy.partition_D(local_tile(D, block_shape, coord));
  Tensor tCcC = thr_copy.partition_S(local_tile(make_identity_tensor(shape(S)), block_shape, coord));
  Tensor first = group_modes<0, 2>(tCcC(0, _, _));
  copy_if(
      tiled_copy, [&](int i) { return elem_less(first(i), shape(S)); }, tSgS, tDgD);
}

struct Matrices {
  int M, N;
  std::vector<float> source;
  float *src = nullptr, *dst = nullptr;
  Matrices(int m, int n) : M(m), N(n), source(static_cast<std::size_t>(m) * n) {
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = float(i % 65536);
    CUTE_CHECK_ERROR(cudaMalloc(&src, source.size() * sizeof(float)));
    CUTE_CHECK_ERROR(cudaMalloc(&dst, source.size() * sizeof(float)));
    CUTE_CHECK_ERROR(cudaMemcpy(src, source.data(), source.size() * sizeof(float), cudaMemcpyHostToDevice));
    CUTE_CHECK_ERROR(cudaMemset(dst, 0, source.size() * sizeof(float)));
  }
  ~Matrices() {
    cudaFree(src);
    cudaFree(dst);
  }
  bool copied() {
    std::vector<float> target(source.size());
    CUTE_CHECK_LAST();
    CUTE_CHECK_ERROR(cudaMemcpy(target.data(), dst, target.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CUTE_CHECK_ERROR(cudaMemset(dst, 0, source.size() * sizeof(float)));
    return target == source && print_relative_error(source.size(), target, source, false, false) == 1;
  }
};

int main(int argc, char const** argv) {
  using namespace cute;
  cutlass::CommandLine command_line(argc, argv);
  int M = 0, N = 0;
  command_line.get_cmd_line_argument("m", M, 528);
  command_line.get_cmd_line_argument("n", N, 600);
  auto block_shape = make_shape(Int<128>{}, Int<64>{});
  using CopyOp = UniversalCopy<uint_byte_t<sizeof(float) * 4>>;
  using Atom = Copy_Atom<CopyOp, float>;
  TiledCopy tiled_copy = make_tiled_copy(Atom{}, make_layout(make_shape(Int<32>{}, Int<8>{}), LayoutRight{}),
                                         make_layout(make_shape(Int<1>{}, Int<4>{})));
  dim3 block(size(tiled_copy));
  bool ok = true;
  {
    Matrices whole(512, 640);
    auto layout = make_layout(make_shape(whole.M, whole.N), make_stride(whole.N, Int<1>{}));
    Tensor tiled_S = tiled_divide(make_tensor(make_gmem_ptr(whole.src), layout), block_shape);
    Tensor tiled_D = tiled_divide(make_tensor(make_gmem_ptr(whole.dst), layout), block_shape);
    dim3 grid(size<1>(tiled_D), size<2>(tiled_D));
    copy_kernel_vectorized<<<grid, block>>>(tiled_S, tiled_D, tiled_copy);
    ok = whole.copied() && ok;
  }
  Matrices ragged(M, N);
  auto layout = make_layout(make_shape(ragged.M, ragged.N), make_stride(ragged.N, Int<1>{}));
  Tensor tensor_S = make_tensor(make_gmem_ptr(ragged.src), layout);
  Tensor tensor_D = make_tensor(make_gmem_ptr(ragged.dst), layout);
  dim3 grid(ceil_div(ragged.M, size<0>(block_shape)), ceil_div(ragged.N, size<1>(block_shape)));
  GPU_Clock clock;
  clock.start();
  copy_if_kernel<<<grid, block>>>(tensor_S, tensor_D, block_shape, tiled_copy);
  double const seconds = clock.seconds();
  ok = ragged.copied() && ok;
  copy_if_function_kernel<<<grid, block>>>(tensor_S, tensor_D, block_shape, tiled_copy);
  ok = ragged.copied() && ok;
  if (command_line.check_cmd_line_flag("time")) std::printf("%g ms\n", seconds * 1e3);
  std::printf(ok ? "passed\n" : "failed\n");
  return ok ? 0 : 1;
}
