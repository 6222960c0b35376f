// prefetch(atom, src): what the copy will read, into L2, by operations that can (TMA). Without an atom, a hint that does
// nothing: the copy that follows reads what it reads.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/copy.hpp"
#include "tilewright/algorithm/prefetch.hpp"

namespace cute {

using tilewright::prefetch;

template <tilewright::TensorType Src>
CUTE_HOST_DEVICE constexpr void prefetch(Src const&) {}

/// A hint shared by NumThreads threads; it does nothing but state what the next copy reads.
template <unsigned NumThreads, unsigned FetchBytes = 64, class Index, tilewright::TensorType Src>
CUTE_HOST_DEVICE constexpr void cooperative_prefetch(Index const&, Src const&) {}

}  // namespace cute
