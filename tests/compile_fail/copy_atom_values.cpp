// name: an atom's copy of tensors that were not partitioned for it
// error: copy: mode 0 of source or destination does not hold the values the atom carries
// meaning: the atom carries four floats, mode 0 of the tensors holds six.
// remedy: partition both tensors with one tiled copy.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  copy(Atom{}, make_tensor(from, Layout<Shape<_4, _8>>{}), make_tensor(to, Layout<Shape<_4, _8>>{}));
}
#else
void kernel(float const* from, float* to) {
  copy(Atom{}, make_tensor(from, Layout<Shape<_6, _8>>{}), make_tensor(to, Layout<Shape<_6, _8>>{}));
}
#endif
