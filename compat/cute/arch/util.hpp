// The address of shared memory as the instructions take it.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/int.hpp"

namespace cute {

/// pre: p points into shared memory
CUTE_DEVICE std::uint32_t cast_smem_ptr_to_uint(void const* p) {
#if TILEWRIGHT_ON_DEVICE
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
#else
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(p));
#endif
}

}  // namespace cute
