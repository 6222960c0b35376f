// name: a store of elements that loads unpack
// error: TMA: floats of 4 and 6 bits in a byte each are unpacked by loads alone
// meaning: the engine unpacks elements on their way to shared memory, and does not pack them on the way back.
// remedy: store packed elements.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _128>, Stride<_128, _1>>;

#ifdef TILEWRIGHT_FIXED
using Element = float_e2m1_t;
#else
using Element = in_a_byte<float_e2m1_t>;
#endif

auto store_of(Element* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(64, 256), make_stride(256, _1{})));
  return make_tma_copy(SM90_TMA_STORE{}, tensor, Shared{});
}
