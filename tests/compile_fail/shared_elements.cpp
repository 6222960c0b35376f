// name: shared memory of strings
// error: shared: the elements of shared memory are neither constructed nor destroyed
// meaning: shared memory is a block of bytes that a kernel names as it needs them; a std::string would be used
//   without having been made.
// within: a kernel
// remedy: use elements that are trivially copyable.
#include "tilewright/exec/launch.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void run() {
  launch(1, 32, [](auto& block) { auto lengths = block.template shared<int>(Layout<_32>{}); });
}
#else
void run() {
  launch(1, 32, [](auto& block) { auto names = block.template shared<std::string>(Layout<_32>{}); });
}
#endif
