// Implements rounds of threads that yield, the barrier of a cluster and its blocks' shared memory.
#include "engine/exec/cluster.hpp"

#include "engine/exec/block_runner.hpp"
#include "tilewright/exec/checked_memory.hpp"

#include <algorithm>

namespace tilewright::exec {
namespace {

// Threads that ask again and again are left to it that often while nothing changes.
constexpr int max_rounds_in_vain = 1 << 16;

bool unfinished(block_runner const* block) { return !block->finished(); }

/// What only shows when no thread can go on: some of those that are waited for have exited.
bool release_from_exited_threads(cluster_state& cluster) {
  for (block_runner* const block : cluster.blocks) {
    if (!block->finished() && block->release_warps()) return true;
  }
  auto const arrived = [](block_runner const* block) { return block->finished() || block->all_at_cluster_barrier(); };
  if (!std::all_of(cluster.blocks.begin(), cluster.blocks.end(), arrived)) return false;
  cluster.blocks.front()->pass_cluster_barrier();
  return true;
}

}  // namespace

std::exception_ptr run_together(cluster_state& cluster) {
  auto const& blocks = cluster.blocks;
  bool cancelled = false;
  for (int in_vain = 0; std::any_of(blocks.begin(), blocks.end(), unfinished);) {
    auto const changes_before = cluster.changes;
    for (block_runner* const block : blocks) {
      if (!block->finished()) block->round();
      if (block->has_failed() && !cancelled) {
        cancelled = true;
        for (block_runner* const other : blocks) other->cancel();
      }
    }
    bool const moved = cancelled || cluster.changes != changes_before;
    if (moved || std::none_of(blocks.begin(), blocks.end(), unfinished) || release_from_exited_threads(cluster)) {
      in_vain = 0;
      continue;
    }
    bool const may_go_on = std::any_of(blocks.begin(), blocks.end(),
                                       [](block_runner const* block) { return block->has_threads_that_only_ask(); });
    if (may_go_on && ++in_vain < max_rounds_in_vain) continue;
    (*std::find_if(blocks.begin(), blocks.end(), unfinished))->fail_for_want_of_progress();
  }
  if (!cancelled && !cluster.copies.empty()) blocks.front()->report_unfinished_loads();
  cluster.copies.discard();
  for (block_runner* const block : blocks)
    if (!cancelled) block->report_unfreed_tensor_memory();
  std::exception_ptr first;
  for (block_runner* const block : blocks) {
    auto failure = block->take_failure();
    if (!first) first = std::move(failure);
  }
  return first;
}

// --- a block between rounds ------------------------------------------------------------------------------------------

void block_runner::cancel() {
  cancelled = true;
  next = threads;
  begun_ = true;
}

bool block_runner::has_threads_that_only_ask() const {
  return std::any_of(yielded_.begin(), yielded_.end(), [](fiber const* f) { return f->operation == nullptr; });
}

bool block_runner::release_warps() { return waiting_for_warps_ > 0 && release_warps_of_exited_threads(); }

bool block_runner::all_at_cluster_barrier() const {
  auto const arrived = [&](fiber const* f) {
    auto const thread = static_cast<std::size_t>(f->thread);
    return thread < arrivals_.size() && arrivals_[thread] == cluster_->generation + 1;
  };
  bool all =
      std::all_of(waiting_.begin(), waiting_.end(), arrived) && std::all_of(yielded_.begin(), yielded_.end(), arrived);
  for (auto const& warp : warps_) {
    all = all && (!warp || std::all_of(warp->waiting.begin(), warp->waiting.end(), arrived));
  }
  return all;
}

void block_runner::fail_for_want_of_progress() {
  auto const waits = [](fiber const* f) { return f->operation != nullptr; };
  auto const found = std::find_if(yielded_.begin(), yielded_.end(), waits);
  fiber const& f = found == yielded_.end() ? *yielded_.front() : **found;
  std::string const operation = f.operation == nullptr ? "try_wait_barrier" : f.operation;
  fail(std::make_exception_ptr(launch_error(
      operation + ": thread " + std::to_string(f.thread) + " of block " + describe(index) +
      " waits for ever, for every other thread waits too or has exited; let each phase get all of its arrivals and "
      "bytes, and wait for the parity of a phase that ends")));
}

void block_runner::report_unfinished_loads() {
  if (checks == nullptr) return;
  running = cluster_->copies.first_thread();
  try {
    checks->report_unfinished_loads(cluster_->copies.count());
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
}

void block_runner::report_unfreed_tensor_memory() {
  if (checks == nullptr || !tensor_memory_ || tensor_memory_->allocated() == 0) return;
  running = 0;
  try {
    checks->report_unfreed_tensor_memory(tensor_memory_->allocated());
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
}

// --- what threads ask for --------------------------------------------------------------------------------------------

bool block_runner::yield(char const* operation) {
  if (!cancelled) {
    fiber& self = *current_;
    if (next < threads) have_idle_fiber();
    self.thread = running;
    self.operation = operation;
    yielded_.push_back(&self);
    switch_context(self, next_context());
    current_ = &self;
    running = self.thread;
  }
  if (cancelled && std::uncaught_exceptions() == 0) throw unwind{};
  return !cancelled;
}

void block_runner::barrier_changed(bool phase_ended) {
  ++cluster_->changes;
  if (phase_ended && checks != nullptr) checks->begin_phase();
}

host_cluster block_runner::cluster() const {
  auto const& c = *cluster_;
  return {.grid = c.grid,
          .index = cluster_ == &own_cluster_ ? index : c.index,
          .shape = c.shape,
          .block = index_3d(cluster_rank, c.shape),
          .rank = cluster_rank,
          .blocks = static_cast<std::uint32_t>(c.blocks.size())};
}

block_runner& block_runner::block_of_rank(unsigned rank) const {
  auto const blocks = cluster_->blocks;
  if (rank >= blocks.size()) {
    raise({errc::cluster_rank, static_cast<long long>(rank), static_cast<long long>(blocks.size())});
  }
  return *blocks[rank];
}

void* block_runner::map_shared(void const* own, unsigned rank) {
  block_runner const& there = block_of_rank(rank);
  auto const offset = static_cast<std::byte const*>(own) - arena_.get();
  if (!arena_ || offset < 0 || offset > static_cast<std::ptrdiff_t>(arena_bytes_)) {
    raise({errc::not_shared, offset, static_cast<long long>(arena_bytes_)});
  }
  if (!there.begun_ || (there.finished() && &there != this)) {
    throw launch_error("map_shared_rank: block " + describe(there.index) + " of rank " + std::to_string(rank) +
                       (there.begun_ ? " has exited" : " has not started") +
                       "; let the cluster_sync() of all its threads come before the first and after the last access");
  }
  return there.arena_.get() + offset;
}

std::uint32_t block_runner::shared_offset(void const* own) const {
  auto const offset = static_cast<std::byte const*>(own) - arena_.get();
  if (!arena_ || offset < 0 || offset > static_cast<std::ptrdiff_t>(arena_bytes_))
    raise({errc::not_shared, offset, static_cast<long long>(arena_bytes_)});
  return static_cast<std::uint32_t>(offset);
}

unsigned char const* block_runner::read_shared(std::uint32_t offset, int bytes) {
  return read_shared_of(cluster_rank, offset, bytes);
}

unsigned char const* block_runner::read_shared_of(unsigned rank, std::uint32_t offset, int bytes) {
  block_runner const& there = block_of_rank(rank);
  if (!there.arena_ || static_cast<std::size_t>(offset) + static_cast<std::size_t>(bytes) > there.arena_bytes_)
    raise({errc::not_shared, static_cast<long long>(offset), static_cast<long long>(there.arena_bytes_)});
  std::byte const* const at = there.arena_.get() + offset;
  if (checks != nullptr) checks->read_shared(at, static_cast<std::size_t>(bytes));
  return reinterpret_cast<unsigned char const*>(at);
}

host_tensor_memory& block_runner::tensor_memory(unsigned rank) {
  block_runner& there = block_of_rank(rank);
  if (!there.tensor_memory_) there.tensor_memory_ = std::make_unique<host_tensor_memory>();
  return *there.tensor_memory_;
}

void block_runner::refuse_cluster_barrier(char const* operation, char const* what) const {
  throw launch_error(std::string(operation) + ": thread " + std::to_string(running) + " of block " + describe(index) +
                     " " + what + "; let cluster_arrive() and cluster_wait() take turns");
}

void block_runner::cluster_arrive() {
  if (cancelled) return;
  if (arrivals_.empty()) arrivals_.resize(static_cast<std::size_t>(threads));
  auto& mine = arrivals_[static_cast<std::size_t>(running)];
  if (mine != 0) refuse_cluster_barrier("cluster_arrive", "arrives again before it has waited");
  mine = cluster_->generation + 1;
  if (static_cast<std::size_t>(++cluster_->arrived) < cluster_->blocks.size() * static_cast<std::size_t>(threads))
    return;
  pass_cluster_barrier();
}

void block_runner::pass_cluster_barrier() {
  ++cluster_->generation;
  cluster_->arrived = 0;
  barrier_changed(true);
}

void block_runner::cluster_wait() {
  auto const thread = static_cast<std::size_t>(running);
  if (!cancelled && (thread >= arrivals_.size() || arrivals_[thread] == 0)) {
    refuse_cluster_barrier("cluster_wait", "has not arrived");
  }
  while (cancelled || cluster_->generation < arrivals_[thread]) {
    if (!yield("cluster_wait")) return;
  }
  arrivals_[thread] = 0;
}

void wait_for_cluster(block_state& state) {
  auto& runner = static_cast<block_runner&>(state);
  runner.cluster_arrive();
  runner.cluster_wait();
}

}  // namespace tilewright::exec
