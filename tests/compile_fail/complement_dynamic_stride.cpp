// name: the complement of run-time strides
// error: this operation needs static strides
// meaning: the order of the strides decides the complement's shape, which is part of its type.
// remedy: make the strides compile-time constants.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto gaps() { return complement(make_layout(Shape<_4, _4>{}, make_stride(_1{}, _16{})), _256{}); }
#else
auto gaps(int row_pitch) { return complement(make_layout(Shape<_4, _4>{}, make_stride(_1{}, row_pitch)), _256{}); }
#endif
