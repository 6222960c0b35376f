// A persistent kernel for sm_90 out of a main loop and an epilogue. The first warpgroup loads, the others multiply: together one tile
// (cooperative), or each a tile of its own while the other writes its own (ping-pong). Every block takes the tiles of its scheduler: of one
// problem, of batches, or of groups, each with extents of its own.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma.hpp"
#include "cutlass/arch/arch.h"
#include "cutlass/cutlass.h"
#include "cutlass/gemm/dispatch_policy.hpp"
#include "cutlass/gemm/gemm.h"
#include "cutlass/gemm/group_array_problem_shape.hpp"
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
   std::is_base_of_v<KernelTmaWarpSpecializedCooperative, typename Mainloop::DispatchPolicy::Schedule> ||
   std::is_base_of_v<KernelPtrArrayTmaWarpSpecializedPingpong, typename Mainloop::DispatchPolicy::Schedule> ||
   std::is_base_of_v<KernelPtrArrayTmaWarpSpecializedCooperative, typename Mainloop::DispatchPolicy::Schedule>);

/// The shapes of the problems that a kernel computes: of(shape, l) is (M, N, K, batches) of problem l, for_schedule(shape) what its
/// scheduler divides into tiles.
template <class ProblemShape>
struct problems {
  static constexpr bool is_grouped = false;
  using Underlying = ProblemShape;
  CUTLASS_HOST_DEVICE static constexpr auto of(ProblemShape const& shape, int) { return cute::append<4>(shape, 1); }
  static auto for_schedule(ProblemShape const& shape) { return cute::append<4>(shape, 1); }
};
template <class Shape>
struct problems<ArrayProblemShape<Shape>> {
  static constexpr bool is_grouped = false;
  using Underlying = Shape;
  CUTLASS_HOST_DEVICE static constexpr auto of(ArrayProblemShape<Shape> const& shape, int) {
    return cute::append<4>(shape.get_problem_shape(), 1);
  }
  static auto for_schedule(ArrayProblemShape<Shape> const& shape) { return of(shape, 0); }
};
template <class Shape>
struct problems<GroupProblemShape<Shape>> {
  static constexpr bool is_grouped = true;
  using Underlying = Shape;
  CUTLASS_HOST_DEVICE static constexpr auto of(GroupProblemShape<Shape> const& shape, int l) {
    return cute::append<4>(shape.get_problem_shape(l), 1);
  }
  static GroupProblemShape<Shape> const& for_schedule(GroupProblemShape<Shape> const& shape) { return shape; }
};
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

