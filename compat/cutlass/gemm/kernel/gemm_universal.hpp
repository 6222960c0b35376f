// Kernels that multiply matrices: GemmUniversal<Shape<int, int, int, int>, CollectiveMainloop, CollectiveEpilogue>.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/gemm/dispatch_policy.hpp"
#include "cutlass/gemm/kernel/gemm_universal_decl.h"
#include "cutlass/gemm/kernel/sm90_gemm_tma_warpspecialized.hpp"
