// The traits of the matrix operations of SM80.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm80.hpp"
#include "cute/atom/mma_traits.hpp"
#include "cute/layout.hpp"

namespace cute {

// Which elements the threads of a warp have, (thread, value) -> index in a tile of M x K or M x N, first mode fastest, for
// MMA_Traits of a program's own.
using SM80_8x4 = Layout<Shape<Shape<_4, _8>, _1>, Stride<Stride<_8, _1>, _0>>;
using SM80_8x8_Row = Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>;
using SM80_8x16_Row = Layout<Shape<Shape<_4, _8>, _4>, Stride<Stride<_32, _1>, _8>>;
using SM80_16x8_Row = Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>;

}  // namespace cute
