// A stranger's first program: includes a header of the library and says so.
#include <iostream>

#include "tilewright/base/config.hpp"

int main() {
  std::cout << "tilewright is usable, " << (TILEWRIGHT_CHECKED ? "checked" : "unchecked") << '\n';
  return 0;
}
