// The tags by which programs say what a product does and which units compute it. They have no members.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/arch.h"
#include "cutlass/array.h"
#include "cutlass/functional.h"
#include "cutlass/gemm/gemm.h"
#include "cutlass/numeric_types.h"

namespace cutlass::arch {

// --- what a product does ----------------------------------------------------------------------------------------------
struct OpMultiplyAdd {};
struct OpMultiplyAddSaturate {};
struct OpMultiplyAddFastBF16 {};
struct OpMultiplyAddFastF16 {};
struct OpMultiplyAddFastF32 {};
struct OpMultiplyAddFastAccum {};
struct OpMultiplyAddMixedInputUpcast {};
struct OpMultiplyAddComplex {};
struct OpMultiplyAddComplexFastF32 {};
struct OpMultiplyAddGaussianComplex {};
struct OpXorPopc {};
struct OpAndPopc {};

// --- which units compute it -------------------------------------------------------------------------------------------
struct OpClassSimt {};
struct OpClassTensorOp {};
struct OpClassWmmaTensorOp {};
struct OpClassSparseTensorOp {};
struct OpClassBlockScaledTensorOp {};
struct OpClassBlockScaledSparseTensorOp {};

}  // namespace cutlass::arch
