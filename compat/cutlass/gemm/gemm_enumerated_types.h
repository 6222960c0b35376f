// How a matrix product is split or repeated, by CUTLASS's names.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

namespace cutlass::gemm {

enum class GemmUniversalMode { kGemm, kGemmSplitKParallel, kBatched, kArray, kGrouped, kInvalid };
enum class SharedMemoryClearOption { kNone, kZfill, kClearLastStage };

}  // namespace cutlass::gemm
