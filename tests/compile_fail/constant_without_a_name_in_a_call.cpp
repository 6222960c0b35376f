// name: a value of a constant that has no name
// error: _N: no constant of this name is defined
// meaning: the same, where a value is made of the type.
// remedy: write Int<100>{}.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tile = make_layout(make_shape(Int<100>{}, 8));
#else
auto tile = make_layout(make_shape(_100{}, 8));
#endif
