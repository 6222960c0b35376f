// name: an operation with too many run-time integers
// error: the layout has too many dynamic parts for one operation
// meaning: a layout of 40 run-time extents after one of 10 is more than one operation holds.
// remedy: make extents static where they are known, or work on fewer modes at a time.
#include "tilewright/algebra/operations.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto sampled(int extent) {
  auto hypercube = make_layout(repeat<40>(_2{}));
  return composition(hypercube, make_layout(extent));
}
#else
auto sampled(int extent) {
  auto hypercube = make_layout(repeat<40>(extent));
  return composition(hypercube, make_layout(repeat<10>(extent)));
}
#endif
