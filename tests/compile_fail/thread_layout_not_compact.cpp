// name: threads that are numbered with gaps
// error: tiled_copy: the thread layout must number its threads 0, 1, 2, … once each
// meaning: the strides (1,5) of (4,8) threads skip numbers, so there would be threads without a place.
// remedy: use a compact thread layout.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  using Threads = Layout<Shape<_4, _8>, Stride<_1, _4>>;
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Threads{}, Layout<Shape<_4, _1>>{});
  auto mine = tiled.get_thread_slice(0).partition_D(make_tensor(data, Layout<Shape<_16, _8>>{}));
  fill(mine, 0.0f);
  print(tiled.get_layoutS_TV());
}
#else
void kernel(float* data) {
  using Threads = Layout<Shape<_4, _8>, Stride<_1, _5>>;
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Threads{}, Layout<Shape<_4, _1>>{});
  auto mine = tiled.get_thread_slice(0).partition_D(make_tensor(data, Layout<Shape<_16, _8>>{}));
  fill(mine, 0.0f);
  print(tiled.get_layoutS_TV());
}
#endif
