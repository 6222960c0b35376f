// name: a swizzled layout recast by a factor of three
// error: recast: a swizzled layout is recast by a power of two
// meaning: a swizzle permutes aligned groups of 2^k elements; 6-bit and 16-bit elements do not make such groups.
// remedy: recast between widths that are a power of two apart.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void unpack(short* shared) {
  auto tile = make_tensor(make_smem_ptr(shared), composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}));
  auto packed = recast<uint4b_t>(tile);
  auto first = packed(0, 0);
}
#else
void unpack(short* shared) {
  auto tile = make_tensor(make_smem_ptr(shared), composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}));
  auto packed = recast<uint6b_t>(tile);
  auto first = packed(0, 0);
}
#endif
