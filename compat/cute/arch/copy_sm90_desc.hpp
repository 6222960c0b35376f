// Barriers in shared memory that copies complete on, and the descriptors of TMA.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90.hpp"
#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/atom/tma.hpp"

namespace cute {

using tilewright::arrive_barrier;
using tilewright::initialize_barrier;
using tilewright::set_barrier_transaction_bytes;
using tilewright::wait_barrier;

using TmaDescriptor = tilewright::tma_descriptor;
using tilewright::prefetch_tma_descriptor;

namespace TMA {
using tilewright::TMA::CacheHintSm90;
using CacheHintSm100 = CacheHintSm90;  // of the same values
}

}  // namespace cute
