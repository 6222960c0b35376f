// The main loop of products whose matrices have addresses, and with groups extents and strides, in memory that only the GPU reads. The
// warp that loads makes the tensor maps of a group when it takes the group's first tile: it changes a copy of the kernel's own map in
// shared memory and publishes it in the workspace, from where its loads take it.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_desc.hpp"
#include "cutlass/gemm/collective/sm90_mma_tma_gmma_ss_warpspecialized.hpp"

namespace cutlass::gemm::collective {

namespace detail {

/// A map where a warp may publish it.
struct alignas(128) published_map {
  cute::TmaDescriptor map;
};

/// Strides: (M, K, batch) and (N, K, batch) of one matrix, or pointers to such, one for each group.
template <class DispatchPolicy_, bool PromotesSums, class TileShape_, class ElementA_, class StrideA_, class ElementB_,
          class StrideB_, class... Rest>
struct sm90_array_mainloop : sm90_tma_mainloop<DispatchPolicy_, PromotesSums, TileShape_, ElementA_,
                                               decltype(cute::take<0, 2>(std::remove_pointer_t<StrideA_>{})), ElementB_,
                                               decltype(cute::take<0, 2>(std::remove_pointer_t<StrideB_>{})), Rest...> {
  using Base = sm90_tma_mainloop<DispatchPolicy_, PromotesSums, TileShape_, ElementA_,
                                 decltype(cute::take<0, 2>(std::remove_pointer_t<StrideA_>{})), ElementB_,
                                 decltype(cute::take<0, 2>(std::remove_pointer_t<StrideB_>{})), Rest...>;
  using StrideOfMatrixA = typename Base::StrideA;  // (M, K)
  using StrideOfMatrixB = typename Base::StrideB;  // (N, K)
  using StrideA = StrideA_;
  using StrideB = StrideB_;
  using InternalStrideA = std::remove_pointer_t<StrideA>;
  using InternalStrideB = std::remove_pointer_t<StrideB>;
  using typename Base::ElementA;
  using typename Base::ElementB;
  using typename Base::MainloopPipeline;
  using typename Base::PipelineState;
  using typename Base::TileShape;
  static constexpr bool IsGroupedGemmKernel = std::is_pointer_v<StrideA>;
  static_assert(std::is_pointer_v<StrideA> == std::is_pointer_v<StrideB>,
                "CollectiveMma: A and B both have a stride for each group, or both one stride for all");

  /// A load that was started as many loads ago as there are stages has ended, so the map of as many groups ago is free.
  static constexpr int maps_of_block = DispatchPolicy_::Stages + 1;

  struct TensorStorage : Base::TensorStorage {
    published_map map_a, map_b;  // what the warp changes
  };
  struct SharedStorage {
    TensorStorage tensors;
    typename Base::PipelineStorage pipeline;
  };

  struct Arguments {
    ElementA const** ptr_A = nullptr;
    StrideA dA{};
    ElementB const** ptr_B = nullptr;
    StrideB dB{};
    std::uint32_t mma_promotion_interval = 4;
  };

#if TILEWRIGHT_HOSTED
  struct Params {
    typename Base::Params::TMA_A tma_load_a;
    typename Base::Params::TMA_B tma_load_b;
    published_map* maps = nullptr;  // of block b: maps_of_block of A, as many of B, from 2 * b * maps_of_block on
    ElementA const** ptr_A = nullptr;
    StrideA dA{};
    ElementB const** ptr_B = nullptr;
    StrideB dB{};
  };

  /// Bytes of the maps of so many blocks.
  static std::size_t get_workspace_size(std::size_t blocks) {
    return blocks * 2 * maps_of_block * sizeof(published_map);
  }
  /// pre: workspace has get_workspace_size(blocks) bytes and is aligned to 128
  template <class ProblemShape>
  static Params to_underlying_arguments(ProblemShape const&, Arguments const& args, void* workspace) {
    // The kernel's maps are of one tile; address, extents and strides are replaced before a load.
    using A = typename Base::InternalElementA;
    using B = typename Base::InternalElementB;
    constexpr int m = cute::size<0>(TileShape{}), n = cute::size<1>(TileShape{}), k = cute::size<2>(TileShape{});
    auto* const any_address = reinterpret_cast<void*>(std::uintptr_t{1} << 16);
    return {Base::tma_a(static_cast<A const*>(any_address), cute::make_shape(m, k), packed<StrideOfMatrixA>(m, k)),
            Base::tma_b(static_cast<B const*>(any_address), cute::make_shape(n, k), packed<StrideOfMatrixB>(n, k)),
            static_cast<published_map*>(workspace),
            args.ptr_A,
            args.dA,
            args.ptr_B,
            args.dB};
  }
  /// problem_shape: of one product
  template <class ProblemShape>
  static bool can_implement(ProblemShape const& problem_shape, Arguments const&) {
    return Base::can_implement(problem_shape, typename Base::Arguments{});
  }
  template <class Stride>
  static Stride packed(int rows, int columns) {
    Stride out{};
    if constexpr (cutlass::detail::is_major<0>(Stride{})) cute::get<1>(out) = rows;
    else cute::get<0>(out) = columns;
    return out;
  }
#endif

  /// Of block number `block` of the grid.
  template <class MainloopParams>
  CUTLASS_HOST_DEVICE void start_block(MainloopParams const& params, unsigned block) {
    maps_ = params.maps + std::size_t{block} * 2 * maps_of_block;
  }

  /// The k_tile_count stages of tile (m, n, _, group) of a problem (M, N, K, 1).
  /// pre: a whole warp calls it; one of its threads loads
  template <class MainloopParams, class Problem, class BlockCoord>
  CUTLASS_HOST_DEVICE void load_tile(MainloopParams const& params, MainloopPipeline& pipeline,
                                     PipelineState smem_pipe_write, Problem const& problem, BlockCoord const& coord,
                                     int k_tile_count, std::uint32_t block_rank_in_cluster,
                                     TensorStorage& shared_tensors) {
    using namespace cute;
    if (k_tile_count <= 0) return;
    int const group = get<3>(coord);
    if (group != group_) publish_maps(params, problem, group, shared_tensors);
    if (!elect_one_sync()) return;
    auto const [M, N, K, L] = problem;
    auto const mA = params.tma_load_a.get_tma_tensor(make_shape(M, K));  // (M,K)
    auto const mB = params.tma_load_b.get_tma_tensor(make_shape(N, K));  // (N,K)
    auto const gA = flat_divide(mA, select<0, 2>(TileShape{}));          // (BLK_M,BLK_K,m,k)
    auto const gB = flat_divide(mB, select<1, 2>(TileShape{}));          // (BLK_N,BLK_K,n,k)
    Base::load_stages(params, load_by_published_maps<MainloopParams>{params, *this}, pipeline, smem_pipe_write,
                      gA(_, _, get<0>(coord), _), gB(_, _, get<1>(coord), _), make_coord_iterator(k_tile_count),
                      k_tile_count, block_rank_in_cluster, shared_tensors);
  }

 private:
  using Barrier = typename Base::Barrier;
  CUTLASS_HOST_DEVICE cute::TmaDescriptor const* map_a() const { return &maps_[slot_].map; }
  CUTLASS_HOST_DEVICE cute::TmaDescriptor const* map_b() const { return &maps_[maps_of_block + slot_].map; }
  template <class MainloopParams>
  struct load_by_published_maps {
    MainloopParams const& params;
    sm90_array_mainloop const& loop;
    CUTLASS_HOST_DEVICE auto a(Barrier& barrier, std::uint16_t mask) const {
      return params.tma_load_a.with(loop.map_a(), barrier, mask);
    }
    CUTLASS_HOST_DEVICE auto b(Barrier& barrier, std::uint16_t mask) const {
      return params.tma_load_b.with(loop.map_b(), barrier, mask);
    }
  };

  template <class Stride, class Strides>
  CUTLASS_HOST_DEVICE static auto leading(Strides const& strides, int group) {
    if constexpr (std::is_pointer_v<Strides>) return leading<Stride>(strides[group], group);
    else return cutlass::detail::is_major<0>(Stride{}) ? cute::get<1>(strides) : cute::get<0>(strides);
  }
  /// The map of a matrix of rows x depth elements, of which `stride` elements are from one vector of contiguous ones to the next.
  template <class Stride, class Element>
  CUTLASS_HOST_DEVICE static void describe(cute::TmaDescriptor& map, Element const* address, int rows, int depth,
                                           std::int64_t stride) {
    constexpr bool rows_are_contiguous = cutlass::detail::is_major<0>(Stride{});
    cute::array<std::uint32_t, 2> const extents{static_cast<std::uint32_t>(rows_are_contiguous ? rows : depth),
                                                static_cast<std::uint32_t>(rows_are_contiguous ? depth : rows)};
    cute::array<std::uint64_t, 2> const strides{
        0, static_cast<std::uint64_t>(stride) * static_cast<unsigned>(cute::sizeof_bits_v<Element>) / 8};
    cute::tma_descriptor_replace_addr_in_shared_mem(map, address);
    tilewright::tma_descriptor_replace_dims_strides_in_shared_mem<2>(map, extents, strides);
  }
  /// pre: a whole warp calls it
  template <class MainloopParams, class Problem>
  CUTLASS_HOST_DEVICE void publish_maps(MainloopParams const& params, Problem const& problem, int group,
                                        TensorStorage& shared) {
    bool const is_leader = cute::elect_one_sync();
    bool const is_first = group_ < 0;
    group_ = group;
    slot_ = slot_ + 1 == maps_of_block ? 0 : slot_ + 1;
    if (is_leader) {
      if (is_first) {
        shared.map_a.map = *params.tma_load_a.get_tma_descriptor();
        shared.map_b.map = *params.tma_load_b.get_tma_descriptor();
      }
      int const depth = cute::get<2>(problem);
      describe<StrideOfMatrixA>(shared.map_a.map, params.ptr_A[group], cute::get<0>(problem), depth,
                                static_cast<std::int64_t>(leading<StrideOfMatrixA>(params.dA, group)));
      describe<StrideOfMatrixB>(shared.map_b.map, params.ptr_B[group], cute::get<1>(problem), depth,
                                static_cast<std::int64_t>(leading<StrideOfMatrixB>(params.dB, group)));
    }
#if TILEWRIGHT_ON_DEVICE
    __syncwarp();
    bool const publishes = true;  // the instruction is the whole warp's
#else
    bool const publishes = is_leader;
#endif
    if (publishes) {
      cute::tma_descriptor_cp_fence_release(map_a(), shared.map_a.map);
      cute::tma_descriptor_cp_fence_release(map_b(), shared.map_b.map);
      cute::tma_descriptor_fence_acquire(map_a());
      cute::tma_descriptor_fence_acquire(map_b());
    }
  }

  published_map* maps_ = nullptr;
  int group_ = -1;
  int slot_ = 0;
};

}  // namespace detail

template <int Stages, class ClusterShape, class Schedule, class TileShape, class ElementA, class StrideA,
          class ElementB, class StrideB, class TiledMma, class CopyA, class AtomA, class ToRegistersA, class TransformA,
          class CopyB, class AtomB, class ToRegistersB, class TransformB>
struct CollectiveMma<MainloopSm90ArrayTmaGmmaWarpSpecialized<Stages, ClusterShape, Schedule>, TileShape, ElementA,
                     StrideA, ElementB, StrideB, TiledMma, CopyA, AtomA, ToRegistersA, TransformA, CopyB, AtomB,
                     ToRegistersB, TransformB>
    : detail::sm90_array_mainloop<MainloopSm90ArrayTmaGmmaWarpSpecialized<Stages, ClusterShape, Schedule>, false,
                                  TileShape, ElementA, StrideA, ElementB, StrideB, TiledMma, CopyA, AtomA, ToRegistersA,
                                  TransformA, CopyB, AtomB, ToRegistersB, TransformB> {};
template <int Stages, class ClusterShape, class Schedule, class TileShape, class ElementA, class StrideA,
          class ElementB, class StrideB, class TiledMma, class CopyA, class AtomA, class ToRegistersA, class TransformA,
          class CopyB, class AtomB, class ToRegistersB, class TransformB>
struct CollectiveMma<MainloopSm90ArrayTmaGmmaWarpSpecializedFP8<Stages, ClusterShape, Schedule>, TileShape, ElementA,
                     StrideA, ElementB, StrideB, TiledMma, CopyA, AtomA, ToRegistersA, TransformA, CopyB, AtomB,
                     ToRegistersB, TransformB>
    : detail::sm90_array_mainloop<MainloopSm90ArrayTmaGmmaWarpSpecializedFP8<Stages, ClusterShape, Schedule>, true,
                                  TileShape, ElementA, StrideA, ElementB, StrideB, TiledMma, CopyA, AtomA, ToRegistersA,
                                  TransformA, CopyB, AtomB, ToRegistersB, TransformB> {};

}  // namespace cutlass::gemm::collective
