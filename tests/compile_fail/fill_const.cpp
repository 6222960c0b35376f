// name: constant memory filled
// error: copy, fill, transform: the destination's elements are const
// meaning: the tensor's pointer is to const elements.
// remedy: fill a tensor over writable memory.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void reset(float* data) { fill(make_tensor(data, Layout<_64>{}), 0.0f); }
#else
void reset(float const* data) { fill(make_tensor(data, Layout<_64>{}), 0.0f); }
#endif
