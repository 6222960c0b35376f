// name: the extent of a mode beyond the rank
// error: get: the tuple has no such entry
// meaning: a matrix has modes 0 and 1; counting starts at 0.
// remedy: name a mode below the rank.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto extent = make_layout(shape<1>(Layout<Shape<_4, _8>>{}));
#else
auto extent = make_layout(shape<2>(Layout<Shape<_4, _8>>{}));
#endif
