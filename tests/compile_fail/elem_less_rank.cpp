// name: a coordinate of more modes than the shape it is compared with
// error: elem_less: the coordinate has more modes than the shape
// meaning: a predicate compares the coordinate (m,n,k) with the extents (M,N).
// remedy: compare with one extent for each mode of the coordinate.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
bool inside(int m, int n) { return elem_less(make_coord(m, n), Shape<Int<100>, Int<50>>{}); }
#else
bool inside(int m, int n, int k) { return elem_less(make_coord(m, n, k), Shape<Int<100>, Int<50>>{}); }
#endif
