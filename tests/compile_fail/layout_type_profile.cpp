// name: a layout type whose strides do not match its shape
// error: the two tuples differ in their profile
// meaning: a layout pairs each extent with a stride, so both are nested alike.
// remedy: give one stride for each extent, nested like the shape.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Matrix = Layout<Shape<_4, Shape<_2, _4>>, Stride<_1, Stride<_4, _8>>>;
auto transposed = select<1, 0>(Matrix{});
#else
using Matrix = Layout<Shape<_4, _8>, Stride<_1, Stride<_4, _8>>>;
auto transposed = select<1, 0>(Matrix{});
#endif
