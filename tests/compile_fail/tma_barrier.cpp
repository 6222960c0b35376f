// name: a TMA load without a barrier
// error: TMA: a load completes on a barrier
// meaning: nothing would tell when the tile has arrived.
// remedy: give the barrier that counts its bytes.
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;
using Load = decltype(make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(static_cast<float*>(nullptr)), Shared{}),
                                    Shared{}));

#ifdef TILEWRIGHT_FIXED
void kernel(Load const& load, [[maybe_unused]] std::uint64_t& barrier, float* smem) {
  auto mine = load.get_slice(0);
  copy(load.with(barrier), mine.partition_S(load.get_tma_tensor(Shape<_8, _32>{})),
       mine.partition_D(make_tensor(make_smem_ptr(smem), Shared{})));
}
#else
void kernel(Load const& load, [[maybe_unused]] std::uint64_t& barrier, float* smem) {
  auto mine = load.get_slice(0);
  copy(load, mine.partition_S(load.get_tma_tensor(Shape<_8, _32>{})),
       mine.partition_D(make_tensor(make_smem_ptr(smem), Shared{})));
}
#endif
