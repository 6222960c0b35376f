// name: a stride that is not a multiple of the extent it steps over
// error: composition: the stride of the right-hand layout and an extent of the left-hand layout do not divide one another
// meaning: every third element of columns that hold four: the walk 0, 3, 6, 9 meets each column at another place, so
//   no stride describes it.
// remedy: step by a divisor or a multiple of the extent.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Matrix = Layout<Shape<_4, _6>, Stride<_6, _1>>;
auto every_second = composition(Matrix{}, Layout<_2, _2>{});
auto every_row = composition(Matrix{}, Layout<_6, _4>{});
#else
using Matrix = Layout<Shape<_4, _6>, Stride<_6, _1>>;
auto every_third = composition(Matrix{}, Layout<_8, _3>{});
#endif
