// name: a slice with too few entries
// error: the tiler, coordinate or profile does not match the layout's modes
// meaning: a layout of three modes is sliced at two.
// remedy: give an index or `_` for each mode.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto column = Layout<Shape<_4, _8, _2>>{}(_, _3{}, _0{});
#else
auto column = Layout<Shape<_4, _8, _2>>{}(_, _3{});
#endif
