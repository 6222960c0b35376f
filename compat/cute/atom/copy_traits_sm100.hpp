// Tiled copies between tensor memory and registers, and from shared to tensor memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm100.hpp"
#include "cute/atom/copy_traits.hpp"
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

/// Of tcgen05.cp, whose source is the tensor of descriptors of a partition.
template <class Op, detail::cute_tensor Tmem>
CUTE_HOST_DEVICE constexpr auto make_utccp_copy(Op const& operation, Tmem const& tmem) {
  return detail::as_cute(tilewright::make_utccp_copy(operation, tmem));
}
using tilewright::get_utccp_smem_desc_tensor;

}  // namespace cute
