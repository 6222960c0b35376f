// name: a multiple of zero
// error: multiple_of: the divisor must be at least 1
// meaning: only 0 is a multiple of 0, and extents are positive.
// remedy: state a divisor of at least 1.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto rows(int n) { return make_layout(make_shape(multiple_of<8>(n), _4{})); }
#else
auto rows(int n) { return make_layout(make_shape(multiple_of<0>(n), _4{})); }
#endif
