// What kernels written with CuTe take from the header of collective builders: what chooses layouts and copies. The builders
// themselves are CUTLASS's and not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/arch/barrier.h"
#include "cutlass/arch/memory.h"
#include "cutlass/cutlass.h"
#include "cutlass/gemm/collective/builders/sm100_common.inl"
#include "cutlass/gemm/collective/builders/sm120_common.inl"
#include "cutlass/gemm/collective/builders/sm90_common.inl"
#include "cutlass/numeric_types.h"
#include "cutlass/pipeline/pipeline.hpp"

namespace cutlass::gemm::collective {

/// A number of stages as a type; the other two leave it to a builder, which keeps so many bytes for something else.
template <int Stages>
struct StageCount {
  static constexpr int value = Stages;
  StageCount() = default;
  CUTLASS_HOST_DEVICE explicit constexpr StageCount(cute::Int<Stages>) {}
};
template <int Bytes>
struct StageCountAutoCarveout {
  static constexpr int bytes = Bytes;
  StageCountAutoCarveout() = default;
  CUTLASS_HOST_DEVICE explicit constexpr StageCountAutoCarveout(cute::Int<Bytes>) {}
};
using StageCountAuto = StageCountAutoCarveout<0>;
struct KernelScheduleAuto {};

}  // namespace cutlass::gemm::collective
