// name: the remainder by a constant 0
// error: operator%: the divisor is the constant 0
// meaning: no number has a remainder by zero.
// remedy: divide by an extent of at least 1.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
int column(int index) { return index % _8{}; }
#else
int column(int index) { return index % _0{}; }
#endif
