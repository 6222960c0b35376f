// Copies between registers of a warp by shuffles.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy.hpp"
#include "cute/numeric/int.hpp"
#include "tilewright/atom/shuffle.hpp"

namespace cute {

using tilewright::SM50_Shuffle_U32_2x2Trans_XOR1;
using tilewright::SM50_Shuffle_U32_2x2Trans_XOR4;

}  // namespace cute
