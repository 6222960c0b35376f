// name: a selection of an entry that a shape lacks
// error: get: the tuple has no such entry
// meaning: a problem shape (M,N) has entries 0 and 1; counting starts at 0.
// remedy: select entries below the tuple's size.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Problem = Shape<_128, _64>;
auto matrix = make_layout(select<0, 1>(Problem{}));
#else
using Problem = Shape<_128, _64>;
auto matrix = make_layout(select<0, 2>(Problem{}));
#endif
