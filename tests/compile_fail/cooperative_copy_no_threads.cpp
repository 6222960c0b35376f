// name: a cooperative copy by no threads
// error: cooperative_copy: at least one thread takes part
// meaning: the number of threads is 0, so nothing would be moved.
// remedy: state how many threads call it.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int thread) {
  cooperative_copy<32>(thread, make_tensor(from, Layout<_256>{}), make_tensor(to, Layout<_256>{}));
}
#else
void kernel(float const* from, float* to, int thread) {
  cooperative_copy<0>(thread, make_tensor(from, Layout<_256>{}), make_tensor(to, Layout<_256>{}));
}
#endif
