// Tiled copies between tensor memory and registers, and from shared to tensor memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm100.hpp"
#include "cute/atom/copy_traits.hpp"
#include "cute/atom/partitioner.hpp"
#include "cute/detail/tiled_copy.hpp"
#include "cute/pointer.hpp"
#include "tilewright/tiled/make_tmem_copy.hpp"
#include "tilewright/tiled/make_utccp_copy.hpp"

namespace cute {

using tilewright::fence_view_async_tmem_load;
using tilewright::fence_view_async_tmem_store;

/// By four warps, each of which moves its 32 lanes.
template <class What, tilewright::TensorType Tmem>
CUTE_HOST_DEVICE constexpr auto make_tmem_copy(What const& operation_or_atom, Tmem const& tmem) {
  return detail::as_cute(tilewright::make_tmem_copy(operation_or_atom, tmem));
}

/// Cuts tensors as tensor memory is cut among four warps: each has 32 of the 128 lanes, by get_slice(warp).partition(tensor).
/// pre: a static, injective layout
template <detail::cute_tensor Tmem>
CUTE_HOST_DEVICE constexpr auto make_tmem_warp_partitioner(Tmem const& tmem) {
  constexpr int lane = TMEM::DP<typename Tmem::value_type>::value;
  auto const place_of = left_inverse(tmem.layout());                       // address -> place in the tile
  auto const warps = composition(place_of, Layout<C<4>, C<32 * lane>>{});  // warp -> place
  auto const values = complement(warps, size(tmem));                       // value -> place
  return make_tiler_impl(make_layout(warps, values), product_each(shape(tmem)));
}

/// Of tcgen05.cp, whose source is the tensor of descriptors of a partition.
template <class Op, detail::cute_tensor Tmem>
CUTE_HOST_DEVICE constexpr auto make_utccp_copy(Op const& operation, Tmem const& tmem) {
  return detail::as_cute(tilewright::make_utccp_copy(operation, tmem));
}
using tilewright::get_utccp_smem_desc_tensor;

}  // namespace cute
