// Parts of kernels that have no host body, or another one: pairs of floats, ldmatrix and shared memory by CUTLASS's functions, numbered
// barriers of groups of warps, barriers by bytes that a thread brings itself, and fragments printed in device code.
// Prints "passed".
#include <cutlass/arch/barrier.h>
#include <cutlass/arch/memory.h>
#include <cutlass/barrier.h>
#include <cutlass/util/device_memory.h>
#include <cute/arch/mma_sm100.hpp>
#include <cute/atom/mma_traits_sm100.hpp>
#include <cute/tensor.hpp>

#include <cstdio>

using namespace cute;

/// Two warps, each with a counter of its own and a numbered barrier.
using Warps = cutlass::NamedBarrierManager<32, 8, 2>;

__global__ void parts(int* failures, int* counters, bool prints) {
  __shared__ alignas(16) half_t matrix[8 * 8];
  int const warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  float2 sum, product;
  add(sum, float2{1, 2}, float2{3, 5});
  mul(product, sum, float2{2, 3});
  fma(sum, product, float2{2, 2}, float2{1, 1});
  if (sum.x != 17 || sum.y != 43) atomicAdd(failures, 1);

  for (int i = lane; i < 64; i += 32) matrix[i] = half_t(static_cast<float>(i));
  __syncthreads();
  cutlass::Array<unsigned, 1> row;
  cutlass::arch::ldsm<cutlass::layout::RowMajor, 1>(row, &matrix[8 * (lane % 8)]);
  unsigned plain;
  cutlass::arch::shared_load<4>(&plain, cast_smem_ptr_to_uint(&matrix[2 * lane]));
  if (row[0] != plain) atomicAdd(failures, 1);

  Tensor predicates = make_tensor<bool>(Shape<_2, _3>{}, Stride<_1, _2>{});  // (2, 3), in registers
  fill(predicates, true);
  if (!predicates(1, 2)) atomicAdd(failures, 1);

  cutlass::arch::NamedBarrier(64, 0).arrive_and_wait_unaligned();
  Warps::arrive_inc(static_cast<std::uint32_t>(warp), counters, lane, warp);
  Warps::wait_eq(static_cast<std::uint32_t>(warp), counters, lane, 1 - warp, 1);

  if (prints) {
    auto const tile = make_tensor(make_smem_ptr(&matrix[0]), GMMA::Layout_K_INTER_Atom<half_t>{});
    print(tile);
    print(make_tensor(GMMA::DescriptorIterator{}, Layout<Shape<_1, _2>>{}));
  }
}

__global__ void bytes_of_a_thread(int* failures) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(8) std::uint64_t barrier;
  using Barrier = cutlass::arch::ClusterTransactionBarrier;
  if (threadIdx.x == 0) {
    Barrier::init(&barrier, 1);
    Barrier::arrive_and_expect_tx(&barrier, 32, 0u, 1u);
  }
  __syncthreads();
  if (Barrier::test_wait(&barrier, 0)) atomicAdd(failures, 1);
  __syncthreads();
  if (threadIdx.x == 0) Barrier::complete_transaction(&barrier, 0, 32);
  Barrier::wait(&barrier, 0);
#endif
}

int main() {
  cutlass::DeviceAllocation<int> words(3);
  int const zeros[3]{};
  int out[3]{};
  words.copy_from_host(zeros);
  parts<<<1, 64>>>(words.get(), words.get() + 1, false);
  bytes_of_a_thread<<<1, 32>>>(words.get());
  words.copy_to_host(out);
  bool const right = cudaDeviceSynchronize() == cudaSuccess && out[0] == 0 && out[1] == 1 && out[2] == 1;
  std::printf(right ? "passed\n" : "failed\n");
  return right ? 0 : 1;
}
