// The main loop of a warp-specialised kernel for sm_90: one warp loads tiles of A and B by TMA into a ring of stages, warpgroups
// multiply them out of shared memory. Where several blocks of a cluster need the same tile, each loads a part of it for all.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/gemm.hpp"
#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/layout.hpp"
#include "cutlass/gemm/collective/collective_mma_decl.hpp"
#include "cutlass/gemm/collective/operands_by_tma.hpp"
#include "cutlass/gemm/dispatch_policy.hpp"
#include "cutlass/numeric_types.h"
#include "cutlass/pipeline/pipeline.hpp"

namespace cutlass::gemm::collective {

namespace detail {

/// Products of small floats are added up in the tensor cores with fewer bits than a float has; PromotesSums adds each tile's
/// product to the sums by threads.
template <class DispatchPolicy_, bool PromotesSums, class TileShape_, class ElementA_, class StrideA_, class ElementB_,
          class StrideB_, class TiledMma_, class GmemTiledCopyA_, class SmemLayoutAtomA_, class SmemCopyAtomA_,
          class TransformA_, class GmemTiledCopyB_, class SmemLayoutAtomB_, class SmemCopyAtomB_, class TransformB_>
struct sm90_tma_mainloop {
  using DispatchPolicy = DispatchPolicy_;
  using TileShape = TileShape_;
  using ElementA = ElementA_;
  using StrideA = StrideA_;
  using ElementB = ElementB_;
  using StrideB = StrideB_;
  using TiledMma = TiledMma_;
  using ElementAccumulator = typename TiledMma::ValTypeC;
  using GmemTiledCopyA = GmemTiledCopyA_;
  using GmemTiledCopyB = GmemTiledCopyB_;
  using SmemLayoutAtomA = SmemLayoutAtomA_;
  using SmemLayoutAtomB = SmemLayoutAtomB_;
  using SmemCopyAtomA = SmemCopyAtomA_;
  using SmemCopyAtomB = SmemCopyAtomB_;
  using TransformA = TransformA_;
  using TransformB = TransformB_;
  using ArchTag = typename DispatchPolicy::ArchTag;
  using ClusterShape = typename DispatchPolicy::ClusterShape;
  using MainloopPipeline = cutlass::PipelineTmaAsync<DispatchPolicy::Stages>;
  using PipelineState = cutlass::PipelineState<DispatchPolicy::Stages>;
  using PipelineParams = typename MainloopPipeline::Params;
  static constexpr int NumProducerThreadEvents = 1;
  static_assert(DispatchPolicy::Stages >= 2, "CollectiveMma: two stages or more are needed");
  static_assert(std::is_same_v<SmemCopyAtomA, void> && std::is_same_v<SmemCopyAtomB, void>,
                "CollectiveMma: the operands are multiplied out of shared memory; give void as copies to registers");
  static_assert(std::is_same_v<TransformA, cute::identity> && std::is_same_v<TransformB, cute::identity>,
                "CollectiveMma: operands are not transformed; give cute::identity");

  using SmemLayoutA = decltype(cute::tile_to_shape(
      SmemLayoutAtomA{},
      cute::make_shape(cute::shape<0>(TileShape{}), cute::shape<2>(TileShape{}), cute::Int<DispatchPolicy::Stages>{}),
      order_of_stages<StrideA>{}));
  using SmemLayoutB = decltype(cute::tile_to_shape(
      SmemLayoutAtomB{},
      cute::make_shape(cute::shape<1>(TileShape{}), cute::shape<2>(TileShape{}), cute::Int<DispatchPolicy::Stages>{}),
      order_of_stages<StrideB>{}));
  using InternalElementA = multiplied_element<ElementA>;
  using InternalElementB = multiplied_element<ElementB>;

  using SharedStorage = storage_of_stages<ElementA, SmemLayoutA, ElementB, SmemLayoutB, MainloopPipeline>;
  using TensorStorage = typename SharedStorage::TensorStorage;
  using PipelineStorage = typename SharedStorage::PipelineStorage;

  /// mma_promotion_interval: sums are promoted once a tile
  struct Arguments {
    ElementA const* ptr_A = nullptr;
    StrideA dA{};
    ElementB const* ptr_B = nullptr;
    StrideB dB{};
    std::uint32_t mma_promotion_interval = 4;
  };

