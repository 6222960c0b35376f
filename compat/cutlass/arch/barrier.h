// Barriers of blocks and clusters as classes over a word in shared memory, and the block's numbered barriers.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/cluster_sm90.hpp"
#include "cute/arch/copy_sm100_tma.hpp"
#include "cutlass/arch/memory_sm75.h"
#include "cutlass/arch/synclog.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/layout/matrix.h"
#include "cutlass/numeric_types.h"
#include "tilewright/atom/cluster.hpp"
#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/atom/ptx/named_barrier.hpp"
#include "tilewright/atom/tmem_copy.hpp"
#include "tilewright/mma/sm100_umma.hpp"

namespace cutlass::arch {

using tilewright::fence_barrier_init;
using tilewright::fence_view_async_shared;

/// An arrival when this thread's cp.async so far are complete: one more of the phase, or (noinc) one that it waits for.
CUTLASS_HOST_DEVICE void cpasync_barrier_arrive(std::uint64_t const* barrier) {
  tilewright::cpasync_barrier_arrive(const_cast<std::uint64_t*>(barrier));
}
CUTLASS_HOST_DEVICE void cpasync_barrier_arrive_noinc(std::uint64_t const* barrier) {
  tilewright::cpasync_barrier_arrive_noinc(const_cast<std::uint64_t*>(barrier));
}

/// Phases end when as many threads have arrived as init() said; the first has parity 0.
class ClusterBarrier {
 public:
  using ValueType = std::uint64_t;

  CUTLASS_HOST_DEVICE void init(std::uint32_t arrivals) const { init(word(), arrivals); }
  CUTLASS_HOST_DEVICE void wait(std::uint32_t phase) const { wait(word(), phase); }
  CUTLASS_HOST_DEVICE bool test_wait(std::uint32_t phase, std::uint32_t pred = true) const {
    return test_wait(word(), phase, pred);
  }
  CUTLASS_HOST_DEVICE bool try_wait(std::uint32_t phase) const { return try_wait(word(), phase); }
  CUTLASS_HOST_DEVICE void arrive() const { arrive(word()); }
  /// At the same barrier of another block of the cluster.
  CUTLASS_HOST_DEVICE void arrive(std::uint32_t block_rank, std::uint32_t pred = true) const {
    arrive(word(), block_rank, pred);
  }
  CUTLASS_HOST_DEVICE void invalidate() const { invalidate(word()); }

  CUTLASS_HOST_DEVICE static void init(ValueType const* barrier, std::uint32_t arrivals) {
    tilewright::initialize_barrier(writable(barrier), static_cast<int>(arrivals));
  }
  /// Until the phase of that parity has ended. What other blocks of the cluster stored before they arrived is not promised
  /// to be seen, as CUTLASS has it.
  CUTLASS_HOST_DEVICE static void wait(ValueType const* barrier, std::uint32_t phase) {
    tilewright::wait_barrier(writable(barrier), static_cast<int>(phase));
  }
  CUTLASS_HOST_DEVICE static bool test_wait(ValueType const* barrier, std::uint32_t phase, std::uint32_t pred = true) {
    return pred != 0 && tilewright::try_wait_barrier(writable(barrier), static_cast<int>(phase));
  }
  CUTLASS_HOST_DEVICE static bool try_wait(ValueType const* barrier, std::uint32_t phase) {
    return tilewright::try_wait_barrier(writable(barrier), static_cast<int>(phase));
  }
  CUTLASS_HOST_DEVICE static void arrive(ValueType const* barrier) { tilewright::arrive_barrier(writable(barrier)); }
  CUTLASS_HOST_DEVICE static void arrive(ValueType const* barrier, std::uint32_t block_rank, std::uint32_t pred) {
    // Of a thread that has only read, as CUTLASS has it.
    if (pred != 0) tilewright::release_remote_barrier(writable(barrier), block_rank);
  }
  CUTLASS_HOST_DEVICE static void invalidate(ValueType const* barrier) {
    tilewright::invalidate_barrier(writable(barrier));
  }

 protected:
  /// A barrier changes under const, as its users share it.
  CUTLASS_HOST_DEVICE static ValueType* writable(ValueType const* barrier) { return const_cast<ValueType*>(barrier); }
  CUTLASS_HOST_DEVICE ValueType const* word() const { return &barrier_; }

