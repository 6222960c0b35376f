// The main loop that a dispatch policy names.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout.hpp"
#include "cute/numeric/integral_constant.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/dependent_false.hpp"

namespace cutlass::gemm::collective {

/// Those of MainloopSm90TmaGmmaWarpSpecialized, MainloopSm90ArrayTmaGmmaWarpSpecialized and MainloopSm100TmaUmmaWarpSpecialized are here.
template <class DispatchPolicy, class TileShape, class ElementA, class StrideA, class ElementB, class StrideB,
          class TiledMma, class GmemTiledCopyA, class SmemLayoutAtomA, class SmemCopyAtomA, class TransformA,
          class GmemTiledCopyB, class SmemLayoutAtomB, class SmemCopyAtomB, class TransformB>
struct CollectiveMma {
  static_assert(cutlass::detail::dependent_false<ElementA>,
                "CollectiveMma: main loops are those of MainloopSm90TmaGmmaWarpSpecialized, "
                "MainloopSm90ArrayTmaGmmaWarpSpecialized, the ...FP8 of both and MainloopSm100TmaUmmaWarpSpecialized; "
                "use one of these");
};

}  // namespace cutlass::gemm::collective

namespace cutlass::detail {
/// Extents as 32-bit numbers, constants too, with the modes that they have.
template <class Extents>
CUTLASS_HOST_DEVICE constexpr auto extents_of_tensor(Extents const& extents) {
  return cute::transform_leaf(extents, [](auto const& x) { return static_cast<std::int32_t>(x); });
}
}  // namespace cutlass::detail
