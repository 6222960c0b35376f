// Changes of a tensor map by a kernel (PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy", "fence.proxy.tensormap"; sm_90a and
// later): the address, extents and strides of another tensor are written to a map in shared memory, which is then published in
// global memory. Device code only: atom/tma_change.hpp has the host's part.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_FEAT_SM100_ALL) || \
    defined(__CUDA_ARCH_FEAT_SM103_ALL) || defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
inline constexpr bool changes_tensor_maps = true;
#else
inline constexpr bool changes_tensor_maps = false;
#endif
inline constexpr char const* needs_map_changes =
    "tensor maps are changed by instructions of sm_90a, sm_100a and sm_120a; compile for one of these";

TILEWRIGHT_FN void replace_map_address_in_global([[maybe_unused]] void const* map,
                                                 [[maybe_unused]] void const* address) {
  if constexpr (changes_tensor_maps)
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(address)
                 : "memory");
  else refuse(needs_map_changes);
}
TILEWRIGHT_FN void replace_map_address_in_shared([[maybe_unused]] void const* map,
                                                 [[maybe_unused]] void const* address) {
  if constexpr (changes_tensor_maps)
    asm volatile(
        "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(cast_smem_ptr_to_uint(map)),
        "l"(address)
        : "memory");
  else refuse(needs_map_changes);
}
/// The extent of mode Mode, and for Mode > 0 its stride in bytes.
template <int Mode>
TILEWRIGHT_FN void replace_map_extent_in_shared([[maybe_unused]] void const* map,
                                                [[maybe_unused]] std::uint32_t extent) {
  if constexpr (changes_tensor_maps)
    asm volatile(
        "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], %1, %2;" ::"r"(cast_smem_ptr_to_uint(map)),
        "n"(Mode), "r"(extent)
        : "memory");
  else refuse(needs_map_changes);
}
template <int Mode>
TILEWRIGHT_FN void replace_map_stride_in_shared([[maybe_unused]] void const* map,
                                                [[maybe_unused]] std::uint64_t bytes) {
  static_assert(Mode > 0);
  if constexpr (changes_tensor_maps)
    asm volatile(
        "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], %1, %2;" ::"r"(cast_smem_ptr_to_uint(map)),
        "n"(Mode - 1), "l"(bytes)
        : "memory");
  else refuse(needs_map_changes);
}
/// The same of a map in global memory.
template <int Mode>
TILEWRIGHT_FN void replace_map_extent_in_global([[maybe_unused]] void const* map,
                                                [[maybe_unused]] std::uint32_t extent) {
  if constexpr (changes_tensor_maps)
    asm volatile("tensormap.replace.tile.global_dim.global.b1024.b32 [%0], %1, %2;" ::"l"(map), "n"(Mode), "r"(extent)
                 : "memory");
  else refuse(needs_map_changes);
}
template <int Mode>
TILEWRIGHT_FN void replace_map_stride_in_global([[maybe_unused]] void const* map,
                                                [[maybe_unused]] std::uint64_t bytes) {
  static_assert(Mode > 0);
  if constexpr (changes_tensor_maps)
    asm volatile("tensormap.replace.tile.global_stride.global.b1024.b64 [%0], %1, %2;" ::"l"(map), "n"(Mode - 1),
                 "l"(bytes)
                 : "memory");
  else refuse(needs_map_changes);
}
/// From shared to global memory, for the copies of all blocks. All threads of a warp call it.
TILEWRIGHT_FN void publish_map([[maybe_unused]] void const* global, [[maybe_unused]] void const* shared) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(
          global),
      "r"(cast_smem_ptr_to_uint(shared))
      : "memory");
#endif
}
TILEWRIGHT_FN void release_maps() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
#endif
}
TILEWRIGHT_FN void acquire_map([[maybe_unused]] void const* map) {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
#endif
}

#endif

}  // namespace tilewright::ptx
