// name: a coordinate of three entries for a matrix
// error: the tiler, coordinate or profile does not match the layout's modes
// meaning: a matrix is called with three indices.
// remedy: give one index for each mode, or one for all of them.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Matrix = Layout<Shape<_4, _8>, Stride<_8, _1>>;
int offset(int m, int n) { return Matrix{}(m, n); }
#else
using Matrix = Layout<Shape<_4, _8>, Stride<_8, _1>>;
int offset(int m, int n) { return Matrix{}(m, n, 0); }
#endif
