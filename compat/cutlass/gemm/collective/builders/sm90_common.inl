// What chooses layouts of shared memory and TMA copies for the operands of a warpgroup's products (sm_90).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/copy_traits_sm90_tma.hpp"
#include "cute/atom/mma_traits_sm90_gmma.hpp"
#include "cutlass/arch/arch.h"
#include "cutlass/cutlass.h"
#include "cutlass/detail/layout.hpp"
#include "cutlass/numeric_types.h"

namespace cutlass::gemm::collective::detail {

/// The layout with the widest swizzle whose atom divides rows of so many bits.
template <cute::GMMA::Major major, class ElementType, int RowBits>
CUTLASS_HOST_DEVICE constexpr auto widest_swizzle() {
  using namespace cute;
  if constexpr (RowBits % 1024 == 0) return GMMA::Layout_SW128_Atom<ElementType, major>{};
  else if constexpr (RowBits % 512 == 0) return GMMA::Layout_SW64_Atom<ElementType, major>{};
  else if constexpr (RowBits % 256 == 0) return GMMA::Layout_SW32_Atom<ElementType, major>{};
  else return GMMA::Layout_INTER_Atom<ElementType, major>{};
}

/// The layout with the widest swizzle whose atom divides a tile of (BLK_MN, BLK_K).
template <cute::GMMA::Major major, class ElementType, class BLK_MN, class BLK_K>
CUTLASS_HOST_DEVICE constexpr auto ss_smem_selector() {
  using namespace cute;
  constexpr int mn = size<0>(BLK_MN{}), k = size<0>(BLK_K{}), along = major == GMMA::Major::MN ? mn : k;
  constexpr int across = major == GMMA::Major::MN ? k : mn;
  static_assert(across % 8 == 0, "ss_smem_selector: the tile's other extent must be a multiple of 8");
  constexpr int row_bits = sizeof_bits_v<ElementType> * along;
  static_assert(row_bits % 128 == 0, "ss_smem_selector: rows of the tile must be a multiple of 16 bytes");
  return widest_swizzle<major, ElementType, row_bits>();
}

/// The same where the other operand is in registers. IsTransposed: the warpgroup transposes this one, which is MN-major, before its
/// products; the swizzle is then the one that the transposition of elements of so many bits takes.
template <cute::GMMA::Major major, class ElementType, class BLK_MN, class BLK_K, bool IsTransposed = false>
CUTLASS_HOST_DEVICE constexpr auto rs_smem_selector() {
  using namespace cute;
  constexpr int bits = sizeof_bits_v<ElementType>;
  if constexpr (!IsTransposed || major == GMMA::Major::K || bits == 16) {
    return ss_smem_selector<major, ElementType, BLK_MN, BLK_K>();
  } else if constexpr (bits == 32) {
    return GMMA::Layout_MN_SW32_Atom<ElementType>{};
  } else {
    static_assert(bits == 8 && size<0>(BLK_MN{}) % 128 == 0,
                  "rs_smem_selector: transposed elements have 8, 16 or 32 bits; those of 8 are in rows of 128");
    return GMMA::Layout_MN_SW128_Atom<ElementType>{};
  }
}

inline constexpr int tma_alignment_bytes = 16;
/// Are accesses of so many elements of A and of B a multiple of RequiredAlignment bytes?
template <class ElementA, int AlignmentA, class ElementB, int AlignmentB, int RequiredAlignment>
CUTLASS_HOST_DEVICE constexpr bool is_aligned() {
  return static_cast<int>(cute::sizeof_bits_v<ElementA>) * AlignmentA % (8 * RequiredAlignment) == 0 &&
         static_cast<int>(cute::sizeof_bits_v<ElementB>) * AlignmentB % (8 * RequiredAlignment) == 0;
}
template <class ElementA, class ElementB>
CUTLASS_HOST_DEVICE constexpr bool is_input_fp8() {
  constexpr bool a = std::is_same_v<ElementA, float_e4m3_t> || std::is_same_v<ElementA, float_e5m2_t>;
  constexpr bool b = std::is_same_v<ElementB, float_e4m3_t> || std::is_same_v<ElementB, float_e5m2_t>;
  return a && b;
}

/// The major modes of operands in shared memory, by their layouts in global memory.
template <class ElementA, class LayoutA>
CUTLASS_HOST_DEVICE constexpr cute::GMMA::Major gmma_ss_tag_to_major_A() {
  constexpr bool along_m = cutlass::detail::is_major<0>(cutlass::detail::TagToStrideA_t<LayoutA>{});
  return along_m ? cute::GMMA::Major::MN : cute::GMMA::Major::K;
}
template <class ElementB, class LayoutB>
CUTLASS_HOST_DEVICE constexpr cute::GMMA::Major gmma_ss_tag_to_major_B() {
  constexpr bool along_n = cutlass::detail::is_major<0>(cutlass::detail::TagToStrideB_t<LayoutB>{});
  return along_n ? cute::GMMA::Major::MN : cute::GMMA::Major::K;
}
/// Do the warpgroup's operations not read these operands from shared memory? They take elements of other than 16 bits K-major alone,
/// and of A and B as many bits.
template <class ElementA, class LayoutA, class ElementB, class LayoutB>
CUTLASS_HOST_DEVICE constexpr bool is_use_rmem_A() {
  constexpr int bits_a = cute::sizeof_bits_v<ElementA>, bits_b = cute::sizeof_bits_v<ElementB>;
  constexpr bool along_k = gmma_ss_tag_to_major_A<ElementA, LayoutA>() == cute::GMMA::Major::K &&
                           gmma_ss_tag_to_major_B<ElementB, LayoutB>() == cute::GMMA::Major::K;
  return bits_a != bits_b || (bits_a != 16 && !along_k);
}

/// The TMA load of one operand, whose tile the blocks of so many of the cluster's rows or columns share.
template <class UnimodalClusterShape>
CUTLASS_HOST_DEVICE constexpr auto sm90_cluster_shape_to_tma_atom(UnimodalClusterShape) {
  if constexpr (cute::size(UnimodalClusterShape{}) == 1) return cute::SM90_TMA_LOAD{};
  else return cute::SM90_TMA_LOAD_MULTICAST{};
}

/// The copy of a tile of (TileMN, TileK) between global and shared memory by an atom such as cp.async's: accesses of `Alignment`
/// elements along the mode that is contiguous, as many threads along it as it has accesses, the others along the other mode.
/// StrideType: of the tensor in global memory, whose contiguous mode has stride 1
template <class CopyAtom, int ThreadCount, int Alignment, class StrideType, class TileMN, class TileK>
CUTLASS_HOST_DEVICE constexpr auto make_simt_gmem_tiled_copy() {
  using namespace cute;
  constexpr bool along_k = cutlass::detail::is_major<1>(StrideType{});
  constexpr int along = along_k ? size(TileK{}) : size(TileMN{}), across = along_k ? size(TileMN{}) : size(TileK{});
  static_assert(along % Alignment == 0, "make_simt_gmem_tiled_copy: an access must divide the tile's contiguous mode");
  constexpr int major = along / Alignment < ThreadCount ? along / Alignment : ThreadCount, minor = ThreadCount / major;
  static_assert(minor * major == ThreadCount && across % minor == 0 && along % (major * Alignment) == 0,
                "make_simt_gmem_tiled_copy: the threads must divide the tile");
  if constexpr (along_k)
    return make_tiled_copy(CopyAtom{}, Layout<Shape<Int<minor>, Int<major>>, Stride<Int<major>, _1>>{},
                           Layout<Shape<_1, Int<Alignment>>>{});
  else return make_tiled_copy(CopyAtom{}, Layout<Shape<Int<major>, Int<minor>>>{}, Layout<Shape<Int<Alignment>, _1>>{});
}

}  // namespace cutlass::gemm::collective::detail
