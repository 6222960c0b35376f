// name: sums of elements narrower than a byte
// error: TMA: elements narrower than a byte move as bytes, in which sums would carry from one to the next
// meaning: the engine adds bytes, so that the lower element of two would carry into the upper.
// remedy: store them, or add wider elements.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _64>, Stride<_64, _1>>;

auto tensor_at(unsigned char* p) {
  return make_tensor(make_gmem_ptr<int4b_t>(static_cast<void*>(p)), make_layout(make_shape(96, 256), LayoutRight{}));
}

#ifdef TILEWRIGHT_FIXED
auto store_to(unsigned char* p) { return make_tma_copy(SM90_TMA_STORE{}, tensor_at(p), Shared{}); }
#else
auto add_to(unsigned char* p) { return make_tma_copy(SM90_TMA_REDUCE_ADD{}, tensor_at(p), Shared{}); }
#endif
