// A kernel changes a tensor map (sm_90a and later): for copies of tensors whose addresses and extents are only known on the GPU, such as
// those of a group of products. One thread changes a map in shared memory, its warp publishes it in global memory, and each
// thread that starts copies by it acquires it first:
//   tma_descriptor_replace_addr_in_shared_mem(map, address);
//   tma_descriptor_replace_dims_strides_in_shared_mem(map, extents, strides);   mode 0 is contiguous, strides are bytes
//   tma_descriptor_cp_fence_release(published, map);                            all threads of a warp
//   tma_descriptor_fence_acquire(published);                                    then copy(tma.with(published, barrier), …)
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/tensor_map.hpp"
#include "tilewright/atom/ptx/tensor_map_change.hpp"

namespace tilewright {

TILEWRIGHT_FN void tma_descriptor_replace_addr_in_global_mem(tma_descriptor const* map, void const* address) {
#if TILEWRIGHT_ON_DEVICE
  ptx::replace_map_address_in_global(map->encoded, address);
#else
  const_cast<tma_descriptor*>(map)->tensor.address = const_cast<void*>(address);
#endif
}
TILEWRIGHT_FN void tma_descriptor_replace_addr_in_shared_mem(tma_descriptor& map, void const* address) {
#if TILEWRIGHT_ON_DEVICE
  ptx::replace_map_address_in_shared(map.encoded, address);
#else
  map.tensor.address = const_cast<void*>(address);
#endif
}

namespace detail {
template <int Mode, class Extents, class Strides>
TILEWRIGHT_FN void replace_map_mode(tma_descriptor& map, Extents const& extents, Strides const& strides) {
#if TILEWRIGHT_ON_DEVICE
  ptx::replace_map_extent_in_shared<Mode>(map.encoded, static_cast<std::uint32_t>(extents[Mode]));
  if constexpr (Mode > 0)
    ptx::replace_map_stride_in_shared<Mode>(map.encoded, static_cast<std::uint64_t>(strides[Mode]));
#else
  map.tensor.extent[Mode] = static_cast<long long>(extents[Mode]);
  if constexpr (Mode > 0) map.tensor.stride[Mode] = static_cast<long long>(strides[Mode]);
#endif
}
}  // namespace detail
/// extents: Rank numbers of elements, 1 beyond the map's rank; strides: Rank numbers of bytes, of which the first is not read
template <int Rank = 5, class Extents, class Strides>
TILEWRIGHT_FN void tma_descriptor_replace_dims_strides_in_shared_mem(tma_descriptor& map, Extents const& extents,
                                                                     Strides const& strides) {
  static_assert(1 <= Rank && Rank <= 5, "a tensor map has 1 to 5 modes");
  detail::replace_map_mode<0>(map, extents, strides);
  if constexpr (Rank > 1) detail::replace_map_mode<1>(map, extents, strides);
  if constexpr (Rank > 2) detail::replace_map_mode<2>(map, extents, strides);
  if constexpr (Rank > 3) detail::replace_map_mode<3>(map, extents, strides);
  if constexpr (Rank > 4) detail::replace_map_mode<4>(map, extents, strides);
}

/// Copies a map from shared to global memory and publishes it.  pre: all threads of a warp call it
TILEWRIGHT_FN void tma_descriptor_cp_fence_release(tma_descriptor const* published, tma_descriptor& map) {
#if TILEWRIGHT_ON_DEVICE
  ptx::publish_map(published->encoded, map.encoded);
#else
  *const_cast<tma_descriptor*>(published) = map;
#endif
}
/// Publishes what this thread changed in global memory, and sees what was published.
TILEWRIGHT_FN void tma_descriptor_fence_release() {
#if TILEWRIGHT_ON_DEVICE
  ptx::release_maps();
#endif
}
TILEWRIGHT_FN void tma_descriptor_fence_acquire([[maybe_unused]] tma_descriptor const* map) {
#if TILEWRIGHT_ON_DEVICE
  ptx::acquire_map(map->encoded);
#endif
}

}  // namespace tilewright
