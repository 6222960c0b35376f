// name: a replaced mode beyond the rank
// error: the layout has no such mode
// meaning: a matrix has modes 0 and 1; counting starts at 0.
// remedy: replace a mode below the rank, or append one.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto widened = replace<1>(Layout<Shape<_4, _8>>{}, Layout<_16>{});
#else
auto widened = replace<2>(Layout<Shape<_4, _8>>{}, Layout<_16>{});
#endif
