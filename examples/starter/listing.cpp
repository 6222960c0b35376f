#include "tilewright/tilewright.hpp"

#include <cstdio>

using namespace tilewright;

int main() {
  auto const columns = make_layout(Shape<_4, _8>{}, Stride<_1, _4>{});  // a step down moves 1, a step right 4
  auto const rows = make_layout(Shape<_4, _8>{}, Stride<_8, _1>{});     // a step down moves 8, a step right 1
  print(columns);
  std::printf("  (1,2) is at %d\n", columns(1, 2));
  print(rows);
  std::printf("  (1,2) is at %d\n", rows(1, 2));
}
