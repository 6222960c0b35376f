// name: a bulk copy that would convert
// error: cp.async.bulk: the elements of source and destination differ in width
// anchor: atom_widths
// meaning: bytes move as they are.
// remedy: see both tensors as elements of one width.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void store(float* shared_memory, std::uint16_t* to) {
  auto const src = make_tensor(make_smem_ptr(shared_memory), Shape<_8>{});
#ifdef TILEWRIGHT_FIXED
  auto const dst = recast<float>(make_tensor(make_gmem_ptr(to), Shape<_16>{}));
#else
  auto const dst = make_tensor(make_gmem_ptr(to), Shape<_8>{});
#endif
  copy(Copy_Atom<SM90_BULK_COPY_S2G, float>{}, src, dst);
}
