// name: a constant that has no name
// error: _N: no constant of this name is defined
// meaning: _1 to _16 and the sizes that tiles usually have are names; others are written with their number.
// remedy: write Int<100>.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tile = make_layout(Shape<Int<100>, _8>{});
#else
auto tile = make_layout(Shape<_100, _8>{});
#endif
