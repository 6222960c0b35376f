// name: a basis element for a mode the layout lacks
// error: a scaled basis does not fit: it names a mode the layout lacks
// meaning: E<2> walks along mode 2, but a matrix has modes 0 and 1.
// remedy: name a mode below the rank.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Matrix = Layout<Shape<_4, _8>, Stride<_8, _1>>;
auto row_walk = composition(Matrix{}, Layout<_4, E<1>>{});
#else
using Matrix = Layout<Shape<_4, _8>, Stride<_8, _1>>;
auto depth_walk = composition(Matrix{}, Layout<_4, E<2>>{});
#endif
