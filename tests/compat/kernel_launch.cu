// A kernel that is a function object, launched by cutlass::kernel_launch; its blocks write one after the other, in the order of
// counters in global memory, what they read by predicated accesses and cp.async.
// Prints "passed".
// ptx: ld\.global\.acquire\.gpu
// ptx: red\.global\.release\.gpu
// ptx: cp\.async\.ca\.shared\.global
#include <cutlass/arch/arch.h>
#include <cutlass/arch/grid_dependency_control.h>
#include <cutlass/arch/memory.h>
#include <cutlass/barrier.h>
#include <cutlass/device_kernel.h>
#include <cutlass/kernel_hardware_info.h>
#include <cutlass/kernel_launch.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kBlocks = 24;

struct Chain {
  using ArchTag = cutlass::arch::Sm80;
  struct Params {
    int const* numbers;  // kThreads * kBlocks
    int* sum;            // the sum of the blocks so far, of each thread
    int* order;          // the block's turn
    int* locks;
  };
  static constexpr int MaxThreadsPerBlock = kThreads;
  static constexpr int MinBlocksPerMultiprocessor = 1;

  __device__ void operator()(Params const& params, char* smem) {
    using Barrier = cutlass::GenericBarrier<cutlass::detail::SyncthreadsSync>;
    int const thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
    int* const staged = reinterpret_cast<int*>(smem);
    cutlass::arch::wait_on_dependent_grids();
    cutlass::arch::cp_async_zfill<4>(staged + thread, params.numbers + block * kThreads + thread, thread % 8 != 0);
    cutlass::arch::cp_async_fence();
    cutlass::arch::cp_async_wait<0>();
    __syncthreads();
    Barrier::wait_eq(params.locks, thread, 0, block);
    int so_far = -1;
    cutlass::arch::global_load<int, 4>(so_far, params.sum + thread, true);
    cutlass::arch::global_store<int, 4>(so_far + staged[thread], params.sum + thread, true);
    cutlass::arch::global_store<int, 4>(block, params.order + block, thread == 0);
    Barrier::arrive_inc(params.locks, thread, 0);
    cutlass::arch::launch_dependent_grids();
  }
};

static_assert(cutlass::arch::Sm90::kMinComputeCapability == 90);

int main() {
  std::vector<int> numbers(kThreads * kBlocks), sum(kThreads, 5), expected(kThreads, 5), order(kBlocks, -1);
  for (int i = 0; i < kThreads * kBlocks; ++i) numbers[i] = i * 37 % 1009;
  for (int b = 0; b < kBlocks; ++b)
    for (int t = 0; t < kThreads; ++t)
      if (t % 8 != 0) expected[t] += numbers[b * kThreads + t];

  Chain::Params params{};
  int* from = nullptr;
  cudaMalloc(&from, numbers.size() * sizeof(int));
  cudaMalloc(&params.sum, kThreads * sizeof(int));
  cudaMalloc(&params.order, kBlocks * sizeof(int));
  cudaMalloc(&params.locks, sizeof(int));
  cudaMemcpy(from, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(params.sum, sum.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(params.locks, 0, sizeof(int));
  params.numbers = from;

  auto const info = cutlass::KernelHardwareInfo::make_kernel_hardware_info();
  auto const status =
      cutlass::kernel_launch<Chain>(dim3(kBlocks), dim3(kThreads), kThreads * sizeof(int), nullptr, params, false);
  bool ok = status == cutlass::Status::kSuccess && cudaDeviceSynchronize() == cudaSuccess && info.sm_count > 0;
  cudaMemcpy(sum.data(), params.sum, kThreads * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(order.data(), params.order, kBlocks * sizeof(int), cudaMemcpyDeviceToHost);
  for (int t = 0; t < kThreads; ++t) ok = ok && sum[t] == expected[t];
  for (int b = 0; b < kBlocks; ++b) ok = ok && order[b] == b;
  std::printf("%s\n", ok ? "passed" : "FAILED");
  return ok ? 0 : 1;
}
