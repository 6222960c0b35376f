// name: two tuples of different sizes combined
// error: transform_tuple: the tuples differ in size
// meaning: a shape of three extents is combined with a tile of two, entry by entry.
// remedy: give both tuples one entry for each mode.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tiles = transform_tuple(Shape<_64, _64>{}, Shape<_8, _8>{}, [](auto s, auto t) { return s / t; });
#else
auto tiles = transform_tuple(Shape<_64, _64, _8>{}, Shape<_8, _8>{}, [](auto s, auto t) { return s / t; });
#endif
