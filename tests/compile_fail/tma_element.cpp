// name: elements that TMA does not know
// error: TMA: an element has 1 to 8, 16, 32 or 64 bits
// meaning: the engine moves elements of up to 8 bytes.
// remedy: see the tensor as words of 8 bytes.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;

#ifdef TILEWRIGHT_FIXED
auto load_of(std::uint64_t* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Shared{});
}
#else
auto load_of(uint128_t* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Shared{});
}
#endif
