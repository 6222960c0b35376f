// name: a coordinate added to a number
// error: a coordinate and a number do not add
// meaning: a layout with the strides E<0> and 8 gives a coordinate for mode 0 and a number for mode 1; they have no
//   sum.
// remedy: use basis strides throughout.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto sum = make_arithmetic_tuple(_1{}, _2{}) + make_arithmetic_tuple(_0{}, _8{});
#else
using namespace tilewright::literals;
auto sum = make_arithmetic_tuple(_1{}, _2{}) + _8{};
#endif
