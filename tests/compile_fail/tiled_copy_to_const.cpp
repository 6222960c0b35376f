// name: a tiled copy into constant memory
// error: copy, fill, transform: the destination's elements are const
// meaning: the destination's pointer is to const elements.
// remedy: copy into a tensor over writable memory; the source comes first.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int thread) {
  auto source = make_tensor(from, Layout<Shape<_32, _4>>{});
  auto destination = make_tensor(to, Layout<Shape<_32, _4>>{});
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  copy(tiled, mine.partition_S(source), mine.partition_D(destination));
}
#else
void kernel(float const* from, float* to, int thread) {
  auto source = make_tensor(from, Layout<Shape<_32, _4>>{});
  auto destination = make_tensor(to, Layout<Shape<_32, _4>>{});
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  copy(tiled, mine.partition_S(destination), mine.partition_D(source));
}
#endif
