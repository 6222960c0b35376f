// name: a tiled copy with a run-time number of threads
// error: make_tiled_copy: the thread and value layouts must be static
// meaning: the share of a thread is a register layout, so all that makes it is known at compile time.
// remedy: make the number of threads a compile-time constant; threads beyond it take no part.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int) {
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32>>{}, Layout<Shape<_4>>{});
  auto mine = tiled.get_slice(0);
  auto source = mine.partition_S(make_tensor(from, Layout<Shape<_128>>{}));
  auto registers = make_fragment_like(source);
  copy(tiled, source, registers);
  copy(tiled, registers, mine.partition_D(make_tensor(to, Layout<Shape<_128>>{})));
}
#else
void kernel(float const* from, float* to, int threads) {
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, make_layout(threads), Layout<_4>{});
  auto mine = tiled.get_slice(0);
  auto source = mine.partition_S(make_tensor(from, Layout<Shape<_128>>{}));
  auto registers = make_fragment_like(source);
  copy(tiled, source, registers);
  copy(tiled, registers, mine.partition_D(make_tensor(to, Layout<Shape<_128>>{})));
}
#endif
