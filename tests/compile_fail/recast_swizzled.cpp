// name: a vector wider than the swizzle keeps together
// error: recast: the swizzle moves bits inside the wider element
// meaning: Swizzle<3,2,3> keeps four neighbours together; eight 16-bit elements make one 128-bit word.
// remedy: use a swizzle whose base covers the vector: Swizzle<3,3,3> keeps eight together.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void stage(short* shared) {
  auto tile = make_tensor(make_smem_ptr(shared), composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}));
  auto words = recast<word<128>>(tile);
  words(0, 0) = words(0, 1);
}
#else
void stage(short* shared) {
  auto tile = make_tensor(make_smem_ptr(shared), composition(Swizzle<3, 2, 3>{}, Layout<Shape<_64, _8>>{}));
  auto words = recast<word<128>>(tile);
  words(0, 0) = words(0, 1);
}
#endif
