// name: a tensor that is not a multiple of the tile
// error: partition: the tensor's mode is not a multiple of the tiled copy's tile
// meaning: 100 rows are three tiles of 32 and four rows more, which no thread would move.
// remedy: use a tile that divides the tensor, or copy tile by tile with bounds.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int thread) {
  auto source = make_tensor(from, Layout<Shape<_128, _8>>{});
  auto destination = make_tensor(to, Layout<Shape<_128, _8>>{});
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  auto registers = make_fragment_like(mine.partition_S(source));
  copy(tiled, mine.partition_S(source), registers);
  copy(tiled, registers, mine.partition_D(destination));
}
#else
void kernel(float const* from, float* to, int thread) {
  auto source = make_tensor(from, Layout<Shape<Int<100>, _8>>{});
  auto destination = make_tensor(to, Layout<Shape<Int<100>, _8>>{});
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  auto registers = make_fragment_like(mine.partition_S(source));
  copy(tiled, mine.partition_S(source), registers);
  copy(tiled, registers, mine.partition_D(destination));
}
#endif
