// The parts of a main loop for sm_100 out of which kernels make their own: the tiled operation, the layouts of its operands in shared
// memory, their loads by TMA. The loop itself is the kernel's: PipelineTmaUmmaAsync and cute::gemm.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/copy_traits_sm100_tma.hpp"
#include "cute/atom/mma_traits_sm100.hpp"
#include "cute/tensor.hpp"
#include "cutlass/detail/layout.hpp"
#include "cutlass/gemm/collective/collective_mma_decl.hpp"
#include "cutlass/gemm/collective/operands_by_tma.hpp"
#include "cutlass/gemm/dispatch_policy.hpp"
#include "cutlass/numeric_types.h"
#include "cutlass/pipeline/sm100_pipeline.hpp"

namespace cutlass::gemm::collective {

template <int Stages, int SchedulerStages, int AccumulatorStages, class ClusterShape_, class TileShape_,
          class ElementA_, class StrideA_, class ElementB_, class StrideB_, class TiledMma_, class GmemTiledCopyA_,
          class SmemLayoutAtomA_, class SmemCopyAtomA_, class TransformA_, class GmemTiledCopyB_,
          class SmemLayoutAtomB_, class SmemCopyAtomB_, class TransformB_>
struct CollectiveMma<MainloopSm100TmaUmmaWarpSpecialized<Stages, SchedulerStages, AccumulatorStages, ClusterShape_>,
                     TileShape_, ElementA_, StrideA_, ElementB_, StrideB_, TiledMma_, GmemTiledCopyA_, SmemLayoutAtomA_,
                     SmemCopyAtomA_, TransformA_, GmemTiledCopyB_, SmemLayoutAtomB_, SmemCopyAtomB_, TransformB_> {
  using DispatchPolicy = MainloopSm100TmaUmmaWarpSpecialized<Stages, SchedulerStages, AccumulatorStages, ClusterShape_>;
  using TileShape = TileShape_;
  using ClusterShape = ClusterShape_;
  using ElementA = ElementA_;
  using StrideA = StrideA_;
  using ElementB = ElementB_;
  using StrideB = StrideB_;
  using TiledMma = TiledMma_;
  using AtomThrShapeMNK = cute::Shape<decltype(cute::shape<0>(typename TiledMma::ThrLayoutVMNK{})), cute::_1, cute::_1>;
  using CtaShape_MNK = decltype(cute::shape_div(TileShape{}, AtomThrShapeMNK{}));
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
  using MainloopPipeline = cutlass::PipelineTmaUmmaAsync<Stages, ClusterShape, AtomThrShapeMNK>;
  using MainloopPipelineState = typename MainloopPipeline::PipelineState;

  // Operands as the operation takes them: ((AtomMN, AtomK), RestMN, RestK), of one block.
  using MmaShapeA_MK = decltype(cute::partition_shape_A(
      TiledMma{}, cute::make_shape(cute::size<0>(TileShape{}), cute::size<2>(TileShape{}))));
  using MmaShapeB_NK = decltype(cute::partition_shape_B(
      TiledMma{}, cute::make_shape(cute::size<1>(TileShape{}), cute::size<2>(TileShape{}))));
  using SmemLayoutA = decltype(cute::UMMA::tile_to_mma_shape(
      SmemLayoutAtomA{}, cute::append(MmaShapeA_MK{}, cute::Int<Stages>{}), detail::order_of_stages<StrideA>{}));
  using SmemLayoutB = decltype(cute::UMMA::tile_to_mma_shape(
      SmemLayoutAtomB{}, cute::append(MmaShapeB_NK{}, cute::Int<Stages>{}), detail::order_of_stages<StrideB>{}));
  using InternalElementA = detail::multiplied_element<ElementA>;
  using InternalElementB = detail::multiplied_element<ElementB>;

  using SharedStorage = detail::storage_of_stages<ElementA, SmemLayoutA, ElementB, SmemLayoutB, MainloopPipeline>;
  using TensorStorage = typename SharedStorage::TensorStorage;
  using PipelineStorage = typename SharedStorage::PipelineStorage;

  /// Of all blocks of a product.
  static constexpr std::uint32_t TmaTransactionBytes =
      static_cast<std::uint32_t>(cute::size(AtomThrShapeMNK{})) *
      (detail::bytes_of_stage<ElementA, SmemLayoutA> + detail::bytes_of_stage<ElementB, SmemLayoutB>);

  struct Arguments {
    ElementA const* ptr_A = nullptr;
    StrideA dA{};
    ElementB const* ptr_B = nullptr;
    StrideB dB{};
  };

#if TILEWRIGHT_HOSTED
  using ClusterLayout_VMNK = decltype(cute::tiled_divide(
      cute::make_layout(ClusterShape{}), cute::make_tile(cute::shape<0>(typename TiledMma::ThrLayoutVMNK{}))));
  template <class Shape>
  static auto tma_a(InternalElementA const* data, Shape const& shape, StrideA const& stride) {
    return cute::make_tma_atom_A_sm100(GmemTiledCopyA{}, cute::make_tensor(cute::make_gmem_ptr(data), shape, stride),
                                       SmemLayoutA{}(cute::_, cute::_, cute::_, cute::_0{}), TileShape{}, TiledMma{},
                                       ClusterLayout_VMNK{});
  }
  template <class Shape>
  static auto tma_b(InternalElementB const* data, Shape const& shape, StrideB const& stride) {
    return cute::make_tma_atom_B_sm100(GmemTiledCopyB{}, cute::make_tensor(cute::make_gmem_ptr(data), shape, stride),
                                       SmemLayoutB{}(cute::_, cute::_, cute::_, cute::_0{}), TileShape{}, TiledMma{},
                                       ClusterLayout_VMNK{});
  }
  struct Params {
    using TMA_A = decltype(tma_a(nullptr, cute::repeat_like(StrideA{}, std::int32_t(0)), StrideA{}));
    using TMA_B = decltype(tma_b(nullptr, cute::repeat_like(StrideB{}, std::int32_t(0)), StrideB{}));
    TMA_A tma_load_a;
    TMA_B tma_load_b;
  };

  /// problem_shape: (M, N, K) or (M, N, K, batch)
  template <class ProblemShape, class... HardwareInfo>
  static Params to_underlying_arguments(ProblemShape const& problem_shape, Arguments const& args, void* = nullptr,
                                        HardwareInfo const&...) {
    return detail::loads_of_operands<CollectiveMma>(problem_shape, args);
  }
  template <class MainloopParams>
  CUTLASS_HOST_DEVICE static void prefetch_tma_descriptors(MainloopParams const& mainloop_params) {
    detail::prefetch_maps_of_operands(mainloop_params);
  }
#endif
};

}  // namespace cutlass::gemm::collective
