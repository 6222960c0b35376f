// Blocks of a grid that wait for each other by counters in global memory. Device code alone; the blocks that are waited for must
// be running or come first.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/barrier.h"
#include "cutlass/cutlass.h"
#include "tilewright/atom/ptx/flag.hpp"

#if defined(__CUDACC__)
namespace cutlass {

/// How the threads that wait together meet.
namespace detail {
struct SyncthreadsSync {
  CUTLASS_DEVICE static void sync() { __syncthreads(); }
};
struct SyncwarpSync {
  CUTLASS_DEVICE static void sync() { __syncwarp(); }
};
template <int ThreadCount, int BarrierId>
struct NamedBarrierSync {
  CUTLASS_DEVICE static void sync() {
    arch::NamedBarrier::sync(ThreadCount, static_cast<arch::ReservedNamedBarriers>(BarrierId));
  }
};
}  // namespace detail

/// Counters `lock_ptr[flag_idx]`, which begin with 0. All threads that wait or arrive together call a function; the one whose
/// thread_idx is 0 reads or writes the counter.
template <class Sync>
struct GenericBarrier {
  using T = int;
  using Flag = int;
  static const T INIT = 0;

  /// Until the counter is `count` or more.
  CUTLASS_DEVICE static void wait_lt(void* lock_ptr, int thread_idx, int flag_idx, int count) {
    wait(lock_ptr, thread_idx, flag_idx, [=](int now) { return now >= count; });
  }
  /// Until the counter is `value`.
  CUTLASS_DEVICE static void wait_eq(void* lock_ptr, int thread_idx, int flag_idx, T value = 1) {
    wait(lock_ptr, thread_idx, flag_idx, [=](int now) { return now == value; });
  }
  /// … which is 0 then.
  CUTLASS_DEVICE static void wait_eq_reset(void* lock_ptr, int thread_idx, int flag_idx, T value = 1) {
#if TILEWRIGHT_ON_DEVICE
    int* const flag = static_cast<int*>(lock_ptr) + flag_idx;
    if (thread_idx == 0) {
      while (atomicCAS(flag, value, 0) != value) {}
      __threadfence();
    }
#endif
    Sync::sync();
  }

  CUTLASS_DEVICE static void arrive_inc(void* lock_ptr, int thread_idx, int flag_idx, int value = 1) {
    Sync::sync();
    if (thread_idx == 0) add(static_cast<int*>(lock_ptr) + flag_idx, value);
  }
  /// At `count` counters.
  CUTLASS_DEVICE static void arrive_range_inc(void* lock_ptr, int thread_idx, int first_flag_idx, int count = 1,
                                              int value = 1) {
    Sync::sync();
    if (thread_idx < count) add(static_cast<int*>(lock_ptr) + first_flag_idx + thread_idx, value);
  }

 private:
  template <class Holds>
  CUTLASS_DEVICE static void wait([[maybe_unused]] void* lock_ptr, [[maybe_unused]] int thread_idx,
                                  [[maybe_unused]] int flag_idx, [[maybe_unused]] Holds const& holds) {
#if TILEWRIGHT_ON_DEVICE
    int const* const flag = static_cast<int*>(lock_ptr) + flag_idx;
    if (thread_idx == 0)
      while (!holds(tilewright::ptx::load_flag(flag))) {}
#endif
    Sync::sync();
  }
  CUTLASS_DEVICE static void add([[maybe_unused]] int* flag, [[maybe_unused]] int value) {
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::add_to_flag(flag, value);
#endif
  }
};

using Barrier = GenericBarrier<detail::SyncthreadsSync>;

/// The same functions for one of several groups of ThreadCount threads, which meet at numbered barriers of the block: group idx at
/// barrier Offset + idx.  pre: idx < MaxNumNamedBarriers
template <std::uint32_t ThreadCount_, std::uint32_t Offset = 0, std::uint32_t MaxNumNamedBarriers = 16>
struct NamedBarrierManager {
  static_assert(MaxNumNamedBarriers + Offset <= arch::NamedBarrier::HardwareMaxNumNamedBarriers,
                "NamedBarrierManager: a block has 16 numbered barriers; choose a smaller Offset or fewer barriers");
  static constexpr std::uint32_t ThreadCount = ThreadCount_;
  template <std::uint32_t BarrierId>
  using BarrierSync =
      GenericBarrier<detail::NamedBarrierSync<static_cast<int>(ThreadCount), static_cast<int>(BarrierId)>>;
  using T = typename BarrierSync<0>::T;

  CUTLASS_DEVICE static void wait_lt(std::uint32_t idx, void* lock_ptr, int thread_idx, int flag_idx, int count) {
    at(idx, [=](auto barrier) { decltype(barrier)::wait_lt(lock_ptr, thread_idx, flag_idx, count); });
  }
  CUTLASS_DEVICE static void wait_eq(std::uint32_t idx, void* lock_ptr, int thread_idx, int flag_idx, T value = 1) {
    at(idx, [=](auto barrier) { decltype(barrier)::wait_eq(lock_ptr, thread_idx, flag_idx, value); });
  }
  CUTLASS_DEVICE static void wait_eq_reset(std::uint32_t idx, void* lock_ptr, int thread_idx, int flag_idx,
                                           T value = 1) {
    at(idx, [=](auto barrier) { decltype(barrier)::wait_eq_reset(lock_ptr, thread_idx, flag_idx, value); });
  }
  CUTLASS_DEVICE static void arrive_inc(std::uint32_t idx, void* lock_ptr, int thread_idx, int flag_idx,
                                        int value = 1) {
    at(idx, [=](auto barrier) { decltype(barrier)::arrive_inc(lock_ptr, thread_idx, flag_idx, value); });
  }
  CUTLASS_DEVICE static void arrive_range_inc(std::uint32_t idx, void* lock_ptr, int thread_idx, int first_flag_idx,
                                              int count = 1, int value = 1) {
    at(idx,
       [=](auto barrier) { decltype(barrier)::arrive_range_inc(lock_ptr, thread_idx, first_flag_idx, count, value); });
  }

 private:
  template <std::uint32_t Id = 0, class F>
  CUTLASS_DEVICE static void at(std::uint32_t idx, F const& f) {
    if constexpr (Id < MaxNumNamedBarriers) {
      if (idx == Id) f(BarrierSync<Id + Offset>{});
      else at<Id + 1>(idx, f);
    }
  }
};

}  // namespace cutlass
#endif
