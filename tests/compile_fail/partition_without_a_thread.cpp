// name: a partition without a thread
// error: TiledCopy: a partition is one thread's share, and no thread is named
// meaning: a tiled copy is that of all threads; get_slice names one.
// remedy: call get_slice(thread) first.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<float>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data, int thread) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread).partition_S(make_tensor(data, Layout<Shape<_32, _4>>{}));
  clear(mine);
}
#else
void kernel(float* data, int) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.partition_S(make_tensor(data, Layout<Shape<_32, _4>>{}));
  clear(mine);
}
#endif
