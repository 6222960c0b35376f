// A product of matrices or of batches of them on a device, CUTLASS's interface of version 2 whose arguments are addresses and leading
// dimensions: D = alpha · A · B + beta · C. The kernel is that of device::Gemm, once for each problem of a batch.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/complex.h"
#include "cutlass/gemm/device/gemm.h"
#include "cutlass/gemm/gemm_enumerated_types.h"

#if defined(__CUDACC__)
namespace cutlass::gemm::device {

/// kGemm, where batch_count is the number of parts of K and has no effect, since a block adds up all of K; kBatched.
template <class ElementA_, class LayoutA_, class ElementB_, class LayoutB_, class ElementC_, class LayoutC_,
          class ElementAccumulator_ = ElementC_, class OperatorClass_ = arch::OpClassSimt, class ArchTag_ = arch::Sm70,
          class ThreadblockShape_ = GemmShape<64, 64, 8>, class WarpShape_ = GemmShape<32, 32, 8>,
          class InstructionShape_ = GemmShape<1, 1, 1>,
          class EpilogueOutputOp_ =
              epilogue::thread::LinearCombination<ElementC_, 1, ElementAccumulator_, ElementAccumulator_>,
          class ThreadblockSwizzle_ = threadblock::GemmIdentityThreadblockSwizzle<>, int Stages = 2, int AlignmentA = 1,
          int AlignmentB = 1, class Operator_ = arch::OpMultiplyAdd,
          ComplexTransform TransformA = ComplexTransform::kNone, ComplexTransform TransformB = ComplexTransform::kNone,
          bool GatherA = false, bool GatherB = false, bool ScatterD = false>
class GemmUniversal
    : public Gemm<ElementA_, LayoutA_, ElementB_, LayoutB_, ElementC_, LayoutC_, ElementAccumulator_, OperatorClass_,
                  ArchTag_, ThreadblockShape_, WarpShape_, InstructionShape_, EpilogueOutputOp_, ThreadblockSwizzle_,
                  Stages, AlignmentA, AlignmentB, false, Operator_> {
  static_assert(TransformA == ComplexTransform::kNone && TransformB == ComplexTransform::kNone,
                "GemmUniversal: operands are multiplied as they are; give ComplexTransform::kNone");
  static_assert(!GatherA && !GatherB && !ScatterD,
                "GemmUniversal: rows are neither gathered nor scattered; gather them before, as cute::copy does");
  using Product = typename GemmUniversal::Gemm;

 public:
  struct Arguments {
    GemmUniversalMode mode = GemmUniversalMode::kGemm;
    GemmCoord problem_size;
    int batch_count = 1;
    typename EpilogueOutputOp_::Params epilogue{};
    void const* ptr_A = nullptr;
    void const* ptr_B = nullptr;
    void const* ptr_C = nullptr;
    void* ptr_D = nullptr;
    std::int64_t batch_stride_A = 0, batch_stride_B = 0, batch_stride_C = 0, batch_stride_D = 0;
    std::int64_t lda = 0, ldb = 0, ldc = 0, ldd = 0;
    int avail_sms = -1;  // has no effect: the grid is that of the tiles

    Arguments() = default;
    Arguments(GemmUniversalMode mode_, GemmCoord problem_size_, int batch_count_,
              typename EpilogueOutputOp_::Params epilogue_, void const* a, void const* b, void const* c, void* d,
              std::int64_t batch_a, std::int64_t batch_b, std::int64_t batch_c, std::int64_t batch_d, std::int64_t lda_,
              std::int64_t ldb_, std::int64_t ldc_, std::int64_t ldd_, int avail_sms_ = -1)
        : mode(mode_),
          problem_size(problem_size_),
          batch_count(batch_count_),
          epilogue(epilogue_),
          ptr_A(a),
          ptr_B(b),
          ptr_C(c),
          ptr_D(d),
          batch_stride_A(batch_a),
          batch_stride_B(batch_b),
          batch_stride_C(batch_c),
          batch_stride_D(batch_d),
          lda(lda_),
          ldb(ldb_),
          ldc(ldc_),
          ldd(ldd_),
          avail_sms(avail_sms_) {}
  };

  /// Problems of one address each (kGemm, kBatched).
  static Status can_implement(Arguments const& args) {
    if (args.mode != GemmUniversalMode::kGemm && args.mode != GemmUniversalMode::kBatched)
      return Status::kErrorNotSupported;
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
    int const problems = args_.mode == GemmUniversalMode::kBatched ? args_.batch_count : 1;
    for (int i = 0; i < problems; ++i)
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
  static TensorRef<Element, Layout> matrix(Element* data, std::int64_t batch_stride, int batch, std::int64_t leading) {
    return {data == nullptr ? data : data + batch_stride * batch,
            Layout(static_cast<typename Layout::LongIndex>(leading))};
  }
  static typename Product::Arguments problem_of(Arguments const& args, int batch) {
    return {args.problem_size,
            matrix<ElementA_ const, LayoutA_>(static_cast<ElementA_ const*>(args.ptr_A), args.batch_stride_A, batch,
                                              args.lda),
            matrix<ElementB_ const, LayoutB_>(static_cast<ElementB_ const*>(args.ptr_B), args.batch_stride_B, batch,
                                              args.ldb),
            matrix<ElementC_ const, LayoutC_>(static_cast<ElementC_ const*>(args.ptr_C), args.batch_stride_C, batch,
                                              args.ldc),
            matrix<ElementC_, LayoutC_>(static_cast<ElementC_*>(args.ptr_D), args.batch_stride_D, batch, args.ldd),
            args.epilogue};
  }

  Arguments args_{};
};

}  // namespace cutlass::gemm::device
#endif
