// The scheduler by stream-K's name. Its blocks take whole tiles, as with DecompositionMode::DataParallel: the results are the same, the
// sums of one tile are not shared among blocks. What a program says of splits and of reductions is accepted and has no effect.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/kernel/sm90_tile_scheduler.hpp"

namespace cutlass::gemm::kernel::detail {

struct PersistentTileSchedulerSm90StreamKParams : PersistentTileSchedulerSm90Params {
  /// How blocks that share a tile add up their sums: in their order, or as they come.
  enum class ReductionMode { Deterministic, Nondeterministic };
  enum class DecompositionMode { Heuristic, DataParallel, SplitK, StreamK };
};

template <class TileShape, class ClusterShape>
class PersistentTileSchedulerSm90StreamK : public PersistentTileSchedulerSm90 {
 public:
  using PersistentTileSchedulerSm90::PersistentTileSchedulerSm90;
  using ReductionMode = PersistentTileSchedulerSm90StreamKParams::ReductionMode;
  using DecompositionMode = PersistentTileSchedulerSm90StreamKParams::DecompositionMode;
  struct Arguments : PersistentTileSchedulerSm90::Arguments {
    using Base = PersistentTileSchedulerSm90::Arguments;
    int splits = 1;
    ReductionMode reduction_mode = ReductionMode::Deterministic;
    DecompositionMode decomposition_mode = DecompositionMode::Heuristic;

    Arguments() = default;
    Arguments(Base const& base) : Base(base) {}
    Arguments(int splits_, int max_swizzle = 1, RasterOrderOptions order = RasterOrderOptions::Heuristic,
              DecompositionMode decomposition = DecompositionMode::Heuristic)
        : Base{max_swizzle, order},
          splits(splits_),
          decomposition_mode(decomposition) {}
  };
  /// pre: splits is at least 1
  static bool can_implement(Arguments const& args, KernelHardwareInfo const& hw_info = {}) {
    return args.splits >= 1 && PersistentTileSchedulerSm90::can_implement(args, hw_info);
  }
};

}  // namespace cutlass::gemm::kernel::detail
