// name: a copy between tensors of different sizes
// error: copy: source and destination differ in size
// meaning: 64 elements do not fit 32.
// remedy: slice or partition both alike.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  copy(make_tensor(from, Layout<Shape<_8, _8>>{}), make_tensor(to, Layout<Shape<_8, _8>>{}));
}
#else
void kernel(float const* from, float* to) {
  copy(make_tensor(from, Layout<Shape<_8, _8>>{}), make_tensor(to, Layout<Shape<_8, _4>>{}));
}
#endif
