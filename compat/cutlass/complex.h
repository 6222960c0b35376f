// complex, which is in the header of all numeric types here; whether operands are conjugated.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/numeric_types.h"

namespace cutlass {

enum class ComplexTransform { kNone, kConjugate };

}  // namespace cutlass
