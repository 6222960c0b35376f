// name: a tiler that is no tiler
// error: composition, divide, product: takes a layout (or a tensor) and then a tiler
// meaning: a tiler is an integer, a layout, `_` or a tuple of these.
// remedy: give one of them.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tiles = zipped_divide(Layout<Shape<_8, _8>>{}, Shape<_4, _4>{});
#else
auto tiles = zipped_divide(Layout<Shape<_8, _8>>{}, 4.5);
#endif