  static constexpr int K_PIPE_MAX = DispatchPolicy::Stages;
  static constexpr int K_PIPE_MMAS = PromotesSums ? 0 : 1;
  static constexpr std::uint32_t TmaTransactionBytesMK = bytes_of_stage<ElementA, SmemLayoutA>;
  static constexpr std::uint32_t TmaTransactionBytesNK = bytes_of_stage<ElementB, SmemLayoutB>;
  static constexpr std::uint32_t TmaTransactionBytes = TmaTransactionBytesMK + TmaTransactionBytesNK;

#if TILEWRIGHT_HOSTED
  template <class Shape>
  static auto tma_a(InternalElementA const* data, Shape const& shape, StrideA const& stride) {
    return cute::make_tma_copy_A_sm90(GmemTiledCopyA{}, cute::make_tensor(cute::make_gmem_ptr(data), shape, stride),
                                      SmemLayoutA{}(cute::_, cute::_, cute::_0{}), TileShape{}, ClusterShape{});
  }
  template <class Shape>
  static auto tma_b(InternalElementB const* data, Shape const& shape, StrideB const& stride) {
    return cute::make_tma_copy_B_sm90(GmemTiledCopyB{}, cute::make_tensor(cute::make_gmem_ptr(data), shape, stride),
                                      SmemLayoutB{}(cute::_, cute::_, cute::_0{}), TileShape{}, ClusterShape{});
  }
  struct Params {
    using TMA_A = decltype(tma_a(nullptr, cute::repeat_like(StrideA{}, std::int32_t(0)), StrideA{}));
    using TMA_B = decltype(tma_b(nullptr, cute::repeat_like(StrideB{}, std::int32_t(0)), StrideB{}));
    TMA_A tma_load_a;
    TMA_B tma_load_b;
    std::uint32_t tma_transaction_bytes = TmaTransactionBytes;
    std::uint32_t tma_transaction_bytes_mk = TmaTransactionBytesMK;
    std::uint32_t tma_transaction_bytes_nk = TmaTransactionBytesNK;
  };

  // --- on the host ---------------------------------------------------------------------------------------------------
  /// problem_shape: (M, N, K) or (M, N, K, batch)
  template <class ProblemShape>
  static Params to_underlying_arguments(ProblemShape const& problem_shape, Arguments const& args, void* = nullptr) {
    return loads_of_operands<sm90_tma_mainloop>(problem_shape, args);
  }
  /// TMA needs rows of whole 16 bytes.
  template <class ProblemShape>
  static bool can_implement(ProblemShape const& problem_shape, [[maybe_unused]] Arguments const& args) {
    auto const [M, N, K, L] = cute::append<4>(problem_shape, 1);
    constexpr int units_a = 128 / cute::sizeof_bits_v<ElementA>, units_b = 128 / cute::sizeof_bits_v<ElementB>;
    auto const whole = [](auto const& contiguous, int units) {
      return static_cast<int>(cute::size(cute::front(contiguous))) % units == 0;
    };
    return whole(cutlass::detail::is_major<0>(StrideA{}) ? M : K, units_a) &&
           whole(cutlass::detail::is_major<0>(StrideB{}) ? N : K, units_b);
  }
#endif

  // --- in the kernel -------------------------------------------------------------------------------------------------
  template <class MainloopParams>
  CUTLASS_HOST_DEVICE static void prefetch_tma_descriptors(MainloopParams const& mainloop_params) {
    prefetch_maps_of_operands(mainloop_params);
  }
  /// The tiles of A (BLK_M, BLK_K, m, k, l) and of B (BLK_N, BLK_K, n, k, l).
  template <class ProblemShape_MNKL, class MainloopParams>
  CUTLASS_HOST_DEVICE auto load_init(ProblemShape_MNKL const& problem_shape_MNKL,
                                     MainloopParams const& mainloop_params) const {
    return cute::make_tuple(tiles_of_operand<0>(mainloop_params.tma_load_a, problem_shape_MNKL),
                            tiles_of_operand<1>(mainloop_params.tma_load_b, problem_shape_MNKL));
  }
  template <int Mode, class Load, class ProblemShape_MNKL>
  CUTLASS_HOST_DEVICE static auto tiles_of_operand(Load const& load, ProblemShape_MNKL const& problem_shape_MNKL) {
    auto const whole = cute::select<Mode, 2, 3>(problem_shape_MNKL);
    return cute::flat_divide(load.get_tma_tensor(whole), cute::select<Mode, 2>(TileShape{}));
  }

  /// pre: a whole warp calls it; one of its threads loads
  template <class MainloopParams, class TensorA, class TensorB, class KTileIterator, class BlockCoord>
  CUTLASS_HOST_DEVICE void load(MainloopParams const& mainloop_params, MainloopPipeline pipeline,
                                PipelineState smem_pipe_write, cute::tuple<TensorA, TensorB> const& load_inputs,
                                BlockCoord const& blk_coord, KTileIterator k_tile_iter, int k_tile_count, int,
                                std::uint32_t block_rank_in_cluster, TensorStorage& shared_tensors) {
    using namespace cute;
    if (!elect_one_sync()) return;
    auto const [m, n, k_, l] = blk_coord;
    load_stages(mainloop_params, load_by_own_maps<MainloopParams>{mainloop_params}, pipeline, smem_pipe_write,
                get<0>(load_inputs)(_, _, m, _, l), get<1>(load_inputs)(_, _, n, _, l), k_tile_iter, k_tile_count,
                block_rank_in_cluster, shared_tensors);
  }

