// name: a matrix operation on a fragment of another size
// error: MMA_Atom: a fragment has other bits than the operation's registers
// meaning: a thread has eight values of A for the operation, the fragment holds four.
// remedy: make the fragment with partition_fragment_A of the same operation.
#include "tilewright/algorithm/gemm.hpp"

using namespace tilewright;

using Mma = MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>;

#ifdef TILEWRIGHT_FIXED
void kernel() {
  auto a = make_tensor<half_t>(Shape<_8>{});
  auto b = make_tensor<half_t>(Shape<_4>{});
  auto c = make_tensor<float>(Shape<_4>{});
  gemm(Mma{}, a, b, c);
}
#else
void kernel() {
  auto a = make_tensor<half_t>(Shape<_4>{});
  auto b = make_tensor<half_t>(Shape<_4>{});
  auto c = make_tensor<float>(Shape<_4>{});
  gemm(Mma{}, a, b, c);
}
#endif
