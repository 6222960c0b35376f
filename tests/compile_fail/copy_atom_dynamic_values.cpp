// name: an atom's copy of tensors with a run-time mode 0
// error: copy: mode 0 of source or destination does not hold the values the atom carries
// meaning: the atom carries four floats, mode 0 of the tensors holds a run-time number.
// remedy: partition both tensors with one tiled copy, or copy without an atom.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int n) {
  copy(make_tensor(from, make_layout(make_shape(n, _8{}))), make_tensor(to, make_layout(make_shape(n, _8{}))));
}
#else
void kernel(float const* from, float* to, int n) {
  copy(Atom{}, make_tensor(from, make_layout(make_shape(n, _8{}))), make_tensor(to, make_layout(make_shape(n, _8{}))));
}
#endif
