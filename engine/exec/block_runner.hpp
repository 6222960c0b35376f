// Runs the threads of one block after another on one worker. Waiting is all there is to schedule: the fibers of the
// threads that wait form a list, and when no thread can run without passing the barrier, the list is run through in
// order once more.
#pragma once

#include "engine/exec/fiber.hpp"
#include "tilewright/exec/block_state.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace tilewright::exec {

class block_runner : public block_state {
 public:
  block_runner() = default;
  ~block_runner();

  /// What the following calls of run are for.
  void prepare(launch_config const& config, erased_kernel kernel, checked_session* session);
  /// Runs one block; the result is what the first failing thread threw, or null.
  std::exception_ptr run(dim3 const& block_index);

  void wait();
  void checked_wait(source_place place);
  void* shared_memory(shared_request const& request);
  checked_allocation& checked_shared_memory(shared_request const& request);

 private:
  struct unwind {};  // thrown in threads that wait when another has failed
  struct shared_entry {
    std::size_t offset;
    std::size_t elements;
    std::type_info const* type;
    int thread;  // that asked first
  };

  static context& run_threads_on(void* self, fiber& on);
  context& next_context();
  void have_idle_fiber();
  fiber& idle_fiber();
  void pass_barrier();
  void fail(std::exception_ptr failure);
  void shuffle_threads();

  erased_kernel kernel_{};
  std::size_t shared_limit_ = 0;
  context worker_;
  fiber* current_ = nullptr;
  std::vector<fiber*> waiting_;   // at the barrier, in the order they came
  std::vector<fiber*> released_;  // from the last barrier
  std::size_t next_released_ = 0;
  std::vector<fiber*> idle_;
  std::vector<std::unique_ptr<fiber>> fibers_;
  std::exception_ptr failure_;

  std::vector<shared_entry> shared_;
  std::size_t shared_bytes_ = 0;
  std::size_t arena_bytes_ = 0;
  struct aligned_delete {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, aligned_delete> arena_;

  std::vector<int> shuffled_order_;
  std::uint64_t random_ = 0;
};

/// A runner for the time it is held, from those that this thread has used before.
class leased_runner {
 public:
  leased_runner();
  ~leased_runner();
  leased_runner(leased_runner const&) = delete;
  leased_runner& operator=(leased_runner const&) = delete;
  block_runner& operator*() const { return *runner_; }
  block_runner* operator->() const { return runner_.get(); }

  /// Whether this thread runs a kernel now.
  static bool any_on_this_thread();

 private:
  std::unique_ptr<block_runner> runner_;
};

}  // namespace tilewright::exec
