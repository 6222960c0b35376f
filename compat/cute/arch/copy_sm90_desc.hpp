// Barriers in shared memory that copies complete on, and the descriptors of TMA.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90.hpp"
#include "cute/detail/tensor_map_enums.hpp"
#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/atom/tma.hpp"
#include "tilewright/atom/tma_change.hpp"

// CUtensorMap, for programs that make their maps by themselves.
#if TILEWRIGHT_HOSTED && __has_include(<cuda.h>)
#include <cuda.h>
#endif

namespace cute {

using tilewright::arrive_barrier;
using tilewright::initialize_barrier;
using tilewright::set_barrier_transaction_bytes;
using tilewright::wait_barrier;

using TmaDescriptor = tilewright::tma_descriptor;
using tilewright::prefetch_tma_descriptor;
using tilewright::tma_descriptor_cp_fence_release;
using tilewright::tma_descriptor_fence_acquire;
using tilewright::tma_descriptor_fence_release;
using tilewright::tma_descriptor_replace_addr_in_global_mem;
using tilewright::tma_descriptor_replace_addr_in_shared_mem;
using tilewright::tma_descriptor_replace_dims_strides_in_shared_mem;
/// A CUtensorMap of the program's own.
template <class Map>
requires(!std::is_base_of_v<TmaDescriptor, Map>) CUTE_HOST_DEVICE
    void prefetch_tma_descriptor([[maybe_unused]] Map const* map) {
#if TILEWRIGHT_ON_DEVICE
  tilewright::ptx::prefetch_tensor_map(map);
#endif
}

namespace TMA {
using tilewright::TMA::CacheHintSm90;
using CacheHintSm100 = CacheHintSm90;  // of the same values
}  // namespace TMA

}  // namespace cute
