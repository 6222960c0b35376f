// name: an assumed alignment of 24 bits
// error: AutoVectorizingCopyWithAssumedAlignment<N>: N is a power of two of at least 8 bits
// meaning: addresses are aligned to powers of two.
// remedy: state the power of two that the pointers have.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  copy(AutoVectorizingCopyWithAssumedAlignment<64>{}, make_tensor(from, Layout<_128>{}),
       make_tensor(to, Layout<_128>{}));
}
#else
void kernel(float const* from, float* to) {
  copy(AutoVectorizingCopyWithAssumedAlignment<24>{}, make_tensor(from, Layout<_128>{}),
       make_tensor(to, Layout<_128>{}));
}
#endif
