// name: a floating-point number in a shape
// error: make_shape, make_stride, make_coord: an entry is an integer
// meaning: an extent counts elements; 4.5 is no count, and nothing is rounded silently.
// remedy: give integers or constants.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto shape = make_shape(4, 8);
#else
auto shape = make_shape(4.5, 8);
#endif
