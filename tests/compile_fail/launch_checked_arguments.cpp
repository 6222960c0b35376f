// name: a mutable kernel
// error: launch_checked: the kernel cannot be called with a block context and these arguments
// meaning: one kernel object serves all threads, so that none may change it.
// remedy: keep what a thread changes in the kernel's own variables.
#include "tilewright/exec/launch_checked.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void run(int count) {
  launch_checked(1, 32, [count](auto& block) {
    int own = count + block.thread();
    (void)own;
  });
}
#else
void run(int count) {
  launch_checked(1, 32, [count](auto& block) mutable { count += block.thread(); });
}
#endif
