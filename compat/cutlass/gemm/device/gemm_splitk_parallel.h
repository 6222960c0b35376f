// The product that CUTLASS computes in parts of K, which it adds up afterwards. Here a block adds up all of K, so that there are no parts
// to store: the workspace has 0 bytes, and the operations that convert and add parts are not used. Sums are added in another order
// than CUTLASS's and may differ from them in the last place.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/device/gemm.h"

#if defined(__CUDACC__)
namespace cutlass::gemm::device {

template <class ElementA_, class LayoutA_, class ElementB_, class LayoutB_, class ElementC_, class LayoutC_,
          class ElementAccumulator_ = ElementC_, class OperatorClass_ = arch::OpClassSimt, class ArchTag_ = arch::Sm70,
          class ThreadblockShape_ = GemmShape<64, 64, 8>, class WarpShape_ = GemmShape<32, 32, 8>,
          class InstructionShape_ = GemmShape<1, 1, 1>,
          class EpilogueOutputOp_ =
              epilogue::thread::LinearCombination<ElementC_, 1, ElementAccumulator_, ElementAccumulator_>,
          class ConvertScaledOp_ = void, class ReductionOp_ = void,
          class ThreadblockSwizzle_ = threadblock::GemmSplitKHorizontalThreadblockSwizzle, int Stages = 2,
          int AlignmentA = 1, int AlignmentB = 1, class Operator_ = arch::OpMultiplyAdd>
class GemmSplitKParallel
    : public Gemm<ElementA_, LayoutA_, ElementB_, LayoutB_, ElementC_, LayoutC_, ElementAccumulator_, OperatorClass_,
                  ArchTag_, ThreadblockShape_, WarpShape_, InstructionShape_, EpilogueOutputOp_, ThreadblockSwizzle_,
                  Stages, AlignmentA, AlignmentB, false, Operator_> {
 public:
  using ConvertScaledOp = ConvertScaledOp_;
  using ReductionOp = ReductionOp_;
};

}  // namespace cutlass::gemm::device
#endif
