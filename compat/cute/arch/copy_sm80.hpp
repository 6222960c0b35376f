// cp.async from global to shared memory, and the waits for it.
#pragma once

#include "cute/arch/copy.hpp"
#include "tilewright/atom/cp_async.hpp"

namespace cute {

using tilewright::cp_async_fence;
using tilewright::cp_async_wait;
using tilewright::SM80_CP_ASYNC_CACHEALWAYS;
using tilewright::SM80_CP_ASYNC_CACHEGLOBAL;

}  // namespace cute
