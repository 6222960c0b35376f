// name: a transformation into a tensor of another size
// error: transform: the shapes of input and output do not match
// meaning: 64 results do not fit 32 elements.
// remedy: slice or partition both alike.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void square(float const* from, float* to) {
  transform(make_tensor(from, Layout<_64>{}), make_tensor(to, Layout<_64>{}), [](float x) { return x * x; });
}
#else
void square(float const* from, float* to) {
  transform(make_tensor(from, Layout<_64>{}), make_tensor(to, Layout<_32>{}), [](float x) { return x * x; });
}
#endif
