// The TMA loads of two blocks that multiply together, next to Hopper's copies.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_tma.hpp"

namespace cute {

using tilewright::SM100_TMA_2SM_LOAD;
using tilewright::SM100_TMA_2SM_LOAD_MULTICAST;

namespace detail {

// One instruction on a box of N modes. The barrier is that of the same place in the block of even rank.
template <int N>
struct tma_load_pair_of {
  using PREFETCH = tma_prefetch_of<N>;
  template <class... X>
  requires(sizeof...(X) == N) CUTE_HOST_DEVICE
      static void copy(void const* desc_ptr, std::uint64_t* mbar_ptr, [[maybe_unused]] std::uint64_t cache_hint,
                       void* smem_ptr, X const&... crd) {
    int const at[]{static_cast<int>(crd)...};
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::tma_load_pair(desc_ptr, at, smem_ptr, mbar_ptr, cache_hint);
#elif TILEWRIGHT_HOSTED
    tilewright::detail::load_box_of_pair_on(
        mbar_ptr, tilewright::detail::box_at(*static_cast<tilewright::tma_descriptor const*>(desc_ptr), at),
        static_cast<unsigned char*>(smem_ptr));
#endif
  }
};
template <int N>
struct tma_multicast_pair_of {
  using PREFETCH = tma_prefetch_of<N>;
  template <class... X>
  requires(sizeof...(X) == N) CUTE_HOST_DEVICE
      static void copy(void const* desc_ptr, std::uint64_t* mbar_ptr, std::uint16_t multicast_mask,
                       [[maybe_unused]] std::uint64_t cache_hint, void* smem_ptr, X const&... crd) {
    int const at[]{static_cast<int>(crd)...};
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::tma_load_pair_multicast(desc_ptr, at, smem_ptr, mbar_ptr, multicast_mask, cache_hint);
#elif TILEWRIGHT_HOSTED
    tilewright::detail::multicast_box_on<true>(
        mbar_ptr, multicast_mask,
        tilewright::detail::box_at(*static_cast<tilewright::tma_descriptor const*>(desc_ptr), at),
        static_cast<unsigned char*>(smem_ptr));
#endif
  }
};

}  // namespace detail

struct SM100_TMA_2SM_LOAD_1D : detail::tma_load_pair_of<1> {};
struct SM100_TMA_2SM_LOAD_2D : detail::tma_load_pair_of<2> {};
struct SM100_TMA_2SM_LOAD_3D : detail::tma_load_pair_of<3> {};
struct SM100_TMA_2SM_LOAD_4D : detail::tma_load_pair_of<4> {};
struct SM100_TMA_2SM_LOAD_5D : detail::tma_load_pair_of<5> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_1D : detail::tma_multicast_pair_of<1> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_2D : detail::tma_multicast_pair_of<2> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_3D : detail::tma_multicast_pair_of<3> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_4D : detail::tma_multicast_pair_of<4> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_5D : detail::tma_multicast_pair_of<5> {};
/// Clears the bit of an address that tells the blocks of a pair apart.
inline constexpr std::uint32_t Sm100MmaPeerBitMask = 0xfeffffff;

}  // namespace cute
