// name: a selection of a mode that is not there
// error: the layout has no such mode
// meaning: a matrix has modes 0 and 1; counting starts at 0.
// remedy: select modes below the rank.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto transposed = select<1, 0>(Layout<Shape<_4, _8>>{});
#else
auto transposed = select<2, 1>(Layout<Shape<_4, _8>>{});
#endif
