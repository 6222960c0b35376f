// Launches of kernels that multiply matrices: arguments to parameters, grid, cluster and shared memory. For nvcc alone.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/mma.h"
#include "cutlass/barrier.h"
#include "cutlass/cluster_launch.hpp"
#include "cutlass/core_io.h"
#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/device_kernel.h"
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/dispatch_policy.hpp"
#include "cutlass/gemm/gemm.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/semaphore.h"
#include "cutlass/tensor_view.h"

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>

namespace cutlass::gemm::device {

template <class GemmKernel_>
class GemmUniversalAdapter {
 public:
  using GemmKernel = GemmKernel_;
  using TileShape = typename GemmKernel::TileShape;
  using ElementA = typename GemmKernel::ElementA;
  using ElementB = typename GemmKernel::ElementB;
  using ElementC = typename GemmKernel::ElementC;
  using ElementD = typename GemmKernel::ElementD;
  using ElementAccumulator = typename GemmKernel::ElementAccumulator;
  using DispatchPolicy = typename GemmKernel::DispatchPolicy;
  using CollectiveMainloop = typename GemmKernel::CollectiveMainloop;
  using CollectiveEpilogue = typename GemmKernel::CollectiveEpilogue;
  using LayoutA = cutlass::detail::StrideToLayoutTagA_t<typename GemmKernel::StrideA>;
  using LayoutB = cutlass::detail::StrideToLayoutTagB_t<typename GemmKernel::StrideB>;
  using LayoutC = cutlass::detail::StrideToLayoutTagC_t<typename GemmKernel::StrideC>;
  using LayoutD = cutlass::detail::StrideToLayoutTagC_t<typename GemmKernel::StrideD>;
  using EpilogueOutputOp = typename CollectiveEpilogue::ThreadEpilogueOp;
  using MathOperator = arch::OpMultiplyAdd;
  using OperatorClass = arch::OpClassTensorOp;
  using ArchTag = typename GemmKernel::ArchTag;
  using ThreadblockShape =
      GemmShape<static_cast<int>(cute::size<0>(TileShape{})), static_cast<int>(cute::size<1>(TileShape{})),
                static_cast<int>(cute::size<2>(TileShape{}))>;
  using ClusterShape = GemmShape<static_cast<int>(cute::size<0>(typename DispatchPolicy::ClusterShape{})),
                                 static_cast<int>(cute::size<1>(typename DispatchPolicy::ClusterShape{})),
                                 static_cast<int>(cute::size<2>(typename DispatchPolicy::ClusterShape{}))>;
  static constexpr int kThreadCount = static_cast<int>(GemmKernel::MaxThreadsPerBlock);
  static constexpr int kStages = DispatchPolicy::Stages;
  static constexpr int kAlignmentA = 128 / static_cast<int>(cute::sizeof_bits_v<ElementA>);
  static constexpr int kAlignmentB = 128 / static_cast<int>(cute::sizeof_bits_v<ElementB>);
  static constexpr int kAlignmentC = EpilogueOutputOp::kCount;
  static constexpr int kAlignmentD = EpilogueOutputOp::kCount;
  using Arguments = typename GemmKernel::Arguments;
  using Params = typename GemmKernel::Params;

  Params const& params() const { return params_; }
  static Status can_implement(Arguments const& args) {
    return GemmKernel::can_implement(args) ? Status::kSuccess : Status::kInvalid;
  }
  static std::size_t get_workspace_size(Arguments const& args) { return GemmKernel::get_workspace_size(args); }
  static dim3 get_grid_shape(Arguments const& args, void* workspace = nullptr) {
    return get_grid_shape(GemmKernel::to_underlying_arguments(args, workspace));
  }
  static dim3 get_grid_shape(Params const& params) { return GemmKernel::get_grid_shape(params); }
  /// Blocks that a multiprocessor has at a time; -1 where that cannot be asked.
  static int maximum_active_blocks(int = -1) {
    int blocks = -1;
    if (allow_shared_memory() != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, device_kernel<GemmKernel>, kThreadCount,
                                                      GemmKernel::SharedStorageSize) != cudaSuccess)
      return -1;
    return blocks;
  }

  Status initialize(Arguments const& args, void* workspace = nullptr, cudaStream_t stream = nullptr, void* = nullptr) {
    Status const status = GemmKernel::initialize_workspace(args, workspace, stream);
    if (status != Status::kSuccess) return status;
    params_ = GemmKernel::to_underlying_arguments(args, workspace);
    return allow_shared_memory() == cudaSuccess ? Status::kSuccess : Status::kErrorInternal;
  }
  Status update(Arguments const& args, void* workspace = nullptr) {
    params_ = GemmKernel::to_underlying_arguments(args, workspace);
    return Status::kSuccess;
  }
  /// pre: initialize() succeeded
  static Status run(Params& params, cudaStream_t stream = nullptr, void* = nullptr, bool launch_with_pdl = false) {
    void* addresses[] = {&params};
    return ClusterLauncher::launch(
        GemmKernel::get_grid_shape(params), dim3(ClusterShape::kM, ClusterShape::kN, ClusterShape::kK),
        GemmKernel::get_block_shape(), static_cast<std::size_t>(GemmKernel::SharedStorageSize), stream,
        reinterpret_cast<void const*>(device_kernel<GemmKernel>), addresses, launch_with_pdl);
  }
  Status run(Arguments const& args, void* workspace = nullptr, cudaStream_t stream = nullptr, void* adapter = nullptr,
             bool launch_with_pdl = false) {
    Status const status = initialize(args, workspace, stream);
    return status == Status::kSuccess ? run(params_, stream, adapter, launch_with_pdl) : status;
  }
  Status operator()(Arguments const& args, void* workspace = nullptr, cudaStream_t stream = nullptr,
                    void* adapter = nullptr, bool launch_with_pdl = false) {
    return run(args, workspace, stream, adapter, launch_with_pdl);
  }
  Status run(cudaStream_t stream = nullptr, void* adapter = nullptr, bool launch_with_pdl = false) {
    return run(params_, stream, adapter, launch_with_pdl);
  }
  Status operator()(cudaStream_t stream = nullptr, void* adapter = nullptr, bool launch_with_pdl = false) {
    return run(params_, stream, adapter, launch_with_pdl);
  }

 private:
  static cudaError_t allow_shared_memory() {
    return cudaFuncSetAttribute(device_kernel<GemmKernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                GemmKernel::SharedStorageSize);
  }
  Params params_{};
};

}  // namespace cutlass::gemm::device
#endif
