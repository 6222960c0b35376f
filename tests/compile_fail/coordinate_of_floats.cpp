// name: a floating-point number in a coordinate
// error: make_shape, make_stride, make_coord: an entry is an integer
// meaning: a coordinate is a tuple of indices.
// remedy: convert it, in the rounding that is meant.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto offset = Layout<Shape<_4, _8>>{}(make_coord(static_cast<int>(1.5f), 2));
#else
auto offset = Layout<Shape<_4, _8>>{}(make_coord(1.5f, 2));
#endif
