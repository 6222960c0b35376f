// name: a layout called without a coordinate
// error: layout(): a layout maps a coordinate to an offset
// meaning: a layout maps a coordinate to an offset, so it needs one.
// remedy: pass one index, or one for each mode.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto offset = Layout<Shape<_4, _8>>{}(_0{});
#else
auto offset = Layout<Shape<_4, _8>>{}();
#endif
