// Whether this pass of the compiler makes device code, for atoms that have a body for each machine; the address shared
// memory has in PTX instructions; and the end of kernels whose instructions the target lacks.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"

#if TILEWRIGHT_ON_DEVICE && TILEWRIGHT_HOSTED
#include <cstdio>
#endif

namespace tilewright {
namespace ptx {

#if TILEWRIGHT_ON_DEVICE
inline constexpr bool on_device = true;
#else
inline constexpr bool on_device = false;
#endif

/// For instructions that the compilation's target lacks: prints the sentence and stops the kernel.
TILEWRIGHT_FN void refuse([[maybe_unused]] char const* sentence) {
#if TILEWRIGHT_ON_DEVICE
  printf("%s\n", sentence);
  __trap();
#endif
}

}  // namespace ptx

/// The 32-bit address that instructions on shared memory take (PTX ISA, "State Spaces": cvta to .shared).
/// On the host: the low half of the pointer, for diagnostics alone.
TILEWRIGHT_FN std::uint32_t cast_smem_ptr_to_uint(void const* p) {
#if TILEWRIGHT_ON_DEVICE
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
#else
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(p));
#endif
}

}  // namespace tilewright
