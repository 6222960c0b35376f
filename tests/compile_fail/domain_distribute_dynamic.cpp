// name: a run-time shape dealt out to threads
// error: this operation needs static extents
// meaning: how an extent is shared out depends on its divisors, which are part of the result's type.
// remedy: make the extents compile-time constants.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto shares() { return domain_distribute(make_shape(_64{}, _8{}), _32{}); }
#else
auto shares(int rows) { return domain_distribute(make_shape(rows, _8{}), _32{}); }
#endif
