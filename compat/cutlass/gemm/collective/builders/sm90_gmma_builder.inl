// The builder of main loops for sm_90: out of elements, layouts and tile it chooses the operation, the layouts of shared memory, the
// loads, and how many stages there is room for.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90.hpp"
#include "cutlass/arch/mma.h"
#include "cutlass/gemm/collective/builders/sm90_common.inl"
#include "cutlass/gemm/collective/collective_builder_decl.hpp"
#include "cutlass/gemm/collective/sm90_mma_array_tma_gmma_ss_warpspecialized.hpp"
#include "cutlass/gemm/collective/sm90_mma_tma_gmma_ss_warpspecialized.hpp"

namespace cutlass::gemm::collective::detail {

using arch::sm90_smem_capacity_bytes;

template <class Schedule, class... Named>
inline constexpr bool is_one_of = (std::is_base_of_v<Named, Schedule> || ...);
template <class Schedule>
inline constexpr bool is_fast_accumulation =
    is_one_of<Schedule, KernelTmaWarpSpecializedFP8FastAccum, KernelTmaWarpSpecializedPingpongFP8FastAccum,
              KernelTmaWarpSpecializedCooperativeFP8FastAccum, KernelPtrArrayTmaWarpSpecializedCooperativeFP8FastAccum,
              KernelPtrArrayTmaWarpSpecializedPingpongFP8FastAccum>;
/// The schedules of groups, or of batches whose matrices have addresses of their own.
template <class Schedule>
inline constexpr bool is_array_schedule = std::is_same_v<Schedule, KernelPtrArrayTmaWarpSpecializedCooperative> ||
                                          std::is_same_v<Schedule, KernelPtrArrayTmaWarpSpecializedPingpong> ||
                                          is_one_of<Schedule, KernelPtrArrayTmaWarpSpecializedCooperativeFP8FastAccum,
                                                    KernelPtrArrayTmaWarpSpecializedPingpongFP8FastAccum>;
/// The schedules whose operands are loaded by TMA.
template <class Schedule>
inline constexpr bool is_tma_schedule =
    is_array_schedule<Schedule> || std::is_same_v<Schedule, KernelScheduleAuto> ||
    std::is_same_v<Schedule, KernelTma> || std::is_same_v<Schedule, KernelTmaWarpSpecialized> ||
    std::is_same_v<Schedule, KernelTmaWarpSpecializedPingpong> ||
    std::is_same_v<Schedule, KernelTmaWarpSpecializedCooperative> || is_fast_accumulation<Schedule>;

template <class Element>
inline constexpr bool is_small_float = std::is_same_v<Element, float_e4m3_t> || std::is_same_v<Element, float_e5m2_t>;

/// The schedule of a builder that may choose: two warpgroups on one tile where it has the rows for it, else one. KernelTma, where the
/// threads that multiply load too, is the latter.
template <class Schedule, class TileShape>
struct chosen_schedule_of {
  using type = Schedule;
};
template <class TileShape>
struct chosen_schedule_of<KernelTma, TileShape> {
  using type = KernelTmaWarpSpecialized;
};
template <class TileShape>
struct chosen_schedule_of<KernelScheduleAuto, TileShape> {
  using type = std::conditional_t<(cute::size<0>(TileShape{}) >= 128), KernelTmaWarpSpecializedCooperative,
                                  KernelTmaWarpSpecialized>;
};
template <class Schedule, class TileShape>
using chosen_schedule = typename chosen_schedule_of<Schedule, TileShape>::type;

/// Stages: as given, or as many as fit beside so many bytes. HasMaps: beside two tensor maps, too.
template <int StageBytes, bool HasMaps, int Stages>
constexpr int stages_of(StageCount<Stages>) {
  return Stages;
}
template <int StageBytes, bool HasMaps, int Stages>
constexpr int stages_of(cute::Int<Stages>) {
  return Stages;
}
template <int StageBytes, bool HasMaps, int Carveout>
constexpr int stages_of(StageCountAutoCarveout<Carveout>) {
  constexpr int barriers = 2 * 8;                    // of a stage
  constexpr int margin = HasMaps ? 2 * 1024 : 1024;  // of alignment and of what the kernel has besides
  constexpr int stages = (sm90_smem_capacity_bytes - Carveout - margin) / (StageBytes + barriers);
  static_assert(stages >= 2, "CollectiveBuilder: shared memory has no room for two stages; give a smaller tile");
  return stages;
}

template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementAccumulator, class TileShape,
          class ClusterShape, class StageCountType, class Schedule_>
struct sm90_tma_builder {
  using Schedule = chosen_schedule<Schedule_, TileShape>;
  using StrideA = cutlass::detail::TagToStrideA_t<LayoutA>;
  using StrideB = cutlass::detail::TagToStrideB_t<LayoutB>;
  static constexpr bool is_array = is_array_schedule<Schedule>;
  static_assert(is_array || !(std::is_pointer_v<StrideA> || std::is_pointer_v<StrideB>),
                "CollectiveBuilder: layouts of groups (pointers to tags) need a schedule KernelPtrArray...");
  using MmaA = std::conditional_t<std::is_same_v<ElementA, float>, tfloat32_t, ElementA>;
  using MmaB = std::conditional_t<std::is_same_v<ElementB, float>, tfloat32_t, ElementB>;
  static constexpr cute::GMMA::Major GmmaMajorA =
      cutlass::detail::is_major<0>(StrideA{}) ? cute::GMMA::Major::MN : cute::GMMA::Major::K;
  static constexpr cute::GMMA::Major GmmaMajorB =
      cutlass::detail::is_major<0>(StrideB{}) ? cute::GMMA::Major::MN : cute::GMMA::Major::K;
  static_assert(cute::sizeof_bits_v<MmaA> == 16 ||
                    (GmmaMajorA == cute::GMMA::Major::K && GmmaMajorB == cute::GMMA::Major::K),
                "CollectiveBuilder: operands of other than 16 bits are K-major: A RowMajor, B ColumnMajor");
  static constexpr bool is_cooperative =
      is_one_of<Schedule, KernelTmaWarpSpecializedCooperative, KernelPtrArrayTmaWarpSpecializedCooperative>;
  using AtomLayoutMNK = std::conditional_t<is_cooperative, cute::Layout<cute::Shape<cute::_2, cute::_1, cute::_1>>,
                                           cute::Layout<cute::Shape<cute::_1, cute::_1, cute::_1>>>;
  using TiledMma = decltype(cute::make_tiled_mma(
      cute::GMMA::ss_op_selector<MmaA, MmaB, ElementAccumulator, TileShape, GmmaMajorA, GmmaMajorB>(),
      AtomLayoutMNK{}));
  using GmemTiledCopyA = decltype(sm90_cluster_shape_to_tma_atom(cute::shape<1>(ClusterShape{})));
  using GmemTiledCopyB = decltype(sm90_cluster_shape_to_tma_atom(cute::shape<0>(ClusterShape{})));
  using SmemLayoutAtomA = decltype(ss_smem_selector<GmmaMajorA, MmaA, decltype(cute::get<0>(TileShape{})),
                                                    decltype(cute::get<2>(TileShape{}))>());
  using SmemLayoutAtomB = decltype(ss_smem_selector<GmmaMajorB, MmaB, decltype(cute::get<1>(TileShape{})),
                                                    decltype(cute::get<2>(TileShape{}))>());
  static constexpr int PipelineStages =
      stages_of<static_cast<int>((cute::size<0>(TileShape{}) * cute::sizeof_bits_v<MmaA> +
                                  cute::size<1>(TileShape{}) * cute::sizeof_bits_v<MmaB>)*cute::size<2>(TileShape{}) /
                                 8),
                is_array>(StageCountType{});
  static constexpr bool promotes =
      is_small_float<ElementA> && is_small_float<ElementB> && !is_fast_accumulation<Schedule>;
  using DispatchPolicy = std::conditional_t<
      is_array,
      std::conditional_t<promotes, MainloopSm90ArrayTmaGmmaWarpSpecializedFP8<PipelineStages, ClusterShape, Schedule>,
                         MainloopSm90ArrayTmaGmmaWarpSpecialized<PipelineStages, ClusterShape, Schedule>>,
      std::conditional_t<promotes, MainloopSm90TmaGmmaWarpSpecializedFP8<PipelineStages, ClusterShape, Schedule>,
                         MainloopSm90TmaGmmaWarpSpecialized<PipelineStages, ClusterShape, Schedule>>>;
  using CollectiveOp =
      CollectiveMma<DispatchPolicy, TileShape, ElementA, StrideA, ElementB, StrideB, TiledMma, GmemTiledCopyA,
                    SmemLayoutAtomA, void, cute::identity, GmemTiledCopyB, SmemLayoutAtomB, void, cute::identity>;
};

}  // namespace cutlass::gemm::collective::detail

