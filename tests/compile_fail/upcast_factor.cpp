// name: an upcast by zero
// error: upcast and downcast take a positive factor
// meaning: the factor says how many narrow elements a wide one holds.
// remedy: use a factor of 1 or more.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto vectors = upcast<4>(Layout<Shape<_8, _8>>{});
#else
auto vectors = upcast<0>(Layout<Shape<_8, _8>>{});
#endif
