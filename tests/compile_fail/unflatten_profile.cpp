// name: a profile with another number of leaves
// error: the two tuples differ in their profile
// meaning: three modes are put into a nesting that has room for four.
// remedy: nest as many leaves as the layout has.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto nested = unflatten(Layout<Shape<_4, _8, _2>>{}, make_tuple(make_tuple(_0{}, _0{}), _0{}));
#else
auto nested = unflatten(Layout<Shape<_4, _8, _2>>{}, make_tuple(make_tuple(_0{}, _0{}), make_tuple(_0{}, _0{})));
#endif
