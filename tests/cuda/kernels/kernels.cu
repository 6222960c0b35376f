// Kernels to compile, by nvcc and at run time: one for each part of the library that device code uses.
#include "tilewright/exec/cuda/block.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;

/// A tile of 32 × 32 turned over in shared memory, whose swizzle keeps both directions free of bank conflicts.
extern "C" __global__ void transpose(float const* in, float* out, int m, int n) {
  __shared__ __align__(16) float memory[32 * 32];
  auto const from = make_tensor(make_gmem_ptr(in), make_shape(m, n));
  auto const to = make_tensor(make_gmem_ptr(out), make_shape(n, m));
  auto tile = make_tensor(make_smem_ptr(memory), composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>>{}));
  auto const rows =
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32, _8>>{}, Layout<Shape<_1, _1>>{});
  auto const turned = composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  auto const by_column = make_tensor(make_smem_ptr(memory), turned);
  auto const mine = rows.get_slice(int(threadIdx.x));
  auto const where = make_coord(int(blockIdx.x), int(blockIdx.y));
  auto const back = make_coord(int(blockIdx.y), int(blockIdx.x));
  auto const bounds = make_bounds(mine, make_shape(m, n), Shape<_32, _32>{}, where);
  copy(rows, mine.partition_S(local_tile(from, Shape<_32, _32>{}, where)), mine.partition_D(tile), bounds);
  __syncthreads();
  auto const coords = make_bounds(mine, make_shape(n, m), Shape<_32, _32>{}, back);
  copy(rows, mine.partition_S(by_column), mine.partition_D(local_tile(to, Shape<_32, _32>{}, back)), coords);
}

/// Asynchronous copies with groups, a predicate, and a dynamic layout whose divisibility is stated.
extern "C" __global__ void async_copy(float const* in, float* out, int rows) {
  __shared__ __align__(16) float memory[64 * 32];
  auto const from = make_tensor(make_gmem_ptr(in), make_layout(make_shape(rows, _32{}), make_stride(_1{}, rows)));
  auto const to = make_tensor(make_gmem_ptr(out), Layout<Shape<_64, _32>>{});
  auto tile = make_tensor(make_smem_ptr(memory), Layout<Shape<_64, _32>>{});
  auto const tiled = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, float>{},
                                     Layout<Shape<_16, _4>>{}, Layout<Shape<_4, _1>>{});
  auto const mine = tiled.get_slice(int(threadIdx.x));
  auto const source = mine.partition_S(local_tile(from, Shape<_64, _32>{}, make_coord(int(blockIdx.x), 0)));
  auto moves = make_tensor<bool>(shape(take<1, 3>(source.layout())));
  fill(moves, rows > 64);
  copy_if(tiled, moves, source, mine.partition_D(tile));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  auto registers = make_fragment_like(mine.partition_S(tile));
  copy(mine.partition_S(tile), registers);
  transform(registers, [](float x) { return x + x; });
  copy(AutoVectorizingCopy{}, registers, mine.partition_D(to));
}

/// ldmatrix and, where there is one, stmatrix: a row of 8 for each thread, 8 values for each of the fragment.
extern "C" __global__ void matrices(unsigned short* out) {
  __shared__ __align__(128) unsigned short memory[32 * 8];
  auto const rows = make_tensor(make_smem_ptr(memory), Layout<Shape<_8, _32>>{});
  auto const mine = rows(_, int(threadIdx.x));
  auto fragment = make_tensor<unsigned short>(Shape<_8>{});
  copy(Copy_Atom<SM75_U32x4_LDSM_N, unsigned short>{}, mine, fragment);
#if __CUDA_ARCH__ >= 900
  copy(Copy_Atom<SM90_U32x4_STSM_N, unsigned short>{}, fragment, mine);
#endif
  for (int i = 0; i < size(fragment); ++i) out[threadIdx.x * 8 + i] = fragment(i);
  if (threadIdx.x == 0) print(rows.layout());
}

/// A kernel as launch takes it.
struct reverse {
  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto tile = shared<int>(block, Shape<C<256>>{});
    tile(block.thread()) = static_cast<int>(linear_index(block.index(), block.grid()));
    block.sync();
    out(block.thread()) = tile(block.threads() - 1 - block.thread());
  }
};
extern "C" __global__ void block_context(int* out) {
  cuda_block block;
  reverse{}(block, make_tensor(make_gmem_ptr(out), Shape<C<256>>{}));
}

/// Loads and stores with cache hints, of 256 bits where the architecture has them.
extern "C" __global__ void cache_hints(float const* in, float* out) {
  auto const from = make_tensor(make_gmem_ptr(in + 8 * threadIdx.x), Shape<_8>{});
  auto const to = make_tensor(make_gmem_ptr(out + 8 * threadIdx.x), Shape<_8>{});
  auto registers = make_tensor<float>(Shape<_8>{});
  copy(Copy_Atom<GlobalLoad<uint256_t, cache::read_only | cache::evict_first | cache::prefetch_128>, float>{}, from,
       registers);
  copy(Copy_Atom<GlobalStore<uint256_t, cache::streaming>, float>{}, registers, to);
}
