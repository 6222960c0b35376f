// The matrix operations that SM90 has: those of warps, and those of a warpgroup with what selects one.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm80.hpp"
#include "cute/arch/mma_sm90_gmma.hpp"
#include "cute/arch/mma_sm90_gmma_sparse.hpp"
#include "tilewright/mma/gmma_selectors.hpp"
#if defined(CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED)
#include "cute/arch/mma_sm90_gmma_ext.hpp"
#include "cute/arch/mma_sm90_gmma_sparse_ext.hpp"
#endif

namespace cute::SM90::GMMA {

// CuTe selects among N of 8, 16, 32, 64, 96, 128, 192 and 256 unless the program asks for all.
#if defined(CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED)
inline constexpr bool has_common_shapes_alone = false;
#else
inline constexpr bool has_common_shapes_alone = true;
#endif

template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major MajorA = Major::K,
          Major MajorB = Major::K, auto... Args>
CUTE_HOST_DEVICE constexpr auto ss_op_selector() {
  return tilewright::detail::select_gmma<true, has_common_shapes_alone, tilewright::detail::gmma_element<ElementA>,
                                         tilewright::detail::gmma_element<ElementB>, ElementC, TileShape_MNK, MajorA,
                                         MajorB, Args...>();
}
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major MajorA = Major::K,
          Major MajorB = Major::K, auto... Args>
CUTE_HOST_DEVICE constexpr auto rs_op_selector() {
  return tilewright::detail::select_gmma<false, has_common_shapes_alone, tilewright::detail::gmma_element<ElementA>,
                                         tilewright::detail::gmma_element<ElementB>, ElementC, TileShape_MNK, MajorA,
                                         MajorB, Args...>();
}
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major MajorA = Major::K,
          Major MajorB = Major::K, auto... Args>
CUTE_HOST_DEVICE constexpr auto ss_op_selector_sparse() {
  return tilewright::detail::select_sparse_gmma<
      true, has_common_shapes_alone, tilewright::detail::gmma_element<ElementA>,
      tilewright::detail::gmma_element<ElementB>, ElementC, TileShape_MNK, MajorA, MajorB, Args...>();
}
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major MajorA = Major::K,
          Major MajorB = Major::K, auto... Args>
CUTE_HOST_DEVICE constexpr auto rs_op_selector_sparse() {
  return tilewright::detail::select_sparse_gmma<
      false, has_common_shapes_alone, tilewright::detail::gmma_element<ElementA>,
      tilewright::detail::gmma_element<ElementB>, ElementC, TileShape_MNK, MajorA, MajorB, Args...>();
}

}  // namespace cute::SM90::GMMA
