// name: a cooperative copy of run-time size
// error: cooperative_copy: the shapes must be static
// meaning: the vectors that threads share out are proved at compile time.
// remedy: make the extents compile-time constants, or declare a tiled copy and bounds.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int thread, int) {
  cooperative_copy<32>(thread, make_tensor(from, Layout<_256>{}), make_tensor(to, Layout<_256>{}));
}
#else
void kernel(float const* from, float* to, int thread, int n) {
  cooperative_copy<32>(thread, make_tensor(from, make_layout(n)), make_tensor(to, make_layout(n)));
}
#endif
