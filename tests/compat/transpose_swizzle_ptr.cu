// A matrix transposed through a tile in shared memory, whose rows a swizzled pointer spreads over the banks; the tile's
// layout is that of a warpgroup's products. Vectors on the way in, single elements on the way out. Prints "passed".
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/tensor.hpp>

#include <cstdio>
#include <vector>

#include "cutlass/array.h"
#include "cutlass/cluster_launch.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/util/helper_cuda.hpp"

template <class Element, class SmemLayout>
struct SharedStorage {
  alignas(1024) cute::array_aligned<Element, cute::cosize_v<SmemLayout>> tile;
};

template <bool by_pointer, class TensorS, class TensorD, class SmemLayout, class TiledLoad, class TiledStore>
CUTLASS_GLOBAL void __launch_bounds__(256)
    transpose(TensorS S, TensorD D, SmemLayout smem_layout, TiledLoad load, TiledStore store) {
  using namespace cute;
  using Element = typename TensorS::value_type;
  extern __shared__ __align__(1024) char shared_memory[];  // the swizzle's span
  auto& storage = *reinterpret_cast<SharedStorage<Element, SmemLayout>*>(shared_memory);

  auto sS = [&] {
    if constexpr (by_pointer) {
      auto p = make_swizzle_ptr(make_smem_ptr(storage.tile.data()), Swizzle<3, 4, 3>{});
      return make_tensor(p, get_nonswizzle_portion(smem_layout));  // (bM, bN)
    } else {
      return as_position_independent_swizzle_tensor(
          make_tensor(make_smem_ptr(storage.tile.data()), smem_layout));  // (bM, bN)
    }
  }();
  auto sD = [&] {  // (bN, bM); the modes of a swizzled layout are those of the layout before it
    auto const layout = sS.layout();
    if constexpr (by_pointer) return make_tensor(sS.data(), select<1, 0>(layout));
    else
      return make_tensor(sS.data(), composition(layout.layout_a(), layout.offset(), select<1, 0>(layout.layout_b())));
  }();
  auto tile = product_each(shape(sS));
  Tensor gS = local_tile(S, tile, make_coord(blockIdx.x, blockIdx.y));                // (bM, bN)
  Tensor gD = local_tile(D, select<1, 0>(tile), make_coord(blockIdx.y, blockIdx.x));  // (bN, bM)

  auto thr_load = load.get_slice(threadIdx.x);
  copy(load, thr_load.partition_S(gS), thr_load.partition_D(sS));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  auto thr_store = store.get_slice(threadIdx.x);
  Tensor tDsD = thr_store.partition_S(sD);  // (CPY, CPY_N, CPY_M)
  Tensor tDrD = make_fragment_like(tDsD);   // (CPY, CPY_N, CPY_M)
  copy(tDsD, tDrD);
  copy(store, tDrD, thr_store.partition_D(gD));
}

template <bool by_pointer, class T>
bool run(int M, int N) {
  using namespace cute;
  std::vector<T> source(static_cast<std::size_t>(M) * N), target(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = T(float(i % 1021));
  T *src = nullptr, *dst = nullptr;
  CUTE_CHECK_ERROR(cudaMalloc(&src, source.size() * sizeof(T)));
  CUTE_CHECK_ERROR(cudaMalloc(&dst, source.size() * sizeof(T)));
  CUTE_CHECK_ERROR(cudaMemcpy(src, source.data(), source.size() * sizeof(T), cudaMemcpyHostToDevice));

  Tensor S = make_tensor(make_gmem_ptr(src), make_layout(make_shape(M, N), make_stride(N, Int<1>{})));
  Tensor D = make_tensor(make_gmem_ptr(dst), make_layout(make_shape(N, M), make_stride(M, Int<1>{})));
  auto smem_layout = tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, Shape<_64, _64>{});
  constexpr int values = 16 / sizeof(T);
  auto threads = make_layout(make_shape(Int<256 / (64 / values)>{}, Int<64 / values>{}), LayoutRight{});
  auto vector = make_layout(make_shape(Int<1>{}, Int<values>{}));
  auto load = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, T>{}, threads, vector);
  auto store = make_tiled_copy(Copy_Atom<UniversalCopy<cutlass::AlignedArray<T, values>>, T>{}, threads, vector);

  constexpr int smem_size = sizeof(SharedStorage<T, decltype(smem_layout)>);
  auto* kernel =
      &transpose<by_pointer, decltype(S), decltype(D), decltype(smem_layout), decltype(load), decltype(store)>;
  CUTE_CHECK_ERROR(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_size));
  cutlass::ClusterLaunchParams params = {dim3(M / 64, N / 64), dim3(256), dim3(1), smem_size};
  auto const status =
      cutlass::launch_kernel_on_cluster(params, reinterpret_cast<void const*>(kernel), S, D, smem_layout, load, store);
  CUTE_CHECK_LAST();
  CUTE_CHECK_ERROR(cudaMemcpy(target.data(), dst, target.size() * sizeof(T), cudaMemcpyDeviceToHost));
  bool same = status == cutlass::Status::kSuccess;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) same = same && target[std::size_t(n) * M + m] == source[std::size_t(m) * N + n];
  cudaFree(src);
  cudaFree(dst);
  return same;
}

int main() {
  bool const ok = run<true, float>(256, 512) && run<false, float>(256, 512) && run<true, cute::half_t>(512, 128) &&
                  run<false, cute::half_t>(512, 128);
  std::printf(ok ? "passed\n" : "failed\n");
  return ok ? 0 : 1;
}
