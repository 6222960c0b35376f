// An mbarrier on the CPU, in the 64 bits it has on a GPU, and the copies that complete on one. The words change
// atomically, so that threads of the operating system may share them as well as fibers.
//
// A phase ends when its arrivals have come (`pending` is 0) and as many bytes were moved as expected (`bytes` is 0); the
// next begins at once, with as many arrivals as the barrier was initialised for. Its parity is all that a wait names.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/base/traits.hpp"

namespace tilewright {

#if TILEWRIGHT_HOSTED

struct host_barrier {
  static constexpr long long most = (1 << 20) - 1;  // arrivals, and bytes outstanding either way

  long long count = 1;    // arrivals of a phase
  long long pending = 1;  // of them, those to come in this phase
  long long bytes = 0;    // expected less moved
  bool parity = false;    // of this phase

  std::uint64_t word() const {
    return mark << 62 | std::uint64_t(parity) << 61 | static_cast<std::uint64_t>(bytes + most) << 40 |
           static_cast<std::uint64_t>(count) << 20 | static_cast<std::uint64_t>(pending);
  }
  /// error: layout_error barrier_uninitialised
  explicit host_barrier(std::uint64_t word)
      : count(static_cast<long long>(word >> 20 & most)),
        pending(static_cast<long long>(word & most)),
        bytes(static_cast<long long>(word >> 40 & (2 * most + 1)) - most),
        parity((word >> 61 & 1) != 0) {
    if (word >> 62 != mark)
      raise(
          {errc::barrier_uninitialised, static_cast<long long>(word >> 32), static_cast<long long>(word << 32 >> 32)});
  }
  explicit host_barrier(long long arrivals, bool) : count(arrivals), pending(arrivals) {
    if (arrivals < 1 || arrivals > most) raise({errc::barrier_count, arrivals, most});
  }

  /// One arrival, with which `more` bytes are expected.
  /// post, here and below: whether a phase has ended
  bool arrive(long long more = 0) {
    if (pending == 0) raise({errc::barrier_arrivals, count + 1, count});
    add(more);
    --pending;
    return turn();
  }
  bool expect(long long more) {
    add(more);
    return turn();
  }
  bool complete(long long moved) { return expect(-moved); }
  /// One arrival more in this phase alone.
  bool expect_arrival() {
    if (pending == most) raise({errc::barrier_count, pending + 1, most});
    ++pending;
    return false;
  }

  /// Has the phase of that parity, this one or the one before, ended?
  static bool test(std::uint64_t const* word, bool parity) {
    return host_barrier(__atomic_load_n(word, __ATOMIC_ACQUIRE)).parity != parity;
  }
  /// Applies f to the barrier; the result is f's.
  template <class F>
  static bool update(std::uint64_t* word, F const& f) {
    std::uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (true) {
      host_barrier state(before);
      bool const ended = f(state);
      if (__atomic_compare_exchange_n(word, &before, state.word(), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return ended;
    }
  }

 private:
  // In the two upper bits, so that neither zeroed nor all-ones memory is a barrier.
  static constexpr std::uint64_t mark = 2;

  void add(long long more) {
    bytes += more;
    if (bytes > most || bytes < -most) raise({errc::barrier_bytes, bytes, most});
  }
  bool turn() {
    bool const ended = pending == 0 && bytes == 0;
    if (ended) {
      pending = count;
      parity = !parity;
    }
    return ended;
  }
};

/// Copies that were started and have not happened: each happens when a thread finds its barrier's phase unfinished, as
/// late as the hardware may. So a kernel that forgets to wait sees old data here, always.
class host_barrier_copies {
 public:
  host_barrier_copies() = default;
  host_barrier_copies(host_barrier_copies const&) = delete;
  host_barrier_copies& operator=(host_barrier_copies const&) = delete;
  ~host_barrier_copies() { discard(); }

  /// copy() moves `bytes` bytes that `barrier` counts, or ends with an arrival; `thread` started it.
  template <class F>
  void keep(std::uint64_t* barrier, std::uint32_t bytes, int thread, F const& copy, bool arrives = false) {
    auto* const added = new pending_of<F>(copy, barrier, bytes, thread, arrives);
    lock const held(locked_);
    pending** end = &first_;
    while (*end != nullptr) end = &(*end)->next;
    *end = added;
  }
  /// Those of the barrier happen, in the order they were started in.
  /// post: whether a phase has ended; happened is set if there was a copy
  bool complete(std::uint64_t* barrier, bool& happened) {
    bool ended = false;
    while (pending* const p = take(barrier)) {
      struct owner {  // for a copy may throw
        pending* of;
        ~owner() { delete of; }
      } const now{p};
      p->run();
      happened = true;
      auto const count = [&](host_barrier& b) { return p->arrives ? b.arrive() : b.complete(p->bytes); };
      if (host_barrier::update(barrier, count)) ended = true;
    }
    return ended;
  }
  bool empty() const { return first_ == nullptr; }
  int count() const {
    int n = 0;
    for (pending const* p = first_; p != nullptr; p = p->next) ++n;
    return n;
  }
  /// That started the oldest.  pre: !empty()
  int first_thread() const { return first_->thread; }
  void discard() {
    while (pending* const p = first_) {
      first_ = p->next;
      delete p;
    }
  }

 private:
  struct pending {
    pending(std::uint64_t* on, std::uint32_t n, int by, bool arrival)
        : barrier(on),
          bytes(n),
          thread(by),
          arrives(arrival) {}
    virtual ~pending() = default;
    virtual void run() = 0;
    pending* next = nullptr;
    std::uint64_t* barrier;
    std::uint32_t bytes;
    int thread;
    bool arrives;
  };
  template <class F>
  struct pending_of final : pending {
    pending_of(F const& f, std::uint64_t* on, std::uint32_t n, int by, bool arrival)
        : pending(on, n, by, arrival),
          copy(f) {}
    void run() override { copy(); }
    F copy;
  };
  struct lock {
    explicit lock(bool& flag) : held(&flag) {
      while (__atomic_test_and_set(held, __ATOMIC_ACQUIRE)) {}
    }
    lock(lock const&) = delete;
    ~lock() { __atomic_clear(held, __ATOMIC_RELEASE); }
    bool* held;
  };

  pending* take(std::uint64_t const* barrier) {
    lock const held(locked_);
    for (pending** at = &first_; *at != nullptr; at = &(*at)->next) {
      if ((*at)->barrier != barrier) continue;
      pending* const p = *at;
      *at = p->next;
      return p;
    }
    return nullptr;
  }

  pending* first_ = nullptr;
  bool locked_ = false;
};

#endif

}  // namespace tilewright
