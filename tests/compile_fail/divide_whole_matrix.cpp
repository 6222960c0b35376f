// name: a tile of a whole matrix instead of its modes
// error: so the tiler does not divide the layout
// meaning: an integer tiles the elements in the order of their index; six elements of columns that hold four are no
//   layout.
// remedy: tile mode by mode, with one extent for each.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Matrix = Layout<Shape<_4, _6>, Stride<_6, _1>>;
auto tiles = zipped_divide(Matrix{}, make_tile(_2{}, _3{}));
#else
using Matrix = Layout<Shape<_4, _6>, Stride<_6, _1>>;
auto tiles = zipped_divide(Matrix{}, _6{});
#endif
