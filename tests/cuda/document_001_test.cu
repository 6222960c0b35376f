// archs: 80 90 100
// sass: universal_tile LDG\.\S*128=1 LDG\.=1 STS\.128=1 STS=1 LDL=0 STL=0
// sass: async_tile LDGSTS\.\S*128=1 LDGSTS=1 LDG\.=0 STS=0 LDL=0 STL=0
// The kernel of document 001, a tile of 16 × 8 floats by 32 threads of 4, with the one line changed that says how: by
// UniversalCopy and by cp.async, and nothing else. Each thread writes out what another brought.
#include "support/device.hpp"
#include "tilewright/tilewright.hpp"

#include <numeric>

using namespace tilewright;
using namespace tilewright::cuda_test;

using by_universal_copy = Copy_Atom<UniversalCopy<uint128_t>, float>;
using by_cp_async = Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>;

template <class TiledCopy, class GmemLayout, class SmemLayout>
__device__ __forceinline__ void copy_tile(float const* __restrict__ g_ptr, GmemLayout gmem_layout,
                                          SmemLayout smem_layout, TiledCopy tiled_copy, float* __restrict__ out) {
  extern __shared__ __align__(16) float smem[];
  auto g_tensor = make_tensor(make_gmem_ptr(g_ptr), gmem_layout);  // (M, N)
  auto s_tensor = make_tensor(make_smem_ptr(smem), smem_layout);   // (M, N)

  auto thr_copy = tiled_copy.get_thread_slice(threadIdx.x);
  auto thr_g = thr_copy.partition_S(g_tensor);  // (Cpy, RestM, RestN)
  auto thr_s = thr_copy.partition_D(s_tensor);  // (Cpy, RestM, RestN)

  copy(tiled_copy, thr_g, thr_s);
  cp_async_wait_all();  // nothing to wait for where the copy is synchronous

  __syncthreads();
  for (int i = 0; i < 4; ++i) out[127 - int(threadIdx.x) - 32 * i] = s_tensor(127 - int(threadIdx.x) - 32 * i);
}

template <class TiledCopy, class Layout>
__global__ void universal_tile(float const* in, Layout layout, TiledCopy tiled_copy, float* out) {
  copy_tile(in, layout, layout, tiled_copy, out);
}
template <class TiledCopy, class Layout>
__global__ void async_tile(float const* in, Layout layout, TiledCopy tiled_copy, float* out) {
  copy_tile(in, layout, layout, tiled_copy, out);
}

template <class Atom>
auto declared() {
  return make_tiled_copy(Atom{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
}

int main() {
  return run("document 001", [] {
    std::vector<float> in(128);
    std::iota(in.begin(), in.end(), 0.0f);
    device_array<float> const from(in);
    device_array<float> to(128);
    auto const layout = Layout<Shape<_16, _8>>{};

    to.poison();
    universal_tile<<<1, 32, 512>>>(from.data(), layout, declared<by_universal_copy>(), to.data());
    check_cuda(cudaGetLastError(), "universal_tile");
    auto out = to.host();
    for (std::size_t i = 0; i < 128; ++i) expect(out[i] == in[i], "UniversalCopy", static_cast<long long>(i));

    to.poison();
    async_tile<<<1, 32, 512>>>(from.data(), layout, declared<by_cp_async>(), to.data());
    check_cuda(cudaGetLastError(), "async_tile");
    out = to.host();
    for (std::size_t i = 0; i < 128; ++i) expect(out[i] == in[i], "cp.async", static_cast<long long>(i));
  });
}
