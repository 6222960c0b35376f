// name: a layout partitioned by a thread
// error: partition_S, partition_D, retile_S, retile_D: the argument is not a tensor
// meaning: a partition is of elements in memory; tidfrg_S shows the whole view of a layout.
// remedy: make a tensor of a pointer and the layout.
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
void kernel(float*, int thread) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread).partition_S(Layout<Shape<_32, _4>>{});
  clear(mine);
}
#endif
