// Barriers in shared memory that threads arrive at without waiting and that count the bytes of asynchronous copies
// (mbarrier). Phases follow one another; a wait names the parity of the phase it waits for, 0 for the first. A barrier is
// a std::uint64_t in shared memory: these functions take it by reference, pointer, smem_ptr or a tensor's element.
//
//   initialize_barrier(bar, 1);                       one thread; then fence_barrier_init() and block.sync()
//   set_barrier_transaction_bytes(bar, 4096);         one thread arrives and expects bytes
//   copy(atom.with(bar), global, shared);             … which copies bring
//   wait_barrier(bar, phase);                         every thread that reads them; phase ^= 1 for the next
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/cluster.hpp"
#include "tilewright/atom/ptx/bulk.hpp"
#include "tilewright/atom/ptx/cp_async.hpp"
#include "tilewright/atom/ptx/fence.hpp"
#include "tilewright/atom/ptx/mbarrier.hpp"
#include "tilewright/tensor/pointer.hpp"

namespace tilewright {

namespace detail {

TILEWRIGHT_FN std::uint64_t* barrier_word(std::uint64_t& word) { return &word; }
TILEWRIGHT_FN std::uint64_t* barrier_word(std::uint64_t* word) { return word; }
/// Watched memory: barriers are made for unordered accesses.
TILEWRIGHT_NO_EXEC_CHECK
template <class Watched>
requires requires(Watched const& w) { w.unwatched(); }
TILEWRIGHT_FN std::uint64_t* barrier_word(Watched const& word) { return word.unwatched(); }
template <class It>
TILEWRIGHT_FN std::uint64_t* barrier_word(smem_ptr<It> const& word) {
  return barrier_word(word.ptr);
}

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

template <class Change>
void change_barrier(std::uint64_t* word, Change const& change) {
  bool const ended = host_barrier::update(word, change);
  if (host_thread != nullptr) host_thread->barrier_changed(ended);
}

/// Has the phase ended? If not, the copies that it waits for happen now.
inline bool test_barrier(std::uint64_t* word, bool parity) {
  if (host_barrier::test(word, parity)) return true;
  bool happened = false;
  bool const ended = barrier_copies_of_this_thread().complete(word, happened);
  if (happened && host_thread != nullptr) host_thread->barrier_changed(ended);
  return host_barrier::test(word, parity);
}

/// error: layout_error barrier_never outside of launches, launch_error within, where the phase cannot end
inline void wait_for_phase(char const* operation, std::uint64_t* word, bool parity) {
  while (!test_barrier(word, parity)) {
    if (host_thread == nullptr) raise({errc::barrier_never, parity, host_barrier(*word).bytes});
    if (!host_thread->yield(operation)) return;
  }
}

/// copy() moves `bytes` bytes that the barrier counts, when a thread waits for it.
template <class F>
void complete_on_barrier(std::uint64_t* barrier, std::uint32_t bytes, F const& copy) {
  int const thread = host_thread == nullptr ? 0 : host_thread->thread_number();
  barrier_copies_of_this_thread().keep(barrier, bytes, thread, copy);
  if (host_thread != nullptr) host_thread->barrier_changed(false);
}

/// What is in flight and then an arrival, when a thread waits for the barrier.
inline void arrive_after(host_copies_so_far const& copies, std::uint64_t* barrier) {
  if (copies.empty()) return change_barrier(barrier, [](host_barrier& b) { return b.arrive(); });
  int const thread = host_thread == nullptr ? 0 : host_thread->thread_number();
  barrier_copies_of_this_thread().keep(
      barrier, 0, thread, [copies] { copies.happen(); }, true);
  if (host_thread != nullptr) host_thread->barrier_changed(false);
}
/// The same of the copies of this thread so far. Counted: among the arrivals that the barrier was initialised for; else the
/// phase waits for one more.
template <bool Counted>
void arrive_after_copies(std::uint64_t* barrier) {
  host_copies_so_far const copies = async_copies_of_this_thread().hand_to_a_barrier();
  if constexpr (!Counted) change_barrier(barrier, [](host_barrier& b) { return b.expect_arrival(); });
  arrive_after(copies, barrier);
}

#endif

}  // namespace detail

/// For one thread. `arrivals` end a phase, together with the bytes expected in it.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void initialize_barrier(Barrier&& smem_barrier, int arrivals = 1) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_init(word, static_cast<std::uint32_t>(arrivals));
#elif TILEWRIGHT_HOSTED
  __atomic_store_n(word, host_barrier(arrivals, false).word(), __ATOMIC_RELEASE);
#endif
}
/// Makes the word ordinary memory again.  pre: no thread waits
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void invalidate_barrier(Barrier&& smem_barrier) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_invalidate(word);
#elif TILEWRIGHT_HOSTED
  (void)host_barrier(*word);
  __atomic_store_n(word, 0, __ATOMIC_RELEASE);
#endif
}

TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void arrive_barrier(Barrier&& smem_barrier) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_arrive(word);
#elif TILEWRIGHT_HOSTED
  detail::change_barrier(word, [](host_barrier& b) { return b.arrive(); });
#endif
}
/// At the barrier of the same place in the block of that rank, which waits with wait_cluster_barrier.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void arrive_remote_barrier(Barrier&& smem_barrier, std::uint32_t rank) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_arrive_remote<true>(word, rank);
#else
  arrive_barrier(map_shared_rank(word, rank));
#endif
}
/// The same by a thread that has only read: nothing that it stored before is promised to be seen. No fence, so that its
/// other accesses go on.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void release_remote_barrier(Barrier&& smem_barrier, std::uint32_t rank) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_arrive_remote<false>(word, rank);
#else
  arrive_barrier(map_shared_rank(word, rank));
