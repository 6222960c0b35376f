// name: fewer values in a thread than the atom carries
// error: TiledCopy: a thread's values are not a multiple of the atom's values
// meaning: the atom carries four floats at once, the thread-value layout gives a thread two.
// remedy: enlarge the value mode, or choose a narrower atom.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
  auto tiled = make_tiled_copy(Atom{}, Layout<Shape<_32, _4>, Stride<_4, _1>>{}, Shape<_128>{});
  auto mine = tiled.get_slice(0);
  copy(tiled, mine.partition_S(make_tensor(from, Layout<Shape<_128>>{})),
       mine.partition_D(make_tensor(to, Layout<Shape<_128>>{})));
}
#else
void kernel(float const* from, float* to) {
  using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
  auto tiled = make_tiled_copy(Atom{}, Layout<Shape<_32, _2>, Stride<_2, _1>>{}, Shape<_64>{});
  auto mine = tiled.get_slice(0);
  copy(tiled, mine.partition_S(make_tensor(from, Layout<Shape<_128>>{})),
       mine.partition_D(make_tensor(to, Layout<Shape<_128>>{})));
}
#endif
