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
    store_problem(args, args.thread, problem, tile, coord, cute::get<3>(coord), accumulators, tiled_mma, thread_idx);
  }
  /// batch: in the matrices; the coordinate says which problem it is for the function
  template <class Matrices, class Problem, class Tile, class Coord, class Batch, class Accumulators, class TiledMma>
  CUTLASS_HOST_DEVICE static void store_problem(Matrices const& args, typename Function::Params const& thread,
                                                Problem const& problem, Tile const& tile, Coord const& coord,
                                                Batch batch_of_matrix, Accumulators const& accumulators,
                                                TiledMma const& tiled_mma, int thread_idx) {
    auto const batch = static_cast<int>(cute::get<3>(coord));
    Function const function(thread, batch);
    bool const source = Types::takes_source && args.ptr_C != nullptr && Function::is_source_needed(thread);
    for_each_sum_of_thread(problem, tile, coord, accumulators, tiled_mma, thread_idx, [&](int i, int m, int n) {
      Element element{accumulators(i), {}, m, n, batch};
      if constexpr (Types::takes_source) {
        if (source) element.source = args.ptr_C[Types::offset(problem, args.dC, m, n, batch_of_matrix)];
      }
      args.ptr_D[Types::offset(problem, args.dD, m, n, batch_of_matrix)] = function(element);
    });
    finish(function);
  }

 private:
  Params params;
};

/// The same where each problem has addresses of its own and, if the strides are pointers, strides of its own.
/// Types: epilogue_of_function<…> of the strides of one matrix; StrideC_, StrideD_: as the program gives them
template <class Types, class StrideC_, class StrideD_>
class epilogue_of_problems_by_threads : public Types {
 public:
  using StrideC = StrideC_;
  using StrideD = StrideD_;
  using InternalStrideC = std::remove_pointer_t<StrideC>;
  using InternalStrideD = std::remove_pointer_t<StrideD>;
  using typename Types::ElementD;
  using typename Types::Function;
  using typename Types::GmemElementC;
  using typename Types::SharedStorage;
  using DispatchPolicy = typename Types::EpilogueSchedule;
  using GmemTiledCopyC = void;
  using GmemTiledCopyD = void;

  /// Thread: what the function takes, as the program gives it or as the kernel reads it.
  template <class Thread>
  struct problems {
    Thread thread{};
    GmemElementC const** ptr_C = nullptr;
    StrideC dC{};
    ElementD** ptr_D = nullptr;
    StrideD dD{};
  };
  using Arguments = problems<typename Function::Arguments>;
  using Params = problems<typename Function::Params>;
  template <class ProblemShape>
  static Params to_underlying_arguments(ProblemShape const&, Arguments const& args, void* = nullptr) {
    return {args.thread, args.ptr_C, args.dC, args.ptr_D, args.dD};
  }
  template <class ProblemShape>
  static std::size_t get_workspace_size(ProblemShape const&, Arguments const&) {
    return 0;
  }
  template <class ProblemShape, class Stream>
  static Status initialize_workspace(ProblemShape const&, Arguments const&, void*, Stream, void* = nullptr) {
    return Status::kSuccess;
  }

  CUTLASS_HOST_DEVICE explicit epilogue_of_problems_by_threads(Params const& params_, SharedStorage const& = {})
      : params(params_) {}
  CUTLASS_HOST_DEVICE bool is_source_needed() const { return Types::needs_source(params); }

  /// blk_coord_mnkl: of the tile, (m, n, _, problem)
  template <class ProblemShapeMNKL, class BlockShapeMNK, class BlockCoordMNKL, class FrgEngine, class FrgLayout,
            class TiledMma, class ResidueMNK>
  CUTLASS_HOST_DEVICE void operator()(ProblemShapeMNKL problem, BlockShapeMNK tile, BlockCoordMNKL coord,
                                      cute::Tensor<FrgEngine, FrgLayout> const& accumulators, TiledMma tiled_mma,
                                      ResidueMNK, int thread_idx, char*) {
    auto const l = static_cast<int>(cute::get<3>(coord));
    matrices const of_problem{params.ptr_C == nullptr ? nullptr : params.ptr_C[l], stride_of(params.dC, l),
                              params.ptr_D[l], stride_of(params.dD, l)};
    epilogue_by_threads<Types>::store_problem(of_problem, params.thread, problem, tile, coord, 0, accumulators,
                                              tiled_mma, thread_idx);
  }

 private:
  struct matrices {
    GmemElementC const* ptr_C;
    InternalStrideC dC;
    ElementD* ptr_D;
    InternalStrideD dD;
  };
  template <class Stride>
  CUTLASS_HOST_DEVICE static auto stride_of(Stride const& stride, [[maybe_unused]] int l) {
    if constexpr (std::is_pointer_v<Stride>) return stride == nullptr ? std::remove_pointer_t<Stride>{} : stride[l];
    else return stride;
  }
  Params params;
};

}  // namespace cutlass::epilogue::collective::detail
