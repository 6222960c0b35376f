// name: a partition by a shape of threads
// error: local_partition: takes a tensor, a thread layout and the thread's number
// meaning: a shape does not say which thread is at which coordinate.
// remedy: make a layout of the shape.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data, int thread) {
  auto tensor = make_tensor(data, Layout<Shape<_8, _8>>{});
  clear(local_partition(tensor, make_layout(Shape<_4, _4>{}), thread));
}
#else
void kernel(float* data, int thread) {
  auto tensor = make_tensor(data, Layout<Shape<_8, _8>>{});
  clear(local_partition(tensor, Shape<_4, _4>{}, thread));
}
#endif
