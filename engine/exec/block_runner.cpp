// Implements the schedule of a block's threads, their barrier and their shared memory.
#include "engine/exec/block_runner.hpp"

#include "engine/exec/shuffle.hpp"
#include "tilewright/exec/checked_memory.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>
#include <string>

namespace tilewright::exec {
namespace {

constexpr std::size_t arena_alignment = 1024;  // the widest that a request asks for

std::size_t bytes_of(shared_request const& request) { return (request.elements * request.element_bits + 7) / 8; }

std::string name_of(std::type_info const& type) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    &std::free);
  return status == 0 ? text.get() : type.name();
}

std::string describe(std::size_t elements, std::type_info const& type) {
  return std::to_string(elements) + " elements of " + name_of(type);
}

}  // namespace

void block_runner::aligned_delete::operator()(std::byte* p) const {
  ::operator delete(p, std::align_val_t(arena_alignment));
}

block_runner::~block_runner() = default;

void block_runner::prepare(launch_config const& config, erased_kernel kernel, checked_session* session) {
  grid = config.grid;
  block = config.block;
  threads = static_cast<int>(volume(config.block));
  order = nullptr;
  checks = session;
  kernel_ = kernel;
  shared_limit_ = static_cast<std::size_t>(config.shared_limit.count);
  worker_.adopt_current_stack();
  async = false;
  warps_.clear();
  copies_.clear();
  arrivals_.clear();
  begun_ = false;
  own_cluster_.grid = grid;
  own_cluster_.blocks = alone_;
  auto const most = static_cast<std::size_t>(threads);
  fibers_.reserve(most);
  for (auto* list : {&waiting_, &released_, &yielded_, &idle_}) list->reserve(most);
}

// flatten: the calls would cost an empty block a sixth of its time.
[[gnu::flatten]] std::exception_ptr block_runner::run(dim3 const& block_index) {
  begin(block_index, 0, own_cluster_);
  round();
  if (!finished() || !own_cluster_.copies.empty()) return run_together(own_cluster_);
  report_unfreed_tensor_memory();
  return take_failure();
}

void block_runner::begin(dim3 const& block_index, unsigned rank, cluster_state& of) {
  index = block_index;
  cluster_rank = rank;
  cluster_ = &of;
  begun_ = false;
  next = 0;
  running = -1;
  cancelled = false;
  shared_.clear();
  shared_bytes_ = 0;
  waiting_.clear();
  released_.clear();
  next_released_ = 0;
  if (!warps_.empty()) {  // a block that failed leaves threads waiting
    for (auto& warp : warps_) {
      if (warp) *warp = warp_state{};
    }
  }
  waiting_for_warps_ = 0;
  if (async) {
    for (auto& copies : copies_) {
      if (copies) {
        copies->async.discard();
        copies->bulk.discard();
        copies->products.discard();
      }
    }
  }
  tensor_memory_.reset();
  if (!arrivals_.empty()) {
    arrivals_.clear();
    of.arrived = 0;
  }
  if (of.blocks.size() > 1) have_arena();
  if (checks != nullptr) {
    checks->begin_block(*this);
    if (checks->seed() != 0) shuffle_threads();
  }
}

void block_runner::round() {
  struct host_thread_while_it_runs {
    host_thread_services* const before;
    ~host_thread_while_it_runs() { host_thread = before; }
  } const restore{std::exchange(host_thread, this)};
  if (!begun_) {
    begun_ = true;
    have_idle_fiber();
    switch_context(worker_, idle_fiber());
    return;
  }
  if (checks != nullptr && !cancelled && checks->seed() != 0) shuffle(std::span(yielded_), random_);
  released_.erase(released_.begin(), released_.begin() + static_cast<std::ptrdiff_t>(next_released_));
  next_released_ = 0;
  released_.insert(released_.end(), yielded_.begin(), yielded_.end());
  yielded_.clear();
  if (!released_.empty()) switch_context(worker_, next_context());
}

context& block_runner::run_threads_on(void* self, fiber& on) {
  auto& runner = *static_cast<block_runner*>(self);
  try {
    runner.kernel_.run_threads(runner.kernel_.object, runner);
  } catch (unwind const&) {
  } catch (layout_error const& e) {
    bool const locate = runner.checks != nullptr;
    runner.fail(locate ? std::make_exception_ptr(execution_error(runner.checks->refused(e)))
                       : std::current_exception());
  } catch (...) {
    runner.fail(std::current_exception());
  }
  runner.idle_.push_back(&on);
  return runner.next_context();
}

/// Threads released from the barrier come first, then those not started. If there are none, the round ends where a
/// thread has yielded; else every thread of the block waits or has exited: the barrier is complete.
context& block_runner::next_context() {
  if (next_released_ == released_.size()) {
    if (next < threads && !cancelled) return idle_fiber();
    if (!yielded_.empty()) return worker_;
    if (waiting_for_warps_ == 0 || !release_warps_of_exited_threads()) {
      if (waiting_.empty()) return worker_;
      pass_barrier();
    }
  }
  current_ = released_[next_released_++];
  return *current_;
}

/// What can fail when memory runs out, separate so that it fails before the schedule changes.
void block_runner::have_idle_fiber() {
  if (!idle_.empty()) return;
  fibers_.push_back(std::make_unique<fiber>(&run_threads_on, this));
  idle_.push_back(fibers_.back().get());
}

