// name: an order that keeps a mode
// error: a kept mode `_` or a layout is where only integers may be
// meaning: the order says which mode is fastest, second fastest and so on; `_` is none of these.
// remedy: give each mode its place.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto matrix = make_ordered_layout(Shape<_4, _8>{}, make_tuple(_1{}, _0{}));
#else
auto matrix = make_ordered_layout(Shape<_4, _8>{}, make_tuple(_, _0{}));
#endif
