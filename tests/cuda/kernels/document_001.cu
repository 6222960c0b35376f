// The kernel of document 001.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

extern "C" __global__ void document_001(float const* g_ptr, float* out) {
  extern __shared__ __align__(16) float smem[];
  auto const layout = Layout<Shape<_16, _8>>{};
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  auto g_tensor = make_tensor(make_gmem_ptr(g_ptr), layout);  // (M, N)
  auto s_tensor = make_tensor(make_smem_ptr(smem), layout);   // (M, N)

  auto thr_copy = tiled_copy.get_thread_slice(threadIdx.x);
  auto thr_g = thr_copy.partition_S(g_tensor);  // (Cpy, RestM, RestN)
  auto thr_s = thr_copy.partition_D(s_tensor);  // (Cpy, RestM, RestN)
  copy(tiled_copy, thr_g, thr_s);
  __syncthreads();
  for (int i = 0; i < 4; ++i) out[127 - int(threadIdx.x) - 32 * i] = s_tensor(127 - int(threadIdx.x) - 32 * i);
}
