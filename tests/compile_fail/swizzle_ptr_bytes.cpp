// name: a swizzled pointer whose swizzle would move parts of a byte
// error: swizzle_ptr: the swizzle of addresses moves whole bytes
// meaning: the layout's swizzle moves single elements of 4 bits, two of which share a byte; an address has no part that
//   says which of them.
// remedy: use a swizzle whose base covers a byte, Swizzle<3,1,3> for 4-bit elements.
#include "tilewright/tensor/pointer_swizzle.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
auto tile(uint4b_t* shared) {
  return as_position_dependent_swizzle_tensor(
      make_tensor(make_smem_ptr(shared), composition(Swizzle<3, 1, 3>{}, Layout<Shape<_64, _8>>{})));
}
#else
auto tile(uint4b_t* shared) {
  return as_position_dependent_swizzle_tensor(
      make_tensor(make_smem_ptr(shared), composition(Swizzle<3, 0, 3>{}, Layout<Shape<_64, _8>>{})));
}
#endif