  ValueType barrier_;
};

// --- Blackwell --------------------------------------------------------------------------------------------------------
using tilewright::fence_view_async_tmem_load;
using tilewright::fence_view_async_tmem_store;

/// An arrival when the products that this warp has started so far are done; of two blocks: those of _2x1SM.
CUTLASS_HOST_DEVICE void umma_arrive(std::uint64_t const* barrier) {
  tilewright::umma_arrive(const_cast<std::uint64_t*>(barrier));
}
CUTLASS_HOST_DEVICE void umma_arrive_2x1SM(std::uint64_t const* barrier) {
  tilewright::umma_arrive<2>(const_cast<std::uint64_t*>(barrier));
}
/// The same in the blocks of a mask, bit r for rank r.
CUTLASS_HOST_DEVICE void umma_arrive_multicast(std::uint64_t const* barrier, std::uint16_t cta_mask) {
  tilewright::umma_arrive_multicast(const_cast<std::uint64_t*>(barrier), cta_mask);
}
CUTLASS_HOST_DEVICE void umma_arrive_multicast_2x1SM(std::uint64_t const* barrier, std::uint16_t cta_mask) {
  tilewright::umma_arrive_multicast<2>(const_cast<std::uint64_t*>(barrier), cta_mask);
}

/// Phases that wait for bytes as well.
class ClusterTransactionBarrier : public ClusterBarrier {
 public:
  CUTLASS_HOST_DEVICE void arrive_and_expect_tx(std::uint32_t bytes) const { arrive_and_expect_tx(word(), bytes); }
  CUTLASS_HOST_DEVICE void expect_transaction(std::uint32_t bytes) const { expect_transaction(word(), bytes); }
  /// At the same barrier of another block of the cluster.
  CUTLASS_HOST_DEVICE void arrive_and_expect_tx(std::uint32_t bytes, std::uint32_t block_rank,
                                                std::uint32_t pred = 1) const {
    arrive_and_expect_tx(word(), bytes, block_rank, pred);
  }
  /// Bytes that are there, of this block's barrier or of that of another block.
  CUTLASS_HOST_DEVICE void complete_transaction(std::uint32_t bytes, std::uint32_t pred = 1) const {
    complete_transaction(word(), tilewright::block_rank_in_cluster(), bytes, pred);
  }
  CUTLASS_HOST_DEVICE void complete_transaction(std::uint32_t block_rank, std::uint32_t bytes,
                                                std::uint32_t pred) const {
    complete_transaction(word(), block_rank, bytes, pred);
  }

  CUTLASS_HOST_DEVICE static void arrive_and_expect_tx(ValueType const* barrier, std::uint32_t bytes,
                                                       std::uint32_t block_rank, std::uint32_t pred) {
    if (pred != 0) tilewright::set_remote_barrier_transaction_bytes(writable(barrier), bytes, block_rank);
  }
  CUTLASS_HOST_DEVICE static void complete_transaction(ValueType const* barrier, std::uint32_t block_rank,
                                                       std::uint32_t bytes, std::uint32_t pred = 1) {
    if (pred != 0) tilewright::complete_barrier_transaction_bytes(writable(barrier), bytes, block_rank);
  }
  CUTLASS_HOST_DEVICE static void arrive_and_expect_tx(ValueType const* barrier, std::uint32_t bytes) {
    tilewright::set_barrier_transaction_bytes(writable(barrier), bytes);
  }
  CUTLASS_HOST_DEVICE static void expect_transaction(ValueType const* barrier, std::uint32_t bytes) {
    tilewright::expect_barrier_transaction_bytes(writable(barrier), bytes);
  }
};

/// Numbers of named barriers that CUTLASS's own parts use; programs' numbers begin behind the eight that it keeps.
enum class ReservedNamedBarriers {
  EpilogueBarrier = 1,
  TransposeBarrier = 2,
  TransformBarrier = 3,
  StreamkBarrier0 = 4,
  StreamkBarrier1 = 5,
  TmemAllocBarrier = 6,
  Sm120MainloopBarrier = 7,
  FirstUserBarrier = Sm120MainloopBarrier + 1
};

#if defined(__CUDACC__)
/// A part of a block's warps meets at a number.  pre: num_threads is a multiple of 32; a program's id is below 8
class NamedBarrier {
 public:
  static constexpr std::uint32_t ReservedNamedBarrierCount = 8;
  static constexpr std::uint32_t HardwareMaxNumNamedBarriers = 16;

