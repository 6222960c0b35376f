// name: a kernel launched with an argument too few
// error: launch: the kernel cannot be called with a block context and these arguments
// meaning: the kernel takes the block, a pointer and a length; only the pointer is passed.
// remedy: pass one argument for each parameter after the block.
#include "tilewright/exec/launch.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void run(float* data) {
  launch(
      1, 32,
      [](auto& block, float* p, int n) {
        if (block.thread() < n) p[block.thread()] = 0.0f;
      },
      data, 32);
}
#else
void run(float* data) {
  launch(
      1, 32,
      [](auto& block, float* p, int n) {
        if (block.thread() < n) p[block.thread()] = 0.0f;
      },
      data);
}
#endif
