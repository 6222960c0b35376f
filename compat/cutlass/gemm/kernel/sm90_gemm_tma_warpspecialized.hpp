// A persistent kernel for sm_90 out of a main loop and an epilogue. The first warpgroup loads, the others multiply: together one tile
// (cooperative), or each a tile of its own while the other writes its own (ping-pong). Every block takes the tiles of its scheduler.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma.hpp"
#include "cutlass/arch/arch.h"
#include "cutlass/cutlass.h"
#include "cutlass/gemm/dispatch_policy.hpp"
#include "cutlass/gemm/gemm.h"
#include "cutlass/gemm/kernel/gemm_universal_decl.h"
#include "cutlass/gemm/kernel/tile_scheduler.hpp"
#include "cutlass/kernel_hardware_info.h"
#include "cutlass/pipeline/pipeline.hpp"

namespace cutlass::gemm::kernel {

namespace detail {
template <class Mainloop>
concept tma_warp_specialized = requires {
  typename Mainloop::DispatchPolicy::Schedule;
}
&&(std::is_base_of_v<KernelTmaWarpSpecialized, typename Mainloop::DispatchPolicy::Schedule> ||
   std::is_base_of_v<KernelTmaWarpSpecializedPingpong, typename Mainloop::DispatchPolicy::Schedule> ||
   std::is_base_of_v<KernelTmaWarpSpecializedCooperative, typename Mainloop::DispatchPolicy::Schedule>);
/// An epilogue, or in place of one that does not fit, what it says goes without shared memory.
template <class Epilogue, bool IsTooLarge>
struct fitting_epilogue {
  using type = Epilogue;
};
template <class Epilogue>
requires requires { typename Epilogue::WithoutMemory; }
struct fitting_epilogue<Epilogue, true> {
  using type = typename Epilogue::WithoutMemory;
};
}  // namespace detail

/// ProblemShape: (M, N, K) or (M, N, K, batch)
template <class ProblemShape_, class CollectiveMainloop_, class CollectiveEpilogue_, class TileScheduler_>
requires(cute::is_tuple<ProblemShape_>::value&& detail::tma_warp_specialized<CollectiveMainloop_>) class GemmUniversal<
    ProblemShape_, CollectiveMainloop_, CollectiveEpilogue_, TileScheduler_, void> {
 public:
  using ProblemShape = ProblemShape_;
  static_assert(cute::rank(ProblemShape{}) == 3 || cute::rank(ProblemShape{}) == 4,
                "GemmUniversal: the problem's shape is (M, N, K) or (M, N, K, batch)");
  using CollectiveMainloop = CollectiveMainloop_;
  using TileShape = typename CollectiveMainloop::TileShape;
  using TiledMma = typename CollectiveMainloop::TiledMma;
  using ArchTag = typename CollectiveMainloop::ArchTag;
  using ElementA = typename CollectiveMainloop::ElementA;
  using StrideA = typename CollectiveMainloop::StrideA;
  using ElementB = typename CollectiveMainloop::ElementB;
  using StrideB = typename CollectiveMainloop::StrideB;
  using DispatchPolicy = typename CollectiveMainloop::DispatchPolicy;
  using ElementAccumulator = typename CollectiveMainloop::ElementAccumulator;
  using ClusterShape = typename DispatchPolicy::ClusterShape;
  using MainloopArguments = typename CollectiveMainloop::Arguments;
  using CollectiveEpilogue = CollectiveEpilogue_;
  using ElementC = typename CollectiveEpilogue::ElementC;
  using StrideC = typename CollectiveEpilogue::StrideC;
  using ElementD = typename CollectiveEpilogue::ElementD;
  using StrideD = typename CollectiveEpilogue::StrideD;
  using EpilogueArguments = typename CollectiveEpilogue::Arguments;
  using TileSchedulerTag = TileScheduler_;
  using TileScheduler =
      typename detail::TileSchedulerSelector<TileScheduler_, ArchTag, TileShape, ClusterShape>::Scheduler;
  using TileSchedulerArguments = typename TileScheduler::Arguments;
  using TileSchedulerParams = typename TileScheduler::Params;

  static constexpr bool IsPingpong =
      std::is_base_of_v<KernelTmaWarpSpecializedPingpong, typename DispatchPolicy::Schedule>;
  static constexpr std::uint32_t NumLoadWarpGroups = 1;
  static constexpr std::uint32_t NumThreadsOfMma = static_cast<std::uint32_t>(cute::size(TiledMma{}));
  static constexpr std::uint32_t NumMmaWarpGroups = (IsPingpong ? 2 : 1) * NumThreadsOfMma / NumThreadsPerWarpGroup;
  static constexpr std::uint32_t MaxThreadsPerBlock = (NumLoadWarpGroups + NumMmaWarpGroups) * NumThreadsPerWarpGroup;
  static constexpr std::uint32_t MinBlocksPerMultiprocessor = 1;
  static_assert(NumMmaWarpGroups == 1 || NumMmaWarpGroups == 2,
                "GemmUniversal: one or two warpgroups multiply; two are those of a cooperative or ping-pong schedule");

  /// The warpgroups of ping-pong multiply one after another, so that each is at most one round of the ring behind its loads.
  using MathWarpGroupOrderBarrier = OrderedSequenceBarrier<1, 2>;

  template <class Epilogue>
  struct storage_with {
    struct TensorStorage {
      typename CollectiveMainloop::TensorStorage mainloop;
      typename Epilogue::TensorStorage epilogue;
    } tensors;
    struct alignas(16) PipelineStorage {
      typename CollectiveMainloop::PipelineStorage mainloop;
      typename MathWarpGroupOrderBarrier::SharedStorage order;
    } pipelines;
  };
  /// The program's, unless the schedule was left open and there is no room beside the stages that the program chose.
  using Epilogue = typename detail::fitting_epilogue<CollectiveEpilogue, (sizeof(storage_with<CollectiveEpilogue>) >
                                                                          arch::sm90_smem_capacity_bytes)>::type;
  using EpilogueParams = typename Epilogue::Params;
  static_assert(!(IsPingpong && requires { Epilogue::has_memory_of_one_tile; }),
                "GemmUniversal: the warpgroups of ping-pong write tiles at the same time, and Epilogue<…> has shared "
                "memory of one; give the kernel a cooperative schedule");
  using SharedStorage = storage_with<Epilogue>;
  static constexpr int SharedStorageSize = static_cast<int>(sizeof(SharedStorage));

  struct Arguments {
    GemmUniversalMode mode{};
    ProblemShape problem_shape{};
    MainloopArguments mainloop{};
    EpilogueArguments epilogue{};
    KernelHardwareInfo hw_info{};
    TileSchedulerArguments scheduler{};
  };

#if TILEWRIGHT_HOSTED
  using MainloopParams = typename CollectiveMainloop::Params;
  struct Params {
    GemmUniversalMode mode{};
    ProblemShape problem_shape{};
    MainloopParams mainloop;
    EpilogueParams epilogue{};
    KernelHardwareInfo hw_info{};
    TileSchedulerParams scheduler{};
  };

  // --- on the host ---------------------------------------------------------------------------------------------------
  static Params to_underlying_arguments(Arguments const& args, void* workspace = nullptr) {
    KernelHardwareInfo hw_info = args.hw_info;
    if (hw_info.sm_count <= 0)
      hw_info.sm_count = KernelHardwareInfo::query_device_multiprocessor_count(hw_info.device_id);
    auto const problem = cute::append<4>(args.problem_shape, 1);
    return {args.mode,
            args.problem_shape,
            CollectiveMainloop::to_underlying_arguments(args.problem_shape, args.mainloop, workspace),
            Epilogue::to_underlying_arguments(args.problem_shape, args.epilogue, workspace),
            hw_info,
            TileScheduler::to_underlying_arguments(problem, TileShape{}, ClusterShape{}, hw_info, args.scheduler)};
  }
  static bool can_implement(Arguments const& args) {
    bool const mode_fits = args.mode == GemmUniversalMode::kGemm ||
                           (args.mode == GemmUniversalMode::kBatched && cute::rank(ProblemShape{}) == 4);
    return mode_fits && CollectiveMainloop::can_implement(args.problem_shape, args.mainloop) &&
           Epilogue::can_implement(args.problem_shape, args.epilogue) &&
           TileScheduler::can_implement(args.scheduler, args.hw_info);
  }
  static std::size_t get_workspace_size(Arguments const& args) {
    return Epilogue::get_workspace_size(args.problem_shape, args.epilogue);
  }
  template <class Stream = std::nullptr_t>
  static Status initialize_workspace(Arguments const& args, void* workspace = nullptr, Stream stream = nullptr,
                                     void* = nullptr) {
    return Epilogue::initialize_workspace(args.problem_shape, args.epilogue, workspace, stream);
  }
  static tilewright::dim3 get_grid_shape(Params const& params) {
    return TileScheduler::get_grid_shape(params.scheduler, cute::append<4>(params.problem_shape, 1), TileShape{},
                                         ClusterShape{}, params.hw_info, TileScheduler::arguments_of(params.scheduler));
  }
  static tilewright::dim3 get_block_shape() { return tilewright::dim3(MaxThreadsPerBlock, 1, 1); }

  // --- in the kernel -------------------------------------------------------------------------------------------------
  /// smem_buf: SharedStorageSize bytes, aligned to 1024
  TILEWRIGHT_NO_EXEC_CHECK
  CUTLASS_HOST_DEVICE void operator()(Params const& params, char* smem_buf) {
    auto& shared = *reinterpret_cast<SharedStorage*>(smem_buf);
    using Pipeline = typename CollectiveMainloop::MainloopPipeline;
    int const warp_group = canonical_warp_group_idx(), thread = cutlass::detail::thread_of_warp_group();
    bool const is_producer = warp_group == 0;
    typename Pipeline::Params of_thread;
    of_thread.role = is_producer ? Pipeline::ThreadCategory::Producer : Pipeline::ThreadCategory::Consumer;
    of_thread.is_leader = is_producer && thread == elected_thread();
    of_thread.num_consumers = NumThreadsOfMma;
    of_thread.transaction_bytes = CollectiveMainloop::TmaTransactionBytes;
    Pipeline pipeline(shared.pipelines.mainloop, of_thread, ClusterShape{});
    MathWarpGroupOrderBarrier order(shared.pipelines.order,
                                    {static_cast<std::uint32_t>(warp_group == 2 ? 1 : 0), NumThreadsPerWarpGroup});
    constexpr int cluster_size = static_cast<int>(cute::size(ClusterShape{}));
    if constexpr (requires { Epilogue::init_barriers(shared.tensors.epilogue); }) {
      if (is_producer && thread == 0) Epilogue::init_barriers(shared.tensors.epilogue);
      cutlass::arch::fence_barrier_init();
    }
    pipeline_init_arrive_relaxed(cluster_size);
    CollectiveMainloop mainloop;
    auto const problem = cute::append<4>(params.problem_shape, 1);
    auto const load_inputs = mainloop.load_init(problem, params.mainloop);
    pipeline_init_wait(cluster_size);

    TileScheduler scheduler(params.scheduler);
    if (is_producer) {
      tilewright::warpgroup_reg_dealloc<40>();
      if (thread < NumThreadsPerWarp) load(params, pipeline, scheduler, mainloop, load_inputs, shared);
    } else {
      tilewright::warpgroup_reg_alloc<(NumMmaWarpGroups == 1 ? 240 : 232)>();
      multiply(params, pipeline, order, scheduler, mainloop, warp_group - 1, shared);
    }
  }

 private:
  /// The thread of a warp that elect_one_sync chooses, whose arrival announces the bytes.
  CUTLASS_HOST_DEVICE static int elected_thread() { return cute::elect_one_sync() ? canonical_lane_idx() : -1; }
  template <class Problem>
  CUTLASS_HOST_DEVICE static int steps_of(typename TileScheduler::WorkTileInfo const& work, Problem const& problem) {
    return TileScheduler::get_work_k_tile_count(work, problem, TileShape{});
  }

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Pipeline, class Inputs>
  CUTLASS_HOST_DEVICE static void load(Params const& params, Pipeline& pipeline, TileScheduler& scheduler,
                                       CollectiveMainloop& mainloop, Inputs const& inputs, SharedStorage& shared) {
    auto const problem = cute::append<4>(params.problem_shape, 1);
    auto state = make_producer_start_state<Pipeline>();
    for (auto work = scheduler.get_current_work(); work.is_valid(); work = scheduler.get_current_work()) {
      int const steps = steps_of(work, problem);
      mainloop.load(params.mainloop, pipeline, state, inputs, TileScheduler::work_tile_to_cta_coord(work),
                    cute::make_coord_iterator(steps), steps, canonical_lane_idx(), cute::block_rank_in_cluster(),
                    shared.tensors.mainloop);
      state.advance(static_cast<std::uint32_t>(steps));
      scheduler.advance_to_next_work();
    }
    mainloop.load_tail(pipeline, state);
  }

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Pipeline>
  CUTLASS_HOST_DEVICE static void multiply(Params const& params, Pipeline& pipeline, MathWarpGroupOrderBarrier& order,
                                           TileScheduler& scheduler, CollectiveMainloop& mainloop, int mma_warp_group,
                                           SharedStorage& shared) {
    auto const problem = cute::append<4>(params.problem_shape, 1);
    int const thread =
        cutlass::detail::thread_of_warp_group() + (IsPingpong ? 0 : mma_warp_group * NumThreadsPerWarpGroup);
    typename CollectiveMainloop::PipelineState state;
    Epilogue epilogue(params.epilogue, shared.tensors.epilogue);
    bool takes = !IsPingpong || mma_warp_group == 0;  // the warpgroups of ping-pong take turns
    for (auto work = scheduler.get_current_work(); work.is_valid(); work = scheduler.get_current_work()) {
      int const steps = steps_of(work, problem);
      if (takes) {
        TiledMma tiled_mma;
        auto accumulators = cute::partition_fragment_C(tiled_mma, cute::take<0, 2>(TileShape{}));  // (V, RestM, RestN)
        auto const coord = TileScheduler::work_tile_to_cta_coord(work);
        if constexpr (requires { epilogue.load_ahead(problem, TileShape{}, coord, tiled_mma, thread); })
          epilogue.load_ahead(problem, TileShape{}, coord, tiled_mma, thread);
        if (IsPingpong) order.wait();
        mainloop.mma(pipeline, state, accumulators, steps, thread, shared.tensors.mainloop, params.mainloop);
        if (IsPingpong) order.arrive();
        mainloop.mma_tail(pipeline, state, steps);
        epilogue(problem, TileShape{}, coord, accumulators, tiled_mma, problem, thread, nullptr);
      }
      if (IsPingpong) takes = !takes;
      state.advance(static_cast<std::uint32_t>(steps));
      scheduler.advance_to_next_work();
    }
    if constexpr (requires { epilogue.store_tail(); }) epilogue.store_tail();
  }
#endif
};

}  // namespace cutlass::gemm::kernel
