// name: a slice for a thread that the copy does not have
// error: get_slice: the thread index is beyond the copy's threads
// meaning: the copy has 32 threads, numbered from 0.
// remedy: use an index below the number of threads; run-time indices beyond it take no part.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(Int<31>{});
  copy(tiled, mine.partition_S(make_tensor(from, Layout<Shape<_32, _4>>{})),
       mine.partition_D(make_tensor(to, Layout<Shape<_32, _4>>{})));
}
#else
void kernel(float const* from, float* to) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(_32{});
  copy(tiled, mine.partition_S(make_tensor(from, Layout<Shape<_32, _4>>{})),
       mine.partition_D(make_tensor(to, Layout<Shape<_32, _4>>{})));
}
#endif
