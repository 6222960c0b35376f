// name: entries taken beyond a tuple's size
// error: take: the tuple has no such entries
// meaning: entries [1, 4) of a shape that has three.
// remedy: end at the tuple's size.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto rest = take<1, 3>(Shape<_4, _8, _2>{});
#else
auto rest = take<1, 4>(Shape<_4, _8, _2>{});
#endif
