// name: a target smaller than the block
// error: tile_to_shape: the target is smaller than the block
// meaning: a block of eight rows does not repeat to four.
// remedy: give a target whose every extent is at least the block's.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tiled = tile_to_shape(Layout<Shape<_8, _8>>{}, Shape<_32, _64>{});
#else
auto tiled = tile_to_shape(Layout<Shape<_8, _8>>{}, Shape<_4, _64>{});
#endif
