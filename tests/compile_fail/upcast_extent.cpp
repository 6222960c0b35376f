// name: a row that is not a multiple of a wider element
// error: upcast: the factor divides neither an extent and its stride nor is divided by the stride
// meaning: six neighbours seen four at a time leave two over.
// remedy: upcast by a factor that divides the contiguous extent.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto vectors = upcast<2>(Layout<Shape<_6, _8>, Stride<_1, _8>>{});
#else
auto vectors = upcast<4>(Layout<Shape<_6, _8>, Stride<_1, _8>>{});
#endif
