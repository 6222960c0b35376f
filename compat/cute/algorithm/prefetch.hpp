// prefetch(…): a hint, and here one that does nothing; the copy that follows reads what it reads.
#pragma once

#include "cute/algorithm/copy.hpp"

namespace cute {

template <class... Args>
CUTE_HOST_DEVICE constexpr void prefetch(Args const&...) {}

}  // namespace cute
