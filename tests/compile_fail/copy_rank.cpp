// name: an atom's copy between a partition and a flat tensor
// error: copy: source and destination differ in rank
// meaning: the source is a partition (values, rest, rest), the destination a plain vector.
// remedy: partition both with the same tiled copy, or make the registers like the partition.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, int thread) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread).partition_S(make_tensor(from, Layout<Shape<_64, _8>>{}));
  auto registers = make_fragment_like(mine);
  copy(tiled, mine, registers);
}
#else
void kernel(float const* from, int thread) {
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread).partition_S(make_tensor(from, Layout<Shape<_64, _8>>{}));
  auto registers = make_tensor<float>(Layout<_16>{});
  copy(tiled, mine, registers);
}
#endif
