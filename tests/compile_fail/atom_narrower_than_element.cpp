// name: an atom narrower than an element
// error: Copy_Atom: the operation's bits are not a multiple of an element's bits
// meaning: a copy of 16 bits does not carry a float of 32.
// remedy: choose an operation at least as wide as the element.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  using Atom = Copy_Atom<UniversalCopy<std::uint32_t>, float>;
  auto tiled = make_tiled_copy(Atom{}, Layout<Shape<_32>>{}, Layout<Shape<_4>>{});
  auto mine = tiled.get_slice(0);
  copy(tiled, mine.partition_S(make_tensor(from, Layout<Shape<_128>>{})),
       mine.partition_D(make_tensor(to, Layout<Shape<_128>>{})));
}
#else
void kernel(float const* from, float* to) {
  using Atom = Copy_Atom<UniversalCopy<std::uint16_t>, float>;
  auto tiled = make_tiled_copy(Atom{}, Layout<Shape<_32>>{}, Layout<Shape<_4>>{});
  auto mine = tiled.get_slice(0);
  copy(tiled, mine.partition_S(make_tensor(from, Layout<Shape<_128>>{})),
       mine.partition_D(make_tensor(to, Layout<Shape<_128>>{})));
}
#endif
