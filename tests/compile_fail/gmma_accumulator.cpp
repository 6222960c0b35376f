// name: an accumulator of a warpgroup whose values are not contiguous
// error: SM90 GMMA: the accumulator's values of one operation are not contiguous in registers
// meaning: the instruction writes registers that follow one another; the tensor has a gap between its values.
// remedy: make it with partition_fragment_C.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/mma/sm90_gmma_names.hpp"

using namespace tilewright;

using Op = SM90_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>;

#ifdef TILEWRIGHT_FIXED
using Values = Layout<_4>;
#else
using Values = Layout<_4, _2>;
#endif

void kernel(GmmaDescriptor const& a, GmmaDescriptor const& b) {
  auto c = make_tensor<float>(Values{});
  gemm(MMA_Atom<Op>{}, make_tensor(GMMA::DescriptorIterator{a}, Layout<_1>{}),
       make_tensor(GMMA::DescriptorIterator{b}, Layout<_1>{}), c);
}
