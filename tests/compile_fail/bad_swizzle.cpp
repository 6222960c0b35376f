// name: a swizzle whose bits overlap
// error: Swizzle<B,M,S>: needs B >= 0, M >= 0, |S| >= B and fewer than 63 bits in all
// meaning: three bits are moved by two places, onto one of themselves.
// remedy: shift by at least the number of bits.
#include "tilewright/algebra/swizzled.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tile = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{});
#else
auto tile = composition(Swizzle<3, 3, 2>{}, Layout<Shape<_64, _8>>{});
#endif
