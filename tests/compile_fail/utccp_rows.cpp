// name: rows that tcgen05.cp cannot read
// error: get_utccp_smem_desc_tensor: the rows of a partition have no matrix descriptor
// meaning: the rows are 20 bytes apart, and a descriptor names rows of 16 bytes of which eight are one after another.
// remedy: let the rows be 16 bytes apart, or make the tile with one of the UMMA layouts.
#include "tilewright/mma/sm100_names.hpp"
#include "tilewright/tiled/make_utccp_copy.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Shared = Layout<Shape<_128, _16>, Stride<_16, _1>>;
#else
using Shared = Layout<Shape<_128, _16>, Stride<C<20>, _1>>;
#endif

void kernel(unsigned char* p) {
  using Op = SM100_UTCCP_128dp128bit_1cta;
  auto const target =
      make_tensor(make_tmem_ptr<unsigned char>(), Layout<Shape<_128, _16>, Stride<TMEM::DP<unsigned char>, _1>>{});
  auto const copies = make_utccp_copy(Op{}, target).get_slice(0);
  (void)get_utccp_smem_desc_tensor<Op>(copies.partition_S(make_tensor(make_smem_ptr(p), Shared{})));
}
