// archs: 90 100
// sass: tma_tile UTMALDG=1 LDG=0 STS=0 LDL=0 STL=0
// The kernel of document 001 by TMA: the tiled copy is declared as a TMA copy, the tensor partitioned as its coordinates,
// and the wait that of the barrier; the rest is as printed. One instruction of one thread brings the tile.
#include "support/device.hpp"
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

#include <numeric>

using namespace tilewright;
using namespace tilewright::cuda_test;

template <class TiledCopy, class GmemLayout, class SmemLayout>
__global__ void tma_tile(GmemLayout gmem_layout, SmemLayout smem_layout, __grid_constant__ TiledCopy const tiled_copy,
                         float* __restrict__ out) {
  __shared__ __align__(128) float smem[128];
  __shared__ std::uint64_t barrier;
  auto g_tensor = tiled_copy.get_tma_tensor(shape(gmem_layout));  // (M, N) of coordinates
  auto s_tensor = make_tensor(make_smem_ptr(smem), smem_layout);  // (M, N)

  auto thr_copy = tiled_copy.get_thread_slice(0);
  auto thr_g = thr_copy.partition_S(g_tensor);  // (Cpy, RestM, RestN)
  auto thr_s = thr_copy.partition_D(s_tensor);  // (Cpy, RestM, RestN)

  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(barrier, sizeof smem);
    copy(tiled_copy.with(barrier), thr_g, thr_s);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  for (int i = 0; i < 4; ++i) out[127 - int(threadIdx.x) - 32 * i] = s_tensor(127 - int(threadIdx.x) - 32 * i);
}

int main() {
  return run("document 001 by TMA", [] {
    std::vector<float> in(128);
    std::iota(in.begin(), in.end(), 0.0f);
    device_array<float> const from(in);
    device_array<float> to(128);
    auto const layout = Layout<Shape<_16, _8>>{};
    auto const tiled_copy = make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(from.data()), layout), layout);
    to.poison();
    tma_tile<<<1, 32>>>(layout, layout, tiled_copy, to.data());
    check_cuda(cudaGetLastError(), "tma_tile");
    auto const out = to.host();
    for (std::size_t i = 0; i < 128; ++i) expect(out[i] == in[i], "TMA", static_cast<long long>(i));
  });
}
