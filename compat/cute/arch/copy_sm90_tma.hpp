// The operations of TMA and of bulk copies, and the waits for stores.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_desc.hpp"
#include "tilewright/atom/bulk.hpp"
#include "tilewright/atom/tma_im2col.hpp"

namespace cute {

using tilewright::SM90_TMA_LOAD;
using tilewright::SM90_TMA_LOAD_IM2COL;
using tilewright::SM90_TMA_LOAD_MULTICAST;
using tilewright::SM90_TMA_REDUCE_ADD;
using tilewright::SM90_TMA_STORE;
using tilewright::SM90_TMA_STORE_IM2COL;

/// One instruction of im2col mode: the channel, the position and the image it starts at, and the offsets it reads at.
/// desc_ptr: what get_tma_descriptor() of make_im2col_tma_copy's copy returns
struct SM90_TMA_LOAD_IM2COL_3D {
  CUTE_HOST_DEVICE static void copy(tilewright::tma_im2col_descriptor const* desc_ptr, std::uint64_t* mbar_ptr,
                                    std::uint64_t cache_hint, void* smem_ptr, std::int32_t c, std::int32_t w,
                                    std::int32_t n, std::uint16_t offset_w) {
    int const place[]{c, w, n, offset_w};
    tilewright::tma_load_im2col<3>(desc_ptr, {place, 0}, static_cast<unsigned char*>(smem_ptr), mbar_ptr, cache_hint);
  }
};
struct SM90_TMA_LOAD_IM2COL_4D {
  CUTE_HOST_DEVICE static void copy(tilewright::tma_im2col_descriptor const* desc_ptr, std::uint64_t* mbar_ptr,
                                    std::uint64_t cache_hint, void* smem_ptr, std::int32_t c, std::int32_t w,
                                    std::int32_t h, std::int32_t n, std::uint16_t offset_w, std::uint16_t offset_h) {
    int const place[]{c, w, h, n, offset_w, offset_h};
    tilewright::tma_load_im2col<4>(desc_ptr, {place, 0}, static_cast<unsigned char*>(smem_ptr), mbar_ptr, cache_hint);
  }
};
struct SM90_TMA_LOAD_IM2COL_5D {
  CUTE_HOST_DEVICE static void copy(tilewright::tma_im2col_descriptor const* desc_ptr, std::uint64_t* mbar_ptr,
                                    std::uint64_t cache_hint, void* smem_ptr, std::int32_t c, std::int32_t w,
                                    std::int32_t h, std::int32_t d, std::int32_t n, std::uint16_t offset_w,
                                    std::uint16_t offset_h, std::uint16_t offset_d) {
    int const place[]{c, w, h, d, n, offset_w, offset_h, offset_d};
    tilewright::tma_load_im2col<5>(desc_ptr, {place, 0}, static_cast<unsigned char*>(smem_ptr), mbar_ptr, cache_hint);
  }
};

using tilewright::SM90_BULK_COPY_AUTO;
using tilewright::SM90_BULK_COPY_G2S;
using tilewright::SM90_BULK_COPY_S2G;

using tilewright::tma_store_arrive;
using tilewright::tma_store_fence;
using tilewright::tma_store_wait;

}  // namespace cute