/// ProblemShape: (M, N, K) or (M, N, K, batch), GroupProblemShape or ArrayProblemShape
template <class ProblemShape_, class CollectiveMainloop_, class CollectiveEpilogue_, class TileScheduler_>
requires(cute::is_tuple<typename detail::problems<ProblemShape_>::Underlying>::value&& detail::tma_warp_specialized<
         CollectiveMainloop_>) class GemmUniversal<ProblemShape_, CollectiveMainloop_, CollectiveEpilogue_,
                                                   TileScheduler_, void> {
 public:
  using ProblemShape = ProblemShape_;
  using Problems = detail::problems<ProblemShape>;
  static_assert(cute::rank(typename Problems::Underlying{}) == 3 || cute::rank(typename Problems::Underlying{}) == 4,
                "GemmUniversal: the problem's shape is (M, N, K) or (M, N, K, batch)");
  using CollectiveMainloop = CollectiveMainloop_;
  using TileShape = typename CollectiveMainloop::TileShape;
  using TiledMma = typename CollectiveMainloop::TiledMma;
  using ArchTag = typename CollectiveMainloop::ArchTag;
  using ElementA = typename CollectiveMainloop::ElementA;
  using StrideA = typename CollectiveMainloop::StrideA;
  using InternalStrideA = std::remove_pointer_t<StrideA>;
  using ElementB = typename CollectiveMainloop::ElementB;
  using StrideB = typename CollectiveMainloop::StrideB;
  using InternalStrideB = std::remove_pointer_t<StrideB>;
  using DispatchPolicy = typename CollectiveMainloop::DispatchPolicy;
  using ElementAccumulator = typename CollectiveMainloop::ElementAccumulator;
  using ClusterShape = typename DispatchPolicy::ClusterShape;
  using MainloopArguments = typename CollectiveMainloop::Arguments;
  using CollectiveEpilogue = CollectiveEpilogue_;
  using ElementC = typename CollectiveEpilogue::ElementC;
  using StrideC = typename CollectiveEpilogue::StrideC;
  using InternalStrideC = std::remove_pointer_t<StrideC>;
  using ElementD = typename CollectiveEpilogue::ElementD;
  using StrideD = typename CollectiveEpilogue::StrideD;
  using InternalStrideD = std::remove_pointer_t<StrideD>;
  using EpilogueArguments = typename CollectiveEpilogue::Arguments;
  using TileSchedulerTag = TileScheduler_;
  using TileScheduler =
      typename detail::TileSchedulerSelector<std::conditional_t<Problems::is_grouped, GroupScheduler, TileScheduler_>,
                                             ArchTag, TileShape, ClusterShape, 0, ProblemShape>::Scheduler;
  using TileSchedulerArguments = typename TileScheduler::Arguments;
  using TileSchedulerParams = typename TileScheduler::Params;

  /// Do the matrices have addresses of their own?
  static constexpr bool IsArray = requires { CollectiveMainloop::IsGroupedGemmKernel; };
  static constexpr bool IsGroupedGemmKernel = Problems::is_grouped;
  static_assert(IsArray == !cute::is_tuple<ProblemShape>::value,
                "GemmUniversal: GroupProblemShape and ArrayProblemShape go with schedules KernelPtrArray..., (M, N, K) "
                "and (M, N, K, batch) with the others");
  static_assert(std::is_pointer_v<StrideA> == Problems::is_grouped,
                "GemmUniversal: GroupProblemShape goes with layouts that are pointers, the others with plain layouts");
  static constexpr bool IsPingpong =
      std::is_base_of_v<KernelTmaWarpSpecializedPingpong, typename DispatchPolicy::Schedule> ||
      std::is_base_of_v<KernelPtrArrayTmaWarpSpecializedPingpong, typename DispatchPolicy::Schedule>;
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
    KernelHardwareInfo const hw_info = with_multiprocessors(args.hw_info);
    return {args.mode,
            args.problem_shape,
            CollectiveMainloop::to_underlying_arguments(args.problem_shape, args.mainloop, workspace),
            Epilogue::to_underlying_arguments(args.problem_shape, args.epilogue, workspace),
            hw_info,
            TileScheduler::to_underlying_arguments(Problems::for_schedule(args.problem_shape), TileShape{},
                                                   ClusterShape{}, hw_info, args.scheduler)};
  }
  static bool can_implement(Arguments const& args) {
    if (!TileScheduler::can_implement(args.scheduler, args.hw_info)) return false;
    if constexpr (!IsArray) {
      bool const mode_fits = args.mode == GemmUniversalMode::kGemm ||
                             (args.mode == GemmUniversalMode::kBatched && cute::rank(ProblemShape{}) == 4);
      return mode_fits && CollectiveMainloop::can_implement(args.problem_shape, args.mainloop) &&
             Epilogue::can_implement(args.problem_shape, args.epilogue);
    } else {
      if (args.mode != (Problems::is_grouped ? GemmUniversalMode::kGrouped : GemmUniversalMode::kArray)) return false;
      if (!args.problem_shape.is_host_problem_shape_available()) return true;
      for (std::int32_t group = 0; group < args.problem_shape.groups(); ++group)
        if (!CollectiveMainloop::can_implement(args.problem_shape.get_host_problem_shape(group), args.mainloop))
          return false;
      return true;
    }
  }
  /// Of arrays: the tensor maps of the blocks.
  static std::size_t get_workspace_size(Arguments const& args) {
    if constexpr (IsArray) {
      auto const grid = grid_of(args.problem_shape, with_multiprocessors(args.hw_info), args.scheduler);
      return CollectiveMainloop::get_workspace_size(std::size_t{grid.x} * grid.y * grid.z);
    } else {
      return Epilogue::get_workspace_size(args.problem_shape, args.epilogue);
    }
  }
  template <class Stream = std::nullptr_t>
  static Status initialize_workspace(Arguments const& args, void* workspace = nullptr, Stream stream = nullptr,
                                     void* = nullptr) {
    return Epilogue::initialize_workspace(args.problem_shape, args.epilogue, workspace, stream);
  }
  static tilewright::dim3 get_grid_shape(Params const& params) {
    return TileScheduler::get_grid_shape(params.scheduler, Problems::for_schedule(params.problem_shape), TileShape{},
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
    auto const load_inputs = inputs_of(params, mainloop);
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
  static KernelHardwareInfo with_multiprocessors(KernelHardwareInfo hw_info) {
    if (hw_info.sm_count <= 0)
      hw_info.sm_count = KernelHardwareInfo::query_device_multiprocessor_count(hw_info.device_id);
    return hw_info;
  }
  static tilewright::dim3 grid_of(ProblemShape const& shape, KernelHardwareInfo const& hw_info,
                                  TileSchedulerArguments const& scheduler) {
    auto const whole = Problems::for_schedule(shape);
    return TileScheduler::get_grid_shape(
        TileScheduler::to_underlying_arguments(whole, TileShape{}, ClusterShape{}, hw_info, scheduler), whole,
        TileShape{}, ClusterShape{}, hw_info, scheduler);
  }
  /// The tiles of A and B; nothing of arrays, whose loads read a problem's matrices with its first tile.
  CUTLASS_HOST_DEVICE static auto inputs_of(Params const& params, CollectiveMainloop& mainloop) {
    if constexpr (IsArray) {
      tilewright::dim3 const block = detail::this_block(), grid = detail::this_grid();
      mainloop.start_block(params.mainloop, (block.z * grid.y + block.y) * grid.x + block.x);
      return cute::tuple<>{};
    } else {
      return mainloop.load_init(Problems::of(params.problem_shape, 0), params.mainloop);
    }
  }
  template <class Problem>
  CUTLASS_HOST_DEVICE static int steps_of(typename TileScheduler::WorkTileInfo const& work, Problem const& problem) {
    return TileScheduler::get_work_k_tile_count(work, problem, TileShape{});
  }

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Pipeline, class Inputs>
  CUTLASS_HOST_DEVICE static void load(Params const& params, Pipeline& pipeline, TileScheduler& scheduler,
                                       CollectiveMainloop& mainloop, Inputs const& inputs, SharedStorage& shared) {
    auto state = make_producer_start_state<Pipeline>();
    for (auto work = scheduler.get_current_work(); work.is_valid(); work = scheduler.get_current_work()) {
      auto const problem = Problems::of(params.problem_shape, work.L_idx);
      int const steps = steps_of(work, problem);
      auto const coord = TileScheduler::work_tile_to_cta_coord(work);
      if constexpr (IsArray)
        mainloop.load_tile(params.mainloop, pipeline, state, problem, coord, steps, cute::block_rank_in_cluster(),
                           shared.tensors.mainloop);
      else
        mainloop.load(params.mainloop, pipeline, state, inputs, coord, cute::make_coord_iterator(steps), steps,
                      canonical_lane_idx(), cute::block_rank_in_cluster(), shared.tensors.mainloop);
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
    int const thread =
        cutlass::detail::thread_of_warp_group() + (IsPingpong ? 0 : mma_warp_group * NumThreadsPerWarpGroup);
    typename CollectiveMainloop::PipelineState state;
    Epilogue epilogue(params.epilogue, shared.tensors.epilogue);
    bool takes = !IsPingpong || mma_warp_group == 0;  // the warpgroups of ping-pong take turns
    for (auto work = scheduler.get_current_work(); work.is_valid(); work = scheduler.get_current_work()) {
      auto const problem = Problems::of(params.problem_shape, work.L_idx);
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
