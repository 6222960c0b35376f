// A product of matrices on a device, CUTLASS's interface of version 2: D = alpha · A · B + beta · C of row-major and column-major matrices,
// with any other epilogue that takes one element. The kernel is this library's (detail/matrix_product.hpp).
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/aligned_buffer.h"
#include "cutlass/core_io.h"
#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/detail/matrix_product.hpp"
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/threadblock/threadblock_swizzle.h"
#include "cutlass/semaphore.h"
#include "cutlass/tensor_view.h"

#include <cstddef>

#if defined(__CUDACC__)
namespace cutlass::gemm::device {

/// OperatorClass and ArchTag say whether tensor cores may multiply: OpClassTensorOp and Sm80 or later.
/// ThreadblockShape, WarpShape, InstructionShape, Stages and the alignments are accepted; the tiles are the kernel's own.
template <class ElementA_, class LayoutA_, class ElementB_, class LayoutB_, class ElementC_, class LayoutC_,
          class ElementAccumulator_ = ElementC_, class OperatorClass_ = arch::OpClassSimt, class ArchTag_ = arch::Sm70,
          class ThreadblockShape_ = GemmShape<64, 64, 8>, class WarpShape_ = GemmShape<32, 32, 8>,
          class InstructionShape_ = GemmShape<1, 1, 1>,
          class EpilogueOutputOp_ =
              epilogue::thread::LinearCombination<ElementC_, 1, ElementAccumulator_, ElementAccumulator_>,
          class ThreadblockSwizzle_ = threadblock::GemmIdentityThreadblockSwizzle<>, int Stages = 2, int AlignmentA = 1,
          int AlignmentB = 1, bool SplitKSerial = false, class Operator_ = arch::OpMultiplyAdd>
class Gemm {
 public:
  using ElementA = ElementA_;
  using LayoutA = LayoutA_;
  using TensorRefA = TensorRef<ElementA const, LayoutA>;
  using ElementB = ElementB_;
  using LayoutB = LayoutB_;
  using TensorRefB = TensorRef<ElementB const, LayoutB>;
  using ElementC = ElementC_;
  using LayoutC = LayoutC_;
  using TensorRefC = TensorRef<ElementC const, LayoutC>;
  using TensorRefD = TensorRef<ElementC, LayoutC>;
  using ElementAccumulator = ElementAccumulator_;
  using OperatorClass = OperatorClass_;
  using ArchTag = ArchTag_;
  using ThreadblockShape = ThreadblockShape_;
  using WarpShape = WarpShape_;
  using InstructionShape = InstructionShape_;
  using EpilogueOutputOp = EpilogueOutputOp_;
  using ThreadblockSwizzle = ThreadblockSwizzle_;
  using Operator = Operator_;
  static constexpr int kStages = Stages;
  static constexpr int kAlignmentA = AlignmentA, kAlignmentB = AlignmentB, kAlignmentC = EpilogueOutputOp::kCount;
  static constexpr bool kSplitKSerial = SplitKSerial;
  static constexpr bool kTensorCores =
      std::is_same_v<OperatorClass, arch::OpClassTensorOp> && ArchTag::kMinComputeCapability >= 80;
  using GemmKernel =
      cutlass::detail::matrix_product<ElementA, LayoutA, ElementB, LayoutB, ElementC, LayoutC, ElementAccumulator,
                                      kTensorCores, EpilogueOutputOp, ThreadblockSwizzle>;

  struct Arguments {
    GemmCoord problem_size;
    TensorRefA ref_A;
    TensorRefB ref_B;
    TensorRefC ref_C;
    TensorRefD ref_D;
    typename EpilogueOutputOp::Params epilogue;
    int split_k_slices = 1;

    Arguments() = default;
    Arguments(GemmCoord problem_size_, TensorRefA a, TensorRefB b, TensorRefC c, TensorRefD d,
              typename EpilogueOutputOp::Params epilogue_ = {}, int split_k_slices_ = 1)
        : problem_size(problem_size_),
          ref_A(a),
          ref_B(b),
          ref_C(c),
          ref_D(d),
          epilogue(epilogue_),
          split_k_slices(split_k_slices_) {}
  };

  /// Every extent that is not negative is possible.
  static Status can_implement(Arguments const& args) {
    bool const possible = args.problem_size.m() >= 0 && args.problem_size.n() >= 0 && args.problem_size.k() >= 0;
    return possible ? Status::kSuccess : Status::kErrorInvalidProblem;
  }
  /// A block adds up all of K, whatever split_k_slices is: 0.
  static std::size_t get_workspace_size(Arguments const&) { return 0; }
  Status initialize(Arguments const& args, void* = nullptr, cudaStream_t = nullptr) { return update(args); }
  Status update(Arguments const& args, void* = nullptr) {
    params_ = {args.problem_size, args.ref_A, args.ref_B, args.ref_C, args.ref_D, args.epilogue};
    return can_implement(args);
  }
  /// pre: initialize() succeeded
  Status run(cudaStream_t stream = nullptr) {
    int const blocks = params_.rows() * params_.columns();
    if (blocks == 0) return Status::kSuccess;
    device_kernel<GemmKernel>
        <<<static_cast<unsigned>(blocks), GemmKernel::kThreads, sizeof(typename GemmKernel::SharedStorage), stream>>>(
            params_);
    return cudaGetLastError() == cudaSuccess ? Status::kSuccess : Status::kErrorInternal;
  }
  Status operator()(cudaStream_t stream = nullptr) { return run(stream); }
  Status operator()(Arguments const& args, void* workspace = nullptr, cudaStream_t stream = nullptr) {
    Status const status = initialize(args, workspace, stream);
    return status == Status::kSuccess ? run(stream) : status;
  }

 private:
  typename GemmKernel::Params params_{};
};

}  // namespace cutlass::gemm::device
#endif
