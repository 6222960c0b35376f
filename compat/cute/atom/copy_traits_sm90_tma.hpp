// TMA copies: made on the host for a tensor in global memory and the layout of a tile in shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_tma.hpp"
#include "cute/atom/copy_atom.hpp"
#include "tilewright/tiled/make_im2col_tma_copy.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

namespace cute {

using tilewright::make_tma_atom;
using tilewright::make_tma_copy;
using tilewright::tma_partition;

}  // namespace cute

template <>
inline constexpr tilewright::tma_element tilewright::tma_element_of<cute::half_t> = tilewright::tma_element::float16;
template <>
inline constexpr tilewright::tma_element tilewright::tma_element_of<cute::bfloat16_t> =
    tilewright::tma_element::bfloat16;
template <>
inline constexpr tilewright::tma_element tilewright::tma_element_of<cute::tfloat32_t> =
    tilewright::tma_element::tfloat32;
