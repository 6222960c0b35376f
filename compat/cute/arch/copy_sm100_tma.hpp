// The TMA loads of two blocks that multiply together, next to Hopper's copies.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_tma.hpp"

namespace cute {

using tilewright::SM100_TMA_2SM_LOAD;
using tilewright::SM100_TMA_2SM_LOAD_MULTICAST;

// One instruction on a box of N modes. The barrier is that of the same place in the block of even rank.
struct SM100_TMA_2SM_LOAD_1D : detail::tma_load_of<SM100_TMA_2SM_LOAD, 1> {};
struct SM100_TMA_2SM_LOAD_2D : detail::tma_load_of<SM100_TMA_2SM_LOAD, 2> {};
struct SM100_TMA_2SM_LOAD_3D : detail::tma_load_of<SM100_TMA_2SM_LOAD, 3> {};
struct SM100_TMA_2SM_LOAD_4D : detail::tma_load_of<SM100_TMA_2SM_LOAD, 4> {};
struct SM100_TMA_2SM_LOAD_5D : detail::tma_load_of<SM100_TMA_2SM_LOAD, 5> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_1D : detail::tma_multicast_of<SM100_TMA_2SM_LOAD_MULTICAST, 1> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_2D : detail::tma_multicast_of<SM100_TMA_2SM_LOAD_MULTICAST, 2> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_3D : detail::tma_multicast_of<SM100_TMA_2SM_LOAD_MULTICAST, 3> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_4D : detail::tma_multicast_of<SM100_TMA_2SM_LOAD_MULTICAST, 4> {};
struct SM100_TMA_2SM_LOAD_MULTICAST_5D : detail::tma_multicast_of<SM100_TMA_2SM_LOAD_MULTICAST, 5> {};
/// Clears the bit of an address that tells the blocks of a pair apart.
inline constexpr std::uint32_t Sm100MmaPeerBitMask = 0xfeffffff;

}  // namespace cute
