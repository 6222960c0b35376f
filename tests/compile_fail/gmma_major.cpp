// name: a product of a warpgroup with A in registers that is MN-major
// error: SM90 GMMA: operands of 8 and 32 bits, and A in registers, are K-major
// meaning: the operation names a major mode that the instruction does not have.
// remedy: use GMMA::Major::K.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/mma/sm90_gmma_names.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Op = SM90_64x8x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::K>;
#else
using Op = SM90_64x8x16_F32F16F16_RS<GMMA::Major::MN, GMMA::Major::K>;
#endif

void kernel(GmmaDescriptor const& b) {
  auto a = make_tensor<half_t>(Shape<_8>{});
  auto c = make_tensor<float>(Shape<_4>{});
  gemm(MMA_Atom<Op>{}, a, make_tensor(GMMA::DescriptorIterator{b}, Layout<_1>{}), c);
}
