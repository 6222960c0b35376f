// Floating-point numbers of fewer bits than a float; they are types of this library.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/integral_constant.hpp"
#include "tilewright/tensor/small_float.hpp"

namespace cute {

using tilewright::bfloat16_t;
using tilewright::float_e2m1_t;
using tilewright::float_e2m3_t;
using tilewright::float_e3m2_t;
using tilewright::float_e4m3_t;
using tilewright::float_e5m2_t;
using tilewright::float_ue4m3_t;
using tilewright::float_ue8m0_t;
using tilewright::half_t;
using tilewright::small_float;
using tilewright::small_float_range;
using tilewright::tfloat32_t;

}  // namespace cute
