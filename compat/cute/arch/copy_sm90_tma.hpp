// The operations of TMA and of bulk copies, and the waits for stores.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_desc.hpp"
#include "cute/numeric/small_float.hpp"
#include "tilewright/atom/bulk.hpp"
#include "tilewright/atom/tma.hpp"
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
/// Until the maps of this thread's stores may be changed.
CUTE_HOST_DEVICE void tma_desc_commit_group() { tma_store_arrive(); }
CUTE_HOST_DEVICE void tma_desc_wait_group() { tma_store_wait<0>(); }

namespace detail {

// One instruction on a box of N modes. desc_ptr: what get_tma_descriptor() returns; on a GPU a CUtensorMap as well.
template <int N>
struct tma_prefetch_of {
  template <class... X>
  requires(sizeof...(X) == N) CUTE_HOST_DEVICE static void copy(void const* desc_ptr, X const&... crd) {
    tilewright::tma_prefetch_instruction::copy(desc_ptr, crd...);
  }
};
template <class Operation, int N>
struct tma_load_of {
  using PREFETCH = tma_prefetch_of<N>;
  template <class... X>
  requires(sizeof...(X) == N) CUTE_HOST_DEVICE
      static void copy(void const* desc_ptr, std::uint64_t* mbar_ptr, std::uint64_t cache_hint, void* smem_ptr,
                       X const&... crd) {
    Operation::copy(desc_ptr, mbar_ptr, cache_hint, smem_ptr, crd...);
  }
};
template <class Operation, int N>
struct tma_multicast_of {
  using PREFETCH = tma_prefetch_of<N>;
  template <class... X>
  requires(sizeof...(X) == N) CUTE_HOST_DEVICE
      static void copy(void const* desc_ptr, std::uint64_t* mbar_ptr, std::uint16_t multicast_mask,
                       std::uint64_t cache_hint, void* smem_ptr, X const&... crd) {
    Operation::copy(desc_ptr, mbar_ptr, multicast_mask, cache_hint, smem_ptr, crd...);
  }
};
template <int N>
struct tma_store_of {
  template <class... X>
  requires(sizeof...(X) == N) CUTE_HOST_DEVICE
      static void copy(void const* desc_ptr, void const* smem_ptr, X const&... crd) {
    tilewright::SM90_TMA_STORE::copy(desc_ptr, smem_ptr, crd...);
  }
};
/// Sums need the element's type, which a host finds in the map.
template <int N>
struct tma_reduce_add_of {
  template <class... X>
  requires(sizeof...(X) == N) CUTE_HOST_DEVICE
      static void copy(void const* desc_ptr, void const* smem_ptr, X const&... crd) {
    int const at[]{static_cast<int>(crd)...};
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::tma_reduce_add(desc_ptr, at, smem_ptr);
#elif TILEWRIGHT_HOSTED
    auto const box = tilewright::detail::box_at<N>(*static_cast<tilewright::tma_descriptor const*>(desc_ptr), at);
    auto* const from = const_cast<unsigned char*>(static_cast<unsigned char const*>(smem_ptr));
    tilewright::bulk_copies_of_this_thread().start([box, from] { add_box(box, from); });
#endif
  }

 private:
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  static void add_box(tilewright::detail::tma_box const& box, unsigned char* from) {
    using tilewright::tma_element;
    switch (box.tensor.element) {
      case tma_element::float16: return add<half_t>(box, from);
      case tma_element::bfloat16: return add<bfloat16_t>(box, from);
      case tma_element::float32: return add<float>(box, from);
      case tma_element::float64: return add<double>(box, from);
      case tma_element::int32: return add<std::int32_t>(box, from);
      case tma_element::uint32: return add<std::uint32_t>(box, from);
      case tma_element::int64: return add<std::int64_t>(box, from);
      case tma_element::uint64: return add<std::uint64_t>(box, from);
      default: assert(0 && "TMA: this element type has no sum; use a tensor of 16-, 32- or 64-bit numbers");
    }
  }
  template <class T>
  static void add(tilewright::detail::tma_box const& box, unsigned char* from) {
    tilewright::detail::store_box<tilewright::SM90_TMA_REDUCE_ADD, T>(box, from);
  }
#endif
};

}  // namespace detail

struct SM90_TMA_LOAD_1D : detail::tma_load_of<SM90_TMA_LOAD, 1> {};
struct SM90_TMA_LOAD_2D : detail::tma_load_of<SM90_TMA_LOAD, 2> {};
struct SM90_TMA_LOAD_3D : detail::tma_load_of<SM90_TMA_LOAD, 3> {};
struct SM90_TMA_LOAD_4D : detail::tma_load_of<SM90_TMA_LOAD, 4> {};
struct SM90_TMA_LOAD_5D : detail::tma_load_of<SM90_TMA_LOAD, 5> {};
struct SM90_TMA_LOAD_MULTICAST_1D : detail::tma_multicast_of<SM90_TMA_LOAD_MULTICAST, 1> {};
struct SM90_TMA_LOAD_MULTICAST_2D : detail::tma_multicast_of<SM90_TMA_LOAD_MULTICAST, 2> {};
struct SM90_TMA_LOAD_MULTICAST_3D : detail::tma_multicast_of<SM90_TMA_LOAD_MULTICAST, 3> {};
struct SM90_TMA_LOAD_MULTICAST_4D : detail::tma_multicast_of<SM90_TMA_LOAD_MULTICAST, 4> {};
struct SM90_TMA_LOAD_MULTICAST_5D : detail::tma_multicast_of<SM90_TMA_LOAD_MULTICAST, 5> {};
struct SM90_TMA_STORE_1D : detail::tma_store_of<1> {};
struct SM90_TMA_STORE_2D : detail::tma_store_of<2> {};
struct SM90_TMA_STORE_3D : detail::tma_store_of<3> {};
struct SM90_TMA_STORE_4D : detail::tma_store_of<4> {};
struct SM90_TMA_STORE_5D : detail::tma_store_of<5> {};
struct SM90_TMA_REDUCE_ADD_1D : detail::tma_reduce_add_of<1> {};
struct SM90_TMA_REDUCE_ADD_2D : detail::tma_reduce_add_of<2> {};
struct SM90_TMA_REDUCE_ADD_3D : detail::tma_reduce_add_of<3> {};
struct SM90_TMA_REDUCE_ADD_4D : detail::tma_reduce_add_of<4> {};
struct SM90_TMA_REDUCE_ADD_5D : detail::tma_reduce_add_of<5> {};

}  // namespace cute
