// name: a tensor without a layout
// error: make_tensor: takes a pointer and a layout, and the layout is missing
// meaning: a pointer alone says neither how many elements there are nor where.
// remedy: add the layout or the shape.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void use(float* data) { clear(make_tensor(data, _32{})); }
#else
void use(float* data) { clear(make_tensor(data)); }
#endif
