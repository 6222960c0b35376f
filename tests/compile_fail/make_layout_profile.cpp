// name: fewer strides than extents
// error: make_layout: the shape and the stride differ in their profile
// meaning: the shape has two modes, the stride one entry.
// remedy: give one stride for each extent, nested like the shape.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto matrix = make_layout(Shape<_4, _8>{}, Stride<_1, _4>{});
auto corner = composition(matrix, make_tile(_2{}, _2{}));
#else
auto matrix = make_layout(Shape<_4, _8>{}, Stride<_1>{});
auto corner = composition(matrix, make_tile(_2{}, _2{}));
#endif
