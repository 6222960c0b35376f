// What the thread of a kernel has of a GPU while it runs on the CPU: the other 31 threads of its warp, copies that
// complete only when it waits for them, and the other blocks of its cluster. Whatever runs kernels (the engine) sets
// `host_thread` while a block runs; the host bodies of the copy atoms ask it.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/machine/dim3.hpp"
#include "tilewright/machine/host_barrier.hpp"
#include "tilewright/machine/host_tensor_memory.hpp"

namespace tilewright {

inline constexpr int warp_size = 32;

#if TILEWRIGHT_HOSTED

/// A copy that was started and has not happened yet. Its thread and the barriers that count it share it; the
/// first that needs it performs it, once.
class host_async_copy {
 public:
  host_async_copy(host_async_copy const&) = delete;
  host_async_copy& operator=(host_async_copy const&) = delete;

  /// post: it has happened, here or on another thread
  void happen() {
    int before = waiting;
    if (__atomic_compare_exchange_n(&state_, &before, running, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      struct ended {  // for a copy may throw
        int* of;
        ~ended() { __atomic_store_n(of, done, __ATOMIC_RELEASE); }
      } const at_end{&state_};
      run();
    }
    while (!has_happened()) {}
  }
  bool has_happened() const { return __atomic_load_n(&state_, __ATOMIC_ACQUIRE) == done; }

 protected:
  host_async_copy() = default;
  virtual ~host_async_copy() = default;

 private:
  friend class host_async_copies;
  friend class host_copies_so_far;
  static constexpr int waiting = 0, running = 1, done = 2;

  virtual void run() = 0;
  void hold() { __atomic_fetch_add(&holders_, 1, __ATOMIC_RELAXED); }
  void release() {
    if (__atomic_sub_fetch(&holders_, 1, __ATOMIC_ACQ_REL) == 0) delete this;
  }

  int state_ = waiting;
  int holders_ = 1;
  // Of the list of its thread:
  host_async_copy* next_ = nullptr;
  long long group_ = 0;
  bool on_a_barrier_ = false;
};

/// The copies that a thread had in flight at one moment.
class host_copies_so_far {
 public:
  host_copies_so_far() = default;
  host_copies_so_far(host_copies_so_far const& other)
      : all_(new host_async_copy*[static_cast<unsigned>(other.n_)]),
        n_(other.n_) {
    for (int i = 0; i < n_; ++i) (all_[i] = other.all_[i])->hold();
  }
  host_copies_so_far& operator=(host_copies_so_far const&) = delete;
  ~host_copies_so_far() {
    for (int i = 0; i < n_; ++i) all_[i]->release();
    delete[] all_;
  }
  bool empty() const { return n_ == 0; }
  void happen() const {
    for (int i = 0; i < n_; ++i) all_[i]->happen();
  }

 private:
  friend class host_async_copies;
  host_async_copy** all_ = nullptr;
  int n_ = 0;
};

/// The asynchronous copies a thread has started: they join a group when it commits, and run when it waits, the latest
/// moment the hardware allows. So a kernel that forgets to wait sees old data here, always.
class host_async_copies {
 public:
  host_async_copies() = default;
  host_async_copies(host_async_copies const&) = delete;
  host_async_copies& operator=(host_async_copies const&) = delete;
  ~host_async_copies() { discard(); }

  /// f() is the copy.
  template <class F>
  void start(F const& f) {
    *end_ = new copy_of<F>(f);
    (*end_)->group_ = groups_;
    end_ = &(*end_)->next_;
  }
  void commit() { ++groups_; }
  /// Completes all committed groups but the latest `most`.
  void wait(int most) { complete_before(groups_ - most); }
  /// Completes everything, committed or not.
  void wait_all() { complete_before(groups_ + 1); }

  /// All that have not happened, for a barrier that is to wait for them: whether it does is no longer this list's concern.
  host_copies_so_far hand_to_a_barrier() {
    host_copies_so_far out;
    int n = 0;
    keep_those([](host_async_copy const& c) { return !c.has_happened(); });
    for (host_async_copy const* p = first_; p != nullptr; p = p->next_) ++n;
    out.all_ = new host_async_copy*[static_cast<unsigned>(n)];
    for (host_async_copy* p = first_; p != nullptr; p = p->next_) {
      p->on_a_barrier_ = true;
      p->hold();
      out.all_[out.n_++] = p;
    }
    return out;
  }
  /// At the thread's end: what barriers wait for happens when they do.
  void leave_those_of_barriers() {
    keep_those([](host_async_copy const& c) { return !c.on_a_barrier_; });
  }

  bool empty() const { return uncommitted() == 0 && not_waited_for() == 0; }
  /// Of those not completed and on no barrier, how many no commit has closed.
  int uncommitted() const {
    int n = 0;
    for (host_async_copy const* p = first_; p != nullptr; p = p->next_)
      n += !p->on_a_barrier_ && p->group_ == groups_ ? 1 : 0;
    return n;
  }
  int not_waited_for() const {
    int n = 0;
    for (host_async_copy const* p = first_; p != nullptr; p = p->next_)
      n += !p->on_a_barrier_ && p->group_ != groups_ ? 1 : 0;
    return n;
  }
  void discard() {
    while (first_ != nullptr) take()->release();
  }

