// name: a tile without elements
// error: arithmetic: an extent or stride is divided by zero
// meaning: the number of tiles is the extent divided by the tile's, which is 0.
// remedy: give every extent of the tile at least one element.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tiles = zipped_divide(Layout<Shape<_64, _64>>{}, make_tile(_8{}, _1{}));
#else
auto tiles = zipped_divide(Layout<Shape<_64, _64>>{}, make_tile(_8{}, _0{}));
#endif