#endif
}
/// Arrives, and lets the phase wait for `bytes` bytes more.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void set_barrier_transaction_bytes(Barrier&& smem_barrier, std::uint32_t bytes) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_arrive_expect(word, bytes);
#elif TILEWRIGHT_HOSTED
  detail::change_barrier(word, [bytes](host_barrier& b) { return b.arrive(bytes); });
#endif
}
/// The same without arriving.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void expect_barrier_transaction_bytes(Barrier&& smem_barrier, std::uint32_t bytes) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_expect(word, bytes);
#elif TILEWRIGHT_HOSTED
  detail::change_barrier(word, [bytes](host_barrier& b) { return b.expect(bytes); });
#endif
}

/// Arrives at the barrier of the same place in the block of that rank, and lets its phase wait for `bytes` bytes more.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void set_remote_barrier_transaction_bytes(Barrier&& smem_barrier, std::uint32_t bytes,
                                                        std::uint32_t rank) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_arrive_expect_remote(word, bytes, rank);
#else
  set_barrier_transaction_bytes(map_shared_rank(word, rank), bytes);
#endif
}
/// Of the bytes that the barrier of the same place in the block of that rank waits for, `bytes` are there.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void complete_barrier_transaction_bytes(Barrier&& smem_barrier, std::uint32_t bytes, std::uint32_t rank) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::mbarrier_complete_remote(word, bytes, rank);
#elif TILEWRIGHT_HOSTED
  detail::change_barrier(map_shared_rank(word, rank), [bytes](host_barrier& b) { return b.complete(bytes); });
#endif
}

/// The barrier gets an arrival when all cp.async of this thread so far are complete; the thread goes on at once. The phase
/// waits for that arrival besides those that the barrier was initialised for.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void cpasync_barrier_arrive(Barrier&& smem_barrier) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::cp_async_mbarrier_arrive<false>(word);
#elif TILEWRIGHT_HOSTED
  detail::arrive_after_copies<false>(word);
#endif
}
/// The same where the arrival is one of those that the barrier was initialised for.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void cpasync_barrier_arrive_noinc(Barrier&& smem_barrier) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::cp_async_mbarrier_arrive<true>(word);
#elif TILEWRIGHT_HOSTED
  detail::arrive_after_copies<true>(word);
#endif
}

/// Waits until the phase of parity `phase_bit`, this one or the one before, has ended.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void wait_barrier(Barrier&& smem_barrier, int phase_bit) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  while (!ptx::mbarrier_try_wait(word, static_cast<std::uint32_t>(phase_bit))) {}
#elif TILEWRIGHT_HOSTED
  detail::wait_for_phase("wait_barrier", word, phase_bit != 0);
#endif
}
/// The same for a barrier that other blocks of the cluster arrive at: what they stored before is seen after.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN void wait_cluster_barrier(Barrier&& smem_barrier, int phase_bit) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  while (!ptx::mbarrier_try_wait_cluster(word, static_cast<std::uint32_t>(phase_bit))) {}
#elif TILEWRIGHT_HOSTED
  detail::wait_for_phase("wait_cluster_barrier", word, phase_bit != 0);
#endif
}
/// Has it ended? Does not wait, or not for long.
TILEWRIGHT_NO_EXEC_CHECK
template <class Barrier>
TILEWRIGHT_FN bool try_wait_barrier(Barrier&& smem_barrier, int phase_bit) {
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  return ptx::mbarrier_try_wait(word, static_cast<std::uint32_t>(phase_bit));
#elif TILEWRIGHT_HOSTED
  if (detail::test_barrier(word, phase_bit != 0)) return true;
  if (host_thread != nullptr) (void)host_thread->yield(nullptr);
  return detail::test_barrier(word, phase_bit != 0);
#else
  return true;
#endif
}

// --- fences ----------------------------------------------------------------------------------------------------------

/// Shows the barriers that this thread has initialised to the cluster and to asynchronous copies; block.sync(), or
/// cluster_sync() where other blocks arrive, has to follow.
TILEWRIGHT_FN void fence_barrier_init() {
#if TILEWRIGHT_ON_DEVICE
  ptx::fence_mbarrier_init();
#endif
}
/// Between stores to shared memory and asynchronous copies that read it, or loads from it and copies that write it.
TILEWRIGHT_FN void fence_view_async_shared() {
#if TILEWRIGHT_ON_DEVICE
  ptx::fence_proxy_async_shared();
#endif
}
TILEWRIGHT_FN void tma_store_fence() { fence_view_async_shared(); }

// --- groups of bulk copies to global memory --------------------------------------------------------------------------

/// Closes the group of this thread's bulk copies to global memory since the last one.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN void tma_store_arrive() {
#if TILEWRIGHT_ON_DEVICE
  ptx::bulk_commit_group();
#elif TILEWRIGHT_HOSTED
  bulk_copies_of_this_thread().commit();
#endif
}

/// Waits until all but the latest N groups of this thread have read shared memory, which may then be overwritten. What
/// they write is visible when the kernel ends; the host body writes it here.
TILEWRIGHT_NO_EXEC_CHECK
template <int N>
TILEWRIGHT_FN void tma_store_wait() {
  static_assert(N >= 0, "tma_store_wait<N>: N groups may stay in flight, 0 or more (docs/errors.md#bulk_groups)");
#if TILEWRIGHT_ON_DEVICE
  ptx::bulk_wait_group_read<N>();
#elif TILEWRIGHT_HOSTED
  bulk_copies_of_this_thread().wait(N);
#endif
}
template <int N>
TILEWRIGHT_FN void tma_store_wait(C<N> const&) {
  tma_store_wait<N>();
}

}  // namespace tilewright