 protected:
  using Barrier = typename MainloopPipeline::ProducerBarrierType;
  template <class MainloopParams>
  struct load_by_own_maps {
    MainloopParams const& params;
    CUTLASS_HOST_DEVICE auto a(Barrier& barrier, std::uint16_t mask) const {
      return params.tma_load_a.with(barrier, mask);
    }
    CUTLASS_HOST_DEVICE auto b(Barrier& barrier, std::uint16_t mask) const {
      return params.tma_load_b.with(barrier, mask);
    }
  };

  /// The k_tile_count stages of a tile.
  /// gA: (BLK_M, BLK_K, k), gB: (BLK_N, BLK_K, k); atoms: a(barrier, blocks) and b(…) are the copies
  /// pre: one thread of the block calls it
  template <class MainloopParams, class Atoms, class TensorA, class TensorB, class KTileIterator>
  CUTLASS_HOST_DEVICE static void load_stages(MainloopParams const& mainloop_params, Atoms const& atoms,
                                              MainloopPipeline& pipeline, PipelineState smem_pipe_write,
                                              TensorA const& gA, TensorB const& gB, KTileIterator k_tile_iter,
                                              int k_tile_count, std::uint32_t block_rank_in_cluster,
                                              TensorStorage& shared_tensors) {
    using namespace cute;
    auto const sA = make_tensor(make_smem_ptr(shared_tensors.smem_A.data()), SmemLayoutA{});  // (BLK_M,BLK_K,PIPE)
    auto const sB = make_tensor(make_smem_ptr(shared_tensors.smem_B.data()), SmemLayoutB{});  // (BLK_N,BLK_K,PIPE)
    constexpr int rows = size<0>(ClusterShape{}), columns = size<1>(ClusterShape{});
    int const row = static_cast<int>(block_rank_in_cluster) % rows;
    int const column = static_cast<int>(block_rank_in_cluster) / rows;
    auto const part_a = mainloop_params.tma_load_a.get_slice(column);
    auto const part_b = mainloop_params.tma_load_b.get_slice(row);
    auto const tAgA = part_a.partition_S(gA);  // (TMA,TMA_M,TMA_K,k)
    auto const tAsA = part_a.partition_D(sA);  // (TMA,TMA_M,TMA_K,PIPE)
    auto const tBgB = part_b.partition_S(gB);  // (TMA,TMA_N,TMA_K,k)
    auto const tBsB = part_b.partition_D(sB);  // (TMA,TMA_N,TMA_K,PIPE)
    // Blocks with the same row share A, those with the same column B.
    unsigned mask_a = 0, mask_b = 0;
    for (int i = 0; i < columns; ++i) mask_a |= 1u << (row + rows * i);
    for (int i = 0; i < rows; ++i) mask_b |= 1u << (i + rows * column);
    CUTLASS_PRAGMA_NO_UNROLL
    for (; k_tile_count > 0; --k_tile_count) {
      pipeline.producer_acquire(smem_pipe_write);
      auto& barrier = *pipeline.producer_get_barrier(smem_pipe_write);
      int const stage = smem_pipe_write.index();
      copy(atoms.a(barrier, static_cast<std::uint16_t>(mask_a)), tAgA(_, _, _, *k_tile_iter), tAsA(_, _, _, stage));
      copy(atoms.b(barrier, static_cast<std::uint16_t>(mask_b)), tBgB(_, _, _, *k_tile_iter), tBsB(_, _, _, stage));
      ++k_tile_iter;
      ++smem_pipe_write;
    }
  }

 public:
  /// So that no block of the cluster exits before the others have used what it loaded.
  CUTLASS_HOST_DEVICE void load_tail(MainloopPipeline pipeline, PipelineState smem_pipe_write) {
    if (cute::elect_one_sync()) pipeline.producer_tail(smem_pipe_write);
  }