 private:
  template <class F>
  struct copy_of final : host_async_copy {
    explicit copy_of(F const& f) : copy(f) {}
    void run() override { copy(); }
    F copy;
  };
  struct owner {  // of a copy that runs, for it may throw
    host_async_copy* p;
    ~owner() { p->release(); }
  };

  void complete_before(long long group) {
    while (first_ != nullptr && first_->group_ < group) {
      owner const now{take()};
      now.p->happen();
    }
  }
  host_async_copy* take() {
    host_async_copy* const p = first_;
    first_ = p->next_;
    if (first_ == nullptr) end_ = &first_;
    return p;
  }
  template <class Stays>
  void keep_those(Stays const& stays) {
    host_async_copy* p = first_;
    first_ = nullptr;
    end_ = &first_;
    while (p != nullptr) {
      host_async_copy* const next = p->next_;
      p->next_ = nullptr;
      if (stays(*p)) end_ = &(*end_ = p)->next_;
      else p->release();
      p = next;
    }
  }

  host_async_copy* first_ = nullptr;
  host_async_copy** end_ = &first_;
  long long groups_ = 0;  // committed so far
};

/// Where a block is in its cluster and that in the grid; extents and indices, x fastest.
struct host_cluster {
  dim3 grid{};               // in clusters
  dim3 index{0, 0, 0};       // of the cluster
  dim3 shape{};              // in blocks
  dim3 block{0, 0, 0};       // within the cluster
  std::uint32_t rank = 0;    // the same as one number
  std::uint32_t blocks = 1;  // of the cluster
};

/// The running thread, as atoms see it.
class host_thread_services {
 public:
  /// 0 … 31
  virtual int lane() const = 0;
  /// Every thread of the warp leaves `bytes` bytes, all threads equally many; the result are those of all 32, in order of the lane,
  /// until the thread's next exchange.
  /// Throws when a thread of the warp cannot take part; the sentence names `operation`.
  virtual unsigned char const* exchange(char const* operation, void const* mine, int bytes) = 0;
  virtual host_async_copies& async_copies() = 0;
  /// The thread's bulk copies that complete by groups: those to global memory.
  virtual host_async_copies& bulk_copies() = 0;
  /// The thread's matrix products of warpgroups: they are added up when it waits for them.
  virtual host_async_copies& matrix_products() = 0;
  /// The block's copies, or its cluster's, that complete on barriers; and the number of the thread that starts one.
  virtual host_barrier_copies& barrier_copies() = 0;
  virtual int thread_number() const = 0;

  /// Lets others run. A thread that calls it waits in `operation`, or may go on all the same where that is null; who
  /// changes what others may wait for calls barrier_changed.
  /// Throws launch_error, which names operation, block and thread, when no thread can go on any more.
  /// post: false if the block ends early, for another thread has thrown and this one's stack unwinds: wait no longer
  virtual bool yield(char const* operation) = 0;
  /// phase_ended: all that was done before is ordered before all that follows.
  virtual void barrier_changed(bool phase_ended) = 0;

  virtual host_cluster cluster() const = 0;
  /// What is in shared memory of the block of that rank where `own` is in this block's.
  /// error: layout_error not_shared, cluster_rank
  virtual void* map_shared(void const* own, unsigned rank) = 0;
  virtual void cluster_arrive() = 0;
  virtual void cluster_wait() = 0;

  /// Where in the block's shared memory an address is, in bytes.
  /// error: layout_error not_shared
  virtual std::uint32_t shared_offset(void const* own) const = 0;
  /// The bytes there, which the running thread reads now; a checked launch watches the access.
  /// error: layout_error not_shared; execution_error of a checked launch
  virtual unsigned char const* read_shared(std::uint32_t offset, int bytes) = 0;
  /// The same of the block of that rank in the cluster.
  /// error: layout_error cluster_rank as well
  virtual unsigned char const* read_shared_of(unsigned rank, std::uint32_t offset, int bytes) = 0;
  /// Tensor memory of the block of that rank.
  /// error: layout_error cluster_rank
  virtual host_tensor_memory& tensor_memory(unsigned rank) = 0;

 protected:
  ~host_thread_services() = default;
};

/// The kernel's thread that runs now on this thread of the CPU; null outside of launches.
inline thread_local host_thread_services* host_thread = nullptr;

/// error: layout_error needs_a_warp outside of launches
inline host_thread_services& thread_of_a_warp() {
  if (host_thread == nullptr) raise({errc::needs_a_warp, 1, warp_size});
  return *host_thread;
}

/// Outside of launches every thread of the CPU is a thread of its own.
inline host_async_copies& async_copies_of_this_thread() {
  thread_local host_async_copies outside;
  return host_thread == nullptr ? outside : host_thread->async_copies();
}

inline host_async_copies& bulk_copies_of_this_thread() {
  thread_local host_async_copies outside;
  return host_thread == nullptr ? outside : host_thread->bulk_copies();
}
inline host_barrier_copies& barrier_copies_of_this_thread() {
  thread_local host_barrier_copies outside;
  return host_thread == nullptr ? outside : host_thread->barrier_copies();
}

#endif

}  // namespace tilewright
