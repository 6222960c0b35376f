// name: an entry of an integer
// error: get: the tuple has no such entry
// meaning: an integer counts as a tuple of one, whose only entry is entry 0.
// remedy: make a tuple of the integers.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto columns = get<1>(make_shape(_8{}, _4{}));
#else
auto columns = get<1>(_8{});
#endif
