// The traits of the matrix operations of SM70.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm70.hpp"
#include "cute/atom/mma_traits.hpp"
#include "cute/layout.hpp"

namespace cute {

// A quad pair's threads in their warp, and which elements they have, (thread, value) -> index in a tile, first mode fastest.
using SM70_QuadPair = Layout<Shape<_4, _2>, Stride<_1, _16>>;
using SM70_8x4_Row = Layout<Shape<_8, _4>, Stride<_1, _8>>;
using SM70_8x4_Col = Layout<Shape<Shape<_4, _2>, _4>, Stride<Stride<_8, _4>, _1>>;
using SM70_8x8_16b = Layout<Shape<_8, _8>, Stride<_1, _8>>;
using SM70_8x8_32b =
    Layout<Shape<Shape<_2, _2, _2>, Shape<_2, _2, _2>>, Stride<Stride<_1, _16, _4>, Stride<_8, _2, _32>>>;

}  // namespace cute
