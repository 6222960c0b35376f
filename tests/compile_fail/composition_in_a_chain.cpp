// name: a failed operation whose result is used further
// error: so the tiler does not divide the layout
// meaning: the result of a failed operation absorbs whatever is done with it, so that only the first mistake is
//   reported.
// remedy: mend the first operation.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Matrix = Layout<Shape<_4, _6>, Stride<_6, _1>>;
auto tile = composition(Matrix{}, Layout<Shape<_4, _2>>{});
auto padded = logical_product(coalesce(tile), Layout<_3, _1>{});
auto elements = size(padded) * 2 + cosize(padded);
auto offset = flatten(tile)(3);
auto parts = make_layout(layout<0>(padded), get<0>(tile), Layout<_2>{});
auto extents = make_layout(shape<0>(padded), stride<0>(padded));
auto first = crd2idx(idx2crd(5, shape(padded)), padded);
#else
using Matrix = Layout<Shape<_4, _6>, Stride<_6, _1>>;
auto tile = composition(Matrix{}, Layout<_6, _1>{});
auto padded = logical_product(coalesce(tile), Layout<_3, _1>{});
auto elements = size(padded) * 2 + cosize(padded);
auto offset = flatten(tile)(3);
auto parts = make_layout(layout<0>(padded), get<0>(tile), Layout<_2>{});
auto extents = make_layout(shape<0>(padded), stride<0>(padded));
auto first = crd2idx(idx2crd(5, shape(padded)), padded);
#endif
