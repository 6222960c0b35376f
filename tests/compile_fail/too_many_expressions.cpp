// name: an operation with too many run-time integers
// error: the layout has too many dynamic parts for one operation
// meaning: 40 run-time extents and strides and a coordinate of 40 run-time indices are more than one operation holds.
// remedy: make extents static where they are known, or work on fewer modes at a time.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto offset(int index) {
  auto hypercube = make_layout(repeat<24>(_2{}));
  return hypercube(repeat<24>(index));
}
#else
auto offset(int extent, int index) {
  auto hypercube = make_layout(repeat<40>(extent));
  return hypercube(repeat<40>(index));
}
#endif
