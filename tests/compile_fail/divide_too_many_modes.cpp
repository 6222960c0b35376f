// name: a tiler of more modes than the layout
// error: the tiler, coordinate or profile does not match the layout's modes
// meaning: a matrix is divided by a tile of three extents.
// remedy: give the tiler one entry for each mode; `_` keeps a mode whole.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tiles = zipped_divide(Layout<Shape<_64, _64>>{}, make_tile(_8{}, _8{}));
#else
auto tiles = zipped_divide(Layout<Shape<_64, _64>>{}, make_tile(_8{}, _8{}, _8{}));
#endif
