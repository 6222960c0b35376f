// name: a predicate with a value for each element
// error: copy_if: the predicate has one mode less than the source
// meaning: an atom moves mode 0 as a whole, so there is one predicate for it.
// remedy: give the predicate the source's modes from mode 1 on.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int thread) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  auto source = mine.partition_S(make_tensor(from, Layout<Shape<_64, _8>>{}));
  auto destination = mine.partition_D(make_tensor(to, Layout<Shape<_64, _8>>{}));
  auto inside = make_tensor<bool>(Layout<Shape<_2, _2>>{});
  fill(inside, true);
  copy_if(tiled, inside, source, destination);
}
#else
void kernel(float const* from, float* to, int thread) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  auto source = mine.partition_S(make_tensor(from, Layout<Shape<_64, _8>>{}));
  auto destination = mine.partition_D(make_tensor(to, Layout<Shape<_64, _8>>{}));
  auto inside = make_tensor<bool>(Layout<Shape<_4, _2, _2>>{});
  fill(inside, true);
  copy_if(tiled, inside, source, destination);
}
#endif
