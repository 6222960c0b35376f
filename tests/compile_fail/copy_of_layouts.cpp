// name: layouts given to copy
// error: copy, copy_if, fill, clear, transform: source and destination are tensors
// meaning: a layout has no elements.
// remedy: make tensors of pointers and the layouts.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  auto layout = Layout<Shape<_4, _8>>{};
  copy(make_tensor(from, layout), make_tensor(to, layout));
}
#else
void kernel(float const*, float*) {
  auto layout = Layout<Shape<_4, _8>>{};
  copy(layout, layout);
}
#endif