namespace cutlass::gemm::collective {

template <class ElementA, class GmemLayoutA, int AlignmentA, class ElementB, class GmemLayoutB, int AlignmentB,
          class ElementAccumulator, class TileShape_MNK, class ClusterShape_MNK, class StageCountType,
          class KernelScheduleType>
requires(detail::is_tma_schedule<KernelScheduleType>&& AlignmentA* cute::sizeof_bits_v<ElementA> % 128 == 0 &&
         AlignmentB * cute::sizeof_bits_v<ElementB> % 128 == 0 &&
         cute::sizeof_bits_v<ElementA> ==
             cute::sizeof_bits_v<ElementB>) struct CollectiveBuilder<arch::Sm90, arch::OpClassTensorOp, ElementA,
                                                                     GmemLayoutA, AlignmentA, ElementB, GmemLayoutB,
                                                                     AlignmentB, ElementAccumulator, TileShape_MNK,
                                                                     ClusterShape_MNK, StageCountType,
                                                                     KernelScheduleType, void>
    : detail::sm90_tma_builder<ElementA, GmemLayoutA, ElementB, GmemLayoutB, ElementAccumulator, TileShape_MNK,
                               ClusterShape_MNK, StageCountType, KernelScheduleType> {
};

}  // namespace cutlass::gemm::collective
