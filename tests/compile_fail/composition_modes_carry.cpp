// name: overlapping windows across a padded row
// error: composition: modes of the right-hand layout together step over an extent of the left-hand layout
// meaning: windows of four that start at every second element run over the end of a row of four into the next, which
//   lies elsewhere: each mode is a walk, but their sum is not.
// remedy: let the windows end where the row does, or compose each mode by itself.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Padded = Layout<Shape<_4, _8>, Stride<_1, _16>>;
auto windows = composition(Padded{}, Layout<Shape<_4, _2>, Stride<_1, _4>>{});
#else
using Padded = Layout<Shape<_4, _8>, Stride<_1, _16>>;
auto windows = composition(Padded{}, Layout<Shape<_4, _2>, Stride<_1, _2>>{});
#endif
