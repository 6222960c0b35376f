// name: a floating-point number as a layout
// error: make_layout: takes a shape, a shape and a stride, or layouts
// meaning: a layout is made of a shape, and a floating-point number is not a shape.
// remedy: give an integer, a constant or a tuple of them.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto vector = make_layout(4);
#else
auto vector = make_layout(4.5);
#endif
