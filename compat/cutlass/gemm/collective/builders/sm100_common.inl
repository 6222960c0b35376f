// What chooses layouts of shared memory, TMA copies and products for Blackwell's matrix operations (sm_100a).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm100_umma.hpp"
#include "cute/arch/tmem_allocator_sm100.hpp"
#include "cute/atom/copy_traits_sm100_tma.hpp"
#include "cute/atom/mma_traits_sm100.hpp"
#include "cute/tensor.hpp"
#include "cutlass/arch/arch.h"
#include "cutlass/detail/dependent_false.hpp"
#include "cutlass/detail/layout.hpp"
#include "cutlass/fast_math.h"
#include "cutlass/gemm/collective/builders/sm90_common.inl"
#include "cutlass/gemm/gemm.h"
#include "cutlass/layout/matrix.h"
#include "cutlass/numeric_types.h"
#include "cutlass/pipeline/pipeline.hpp"
#include "cutlass/platform/platform.h"

namespace cutlass::gemm::collective::detail {

/// The layout with the widest swizzle whose atom divides a tile of (BLK_MN, BLK_K), or the first modes of these.
template <cute::UMMA::Major major, class ElementType, class BLK_MN, class BLK_K>
CUTLASS_HOST_DEVICE constexpr auto sm100_smem_selector() {
  using namespace cute;
  constexpr bool along_mn = major == UMMA::Major::MN;
  constexpr int mn = size<0>(BLK_MN{}), k = size<0>(BLK_K{});
  constexpr int along = along_mn ? mn : k, across = along_mn ? k : mn;
  static_assert(across % 8 == 0, "sm100_smem_selector: the tile's other extent must be a multiple of 8");
  constexpr int row_bits = sizeof_bits_v<ElementType> * along;
  static_assert(row_bits % 128 == 0, "sm100_smem_selector: rows of the tile must be a multiple of 16 bytes");
  if constexpr (along_mn && sizeof_bits_v<ElementType> == 32 && row_bits % 1024 == 0)
    return UMMA::Layout_MN_SW128_32B_Atom<ElementType>{};
  else if constexpr (along_mn && row_bits % 1024 == 0) return UMMA::Layout_MN_SW128_Atom<ElementType>{};
  else if constexpr (along_mn && row_bits % 512 == 0) return UMMA::Layout_MN_SW64_Atom<ElementType>{};
  else if constexpr (along_mn && row_bits % 256 == 0) return UMMA::Layout_MN_SW32_Atom<ElementType>{};
  else if constexpr (along_mn) return UMMA::Layout_MN_INTER_Atom<ElementType>{};
  else if constexpr (row_bits % 1024 == 0) return UMMA::Layout_K_SW128_Atom<ElementType>{};
  else if constexpr (row_bits % 512 == 0) return UMMA::Layout_K_SW64_Atom<ElementType>{};
  else if constexpr (row_bits % 256 == 0) return UMMA::Layout_K_SW32_Atom<ElementType>{};
  else return UMMA::Layout_K_INTER_Atom<ElementType>{};
}

/// The load of a tile that other blocks share or do not, by one block or by two of a product.
template <bool Shares, class AtomThrId>
CUTLASS_HOST_DEVICE constexpr auto sm100_tma_atom() {
  constexpr int blocks = cute::size(AtomThrId{});
  static_assert(blocks == 1 || blocks == 2, "sm100_cluster_shape_to_tma_atom: one or two blocks compute a product");
  if constexpr (blocks == 1 && !Shares) return cute::SM90_TMA_LOAD{};
  else if constexpr (blocks == 1) return cute::SM90_TMA_LOAD_MULTICAST{};
  else if constexpr (!Shares) return cute::SM100_TMA_2SM_LOAD{};
  else return cute::SM100_TMA_2SM_LOAD_MULTICAST{};
}
/// Has a mode of the cluster more blocks than `Blocks`, or a number that is known at run time alone?
template <int Mode, int Blocks, class ClusterShape>
inline constexpr bool sm100_shares_tiles = [] {
  using Extent = std::remove_cvref_t<decltype(cute::size<Mode>(std::declval<ClusterShape const&>()))>;
  if constexpr (cute::is_static<Extent>::value) return static_cast<int>(Extent::value) > Blocks;
  else return true;
}();
/// Of A, whose tile the blocks along N share.
template <class ClusterShapeMNK, class AtomThrId>
CUTLASS_HOST_DEVICE constexpr auto sm100_cluster_shape_to_tma_atom_A(ClusterShapeMNK, AtomThrId) {
  return sm100_tma_atom<sm100_shares_tiles<1, 1, ClusterShapeMNK>, AtomThrId>();
}
/// Of B, whose tile the blocks along M share that compute different products.
template <class ClusterShapeMNK, class AtomThrId>
CUTLASS_HOST_DEVICE constexpr auto sm100_cluster_shape_to_tma_atom_B(ClusterShapeMNK, AtomThrId) {
  return sm100_tma_atom<sm100_shares_tiles<0, static_cast<int>(cute::size(AtomThrId{})), ClusterShapeMNK>, AtomThrId>();
}
/// Of B's factors, which every block along M has.
template <class ClusterShapeMNK, class AtomThrId>
CUTLASS_HOST_DEVICE constexpr auto sm100_cluster_shape_to_tma_atom_SFB(ClusterShapeMNK, AtomThrId) {
  return sm100_tma_atom<sm100_shares_tiles<0, 1, ClusterShapeMNK>, AtomThrId>();
}

/// The kind of product that multiplies elements of these types.
enum class sm100_kind { f16, tf32, i8, f8f6f4 };
template <class A>
inline constexpr sm100_kind sm100_kind_of =
    std::is_same_v<A, cute::half_t> || std::is_same_v<A, cute::bfloat16_t> ? sm100_kind::f16
    : std::is_same_v<A, cute::tfloat32_t> || std::is_same_v<A, float>      ? sm100_kind::tf32
    : std::is_same_v<A, std::int8_t> || std::is_same_v<A, std::uint8_t>    ? sm100_kind::i8
                                                                           : sm100_kind::f8f6f4;

/// A product of one block of (M, N) of the tile, or of two.
template <class ElementAMma, class ElementBMma, class ElementAMmaccumulator, class TileShape_MNK,
          class ClusterShape_MNK, cute::UMMA::Major UmmaMajorA, cute::UMMA::Major UmmaMajorB,
          cute::UMMA::ScaleIn ANeg = cute::UMMA::ScaleIn::One, cute::UMMA::ScaleIn BNeg = cute::UMMA::ScaleIn::One>
constexpr auto sm100_make_1sm_trivial_tiled_mma() {
  using namespace cute;
  constexpr int M = size<0>(TileShape_MNK{}), N = size<1>(TileShape_MNK{});
  using A = ElementAMma;
  using B = ElementBMma;
  using D = ElementAMmaccumulator;
  constexpr sm100_kind kind = sm100_kind_of<A>;
  if constexpr (kind == sm100_kind::f16)
    return make_tiled_mma(SM100_MMA_F16BF16_SS<A, B, D, M, N, UmmaMajorA, UmmaMajorB, ANeg, BNeg>{});
  else if constexpr (kind == sm100_kind::tf32)
    return make_tiled_mma(SM100_MMA_TF32_SS<A, B, D, M, N, UmmaMajorA, UmmaMajorB, ANeg, BNeg>{});
  else if constexpr (kind == sm100_kind::i8)
    return make_tiled_mma(SM100_MMA_S8_SS<A, B, D, M, N, UmmaMajorA, UmmaMajorB>{});
  else return make_tiled_mma(SM100_MMA_F8F6F4_SS<A, B, D, M, N, UmmaMajorA, UmmaMajorB, ANeg, BNeg>{});
}
template <class ElementAMma, class ElementBMma, class ElementAMmaccumulator, class TileShape_MNK,
          class ClusterShape_MNK, cute::UMMA::Major UmmaMajorA, cute::UMMA::Major UmmaMajorB,
          cute::UMMA::ScaleIn ANeg = cute::UMMA::ScaleIn::One, cute::UMMA::ScaleIn BNeg = cute::UMMA::ScaleIn::One>
constexpr auto sm100_make_2sm_trivial_tiled_mma() {
  using namespace cute;
  constexpr int M = size<0>(TileShape_MNK{}), N = size<1>(TileShape_MNK{});
  using A = ElementAMma;
  using B = ElementBMma;
  using D = ElementAMmaccumulator;
  constexpr sm100_kind kind = sm100_kind_of<A>;
  if constexpr (kind == sm100_kind::f16)
    return make_tiled_mma(SM100_MMA_F16BF16_2x1SM_SS<A, B, D, M, N, UmmaMajorA, UmmaMajorB, ANeg, BNeg>{});
  else if constexpr (kind == sm100_kind::tf32)
    return make_tiled_mma(SM100_MMA_TF32_2x1SM_SS<A, B, D, M, N, UmmaMajorA, UmmaMajorB, ANeg, BNeg>{});
  else if constexpr (kind == sm100_kind::i8)
    return make_tiled_mma(SM100_MMA_S8_2x1SM_SS<A, B, D, M, N, UmmaMajorA, UmmaMajorB>{});
  else return make_tiled_mma(SM100_MMA_F8F6F4_2x1SM_SS<A, B, D, M, N, UmmaMajorA, UmmaMajorB, ANeg, BNeg>{});
}

}  // namespace cutlass::gemm::collective::detail
