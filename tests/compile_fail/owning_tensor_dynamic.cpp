// name: a register tensor of run-time size
// error: make_tensor<T>: a tensor that owns its elements needs a static layout
// meaning: registers are allotted by the compiler, so their number is a compile-time constant.
// remedy: make the extents compile-time constants.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* data, int) {
  auto source = make_tensor(data, make_layout(make_shape(_4{}, _8{})));
  auto registers = make_tensor<float>(make_shape(_4{}, _8{}));
  copy(source, registers);
  registers(0) += 1.0f;
}
#else
void kernel(float const* data, int rows) {
  auto source = make_tensor(data, make_layout(make_shape(rows, _8{})));
  auto registers = make_tensor<float>(make_shape(rows, _8{}));
  copy(source, registers);
  registers(0) += 1.0f;
}
#endif
