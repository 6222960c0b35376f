// name: ldmatrix of rows that are not contiguous
// error: ldmatrix: a row of 16 bytes is not contiguous in the source
// anchor: not_contiguous_source
// meaning: each address that the instruction takes is that of 16 contiguous bytes.
// remedy: let the rows run along the contiguous mode, or use the transposing variant on the columns.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void load(std::uint16_t* rows) {
  auto fragment = make_tensor<std::uint16_t>(Shape<_8>{});
#ifdef TILEWRIGHT_FIXED
  auto const row = make_tensor(make_smem_ptr(rows), make_layout(Shape<_8>{}, Stride<_1>{}));
#else
  auto const row = make_tensor(make_smem_ptr(rows), make_layout(Shape<_8>{}, Stride<_16>{}));
#endif
  copy(Copy_Atom<SM75_U32x4_LDSM_N, std::uint16_t>{}, row, fragment);
}
