// A ring of bulk copies on mbarriers, one of cp.async that arrive at them, and a tile that goes to the next block of a
// cluster.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

extern "C" __global__ void add_up(int const* in, int rounds, int* sums) {
  __shared__ alignas(128) int storage[512];
  __shared__ std::uint64_t full[2], empty[2];
  auto const from = make_tensor(make_gmem_ptr(in), make_shape(_256{}, rounds));
  auto const tiles = make_tensor(make_smem_ptr(storage), Shape<_256, _2>{});
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    for (int s = 0; s < 2; ++s) {
      initialize_barrier(full[s]);
      initialize_barrier(empty[s], static_cast<int>(blockDim.x));
    }
    fence_barrier_init();
  }
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    int const s = r % 2, phase = r / 2 % 2;
    if (t == 0) {
      wait_barrier(empty[s], phase ^ 1);
      set_barrier_transaction_bytes(full[s], 1024);
      copy(Copy_Atom<SM90_BULK_COPY_AUTO, int>{}.with(full[s]), from(_, r), tiles(_, s));
    }
    wait_barrier(full[s], phase);
    for (int i = t; i < 256; i += static_cast<int>(blockDim.x)) sum += tiles(i, s);
    arrive_barrier(empty[s]);
  }
  sums[t] = sum;
}

extern "C" __global__ void add_up_halves(int const* in, int rounds, int* sums) {
  __shared__ alignas(128) int storage[512];
  __shared__ std::uint64_t own[2], full[2];
  auto const from = make_tensor(make_gmem_ptr(in), make_shape(_256{}, rounds));
  auto const tiles = make_tensor(make_smem_ptr(storage), Shape<_256, _2>{});
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    bulk_prefetch(from(_, 0), TMA::CacheHintSm90::EVICT_FIRST);
    for (int s = 0; s < 2; ++s) {
      initialize_barrier(own[s], static_cast<int>(blockDim.x));
      initialize_barrier(full[s], static_cast<int>(blockDim.x));
    }
    fence_barrier_init();
  }
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    int const s = r % 2;
    for (int i = t; i < 256; i += static_cast<int>(blockDim.x))
      copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<word<32>>, int>{}, local_tile(from(_, r), Shape<_1>{}, i),
           local_tile(tiles(_, s), Shape<_1>{}, i));
    cpasync_barrier_arrive_noinc(own[s]);
    cpasync_barrier_arrive(full[s]);
    arrive_barrier(full[s]);
    wait_barrier(own[s], r / 2 % 2);
    wait_barrier(full[s], r / 2 % 2);
    for (int i = t; i < 256; i += static_cast<int>(blockDim.x)) sum += tiles((i + 1) % 256, s);
    __syncthreads();
  }
  sums[t] = sum;
}

extern "C" __global__ void to_next(int const* in, int* out) {
  __shared__ alignas(128) int storage[512];
  __shared__ std::uint64_t full;
  auto const tiles = make_tensor(make_smem_ptr(storage), Shape<_256, _2>{});
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    initialize_barrier(full);
    fence_barrier_init();
    set_barrier_transaction_bytes(full, 1024);
  }
  for (int i = t; i < 256; i += static_cast<int>(blockDim.x)) tiles(i, 0) = in[i];
  tma_store_fence();
  cluster_sync();
  if (t < 32 && elect_one_sync()) {
    auto const next = (block_rank_in_cluster() + 1) % cluster_shape().x;
    copy(Copy_Atom<SM90_BULK_COPY_S2CLUSTER, int>{}.with(full, next), tiles(_, 0), tiles(_, 1));
  }
  wait_barrier(full, 0);
  if (t == 0) {
    auto const first = TMA::CacheHintSm90::EVICT_FIRST;
    copy(Copy_Atom<SM90_BULK_COPY_S2G, int>{}.with(first), tiles(_, 1), make_tensor(make_gmem_ptr(out), Shape<_256>{}));
    tma_store_arrive();
    tma_store_wait<0>();
  }
  cluster_sync();
}
