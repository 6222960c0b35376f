// name: a layout without a left inverse
// error: left_inverse: two coordinates share an offset, or a stride is not a multiple of the smaller ones
// meaning: both modes have stride 1, so offset 1 belongs to two coordinates.
// remedy: invert an injective layout whose strides divide one another.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto coordinate_of = left_inverse(Layout<Shape<_4, _4>, Stride<_1, _4>>{});
#else
auto coordinate_of = left_inverse(Layout<Shape<_4, _4>, Stride<_1, _1>>{});
#endif
