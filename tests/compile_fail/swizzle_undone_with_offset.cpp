// name: a swizzle undone on a slice
// error: composition: a swizzle is undone only where the offset is 0
// meaning: a slice holds an offset below the swizzle, which does not come off with it.
// remedy: undo the swizzle first, and slice afterwards.
#include "tilewright/algebra/swizzled.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Swizzled = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}));
auto plain = composition(Swizzle<3, 3, 3>{}, Swizzled{});
auto column = slice(make_coord(_, _3{}), plain);
#else
using Swizzled = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}));
auto column = slice(make_coord(_, _3{}), Swizzled{});
auto plain = composition(Swizzle<3, 3, 3>{}, column);
#endif
