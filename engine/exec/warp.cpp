// What the threads of a warp do together on the CPU: their barrier, the exchange that replaces warp-wide
// instructions, and the asynchronous copies each of them has in flight.
#include "engine/exec/block_runner.hpp"
#include "engine/exec/shuffle.hpp"
#include "tilewright/exec/checked_memory.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace tilewright::exec {

std::string describe(dim3 const& index) {
  return std::string("(") + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) +
         ")";
}

block_runner::warp_state& block_runner::warp_of(int thread) {
  if (warps_.empty()) warps_.resize(static_cast<std::size_t>((threads + warp_size - 1) / warp_size));
  auto& warp = warps_[static_cast<std::size_t>(thread / warp_size)];
  if (!warp) {
    warp = std::make_unique<warp_state>();
    warp->waiting.reserve(warp_size);
  }
  return *warp;
}

int block_runner::threads_of_warp(int warp) const { return std::min(warp_size, threads - warp * warp_size); }

/// Returns when every thread of the warp has come; those that came before continue after this one.
void block_runner::arrive_at_warp(char const* operation) {
  if (!cancelled) {
    fiber& self = *current_;
    if (next < threads) have_idle_fiber();
    self.thread = running;
    warp_state& warp = warp_of(running);
    if (!warp.waiting.empty() && warp.operation != operation) {
      auto const name = [](char const* o) { return std::string(o == nullptr ? "sync_warp()" : o); };
      throw launch_error(name(operation) + ": thread " + std::to_string(running) + " of block " + describe(index) +
                         " calls it while thread " + std::to_string(warp.waiting.front()->thread) +
                         " of its warp is in " + name(warp.operation) +
                         "; let all threads of a warp make the same calls in the same order");
    }
    warp.operation = operation;
    int const number = running / warp_size;
    if (static_cast<int>(warp.waiting.size()) + 1 == threads_of_warp(number)) {
      release_warp(number);
    } else {
      warp.waiting.push_back(&self);
      ++waiting_for_warps_;
      context& to = next_context();
      if (&to != &self) switch_context(self, to);
      current_ = &self;
      running = self.thread;
    }
  }
  if (cancelled && std::uncaught_exceptions() == 0) throw unwind{};
}

void block_runner::release_warp(int number) {
  warp_state& warp = *warps_[static_cast<std::size_t>(number)];
  if (checks != nullptr && !cancelled) {
    if (warp.operation == nullptr) checks->begin_warp_epoch(number);
    if (checks->seed() != 0) shuffle(std::span(warp.waiting), random_);
  }
  released_.erase(released_.begin(), released_.begin() + static_cast<std::ptrdiff_t>(next_released_));
  next_released_ = 0;
  waiting_for_warps_ -= static_cast<int>(warp.waiting.size());
  released_.insert(released_.end(), warp.waiting.begin(), warp.waiting.end());
  warp.waiting.clear();
}

/// When no thread can run and some wait for their warp: those they wait for have exited, which releases a barrier of
/// the warp, or wait for the block, which nothing can repair.
/// post: whether there is a thread to run
bool block_runner::release_warps_of_exited_threads() {
  std::vector<bool> waits(static_cast<std::size_t>(threads));
  for (fiber const* f : waiting_) waits[static_cast<std::size_t>(f->thread)] = true;
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    if (!warps_[w] || warps_[w]->waiting.empty()) continue;
    warp_state& warp = *warps_[w];
    bool const one_yields = std::any_of(yielded_.begin(), yielded_.end(),
                                        [&](fiber const* f) { return f->thread / warp_size == static_cast<int>(w); });
    if (one_yields && !cancelled) continue;
    if (!cancelled) {
      for (fiber const* f : warp.waiting) waits[static_cast<std::size_t>(f->thread)] = true;
      int const first = static_cast<int>(w) * warp_size;
      int const waiting = warp.waiting.front()->thread;
      for (int t = first; t < first + threads_of_warp(static_cast<int>(w)) && !cancelled; ++t) {
        bool const in_warp_list =
            std::any_of(warp.waiting.begin(), warp.waiting.end(), [&](fiber const* f) { return f->thread == t; });
        bool const at_block_barrier = waits[static_cast<std::size_t>(t)] && !in_warp_list;
        bool const exited = !waits[static_cast<std::size_t>(t)];
        bool const forgiven = checks == nullptr || checks->exited_threads_leave_barriers();
        if (in_warp_list || (exited && warp.operation == nullptr && forgiven)) continue;
        std::string const what = warp.operation == nullptr ? "sync_warp()" : warp.operation;
        launch_error const error(what + ": thread " + std::to_string(waiting) + " of block " + describe(index) +
                                 " waits for thread " + std::to_string(t) + " of its warp, which " +
                                 (at_block_barrier ? "waits for the block" : "has exited") +
                                 "; let all threads of a warp make the same calls in the same order");
        fail(std::make_exception_ptr(error));
      }
    }
    release_warp(static_cast<int>(w));
  }
  return next_released_ < released_.size();
}

unsigned char const* block_runner::exchange(char const* operation, void const* mine, int bytes) {
  int const warp_number = running / warp_size;
  if (threads_of_warp(warp_number) < warp_size) {
    throw launch_error(std::string(operation) + ": warp " + std::to_string(warp_number) + " of block " +
                       describe(index) + " has " + std::to_string(threads_of_warp(warp_number)) +
                       " threads; launch blocks of whole warps of 32");
  }
  warp_state& warp = warp_of(running);
  auto const me = static_cast<std::size_t>(lane());
  auto& slots = warp.slots[warp.half[me]];
  warp.half[me] ^= 1;
  auto const size = static_cast<std::size_t>(bytes);
  if (slots.size() < warp_size * size) slots.resize(warp_size * size);
  std::memcpy(slots.data() + me * size, mine, size);
  arrive_at_warp(operation);
  return slots.data();
}

void block_runner::wait_for_warp() { arrive_at_warp(nullptr); }

// --- asynchronous copies ----------------------------------------------------------------------------------------------

block_runner::copies_of_a_thread& block_runner::copies() {
  async = true;
  if (copies_.empty()) copies_.resize(static_cast<std::size_t>(threads));
  auto& mine = copies_[static_cast<std::size_t>(running)];
  if (!mine) mine = std::make_unique<copies_of_a_thread>();
  return *mine;
}

host_async_copies& block_runner::async_copies() { return copies().async; }

host_async_copies& block_runner::bulk_copies() { return copies().bulk; }

host_async_copies& block_runner::matrix_products() { return copies().products; }

host_barrier_copies& block_runner::barrier_copies() { return cluster_->copies; }

void block_runner::end_async_copies() {
  if (copies_.empty() || !copies_[static_cast<std::size_t>(running)]) return;
  auto& [loads, stores, products] = *copies_[static_cast<std::size_t>(running)];
  if (checks != nullptr) {
    if (!loads.empty()) checks->report_unfinished_copies(loads.uncommitted(), loads.not_waited_for());
    if (!stores.empty()) checks->report_unfinished_stores(stores.uncommitted(), stores.not_waited_for());
  }
  if (checks != nullptr && !products.empty())
    checks->report_unfinished_products(products.uncommitted(), products.not_waited_for());
  products.discard();  // their accumulators are gone
  loads.leave_those_of_barriers();
  loads.wait_all();
  stores.wait_all();
}

void wait_for_warp(block_state& state) { static_cast<block_runner&>(state).wait_for_warp(); }

void end_async_copies(block_state& state) { static_cast<block_runner&>(state).end_async_copies(); }

}  // namespace tilewright::exec
