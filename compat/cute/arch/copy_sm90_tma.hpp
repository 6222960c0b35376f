// The operations of TMA and of bulk copies, and the waits for stores.
#pragma once

#include "cute/arch/copy_sm90_desc.hpp"
#include "tilewright/atom/bulk.hpp"

namespace cute {

using tilewright::SM90_TMA_LOAD;
using tilewright::SM90_TMA_LOAD_MULTICAST;
using tilewright::SM90_TMA_REDUCE_ADD;
using tilewright::SM90_TMA_STORE;

using tilewright::SM90_BULK_COPY_AUTO;
using tilewright::SM90_BULK_COPY_G2S;
using tilewright::SM90_BULK_COPY_S2G;

using tilewright::tma_store_arrive;
using tilewright::tma_store_fence;
using tilewright::tma_store_wait;

}  // namespace cute
