// name: a row pitch that is not a multiple of the row's span
// error: left_inverse: two coordinates share an offset, or a stride is not a multiple of the smaller ones
// meaning: every second of four elements spans eight, and rows start ten apart; no layout maps such offsets back to
//   coordinates.
// remedy: pad the rows to a multiple of what they span.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto coordinate_of = left_inverse(Layout<Shape<_4, _4>, Stride<_2, _16>>{});
#else
auto coordinate_of = left_inverse(Layout<Shape<_4, _4>, Stride<_4, _6>>{});
#endif
