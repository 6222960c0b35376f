// name: cache hints for elements that are not contiguous
// error: GlobalLoad, GlobalStore: the atom's values are not contiguous in source and destination
// anchor: not_contiguous_source
// meaning: one access of 16 bytes moves four floats that lie next to each other; these are two apart.
// remedy: let the value layout run along the mode of stride 1, or use a narrower atom.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void load(float* values) {
  auto fragment = make_tensor<float>(Shape<_4>{});
#ifdef TILEWRIGHT_FIXED
  copy(Copy_Atom<GlobalLoad<uint128_t>, float>{}, make_tensor(make_gmem_ptr(values), Layout<_4, _1>{}), fragment);
#else
  copy(Copy_Atom<GlobalLoad<uint128_t>, float>{}, make_tensor(make_gmem_ptr(values), Layout<_4, _2>{}), fragment);
#endif
}
