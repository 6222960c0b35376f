// name: the complement of a layout that overlaps itself
// error: complement: a mode starts within the span of the modes of smaller stride
// meaning: rows of four that start two apart share elements, so nothing fills the gaps between them.
// remedy: make each stride at least the span of the smaller ones.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto rest = complement(Layout<Shape<_4, _4>, Stride<_1, _8>>{}, _64{});
#else
auto rest = complement(Layout<Shape<_4, _4>, Stride<_1, _2>>{}, _64{});
#endif
