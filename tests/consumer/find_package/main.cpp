// A stranger's first program: a layout from the headers and, where the engine is linked, a kernel on all cores.
#include <array>
#include <cstdio>

#include "tilewright/algebra/construct.hpp"
#include "tilewright/algebra/query.hpp"

#if CONSUMER_USES_ENGINE
#include "tilewright/exec/launch.hpp"
#endif

int main() {
  using namespace tilewright;
  static constexpr auto layout = make_layout(make_shape(Int<4>{}, Int<8>{}));
  static_assert(layout(1, 2) == 9);

#if CONSUMER_USES_ENGINE
  std::array<int, 32> out{};
  launch(
      1, 32, [](auto& block, int* where) { where[block.thread()] = layout(block.thread()); }, out.data());
  if (out[9] != 9) return 1;
#endif
  std::puts(CONSUMER_USES_ENGINE ? "core and engine are usable" : "core is usable");
  return 0;
}
