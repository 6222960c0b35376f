// name: a coordinate where a thread's number stands
// error: the index is one thread's number, which get_slice and local_partition place by themselves
// meaning: a tiled copy maps a thread's number to its place by itself.
// remedy: pass the number, such as threadIdx.x.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data, int row, int column) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(row + 8 * column).partition_D(make_tensor(data, Layout<Shape<_32, _4>>{}));
  clear(mine);
}
#else
void kernel(float* data, int row, int column) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(make_coord(row, column)).partition_D(make_tensor(data, Layout<Shape<_32, _4>>{}));
  clear(mine);
}
#endif
