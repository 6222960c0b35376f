// name: a tiler larger than the layout
// error: composition: the right-hand layout reaches beyond the domain of the left-hand layout
// meaning: sixteen elements are asked of a layout that has eight.
// remedy: shrink the right-hand layout to the size of the left-hand one.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tile = composition(Layout<_8, _2>{}, Layout<_4, _1>{});
#else
auto tile = composition(Layout<_8, _2>{}, Layout<_16, _1>{});
#endif
