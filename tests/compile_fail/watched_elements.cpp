// name: a checked kernel on strings
// error: checked_reference: elements in watched memory are copied bytewise
// meaning: the checked launch reads and writes elements through proxies that move bytes.
// remedy: use elements that are trivially copyable.
#include "tilewright/exec/launch_checked.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void run(char* initials) {
  launch_checked(
      1, 1, [](auto& block, auto tensor) { tensor(block.thread()) = 'x'; }, make_tensor(initials, Layout<_4>{}));
}
#else
void run(std::string* names) {
  launch_checked(
      1, 1, [](auto& block, auto tensor) { tensor(block.thread()) = std::string("x"); },
      make_tensor(names, Layout<_4>{}));
}
#endif
