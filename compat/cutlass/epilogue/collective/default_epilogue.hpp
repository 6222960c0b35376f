// Epilogues that write each thread's sums to global memory: DefaultEpilogue of a function of one element such as
// thread::LinearCombination.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/epilogue/dispatch_policy.hpp"
#include "cutlass/epilogue/thread/linear_combination.h"

namespace cutlass::epilogue::collective {

namespace detail {
/// Each element (m, n) that is this thread's and in the matrix: function(i, m, n), i its place among the accumulators.
/// blk_coord: of the tile; batches are the function's own
template <class Problem, class Tile, class Coord, class Accumulators, class TiledMma, class Function>
CUTLASS_HOST_DEVICE void for_each_sum_of_thread(Problem const& problem, Tile const& tile, Coord const& blk_coord,
                                                Accumulators const& accumulators, TiledMma const& tiled_mma,
                                                int thread_idx, Function const& function) {
  using namespace cute;
  auto const places =
      tiled_mma.get_slice(thread_idx).partition_C(make_identity_tensor(take<0, 2>(tile)));  // (V, RestM, RestN)
  int const m0 = static_cast<int>(get<0>(blk_coord)) * static_cast<int>(size<0>(tile));
  int const n0 = static_cast<int>(get<1>(blk_coord)) * static_cast<int>(size<1>(tile));
  int const rows = static_cast<int>(size<0>(problem)), columns = static_cast<int>(size<1>(problem));
  CUTLASS_PRAGMA_UNROLL
  for (int i = 0; i < static_cast<int>(size(accumulators)); ++i) {
    auto const place = places(i);
    int const m = m0 + static_cast<int>(get<0>(place)), n = n0 + static_cast<int>(get<1>(place));
    if (m < rows && n < columns) function(i, m, n);
  }
}
/// What epilogues that write to global memory have in common: arguments that a kernel passes on as they are, and no memory of their own.
template <class ElementC, class StrideC, class ElementD, class StrideD, class ThreadArguments>
struct epilogue_without_memory {
  struct SharedStorage {};
  using TensorStorage = SharedStorage;
  struct Arguments {
    ThreadArguments thread{};
    ElementC const* ptr_C = nullptr;
    StrideC dC{};
    ElementD* ptr_D = nullptr;
    StrideD dD{};
  };
  using Params = Arguments;

  template <class ProblemShape>
  static constexpr Params to_underlying_arguments(ProblemShape const&, Arguments const& args, void* = nullptr) {
    return args;
  }
  template <class ProblemShape>
  static std::size_t get_workspace_size(ProblemShape const&, Arguments const&) {
    return 0;
  }
  template <class ProblemShape, class Stream>
  static Status initialize_workspace(ProblemShape const&, Arguments const&, void*, Stream, void* = nullptr) {
    return Status::kSuccess;
  }
  template <class ProblemShape>
  static bool can_implement(ProblemShape const&, Arguments const&) {
    return true;
  }

  /// Offset of element (m, n) of a batch.
  template <class Problem, class Stride, class Batch>
  CUTLASS_HOST_DEVICE static auto offset(Problem const& problem, Stride const& stride, int m, int n, Batch batch) {
    auto const shape = cute::make_shape(cute::get<0>(problem), cute::get<1>(problem), cute::get<3>(problem));
    return cute::crd2idx(cute::make_coord(m, n, batch), shape, stride);
  }
};
/// An epilogue without loads by TMA in a kernel that has them: it is called as it is.
template <class EpilogueOp>
using Sm90TmaWarpSpecializedAdapter = EpilogueOp;
}  // namespace detail

/// ThreadEpilogueOp takes one element: (accumulator) and (accumulator, source).
template <class ElementC_, class StrideC_, class StrideD_, class ThreadEpilogueOp_, class EpilogueSchedule_>
class DefaultEpilogue
    : public detail::epilogue_without_memory<ElementC_, StrideC_, typename ThreadEpilogueOp_::ElementD, StrideD_,
                                             typename ThreadEpilogueOp_::Params> {
  using Base = detail::epilogue_without_memory<ElementC_, StrideC_, typename ThreadEpilogueOp_::ElementD, StrideD_,
                                               typename ThreadEpilogueOp_::Params>;

 public:
  using EpilogueSchedule = EpilogueSchedule_;
  using DispatchPolicy = EpilogueSchedule_;
  using ThreadEpilogueOp = ThreadEpilogueOp_;
  using ElementOutput = typename ThreadEpilogueOp::ElementOutput;
  using ElementAccumulator = typename ThreadEpilogueOp::ElementAccumulator;
  using ElementCompute = typename ThreadEpilogueOp::ElementCompute;
  using ElementScalar = ElementCompute;
  using ElementC = ElementC_;
  using StrideC = StrideC_;
  using ElementD = typename ThreadEpilogueOp::ElementD;
  using StrideD = StrideD_;
  using GmemTiledCopyC = void;
  using GmemTiledCopyD = void;
  static constexpr int kOutputAlignment = ThreadEpilogueOp::kCount;
  static_assert(cute::rank(StrideC{}) == 3 && cute::rank(StrideD{}) == 3,
                "DefaultEpilogue: strides are those of (M, N, batch)");

  using typename Base::Params;
  using typename Base::SharedStorage;

  CUTLASS_HOST_DEVICE explicit DefaultEpilogue(Params const& params_, SharedStorage const& = {})
      : params(params_),
        epilogue_op(params_.thread) {}
  CUTLASS_HOST_DEVICE bool is_source_needed() const { return epilogue_op.is_source_needed(); }

  /// blk_coord_mnkl: of the tile, (m, n, _, l)
  template <class ProblemShapeMNKL, class BlockShapeMNK, class BlockCoordMNKL, class FrgEngine, class FrgLayout,
            class TiledMma, class ResidueMNK>
  CUTLASS_HOST_DEVICE void operator()(ProblemShapeMNKL problem_shape_mnkl, BlockShapeMNK blk_shape_MNK,
                                      BlockCoordMNKL blk_coord_mnkl,
                                      cute::Tensor<FrgEngine, FrgLayout> const& accumulators, TiledMma tiled_mma,
                                      ResidueMNK, int thread_idx, char*) {
    auto const place = [&](auto const& stride, int m, int n) {
      return Base::offset(problem_shape_mnkl, stride, m, n, cute::get<3>(blk_coord_mnkl));
    };
    bool const source = is_source_needed();
    detail::for_each_sum_of_thread(problem_shape_mnkl, blk_shape_MNK, blk_coord_mnkl, accumulators, tiled_mma,
                                   thread_idx, [&](int i, int m, int n) {
                                     auto& out = params.ptr_D[place(params.dD, m, n)];
                                     out = source ? epilogue_op(accumulators(i), params.ptr_C[place(params.dC, m, n)])
                                                  : epilogue_op(accumulators(i));
                                   });
  }

 private:
  Params params;
  ThreadEpilogueOp epilogue_op;
};

}  // namespace cutlass::epilogue::collective
