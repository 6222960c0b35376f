// name: a pointer given to copy
// error: copy, copy_if, fill, clear, transform: source and destination are tensors
// meaning: a pointer has no layout, so there is no saying what is copied.
// remedy: make a tensor of it.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  auto source = make_tensor(from, _32{});
  copy(source, make_tensor(to, _32{}));
}
#else
void kernel(float const* from, float* to) {
  auto source = make_tensor(from, _32{});
  copy(source, to);
}
#endif
