// name: a copy into constant memory
// error: copy, fill, transform: the destination's elements are const
// meaning: the destination's pointer is to const elements.
// remedy: copy into a tensor over writable memory; the source comes first.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  auto source = make_tensor(from, Layout<Shape<_8, _8>>{});
  auto destination = make_tensor(to, Layout<Shape<_8, _8>>{});
  copy(source, destination);
}
#else
void kernel(float const* from, float* to) {
  auto source = make_tensor(from, Layout<Shape<_8, _8>>{});
  auto destination = make_tensor(to, Layout<Shape<_8, _8>>{});
  copy(destination, source);
}
#endif
