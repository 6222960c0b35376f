// name: a group that ends beyond the last mode
// error: the layout has no such mode
// meaning: modes [1, 4) of a layout that has three.
// remedy: end the group at the rank.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto grouped = group<1, 3>(Layout<Shape<_4, _8, _2>>{});
#else
auto grouped = group<1, 4>(Layout<Shape<_4, _8, _2>>{});
#endif
