// prefetch(atom, src): what the copy will read, into L2, by operations that can (TMA). Without an atom, a hint that does
// nothing: the copy that follows reads what it reads.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/copy.hpp"
#include "tilewright/algorithm/prefetch.hpp"
#include "tilewright/atom/ptx/global_access.hpp"

namespace cute {

using tilewright::prefetch;

template <tilewright::TensorType Src>
CUTE_HOST_DEVICE constexpr void prefetch(Src const&) {}

/// The line of an address of global memory, into L2.
CUTE_HOST_DEVICE void prefetch([[maybe_unused]] void const* gmem_ptr) {
#if TILEWRIGHT_ON_DEVICE
  tilewright::ptx::prefetch_line(gmem_ptr);
#endif
}

/// A hint shared by NumThreads threads; it does nothing but state what the next copy reads.
template <unsigned NumThreads, unsigned FetchBytes = 64, class Index, tilewright::TensorType Src>
CUTE_HOST_DEVICE constexpr void cooperative_prefetch(Index const&, Src const&) {}

}  // namespace cute
