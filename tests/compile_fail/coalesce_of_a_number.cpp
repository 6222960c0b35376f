// name: a number where a layout belongs
// error: coalesce, complement, inverse: takes a layout
// meaning: the operation is defined for layouts.
// remedy: make a layout of the number.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto simple = coalesce(make_layout(8));
#else
auto simple = coalesce(8);
#endif
