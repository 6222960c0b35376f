// cp.async from global to shared memory, and the waits for it.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy.hpp"
#include "tilewright/atom/cp_async.hpp"

namespace cute {

using tilewright::cp_async_fence;
using tilewright::cp_async_wait;
using tilewright::cp_async_wait_all;
using tilewright::SM80_CP_ASYNC_CACHEALWAYS;
using tilewright::SM80_CP_ASYNC_CACHEALWAYS_ZFILL;
using tilewright::SM80_CP_ASYNC_CACHEGLOBAL;
using tilewright::SM80_CP_ASYNC_CACHEGLOBAL_ZFILL;

}  // namespace cute
