// name: a wide atom across the rows of a row-major source
// error: UniversalCopy: the atom's values are not contiguous in the source
// meaning: the values run down a column, whose elements lie a row apart, but the atom loads four neighbours at once.
// remedy: let the values run along the mode of stride 1.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

using Atom = Copy_Atom<UniversalCopy<word<128>>, float>;
using Threads = Layout<Shape<_8, _4>>;
using Values = Layout<Shape<_4, _1>>;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to, int thread) {
  auto row_major = make_tensor(from, Layout<Shape<_32, _8>, Stride<_8, _1>>{});
  auto also_row_major = make_tensor(to, Layout<Shape<_32, _8>, Stride<_8, _1>>{});
  auto tiled = make_tiled_copy(Atom{}, Layout<Shape<_16, _2>, Stride<_2, _1>>{}, Layout<Shape<_1, _4>>{});
  auto mine = tiled.get_slice(thread);
  copy(tiled, mine.partition_S(row_major), mine.partition_D(also_row_major));
}
#else
void kernel(float const* from, float* to, int thread) {
  auto row_major = make_tensor(from, Layout<Shape<_32, _8>, Stride<_8, _1>>{});
  auto column_major = make_tensor(to, Layout<Shape<_32, _8>, Stride<_1, _32>>{});
  auto tiled = make_tiled_copy(Atom{}, Threads{}, Values{});
  auto mine = tiled.get_slice(thread);
  copy(tiled, mine.partition_S(row_major), mine.partition_D(column_major));
}
#endif
