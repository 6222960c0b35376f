// name: a shape of more modes than the target
// error: the tiler, coordinate or profile does not match the layout's modes
// meaning: a block of three modes is repeated over a target of two.
// remedy: give the target one extent for each mode of the block.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tiled = tile_to_shape(Layout<Shape<_8, _4, _2>>{}, Shape<_64, _64, _2>{});
#else
auto tiled = tile_to_shape(Layout<Shape<_8, _4, _2>>{}, Shape<_64, _64>{});
#endif
