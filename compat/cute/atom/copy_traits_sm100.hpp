// Tiled copies between tensor memory and registers.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm100.hpp"
#include "cute/atom/copy_traits.hpp"
#include "cute/detail/tiled_copy.hpp"
#include "cute/pointer.hpp"
#include "tilewright/tiled/make_tmem_copy.hpp"

namespace cute {

using tilewright::fence_view_async_tmem_load;
using tilewright::fence_view_async_tmem_store;

/// By four warps, each of which moves its 32 lanes.
template <class What, tilewright::TensorType Tmem>
CUTE_HOST_DEVICE constexpr auto make_tmem_copy(What const& operation_or_atom, Tmem const& tmem) {
  return detail::as_cute(tilewright::make_tmem_copy(operation_or_atom, tmem));
}

}  // namespace cute
