// What a copy may ask of the caches. Hints change speed alone: where an architecture lacks one, it is left out.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"

namespace tilewright {

/// How an access to global memory treats the caches (PTX ISA, "Cache Operators" and "Cache Eviction Priority Hints");
/// hints combine by `|`.
enum class cache : unsigned {
  normal = 0,
  read_only = 1 << 0,      // loads: no thread writes this memory while the kernel runs (.nc)
  no_allocate = 1 << 1,    // takes no room in L1 (.L1::no_allocate)
  l2_only = 1 << 2,        // loads: past L1 (.cg)
  streaming = 1 << 3,      // used once, the first to be evicted (.cs)
  write_through = 1 << 4,  // stores: through L2 to memory (.wt)
  prefetch_64 = 1 << 5,    // loads: so many bytes around the access are brought to L2 (.L2::64B …)
  prefetch_128 = 1 << 6,
  prefetch_256 = 1 << 7,  // sm_80
  evict_first = 1 << 8,   // priority in L2 (createpolicy, sm_80)
  evict_last = 1 << 9,
};

TILEWRIGHT_HOST_DEVICE constexpr cache operator|(cache a, cache b) {
  return static_cast<cache>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
TILEWRIGHT_HOST_DEVICE constexpr cache operator&(cache a, cache b) {
  return static_cast<cache>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
TILEWRIGHT_HOST_DEVICE constexpr bool has_hint(cache hints, cache one) { return (hints & one) != cache::normal; }

namespace TMA {

/// The L2 policies that bulk and tensor copies take as their 64-bit cache operand, with a fraction of 1; what
/// createpolicy makes on sm_90 and sm_100.
enum class CacheHintSm90 : std::uint64_t {
  EVICT_NORMAL = 0x1000000000000000,
  EVICT_FIRST = 0x12F0000000000000,
  EVICT_LAST = 0x14F0000000000000,
};

}  // namespace TMA

}  // namespace tilewright