  CUTLASS_DEVICE NamedBarrier(std::uint32_t num_threads, std::uint32_t id = 0)
      : num_threads_(num_threads),
        number_(id + ReservedNamedBarrierCount) {}
  CUTLASS_DEVICE NamedBarrier(std::uint32_t num_threads, ReservedNamedBarriers reserved)
      : num_threads_(num_threads),
        number_(static_cast<std::uint32_t>(reserved)) {}
  CUTLASS_DEVICE void arrive_and_wait() const { meet(num_threads_, number_); }
  CUTLASS_DEVICE void sync() const { meet(num_threads_, number_); }
  CUTLASS_DEVICE void arrive() const { come(num_threads_, number_); }
  /// The threads of a warp may come one by one.
  CUTLASS_DEVICE void arrive_and_wait_unaligned() const {
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::named_barrier_sync_unaligned(num_threads_, number_);
#endif
  }
  CUTLASS_DEVICE void arrive_unaligned() const {
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::named_barrier_arrive_unaligned(num_threads_, number_);
#endif
  }

  CUTLASS_DEVICE static void arrive_and_wait(std::uint32_t num_threads, std::uint32_t id) { sync(num_threads, id); }
  CUTLASS_DEVICE static void arrive_and_wait(std::uint32_t num_threads, ReservedNamedBarriers reserved) {
    sync(num_threads, reserved);
  }
  CUTLASS_DEVICE static void sync(std::uint32_t num_threads, std::uint32_t id) {
    meet(num_threads, id + ReservedNamedBarrierCount);
  }
  CUTLASS_DEVICE static void sync(std::uint32_t num_threads, ReservedNamedBarriers reserved) {
    meet(num_threads, static_cast<std::uint32_t>(reserved));
  }
  CUTLASS_DEVICE static void arrive(std::uint32_t num_threads, std::uint32_t id) {
    come(num_threads, id + ReservedNamedBarrierCount);
  }
  CUTLASS_DEVICE static void arrive(std::uint32_t num_threads, ReservedNamedBarriers reserved) {
    come(num_threads, static_cast<std::uint32_t>(reserved));
  }

 private:
  CUTLASS_DEVICE static void meet([[maybe_unused]] std::uint32_t num_threads, [[maybe_unused]] std::uint32_t number) {
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::named_barrier_sync(num_threads, number);
#endif
  }
  CUTLASS_DEVICE static void come([[maybe_unused]] std::uint32_t num_threads, [[maybe_unused]] std::uint32_t number) {
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::named_barrier_arrive(num_threads, number);
#endif
  }

  std::uint32_t const num_threads_, number_;
};
#endif

namespace detail {
/// init() of the barriers [0, Stages) at a pointer: to objects with that member, or to words of the class Barrier.
template <class Barrier, std::uint32_t Stages, class Pointer>
CUTLASS_HOST_DEVICE void initialize_barrier_array(Pointer barriers, int arrivals) {
  CUTLASS_PRAGMA_UNROLL
  for (std::uint32_t i = 0; i < Stages; ++i) {
    if constexpr (std::is_same_v<Pointer, std::uint64_t*>)
      Barrier::init(&barriers[i], static_cast<std::uint32_t>(arrivals));
    else barriers[i].init(static_cast<std::uint32_t>(arrivals));
  }
}
template <class Full, class Empty, std::uint32_t Stages, class FullPointer, class EmptyPointer>
CUTLASS_HOST_DEVICE void initialize_barrier_array_pair(FullPointer full, EmptyPointer empty, int full_arrivals,
                                                       int empty_arrivals) {
  initialize_barrier_array<Full, Stages>(full, full_arrivals);
  initialize_barrier_array<Empty, Stages>(empty, empty_arrivals);
}
/// The same by one thread of a warp whose threads all call it.
template <class Barrier, std::uint32_t Stages, class Pointer>
CUTLASS_HOST_DEVICE void initialize_barrier_array_aligned(Pointer barriers, int arrivals) {
  if (tilewright::elect_one_sync()) initialize_barrier_array<Barrier, Stages>(barriers, arrivals);
}
template <class Full, class Empty, std::uint32_t Stages, class FullPointer, class EmptyPointer>
CUTLASS_HOST_DEVICE void initialize_barrier_array_pair_aligned(FullPointer full, EmptyPointer empty, int full_arrivals,
                                                               int empty_arrivals) {
  if (tilewright::elect_one_sync())
    initialize_barrier_array_pair<Full, Empty, Stages>(full, empty, full_arrivals, empty_arrivals);
}
}  // namespace detail

}  // namespace cutlass::arch
