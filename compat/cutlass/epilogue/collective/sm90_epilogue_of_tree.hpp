// The epilogue of a tree of functions (fusion/sm90_visitors.hpp): each thread computes the tree of its sums and writes D to global
// memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/collective/sm90_epilogue_of_fusion.hpp"
#include "cutlass/epilogue/fusion/sm90_visitors.hpp"

namespace cutlass::epilogue::collective::detail {

template <class DispatchPolicy, class TileShape, class ElementAccumulator_, class ElementCompute, class ElementC_,
          class StrideC, class ElementD_, class StrideD, int AlignmentD, class Tree>
class epilogue_of_tree : public epilogue_to_memory<DispatchPolicy, TileShape, ElementAccumulator_, ElementCompute,
                                                   ElementC_, StrideC, ElementD_, StrideD, typename Tree::Arguments> {
  using Base = epilogue_to_memory<DispatchPolicy, TileShape, ElementAccumulator_, ElementCompute, ElementC_, StrideC,
                                  ElementD_, StrideD, typename Tree::Arguments>;

 public:
  using typename Base::ElementD;
  using typename Base::GmemElementC;
  using typename Base::Params;
  using typename Base::SharedStorage;
  /// What programs ask of a function of one element.
  struct ThreadEpilogueOp {
    using ElementAccumulator = ElementAccumulator_;
    using ElementOutput = ElementD_;
    using ElementD = ElementD_;
    using ElementC = GmemElementC;
    using ElementScalar = ElementCompute;
    using ElementBias = void;
    static constexpr int kCount = AlignmentD;
    static constexpr bool kIsHeavy = false;
  };
  using FusionCallbacks = Tree;

  CUTLASS_HOST_DEVICE explicit epilogue_of_tree(Params const& params_, SharedStorage const& = {}) : params(params_) {}
  CUTLASS_HOST_DEVICE bool is_source_needed() const { return !std::is_void_v<ElementC_> && params.ptr_C != nullptr; }

  /// blk_coord_mnkl: of the tile, (m, n, _, l)
  template <class ProblemShapeMNKL, class BlockShapeMNK, class BlockCoordMNKL, class FrgEngine, class FrgLayout,
            class TiledMma, class ResidueMNK>
  CUTLASS_HOST_DEVICE void operator()(ProblemShapeMNKL problem, BlockShapeMNK tile, BlockCoordMNKL coord,
                                      cute::Tensor<FrgEngine, FrgLayout> const& accumulators, TiledMma tiled_mma,
                                      ResidueMNK, int thread_idx, char*) {
    auto const batch = static_cast<int>(cute::get<3>(coord));
    bool const source = is_source_needed();
    for_each_sum_of_thread(problem, tile, coord, accumulators, tiled_mma, thread_idx, [&](int i, int m, int n) {
      fusion::element_of_result<ElementAccumulator_, GmemElementC> const element{
          accumulators(i), source ? params.ptr_C + Base::offset(problem, params.dC, m, n, batch) : nullptr, m, n,
          batch};
      auto const x = Tree::visit(params.thread, element);
      params.ptr_D[Base::offset(problem, params.dD, m, n, batch)] =
          NumericConverter<ElementD, std::remove_cv_t<decltype(x)>>{}(x);
    });
  }

 private:
  Params params;
};

}  // namespace cutlass::epilogue::collective::detail
