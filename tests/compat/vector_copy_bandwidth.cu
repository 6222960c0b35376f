// A vector copied by kernels of 1, 2, 4 and 8 floats a thread and access widths of 32 to 128 bits, with the bandwidth of
// each when asked for (--verbose). Prints "passed".
#include <cute/tensor.hpp>

#include <cstdio>
#include <vector>

#include "cutlass/cutlass.h"
#include "cutlass/fast_math.h"
#include "cutlass/util/GPU_Clock.hpp"
#include "cutlass/util/command_line.h"
#include "cutlass/util/helper_cuda.hpp"

using namespace cute;

template <int kThreads, int kValues, int kBits, class TensorS, class TensorD>
CUTLASS_GLOBAL void copy_vector(TensorS S, TensorD D) {
  auto tile = make_shape(Int<kThreads * kValues>{});
  Tensor gS = local_tile(S, tile, make_coord(int(blockIdx.x)));  // (BLK)
  Tensor gD = local_tile(D, tile, make_coord(int(blockIdx.x)));  // (BLK)
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint_bit_t<kBits>>, float>{}, Layout<Int<kThreads>>{},
                                    Layout<Int<kBits / 32>>{});
  auto thr_copy = tiled_copy.get_slice(threadIdx.x);
  Tensor tS = thr_copy.partition_S(gS);  // (CPY, CPY_M)
  Tensor tD = thr_copy.partition_D(gD);  // (CPY, CPY_M)
  Tensor tR = make_fragment_like(tD);
  CUTLASS_PRAGMA_UNROLL
  for (int m = 0; m < size<1>(tS); ++m) copy(tiled_copy, tS(_, m), tR(_, m));
  CUTLASS_PRAGMA_UNROLL
  for (int m = 0; m < size<1>(tS); ++m) copy(tiled_copy, tR(_, m), tD(_, m));
}

template <int kValues, int kBits>
bool measure(float const* src, float* dst, std::vector<float> const& source, bool verbose) {
  constexpr int kThreads = 256;
  int const n = int(source.size());
  Tensor S = make_tensor(make_gmem_ptr(src), make_shape(n));
  Tensor D = make_tensor(make_gmem_ptr(dst), make_shape(n));
  CUTE_CHECK_ERROR(cudaMemset(dst, 0, source.size() * sizeof(float)));
  int const blocks = cutlass::ceil_div(n, kThreads * kValues);
  GPU_Clock clock;
  clock.start();
  copy_vector<kThreads, kValues, kBits><<<blocks, kThreads>>>(S, D);
  double const seconds = clock.seconds();
  CUTE_CHECK_LAST();
  std::vector<float> target(source.size());
  CUTE_CHECK_ERROR(cudaMemcpy(target.data(), dst, target.size() * sizeof(float), cudaMemcpyDeviceToHost));
  if (verbose) std::printf("%d values, %d bits: %.1f GB/s\n", kValues, kBits, 8e-9 * n / seconds);
  return target == source;
}

int main(int argc, char const** argv) {
  cutlass::CommandLine command_line(argc, argv);
  int n = 0;
  command_line.get_cmd_line_argument("n", n, 1 << 20);
  n = cutlass::round_up(n, 256 * 8);
  bool const verbose = command_line.check_cmd_line_flag("verbose");
  std::vector<float> source(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) source[std::size_t(i)] = float(i);
  float *src = nullptr, *dst = nullptr;
  CUTE_CHECK_ERROR(cudaMalloc(&src, source.size() * sizeof(float)));
  CUTE_CHECK_ERROR(cudaMalloc(&dst, source.size() * sizeof(float)));
  CUTE_CHECK_ERROR(cudaMemcpy(src, source.data(), source.size() * sizeof(float), cudaMemcpyHostToDevice));
  bool ok = measure<1, 32>(src, dst, source, verbose);
  ok = measure<2, 64>(src, dst, source, verbose) && ok;
  ok = measure<4, 128>(src, dst, source, verbose) && ok;
  ok = measure<8, 128>(src, dst, source, verbose) && ok;
  cudaFree(src);
  cudaFree(dst);
  std::printf(ok ? "passed\n" : "failed\n");
  return ok ? 0 : 1;
}
