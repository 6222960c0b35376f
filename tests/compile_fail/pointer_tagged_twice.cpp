// name: a pointer tagged with two memory spaces
// error: make_*_ptr: the pointer is already tagged with another memory space
// meaning: the pointer says that it points to global memory, and is tagged as shared.
// remedy: tag the raw pointer.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  auto tile = make_tensor(make_smem_ptr(data), Layout<Shape<_8, _8>>{});
  tile(0, 0) = 1.0f;
}
#else
void kernel(float* data) {
  auto global = make_gmem_ptr(data);
  auto tile = make_tensor(make_smem_ptr(global), Layout<Shape<_8, _8>>{});
  tile(0, 0) = 1.0f;
}
#endif
