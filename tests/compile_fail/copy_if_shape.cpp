// name: a copy_if between tensors of different shapes
// error: copy_if: the shapes of source and destination do not match
// meaning: 32 elements in 8 rows do not pair with 32 elements in 4.
// remedy: slice or partition both alike.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(bool const* moves, float const* from, float* to) {
  Layout<Shape<_8, _4>> const rows{};
  copy_if(make_tensor(moves, rows), make_tensor(from, rows), make_tensor(to, rows));
}
#else
void kernel(bool const* moves, float const* from, float* to) {
  Layout<Shape<_8, _4>> const rows{};
  copy_if(make_tensor(moves, rows), make_tensor(from, rows), make_tensor(to, Layout<Shape<_4, _8>>{}));
}
#endif
