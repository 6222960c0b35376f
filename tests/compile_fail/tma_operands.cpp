// name: a TMA load of the tensor itself
// error: TMA: copies between coordinates of the tensor and shared memory
// meaning: the engine takes coordinates; addresses are in the map.
// remedy: partition the coordinates that get_tma_tensor gives.
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;
using Load = decltype(make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(static_cast<float*>(nullptr)), Shared{}),
                                    Shared{}));

#ifdef TILEWRIGHT_FIXED
void kernel(Load const& load, std::uint64_t& barrier, float* gmem, float* smem) {
  auto mine = load.get_slice(0);
  copy(load.with(barrier), mine.partition_S(load.get_tma_tensor(Shape<_8, _32>{})),
       mine.partition_D(make_tensor(make_smem_ptr(smem), Shared{})));
}
#else
void kernel(Load const& load, std::uint64_t& barrier, float* gmem, float* smem) {
  auto mine = load.get_slice(0);
  copy(load.with(barrier), mine.partition_S(make_tensor(make_gmem_ptr(gmem), Shared{})),
       mine.partition_D(make_tensor(make_smem_ptr(smem), Shared{})));
}
#endif