/// pre: there is one
fiber& block_runner::idle_fiber() {
  current_ = idle_.back();
  idle_.pop_back();
  return *current_;
}

void block_runner::pass_barrier() {
  if (checks != nullptr && !cancelled) {
    if (static_cast<int>(waiting_.size()) < threads) {
      std::vector<bool> waits(static_cast<std::size_t>(threads));
      for (fiber const* f : waiting_) waits[static_cast<std::size_t>(f->thread)] = true;
      auto const first = [&](bool waiting) {
        int t = 0;
        while (waits[static_cast<std::size_t>(t)] != waiting) ++t;
        return t;
      };
      if (auto report = checks->barrier_fault(first(true), first(false))) {
        fail(std::make_exception_ptr(execution_error(*std::move(report))));
      }
    }
    checks->begin_epoch();
    if (checks->seed() != 0) shuffle(std::span(waiting_), random_);
  }
  released_.swap(waiting_);
  waiting_.clear();
  next_released_ = 0;
}

void block_runner::fail(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
  cancelled = true;
  next = threads;
}

void block_runner::wait() {
  if (!cancelled) {
    fiber& self = *current_;
    if (next < threads) have_idle_fiber();
    self.thread = running;
    waiting_.push_back(&self);
    context& to = next_context();
    if (&to != &self) switch_context(self, to);
    current_ = &self;
    running = self.thread;
  }
  // A destructor that waits while its thread unwinds must return.
  if (cancelled && std::uncaught_exceptions() == 0) throw unwind{};
}

void block_runner::checked_wait(source_place place) {
  if (!cancelled) checks->arrive(place);
  wait();
}

void* block_runner::shared_memory(shared_request const& request) {
  auto const ordinal = static_cast<std::size_t>(request.ordinal);
  if (ordinal < shared_.size()) {
    shared_entry const& made = shared_[ordinal];
    if (made.elements != request.elements || *made.type != *request.type) {
      throw launch_error("shared: allocation " + std::to_string(ordinal) + " of block " + describe(index) + " is " +
                         describe(made.elements, *made.type) + " in thread " + std::to_string(made.thread) + " but " +
                         describe(request.elements, *request.type) + " in thread " + std::to_string(running) +
                         "; make the same calls of shared in the same order in every thread");
    }
    return arena_.get() + made.offset;
  }
  have_arena();
  std::size_t const offset = (shared_bytes_ + request.alignment - 1) / request.alignment * request.alignment;
  // No product of these can wrap: the limit bounds the elements first.
  bool const fits =
      offset <= shared_limit_ && request.elements <= shared_limit_ * 8 && bytes_of(request) <= shared_limit_ - offset;
  if (!fits) {
    throw launch_error("shared: block " + describe(index) + " asks for " + describe(request.elements, *request.type) +
                       " of " + std::to_string(request.element_bits) + " bits in allocation " +
                       std::to_string(ordinal) + " where " + std::to_string(offset) + " of its " +
                       std::to_string(shared_limit_) + " bytes are taken; use smaller tiles or a larger shared_limit");
  }
  shared_.push_back({offset, request.elements, request.type, running});
  shared_bytes_ = offset + bytes_of(request);
  return arena_.get() + offset;
}

void block_runner::have_arena() {
  if (arena_bytes_ >= shared_limit_ && arena_) return;
  arena_.reset(static_cast<std::byte*>(::operator new(shared_limit_ + 1, std::align_val_t(arena_alignment))));
  arena_bytes_ = shared_limit_;
}

checked_allocation& block_runner::checked_shared_memory(shared_request const& request) {
  void* const begin = shared_memory(request);
  return checks->shared_allocation(request.ordinal, begin, bytes_of(request), request.element_bits);
}

void block_runner::shuffle_threads() {
  random_ = checks->seed() + 0x9e3779b97f4a7c15u * linear_index(index, grid);
  shuffled_order_.resize(static_cast<std::size_t>(threads));
  std::iota(shuffled_order_.begin(), shuffled_order_.end(), 0);
  shuffle(std::span(shuffled_order_), random_);
  order = shuffled_order_.data();
}

void wait_for_block(block_state& state) { static_cast<block_runner&>(state).wait(); }

void checked_wait_for_block(block_state& state, source_place place) {
  static_cast<block_runner&>(state).checked_wait(place);
}

void* shared_memory(block_state& state, shared_request const& request) {
  return static_cast<block_runner&>(state).shared_memory(request);
}

checked_allocation& checked_shared_memory(block_state& state, shared_request const& request) {
  return static_cast<block_runner&>(state).checked_shared_memory(request);
}

namespace {

struct thread_runners {
  std::vector<std::unique_ptr<block_runner>> idle;
  int leased = 0;
};

thread_runners& runners_of_this_thread() {
  thread_local thread_runners runners;
  return runners;
}

}  // namespace

leased_runner::leased_runner() {
  auto& mine = runners_of_this_thread();
  if (mine.idle.empty()) {
    runner_ = std::make_unique<block_runner>();
  } else {
    runner_ = std::move(mine.idle.back());
    mine.idle.pop_back();
  }
  ++mine.leased;
}

leased_runner::~leased_runner() {
  auto& mine = runners_of_this_thread();
  mine.idle.push_back(std::move(runner_));
  --mine.leased;
}

bool leased_runner::any_on_this_thread() { return runners_of_this_thread().leased > 0; }

}  // namespace tilewright::exec
