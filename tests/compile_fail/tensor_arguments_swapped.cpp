// name: the layout before the pointer
// error: make_tensor: the pointer comes first and the layout or shape after it
// meaning: make_tensor(pointer, layout) reads its arguments in this order.
// remedy: swap them.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void use(float* data) { clear(make_tensor(data, Layout<Shape<_4, _8>>{})); }
#else
void use(float* data) { clear(make_tensor(Layout<Shape<_4, _8>>{}, data)); }
#endif
