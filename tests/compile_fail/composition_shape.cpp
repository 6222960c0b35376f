// name: a tile that ends inside of a row
// error: so the tiler does not divide the layout
// meaning: the first six elements of a layout whose first mode holds four are a mode and a half: no shape and stride
//   describe them.
// remedy: take a number of elements that the extents divide, or tile mode by mode.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Matrix = Layout<Shape<_4, _6>, Stride<_6, _1>>;
auto first_eight = composition(Matrix{}, Layout<_8, _1>{});
auto corner = composition(Matrix{}, make_tile(_2{}, _3{}));
#else
using Matrix = Layout<Shape<_4, _6>, Stride<_6, _1>>;
auto first_six = composition(Matrix{}, Layout<_6, _1>{});
#endif
