// name: an atom of another element type
// error: copy: the atom's element type is not that of source and destination
// meaning: an atom moves bits. One of 4 floats would move 16 bytes to where 4 doubles take 32.
// remedy: make the atom of the tensors' element type; to convert, copy to registers and transform there. Unsigned integers
//   stand for bits: an atom of uint16_t moves any elements of 16 bits.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int thread) {
  auto const tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Threads{}, Values{});
  auto const mine = tiled.get_slice(thread);
  auto const tile = Layout<Shape<_32, _4>>{};
  copy(tiled, mine.partition_S(make_tensor(from, tile)), mine.partition_D(make_tensor(to, tile)));
}
#else
void kernel(float const* from, double* to, int thread) {
  auto const tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Threads{}, Values{});
  auto const mine = tiled.get_slice(thread);
  auto const tile = Layout<Shape<_32, _4>>{};
  copy(tiled, mine.partition_S(make_tensor(from, tile)), mine.partition_D(make_tensor(to, tile)));
}
#endif
