// name: a profile of more modes than the layout
// error: the tiler, coordinate or profile does not match the layout's modes
// meaning: a matrix is coalesced mode by mode, with a profile of three modes.
// remedy: give one entry for each mode.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto simple = coalesce(Layout<Shape<_4, _8>>{}, Step<_1, _1>{});
#else
auto simple = coalesce(Layout<Shape<_4, _8>>{}, Step<_1, _1, _1>{});
#endif
