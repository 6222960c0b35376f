// name: shared memory of cache-line pairs
// error: shared: shared memory is aligned to 128 bytes
// meaning: an element aligned to 256 bytes would not lie where its type says.
// within: a kernel
// remedy: use a type aligned to at most 128 bytes.
#include "tilewright/exec/launch.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
struct alignas(128) Line {
  float values[64];
};
void run() {
  launch(1, 32, [](auto& block) { auto lines = block.template shared<Line>(Layout<_4>{}); });
}
#else
struct alignas(256) Line {
  float values[64];
};
void run() {
  launch(1, 32, [](auto& block) { auto lines = block.template shared<Line>(Layout<_4>{}); });
}
#endif
