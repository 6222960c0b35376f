// name: a grid of four extents
// error: launch: a grid and a block have one to three extents
// meaning: blocks and threads have three indices.
// remedy: group modes of the shape, so that one index counts through them.
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void start() {
  launch(make_shape(2, 3, make_shape(4, 5)), 32, [](auto&) {});
}
#else
void start() {
  launch(make_shape(2, 3, 4, 5), 32, [](auto&) {});
}
#endif
