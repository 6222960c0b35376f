// name: fewer threads than the atom needs
// error: TiledCopy: the number of threads is not a multiple of the atom's threads
// meaning: the operation is carried out by eight threads together, the tiled copy has four.
// remedy: enlarge the thread layout to a multiple of the atom's threads.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

/// Eight threads move one float each, together.
struct EightThreadCopy {};
template <>
struct tilewright::Copy_Traits<EightThreadCopy> {
  using ThrID = Layout<_8>;
  using SrcLayout = Layout<Shape<_8, _32>, Stride<_32, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  auto tiled = make_tiled_copy(Copy_Atom<EightThreadCopy, float>{}, Layout<_16>{}, Layout<_1>{});
  auto mine = tiled.get_slice(0).partition_S(make_tensor(data, Layout<Shape<_64>>{}));
  clear(mine);
}
#else
void kernel(float* data) {
  auto tiled = make_tiled_copy(Copy_Atom<EightThreadCopy, float>{}, Layout<_4>{}, Layout<_1>{});
  auto mine = tiled.get_slice(0).partition_S(make_tensor(data, Layout<Shape<_64>>{}));
  clear(mine);
}
#endif
