// name: a tile that does not divide a nested mode
// error: do not divide one another
// meaning: the columns are grouped (6,4); a tile of four takes four of the first six, and the next tile would start
//   in the middle of them.
// remedy: choose a tile that divides the mode's extents.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Strided = Layout<Shape<_8, Shape<_6, _4>>, Stride<_48, Stride<_1, _12>>>;
auto tiles = zipped_divide(Strided{}, make_tile(_4{}, _3{}));
#else
using Strided = Layout<Shape<_8, Shape<_6, _4>>, Stride<_48, Stride<_1, _12>>>;
auto tiles = zipped_divide(Strided{}, make_tile(_4{}, _4{}));
#endif
