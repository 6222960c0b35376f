// The epilogue without shared memory: each thread computes a function of its sums and writes D to global memory, element by element.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/collective/functions_of_elements.hpp"

namespace cutlass::epilogue::collective::detail {

/// Types: epilogue_of_function<…>
template <class Types>
class epilogue_by_threads : public Types {
 public:
  using typename Types::Element;
  using typename Types::Function;
  using typename Types::Params;
  using typename Types::SharedStorage;
  using DispatchPolicy = typename Types::EpilogueSchedule;
  using GmemTiledCopyC = void;
  using GmemTiledCopyD = void;

  CUTLASS_HOST_DEVICE explicit epilogue_by_threads(Params const& params_, SharedStorage const& = {})
      : params(params_) {}
  CUTLASS_HOST_DEVICE bool is_source_needed() const { return Types::needs_source(params); }

  /// blk_coord_mnkl: of the tile, (m, n, _, l)
  template <class ProblemShapeMNKL, class BlockShapeMNK, class BlockCoordMNKL, class FrgEngine, class FrgLayout,
            class TiledMma, class ResidueMNK>
  CUTLASS_HOST_DEVICE void operator()(ProblemShapeMNKL problem, BlockShapeMNK tile, BlockCoordMNKL coord,
                                      cute::Tensor<FrgEngine, FrgLayout> const& accumulators, TiledMma tiled_mma,
                                      ResidueMNK, int thread_idx, char*) {
    store_by_threads(params, problem, tile, coord, accumulators, tiled_mma, thread_idx);
  }

  template <class Problem, class Tile, class Coord, class Accumulators, class TiledMma>
  CUTLASS_HOST_DEVICE static void store_by_threads(typename Types::Params const& args, Problem const& problem,
                                                   Tile const& tile, Coord const& coord,
                                                   Accumulators const& accumulators, TiledMma const& tiled_mma,
                                                   int thread_idx) {
    auto const batch = static_cast<int>(cute::get<3>(coord));
    Function const function(args.thread, batch);
    bool const source = Types::needs_source(args);
    for_each_sum_of_thread(problem, tile, coord, accumulators, tiled_mma, thread_idx, [&](int i, int m, int n) {
      Element element{accumulators(i), {}, m, n, batch};
      if constexpr (Types::takes_source) {
        if (source) element.source = args.ptr_C[Types::offset(problem, args.dC, m, n, batch)];
      }
      args.ptr_D[Types::offset(problem, args.dD, m, n, batch)] = function(element);
    });
    finish(function);
  }

 private:
  Params params;
};

}  // namespace cutlass::epilogue::collective::detail
