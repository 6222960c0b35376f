// name: a layout of another type
// error: make_tensor: takes a pointer and then a layout, or a shape with its stride
// meaning: what follows the pointer is a number with a fraction.
// remedy: give a layout or a shape.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void use(float* data) { clear(make_tensor(data, make_shape(4, 8))); }
#else
void use(float* data) { clear(make_tensor(data, 4.5)); }
#endif