  /// pre: a thread of the warpgroups that multiply, thread_idx its number among them
  /// post: mma_tail releases the last K_PIPE_MMAS stages
  template <class FrgTensorC, class MainloopParams>
  CUTLASS_HOST_DEVICE void mma(MainloopPipeline pipeline, PipelineState smem_pipe_read, FrgTensorC& accum,
                               int k_tile_count, int thread_idx, TensorStorage& shared_tensors, MainloopParams const&) {
    using namespace cute;
    auto const sA = make_tensor(make_smem_ptr(shared_tensors.smem_A.data()), SmemLayoutA{});  // (BLK_M,BLK_K,PIPE)
    auto const sB = make_tensor(make_smem_ptr(shared_tensors.smem_B.data()), SmemLayoutB{});  // (BLK_N,BLK_K,PIPE)
    TiledMma tiled_mma;
    auto const thr = tiled_mma.get_slice(thread_idx);
    auto const tCrA = thr.partition_fragment_A(sA);  // (V,RestM,RestK,PIPE), descriptors
    auto const tCrB = thr.partition_fragment_B(sB);  // (V,RestN,RestK,PIPE), descriptors
    PipelineState smem_pipe_release = smem_pipe_read;
    if (PromotesSums || k_tile_count <= 0) clear(accum);
    auto sums = [&] {
      if constexpr (PromotesSums) return make_fragment_like(accum);
      else return 0;
    }();
    auto const step = [&](auto& to, int stage) {
      warpgroup_fence_operand(to);
      warpgroup_arrive();
      CUTLASS_PRAGMA_UNROLL
      for (int k = 0; k < static_cast<int>(size<2>(tCrA)); ++k) {
        cute::gemm(tiled_mma, tCrA(_, _, k, stage), tCrB(_, _, k, stage), to);
        tiled_mma.accumulate_ = GMMA::ScaleOut::One;
      }
      warpgroup_commit_batch();
      warpgroup_wait<K_PIPE_MMAS>();
      warpgroup_fence_operand(to);
    };
    tiled_mma.accumulate_ = GMMA::ScaleOut::Zero;
    CUTLASS_PRAGMA_NO_UNROLL
    for (int i = 0; i < k_tile_count; ++i, ++smem_pipe_read) {
      pipeline.consumer_wait(smem_pipe_read, pipeline.consumer_try_wait(smem_pipe_read));
      if constexpr (PromotesSums) {
        tiled_mma.accumulate_ = GMMA::ScaleOut::Zero;
        step(sums, smem_pipe_read.index());
        CUTLASS_PRAGMA_UNROLL
        for (int j = 0; j < static_cast<int>(size(accum)); ++j) accum(j) += sums(j);
      } else {
        step(accum, smem_pipe_read.index());
      }
      if (i >= K_PIPE_MMAS) {
        pipeline.consumer_release(smem_pipe_release);
        ++smem_pipe_release;
      }
    }
  }
  CUTLASS_HOST_DEVICE void mma_tail(MainloopPipeline pipeline, PipelineState smem_pipe_release, int k_tile_count) {
    int const left = k_tile_count < K_PIPE_MMAS ? k_tile_count : K_PIPE_MMAS;
    smem_pipe_release.advance(static_cast<std::uint32_t>(k_tile_count - left));
    cute::warpgroup_wait<0>();
    for (int i = 0; i < left; ++i, ++smem_pipe_release) pipeline.consumer_release(smem_pipe_release);
  }
};

}  // namespace detail

template <int Stages, class ClusterShape, class Schedule, class TileShape, class ElementA, class StrideA,
          class ElementB, class StrideB, class TiledMma, class CopyA, class AtomA, class ToRegistersA, class TransformA,
          class CopyB, class AtomB, class ToRegistersB, class TransformB>
struct CollectiveMma<MainloopSm90TmaGmmaWarpSpecialized<Stages, ClusterShape, Schedule>, TileShape, ElementA, StrideA,
                     ElementB, StrideB, TiledMma, CopyA, AtomA, ToRegistersA, TransformA, CopyB, AtomB, ToRegistersB,
                     TransformB>
    : detail::sm90_tma_mainloop<MainloopSm90TmaGmmaWarpSpecialized<Stages, ClusterShape, Schedule>, false, TileShape,
                                ElementA, StrideA, ElementB, StrideB, TiledMma, CopyA, AtomA, ToRegistersA, TransformA,
                                CopyB, AtomB, ToRegistersB, TransformB> {};
template <int Stages, class ClusterShape, class Schedule, class TileShape, class ElementA, class StrideA,
          class ElementB, class StrideB, class TiledMma, class CopyA, class AtomA, class ToRegistersA, class TransformA,
          class CopyB, class AtomB, class ToRegistersB, class TransformB>
struct CollectiveMma<MainloopSm90TmaGmmaWarpSpecializedFP8<Stages, ClusterShape, Schedule>, TileShape, ElementA,
                     StrideA, ElementB, StrideB, TiledMma, CopyA, AtomA, ToRegistersA, TransformA, CopyB, AtomB,
                     ToRegistersB, TransformB>
    : detail::sm90_tma_mainloop<MainloopSm90TmaGmmaWarpSpecializedFP8<Stages, ClusterShape, Schedule>, true, TileShape,
                                ElementA, StrideA, ElementB, StrideB, TiledMma, CopyA, AtomA, ToRegistersA, TransformA,
                                CopyB, AtomB, ToRegistersB, TransformB> {};

}  // namespace cutlass::gemm::collective
