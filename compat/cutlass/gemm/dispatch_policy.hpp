// The names by which programs choose one of CUTLASS's main loops, and say how their own goes; CUTLASS's loops are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout.hpp"
#include "cute/tensor.hpp"
#include "cutlass/arch/arch.h"
#include "cutlass/array.h"
#include "cutlass/gemm/gemm.h"

namespace cutlass::gemm {

// --- how the warps of a kernel share the work ------------------------------------------------------------------------
struct KernelMultistage {};
struct KernelPtrArrayMultistage {};
struct KernelCpAsyncWarpSpecialized {};
struct KernelCpAsyncWarpSpecializedPingpong {};
struct KernelCpAsyncWarpSpecializedCooperative {};
struct KernelTma {};
struct KernelTmaWarpSpecialized {};
struct KernelTmaWarpSpecializedPingpong {
  static constexpr int SchedulerPipelineStageCount = 0;
};
struct KernelTmaWarpSpecializedCooperative {
  static constexpr int SchedulerPipelineStageCount = 0;
};
struct KernelPtrArrayTmaWarpSpecializedCooperative {
  static constexpr int SchedulerPipelineStageCount = 0;
};
struct KernelPtrArrayTmaWarpSpecializedPingpong {
  static constexpr int SchedulerPipelineStageCount = 0;
};
struct KernelPtrArrayTmaWarpSpecializedCooperativeFP8FastAccum : KernelPtrArrayTmaWarpSpecializedCooperative {};
struct KernelPtrArrayTmaWarpSpecializedPingpongFP8FastAccum : KernelPtrArrayTmaWarpSpecializedPingpong {};
struct KernelTmaWarpSpecializedFP8FastAccum : KernelTmaWarpSpecialized {};
struct KernelTmaWarpSpecializedPingpongFP8FastAccum : KernelTmaWarpSpecializedPingpong {};
struct KernelTmaWarpSpecializedCooperativeFP8FastAccum : KernelTmaWarpSpecializedCooperative {};
struct KernelTmaWarpSpecializedMixedInput : KernelTmaWarpSpecialized {};
struct KernelTmaWarpSpecializedPingpongMixedInput : KernelTmaWarpSpecializedPingpong {};
struct KernelTmaWarpSpecializedCooperativeMixedInput : KernelTmaWarpSpecializedCooperative {};

// … for sm_100: products of one block or of two.
struct KernelSchedule1Sm {};
struct KernelSchedule2Sm {};
struct KernelScheduleSm100 {};
struct KernelScheduleSm100DenseGemm : KernelScheduleSm100 {};
struct KernelTmaWarpSpecialized1SmSm100 : KernelSchedule1Sm, KernelScheduleSm100DenseGemm {};
struct KernelTmaWarpSpecialized2SmSm100 : KernelSchedule2Sm, KernelScheduleSm100DenseGemm {};
template <int SchedulerPipelineStageCount_, int AccumulatorPipelineStageCount_>
struct KernelTmaWarpSpecializedSm100 {
  static constexpr int SchedulerPipelineStageCount = SchedulerPipelineStageCount_;
  static constexpr int AccumulatorPipelineStageCount = AccumulatorPipelineStageCount_;
};

struct EpilogueDefault {};
struct EpilogueTransposed {};

// --- main loops: stages, clusters, and the schedule of the kernel ----------------------------------------------------
namespace detail {
template <int Stages_, class ClusterShape_, class ArchTag_, class Schedule_>
struct mainloop {
  static constexpr int Stages = Stages_;
  using ClusterShape = ClusterShape_;
  using ArchTag = ArchTag_;
  using Schedule = Schedule_;
};
using one_block = cute::Shape<cute::_1, cute::_1, cute::_1>;
template <class ClusterShape>
using arch_of_cp_async = std::conditional_t<(cute::size(ClusterShape{}) > 1), arch::Sm90, arch::Sm80>;
}  // namespace detail

struct MainloopSm70TwoStageUnpredicated : detail::mainloop<2, detail::one_block, arch::Sm70, KernelMultistage> {};
struct MainloopSm70TwoStage : detail::mainloop<2, detail::one_block, arch::Sm70, KernelMultistage> {};
template <int Stages>
struct MainloopSm80CpAsyncUnpredicated : detail::mainloop<Stages, detail::one_block, arch::Sm80, KernelMultistage> {};
template <int Stages, class ClusterShape = detail::one_block>
struct MainloopSm80CpAsync
    : detail::mainloop<Stages, ClusterShape, detail::arch_of_cp_async<ClusterShape>, KernelMultistage> {};
template <int Stages, class ClusterShape = detail::one_block, class Schedule = KernelCpAsyncWarpSpecialized>
struct MainloopSm90CpAsyncGmmaWarpSpecialized : detail::mainloop<Stages, ClusterShape, arch::Sm90, Schedule> {};
template <int Stages, class ClusterShape = detail::one_block, class Schedule = KernelCpAsyncWarpSpecialized>
struct MainloopSm90CpAsyncGmmaRmemAWarpSpecialized : detail::mainloop<Stages, ClusterShape, arch::Sm90, Schedule> {};
template <int Stages, class ClusterShape = detail::one_block, int PipelineAsyncMmaStages_ = 1>
struct MainloopSm90TmaGmma : detail::mainloop<Stages, ClusterShape, arch::Sm90, KernelTma> {
  static constexpr int PipelineAsyncMmaStages = PipelineAsyncMmaStages_;
};
template <int Stages, class ClusterShape = detail::one_block, class Schedule = KernelTmaWarpSpecializedCooperative>
struct MainloopSm90TmaGmmaWarpSpecialized : detail::mainloop<Stages, ClusterShape, arch::Sm90, Schedule> {};
template <int Stages, class ClusterShape = detail::one_block, class Schedule = KernelTmaWarpSpecialized>
struct MainloopSm90TmaGmmaRmemAWarpSpecialized : detail::mainloop<Stages, ClusterShape, arch::Sm90, Schedule> {};
template <int Stages, class ClusterShape = detail::one_block, class Schedule = KernelTmaWarpSpecialized>
struct MainloopSm90TmaGmmaRmemAWarpSpecializedMixedInput
    : detail::mainloop<Stages, ClusterShape, arch::Sm90, Schedule> {};
template <int Stages, class ClusterShape = detail::one_block, class Schedule = KernelTmaWarpSpecialized>
struct MainloopSm90TmaGmmaWarpSpecializedFP8 : MainloopSm90TmaGmmaWarpSpecialized<Stages, ClusterShape, Schedule> {};
/// Of groups, or of batches whose matrices have addresses of their own.
template <int Stages, class ClusterShape = detail::one_block,
          class Schedule = KernelPtrArrayTmaWarpSpecializedCooperative>
struct MainloopSm90ArrayTmaGmmaWarpSpecialized : detail::mainloop<Stages, ClusterShape, arch::Sm90, Schedule> {};
template <int Stages, class ClusterShape = detail::one_block,
          class Schedule = KernelPtrArrayTmaWarpSpecializedCooperative>
struct MainloopSm90ArrayTmaGmmaWarpSpecializedFP8
    : MainloopSm90ArrayTmaGmmaWarpSpecialized<Stages, ClusterShape, Schedule> {};

template <int Stages, int SchedulerPipelineStageCount, int AccumulatorPipelineStageCount,
          class ClusterShape = detail::one_block, class ArchTag = arch::Sm100>
struct MainloopSm100TmaUmmaWarpSpecialized
    : detail::mainloop<Stages, ClusterShape, ArchTag,
                       KernelTmaWarpSpecializedSm100<SchedulerPipelineStageCount, AccumulatorPipelineStageCount>> {};

}  // namespace cutlass::gemm
