// name: a predicate of another shape
// error: copy_if: the shapes of predicate and source do not match
// meaning: the predicate says of 4 rows which elements move, and the source has 8.
// remedy: make the predicate of the source's shape.
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
  copy_if(make_tensor(moves, Layout<Shape<_4, _4>>{}), make_tensor(from, rows), make_tensor(to, rows));
}
#endif
