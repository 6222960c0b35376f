// name: a floating-point number in a stride
// error: make_shape, make_stride, make_coord: an entry is an integer
// meaning: a stride is a number of elements.
// remedy: give an integer, or a constant.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto layout_of_rows = make_layout(make_shape(4, 8), make_stride(8, _1{}));
#else
auto layout_of_rows = make_layout(make_shape(4, 8), make_stride(8.0, _1{}));
#endif
