// Products of a batch on a device, CUTLASS's interface of version 2 whose arguments are the matrices of the first problem and the elements
// from one problem to the next: D_i = alpha · A_i · B_i + beta · C_i. The kernel is that of device::Gemm, once for each problem.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/device/gemm.h"

#include <cstdint>

#if defined(__CUDACC__)
namespace cutlass::gemm::device {

template <class ElementA_, class LayoutA_, class ElementB_, class LayoutB_, class ElementC_, class LayoutC_,
          class ElementAccumulator_ = ElementC_, class OperatorClass_ = arch::OpClassSimt, class ArchTag_ = arch::Sm70,
          class ThreadblockShape_ = GemmShape<64, 64, 8>, class WarpShape_ = GemmShape<32, 32, 8>,
          class InstructionShape_ = GemmShape<1, 1, 1>,
          class EpilogueOutputOp_ =
              epilogue::thread::LinearCombination<ElementC_, 1, ElementAccumulator_, ElementAccumulator_>,
          class ThreadblockSwizzle_ = threadblock::GemmBatchedIdentityThreadblockSwizzle, int Stages = 2,
          int AlignmentA = 1, int AlignmentB = 1, class Operator_ = arch::OpMultiplyAdd>
class GemmBatched
    : public Gemm<ElementA_, LayoutA_, ElementB_, LayoutB_, ElementC_, LayoutC_, ElementAccumulator_, OperatorClass_,
                  ArchTag_, ThreadblockShape_, WarpShape_, InstructionShape_, EpilogueOutputOp_, ThreadblockSwizzle_,
                  Stages, AlignmentA, AlignmentB, false, Operator_> {
  using Product = typename GemmBatched::Gemm;

 public:
  struct Arguments {
    GemmCoord problem_size;
    TensorRef<ElementA_ const, LayoutA_> ref_A;
    std::int64_t stride_A = 0;
    TensorRef<ElementB_ const, LayoutB_> ref_B;
    std::int64_t stride_B = 0;
    TensorRef<ElementC_ const, LayoutC_> ref_C;
    std::int64_t stride_C = 0;
    TensorRef<ElementC_, LayoutC_> ref_D;
    std::int64_t stride_D = 0;
    typename EpilogueOutputOp_::Params epilogue{};
    int batch_count = 1;
  };

  static Status can_implement(Arguments const& args) {
    return args.batch_count < 0 ? Status::kErrorInvalidProblem : Product::can_implement(problem_of(args, 0));
  }
  static std::size_t get_workspace_size(Arguments const&) { return 0; }
  Status initialize(Arguments const& args, void* = nullptr, cudaStream_t = nullptr) { return update(args); }
  Status update(Arguments const& args, void* = nullptr) {
    args_ = args;
    return can_implement(args);
  }
  /// pre: initialize() succeeded
  Status run(cudaStream_t stream = nullptr) {
    for (int i = 0; i < args_.batch_count; ++i)
      if (Status const status = Product::operator()(problem_of(args_, i), nullptr, stream); status != Status::kSuccess)
        return status;
    return Status::kSuccess;
  }
  Status operator()(cudaStream_t stream = nullptr) { return run(stream); }
  Status operator()(Arguments const& args, void* workspace = nullptr, cudaStream_t stream = nullptr) {
    Status const status = initialize(args, workspace, stream);
    return status == Status::kSuccess ? run(stream) : status;
  }

 private:
  template <class Element, class Layout>
  static TensorRef<Element, Layout> matrix(TensorRef<Element, Layout> first, std::int64_t stride, int batch) {
    return first.good() ? first.add_pointer_offset(stride * batch) : first;
  }
  static typename Product::Arguments problem_of(Arguments const& args, int batch) {
    return {args.problem_size,
            matrix(args.ref_A, args.stride_A, batch),
            matrix(args.ref_B, args.stride_B, batch),
            matrix(args.ref_C, args.stride_C, batch),
            matrix(args.ref_D, args.stride_D, batch),
            args.epilogue};
  }

  Arguments args_{};
};

}  // namespace cutlass::gemm::device
#endif
