// name: a wide atom across the rows of a row-major destination
// error: UniversalCopy: the atom's values are not contiguous in the destination
// meaning: the values run down a column, whose elements lie a row apart, but the atom stores four neighbours at once.
// remedy: use an atom of one element where source and destination differ in their order.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int thread) {
  auto column_major = make_tensor(from, Layout<Shape<_32, _8>, Stride<_1, _32>>{});
  auto row_major = make_tensor(to, Layout<Shape<_32, _8>, Stride<_8, _1>>{});
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  copy(tiled, mine.partition_S(column_major), mine.partition_D(row_major));
}
#else
void kernel(float const* from, float* to, int thread) {
  auto column_major = make_tensor(from, Layout<Shape<_32, _8>, Stride<_1, _32>>{});
  auto row_major = make_tensor(to, Layout<Shape<_32, _8>, Stride<_8, _1>>{});
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  copy(tiled, mine.partition_S(column_major), mine.partition_D(row_major));
}
#endif
