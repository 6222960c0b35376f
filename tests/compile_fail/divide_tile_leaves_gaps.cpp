// name: a tile whose gaps cannot be filled
// error: divide: the tile leaves gaps that its repetitions cannot fill
// meaning: two elements, and two more three further on: what is between them is not a multiple of the pair.
// remedy: use a tile whose strides are multiples of the span of the smaller ones.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tiles = zipped_divide(Layout<_24>{}, Layout<Shape<_2, _2>, Stride<_1, _4>>{});
#else
auto tiles = zipped_divide(Layout<_24>{}, Layout<Shape<_2, _2>, Stride<_1, _3>>{});
#endif
