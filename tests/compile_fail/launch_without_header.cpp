// name: launch without its header
// error: launch: its header is not included
// meaning: tilewright.hpp has what compiles without the engine; running kernels is in a header of its own.
// remedy: include tilewright/exec/launch.hpp.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
#include "tilewright/exec/launch.hpp"

void start() {
  launch(4, 32, [](auto&) {});
}
#else
void start() {
  launch(4, 32, [](auto&) {});
}
#endif
