// An epilogue through shared memory whose layouts and copies the program gives: the accumulators are written to SmemLayout, read
// back by TiledCopyS2R, which gives a thread neighbours of global memory, combined with C, and written by CopyAtomR2G. Parts of the
// tile as large as TiledCopyS2R's are taken one after another. ThreadEpilogueOp takes one element.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/arch/barrier.h"
#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/epilogue/collective/default_epilogue.hpp"

namespace cutlass::epilogue::collective {

/// SmemLayout: of the tile, (M, N) or more modes to a mode. TiledCopyS2R: of as many threads as multiply.
template <class StrideC_, class StrideD_, class ThreadEpilogueOp_, class SmemLayout_, class CopyAtomR2S_,
          class TiledCopyS2R_, class CopyAtomR2G_, class EpilogueScheduleType_ = EpilogueSimtVectorized>
class Epilogue : public detail::epilogue_without_memory<typename ThreadEpilogueOp_::ElementC, StrideC_,
                                                        typename ThreadEpilogueOp_::ElementD, StrideD_,
                                                        typename ThreadEpilogueOp_::Params> {
  using Base = detail::epilogue_without_memory<typename ThreadEpilogueOp_::ElementC, StrideC_,
                                               typename ThreadEpilogueOp_::ElementD, StrideD_,
                                               typename ThreadEpilogueOp_::Params>;

 public:
  using EpilogueSchedule = EpilogueScheduleType_;
  using DispatchPolicy = EpilogueScheduleType_;
  using ThreadEpilogueOp = ThreadEpilogueOp_;
  using ElementAccumulator = typename ThreadEpilogueOp::ElementAccumulator;
  using ElementCompute = typename ThreadEpilogueOp::ElementCompute;
  using ElementScalar = ElementCompute;
  using ElementOutput = typename ThreadEpilogueOp::ElementOutput;
  using ElementC = typename ThreadEpilogueOp::ElementC;
  using StrideC = StrideC_;
  using ElementD = typename ThreadEpilogueOp::ElementD;
  using StrideD = StrideD_;
  using SmemLayout = SmemLayout_;
  using CopyAtomR2S = CopyAtomR2S_;
  using TiledCopyS2R = TiledCopyS2R_;
  using CopyAtomR2G = CopyAtomR2G_;
  using GmemTiledCopyC = void;
  using GmemTiledCopyD = CopyAtomR2G;
  static constexpr int kOutputAlignment = ThreadEpilogueOp::kCount;
  static constexpr int threads = static_cast<int>(cute::size(TiledCopyS2R{}));
  /// Warpgroups that write tiles at the same time would need memory of their own.
  static constexpr bool has_memory_of_one_tile = true;
  static_assert(cute::rank(StrideC{}) == 3 && cute::rank(StrideD{}) == 3,
                "Epilogue: strides are those of (M, N, batch)");

  struct SharedStorage {
    alignas(1024) cute::array_aligned<ElementAccumulator, cute::cosize_v<SmemLayout>> smem_epilogue;
    arch::ClusterBarrier meeting;  // where threads meet on the host
  };
  using TensorStorage = SharedStorage;
  using typename Base::Params;

  /// One thread of the block makes the barrier; a barrier of the block has to follow.
  CUTLASS_HOST_DEVICE static void init_barriers(SharedStorage& storage) { storage.meeting.init(threads); }
  CUTLASS_HOST_DEVICE Epilogue(Params const& params, SharedStorage& storage)
      : params_(params),
        storage_(storage),
        epilogue_op_(params.thread) {}
  CUTLASS_HOST_DEVICE bool is_source_needed() const { return epilogue_op_.is_source_needed(); }

  /// blk_coord: of the tile, (m, n, _, l).  pre: all threads that multiply call it
  template <class ProblemShapeMNKL, class BlockShapeMNK, class BlockCoordMNKL, class FrgEngine, class FrgLayout,
            class TiledMma, class ResidueMNK>
  CUTLASS_HOST_DEVICE void operator()(ProblemShapeMNKL problem, BlockShapeMNK tile, BlockCoordMNKL blk_coord,
                                      cute::Tensor<FrgEngine, FrgLayout> const& accumulators, TiledMma tiled_mma,
                                      ResidueMNK, int thread_idx, char*) {
    using namespace cute;
    static_assert(size(TiledMma{}) == threads,
                  "Epilogue: TiledCopyS2R has as many threads as the tiled matrix operation; give it their number");
    static_assert(size(SmemLayout{}) == size<0>(BlockShapeMNK{}) * size<1>(BlockShapeMNK{}),
                  "Epilogue: SmemLayout has the elements of the tile (M, N)");
    auto const extents = take<0, 2>(tile);
    auto const whole = make_tensor(make_smem_ptr(storage_.smem_epilogue.data()), SmemLayout{});
    auto const staged = group_tile(whole, extents);  // (M, N)
    meet();                                          // the tile before has been read
    auto const to_smem = make_tiled_copy_C(CopyAtomR2S{}, tiled_mma);
    auto const writer = to_smem.get_slice(thread_idx);
    copy(to_smem, writer.retile_S(accumulators), writer.partition_D(staged));
    meet();

    auto const reader = TiledCopyS2R{}.get_slice(thread_idx);
    auto const sums = reader.partition_S(staged);                           // (V, RestM, RestN)
    auto const places = reader.partition_D(make_identity_tensor(extents));  // (V, RestM, RestN)
    int const m0 = static_cast<int>(get<0>(blk_coord)) * static_cast<int>(size<0>(tile));
    int const n0 = static_cast<int>(get<1>(blk_coord)) * static_cast<int>(size<1>(tile));
    int const rows = static_cast<int>(size<0>(problem)), columns = static_cast<int>(size<1>(problem));
    auto const of_matrix = make_shape(get<0>(problem), get<1>(problem), get<3>(problem));
    auto const tile_of = [&](auto* data, auto const& stride) {
      return reader.partition_D(local_tile(make_tensor(make_gmem_ptr(data), of_matrix, stride)(_, _, get<3>(blk_coord)),
                                           extents, make_coord(get<0>(blk_coord), get<1>(blk_coord))));
    };
    auto const out = tile_of(params_.ptr_D, params_.dD);  // (V, RestM, RestN)
    auto const source = tile_of(params_.ptr_C, params_.dC);
    bool const needs_source = is_source_needed();
    bool const is_whole =
        m0 + static_cast<int>(size<0>(tile)) <= rows && n0 + static_cast<int>(size<1>(tile)) <= columns;
    CUTLASS_PRAGMA_UNROLL
    for (int n = 0; n < static_cast<int>(size<2>(sums)); ++n) {
      CUTLASS_PRAGMA_UNROLL
      for (int m = 0; m < static_cast<int>(size<1>(sums)); ++m) {
        auto mine = make_tensor<ElementAccumulator>(shape(sums(_, 0, 0)));
        auto result = make_tensor<ElementD>(shape(sums(_, 0, 0)));
        copy(TiledCopyS2R{}, sums(_, m, n), mine);
        CUTLASS_PRAGMA_UNROLL
        for (int v = 0; v < static_cast<int>(size(mine)); ++v) {
          auto const place = places(v, m, n);
          bool const is_inside = is_whole || (m0 + static_cast<int>(get<0>(place)) < rows &&
                                              n0 + static_cast<int>(get<1>(place)) < columns);
          if (!is_inside) continue;
          result(v) = needs_source ? epilogue_op_(mine(v), source(v, m, n)) : epilogue_op_(mine(v));
          if (!is_whole) out(v, m, n) = result(v);
        }
        if (is_whole) copy(CopyAtomR2G{}, result, out(_, m, n));
      }
    }
  }

 private:
  /// The staged tile as (M, N), however many modes the layout's extents have.
  template <class Whole, class Extents>
  CUTLASS_HOST_DEVICE static auto group_tile(Whole const& whole, Extents const& extents) {
    using namespace cute;
    if constexpr (rank(SmemLayout{}) == 2) return whole;
    else return whole.compose(make_layout(extents));
  }
  CUTLASS_HOST_DEVICE void meet() {
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::named_barrier_sync(threads, 1);
#else
    storage_.meeting.arrive();
    storage_.meeting.wait(meetings_++ % 2);
#endif
  }

  Params const& params_;
  SharedStorage& storage_;
  ThreadEpilogueOp epilogue_op_;
  [[maybe_unused]] std::uint32_t meetings_ = 0;
};

}  // namespace cutlass::epilogue::collective
