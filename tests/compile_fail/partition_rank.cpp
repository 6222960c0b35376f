// name: a vector partitioned by a copy of matrices
// error: the tiler, coordinate or profile does not match the layout's modes
// meaning: the tile has two modes, the tensor one.
// remedy: give the tensor the modes of the tile: make_shape(n, _1{}) is a column.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data, int thread) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread).partition_S(make_tensor(data, Layout<Shape<_32, _4>>{}));
  float sum = mine(0) + mine(1);
  clear(mine);
}
#else
void kernel(float* data, int thread) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread).partition_S(make_tensor(data, Layout<_128>{}));
  float sum = mine(0) + mine(1);
  clear(mine);
}
#endif
