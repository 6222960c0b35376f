// name: modes taken beyond the rank
// error: the layout has no such mode
// meaning: modes [1, 4) of a layout that has three.
// remedy: end at the rank.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto rest = take<1, 3>(Layout<Shape<_4, _8, _2>>{});
#else
auto rest = take<1, 4>(Layout<Shape<_4, _8, _2>>{});
#endif
