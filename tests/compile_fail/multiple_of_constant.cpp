// name: a constant that lacks the stated divisor
// error: multiple_of: the constant is not a multiple of the divisor
// meaning: 100 is not a multiple of 8.
// remedy: state a divisor that the constant has.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto rows = make_layout(make_shape(multiple_of<4>(Int<100>{}), _4{}));
#else
auto rows = make_layout(make_shape(multiple_of<8>(Int<100>{}), _4{}));
#endif
