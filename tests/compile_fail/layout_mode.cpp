// name: a mode beyond the rank
// error: the layout has no such mode
// meaning: a matrix has modes 0 and 1; counting starts at 0.
// remedy: name a mode below the rank.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto columns = layout<1>(Layout<Shape<_4, _8>>{});
#else
auto columns = layout<2>(Layout<Shape<_4, _8>>{});
#endif
