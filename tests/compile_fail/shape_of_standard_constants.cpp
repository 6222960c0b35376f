// name: a constant of the standard library in a shape
// error: make_shape, make_stride, make_coord: an entry is an integer
// meaning: std::integral_constant is no constant of this library.
// remedy: write Int<N>{}.
#include <type_traits>
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto shape = make_shape(Int<4>{}, 8);
#else
auto shape = make_shape(std::integral_constant<int, 4>{}, 8);
#endif
