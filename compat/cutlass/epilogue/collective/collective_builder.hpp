// The builder of epilogues: CollectiveBuilder<arch::Sm90, …>::CollectiveOp computes a function of the sums and writes D: through shared
// memory and TMA where the schedule and the alignments let it, by threads otherwise.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/mma.h"
#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/epilogue/collective/functions_with_aux.hpp"
#include "cutlass/epilogue/collective/sm90_epilogue_by_threads.hpp"
#include "cutlass/epilogue/collective/sm90_epilogue_by_tma.hpp"
#include "cutlass/epilogue/dispatch_policy.hpp"
#include "cutlass/epilogue/fusion/operations.hpp"
#include "cutlass/epilogue/thread/linear_combination.h"

#include <numeric>

namespace cutlass::epilogue::collective {

// What leaves the choice to a builder.
struct EpilogueTileAuto {};
struct EpilogueScheduleAuto {};

namespace detail {
/// The fusions of fusion/operations.hpp say what they compute; trees of callbacks do not.
template <class Fusion>
inline constexpr bool is_known_fusion = std::is_base_of_v<fusion::FusionOperation, Fusion>;

/// The tree of a program's callbacks: of the class, or of what it says is its implementation.
template <class Callbacks>
struct tree_of_callbacks {
  using type = Callbacks;
};
template <class Callbacks>
requires requires { typename Callbacks::Impl; }
struct tree_of_callbacks<Callbacks> {
  using type = typename Callbacks::Impl;
};
/// Callbacks of a program's own come before what an operation derives from.
template <class Callbacks, class FusionOrTree, class ElementAccumulator, class ElementCompute, class ElementD>
constexpr auto function_of_elements() {
  if constexpr (requires { sizeof(Callbacks); })
    return std::type_identity<
        function_of_tree<typename tree_of_callbacks<Callbacks>::type, Callbacks, ElementCompute, ElementD>>{};
  else if constexpr (is_known_fusion<FusionOrTree>) {
    if constexpr (has_scales_or_aux<FusionOrTree>)
      return std::type_identity<function_with_aux<FusionOrTree, ElementD>>{};
    else return std::type_identity<function_of_fusion<FusionOrTree, ElementAccumulator, ElementD>>{};
  } else
    return std::type_identity<
        function_of_tree<typename tree_of_callbacks<FusionOrTree>::type, FusionOrTree, ElementCompute, ElementD>>{};
}

/// Is it a fusion of linear combinations without scales or vectors, and without callbacks of the program?
template <class Callbacks, class Fusion>
constexpr bool plain_fusion() {
  if constexpr (requires { sizeof(Callbacks); } || !is_known_fusion<Fusion>) return false;
  else return !has_scales_or_aux<Fusion> && !has_bias<Fusion>;
}
template <class Callbacks, class Fusion>
inline constexpr bool is_plain_fusion = plain_fusion<Callbacks, Fusion>();

/// Columns of the matrix operation that a builder of main loops chooses for a tile of so many: the most that divide them.
constexpr int columns_of_operation(int columns) {
  int n = columns < 256 ? columns : 256;
  while (n > 8 && (n % 8 != 0 || columns % n != 0)) --n;
  return n;
}
/// Columns of the pieces that go through shared memory: as the program says, or 32 (of bytes 64), or the most that divide the tile's.
template <class EpilogueTileType, class TileShape, class ElementD>
constexpr int columns_of_piece() {
  if constexpr (cute::is_tuple<EpilogueTileType>::value) {
    return static_cast<int>(cute::size<1>(EpilogueTileType{}));
  } else {
    constexpr int n = columns_of_operation(static_cast<int>(cute::size<1>(TileShape{})));
    return std::gcd(cute::sizeof_bits_v<ElementD> == 8 ? 64 : 32, n);
  }
}

/// The schedules of problems whose matrices have addresses of their own.
template <class Schedule>
inline constexpr bool is_array_schedule =
    std::is_same_v<Schedule, PtrArrayNoSmemWarpSpecialized> || std::is_same_v<Schedule, PtrArrayTmaWarpSpecialized> ||
    std::is_same_v<Schedule, PtrArrayTmaWarpSpecializedPingpong> ||
    std::is_same_v<Schedule, PtrArrayTmaWarpSpecializedCooperative>;

template <class TileShape, class EpilogueTileType, class ElementAccumulator, class ElementCompute, class ElementC_,
          class StrideC, int AlignmentC, class ElementD, class StrideD, int AlignmentD, class Schedule, class Fusion>
struct sm90_epilogue_builder {
  static_assert(!(std::is_pointer_v<StrideC> || std::is_pointer_v<StrideD>),
                "CollectiveBuilder: layouts of groups (pointers to tags) need a schedule PtrArray...");
  static constexpr bool is_auto = std::is_same_v<Schedule, EpilogueScheduleAuto>;
  static constexpr bool is_tma = is_auto || std::is_same_v<Schedule, TmaWarpSpecialized> ||
                                 std::is_same_v<Schedule, TmaWarpSpecializedCooperative>;
  static constexpr int columns = columns_of_piece<EpilogueTileType, TileShape, ElementD>();
  using ElementC = std::conditional_t<std::is_void_v<ElementC_>, ElementD, ElementC_>;
  template <class Element, class Stride, int Alignment>
  static constexpr bool fits() {
    if constexpr (!tma_moves<Element, Stride, Alignment>()) return false;
    else
      return columns % 8 == 0 &&
             (is_m_major<Stride>() || columns * static_cast<int>(cute::sizeof_bits_v<Element>) % 128 == 0);
  }
  static constexpr bool stores_by_tma =
      is_tma && static_cast<int>(cute::size<0>(TileShape{})) % 64 == 0 && fits<ElementD, StrideD, AlignmentD>();
  static constexpr bool loads_by_tma = stores_by_tma && fits<ElementC, StrideC, AlignmentC>();
  static constexpr int rows = std::is_same_v<Schedule, TmaWarpSpecializedCooperative> ? 128 : 64;
  using EpilogueTile = std::conditional_t<stores_by_tma, cute::Shape<cute::Int<rows>, cute::Int<columns>>,
                                          decltype(cute::take<0, 2>(TileShape{}))>;
  using Callbacks = fusion::FusionCallbacks<
      Sm90TmaWarpSpecialized<loads_by_tma ? piece_stages : 0, piece_stages, columns / 2, false, false>, Fusion,
      TileShape, EpilogueTile>;
  using Function =
      typename decltype(function_of_elements<Callbacks, Fusion, ElementAccumulator, ElementCompute, ElementD>())::type;
  using Types = epilogue_of_function<Schedule, TileShape, EpilogueTile, ElementAccumulator, ElementC_, StrideC,
                                     ElementD, StrideD, AlignmentD, Function>;
  static auto chosen() {
#if TILEWRIGHT_HOSTED
    if constexpr (stores_by_tma) return std::type_identity<epilogue_by_tma<Types, columns, loads_by_tma, is_auto>>{};
    else
#endif
      return std::type_identity<epilogue_by_threads<Types>>{};
  }
  using CollectiveOp = typename decltype(chosen())::type;
};

/// Problems with addresses of their own: D is written by threads, whatever the schedule.
template <class TileShape, class EpilogueTileType, class ElementAccumulator, class ElementCompute, class ElementC_,
          class StrideC, int AlignmentC, class ElementD, class StrideD, int AlignmentD, class Schedule, class Fusion>
requires is_array_schedule<Schedule>
struct sm90_epilogue_builder<TileShape, EpilogueTileType, ElementAccumulator, ElementCompute, ElementC_, StrideC,
                             AlignmentC, ElementD, StrideD, AlignmentD, Schedule, Fusion> {
  using EpilogueTile = decltype(cute::take<0, 2>(TileShape{}));
  using Callbacks = fusion::FusionCallbacks<
      Sm90PtrArrayTmaWarpSpecialized<0, piece_stages, 16, false, false, cute::size<0>(TileShape{}) >= 128 ? 2 : 1>,
      Fusion, TileShape, EpilogueTile>;
  static constexpr auto function() {
    if constexpr (is_plain_fusion<Callbacks, Fusion>)
      return std::type_identity<function_of_fusion<of_problems<Fusion>, ElementAccumulator, ElementD>>{};
    else return function_of_elements<Callbacks, Fusion, ElementAccumulator, ElementCompute, ElementD>();
  }
  using Types = epilogue_of_function<Schedule, TileShape, EpilogueTile, ElementAccumulator, ElementC_,
                                     std::remove_pointer_t<StrideC>, ElementD, std::remove_pointer_t<StrideD>,
                                     AlignmentD, typename decltype(function())::type>;
  using CollectiveOp = epilogue_of_problems_by_threads<Types, StrideC, StrideD>;
};
}  // namespace detail

template <class ArchTag, class OpClass, class TileShape_MNK, class ClusterShape_MNK, class EpilogueTileType,
          class ElementAccumulator, class ElementCompute, class ElementC, class GmemLayoutTagC, int AlignmentC,
          class ElementD, class GmemLayoutTagD, int AlignmentD, class EpilogueScheduleType,
          class FusionOpOrCallbacks = fusion::LinearCombination<ElementD, ElementCompute, ElementC, ElementCompute>,
          class Enable = void>
struct CollectiveBuilder {
  static_assert(
      cutlass::detail::dependent_false<ArchTag>,
      "CollectiveBuilder: epilogues are those of Sm90, of the operations of epilogue/fusion/operations.hpp and of "
      "trees of epilogue/fusion/sm90_visitors.hpp; use one of these");
};

/// D through shared memory and TMA: TmaWarpSpecialized, TmaWarpSpecializedCooperative, and EpilogueScheduleAuto where addresses and
/// strides are multiples of 16 bytes. By threads: other schedules, alignments of less than 16 bytes.
template <class OpClass, class TileShape_MNK, class ClusterShape_MNK, class EpilogueTileType, class ElementAccumulator,
          class ElementCompute, class ElementC, class GmemLayoutTagC, int AlignmentC, class ElementD,
          class GmemLayoutTagD, int AlignmentD, class EpilogueScheduleType, class Fusion>
requires(detail::is_known_fusion<Fusion> || fusion::is_visitor_tree<Fusion>) struct CollectiveBuilder<
    arch::Sm90, OpClass, TileShape_MNK, ClusterShape_MNK, EpilogueTileType, ElementAccumulator, ElementCompute,
    ElementC, GmemLayoutTagC, AlignmentC, ElementD, GmemLayoutTagD, AlignmentD, EpilogueScheduleType, Fusion, void> {
  using CollectiveOp =
      typename detail::sm90_epilogue_builder<TileShape_MNK, EpilogueTileType, ElementAccumulator, ElementCompute,
                                             ElementC, cutlass::detail::TagToStrideC_t<GmemLayoutTagC>, AlignmentC,
                                             ElementD, cutlass::detail::TagToStrideC_t<GmemLayoutTagD>, AlignmentD,
                                             EpilogueScheduleType, Fusion>::CollectiveOp;
};

}  // namespace cutlass::epilogue::collective
