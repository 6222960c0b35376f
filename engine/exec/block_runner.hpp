// Runs the threads of one block after another on one worker. Waiting is all there is to schedule: the fibers of the
// threads that wait form a list, and when no thread can run without passing the barrier, the list is run through in
// order again. Threads that wait for their warp form a list for each warp, released when all 32 have come. Threads
// that yield, for they wait for an mbarrier or the cluster, run again in the next round; between rounds the worker sees
// to the other blocks of the cluster, and to whether anything has changed at all (cluster.cpp).
#pragma once

#include "engine/exec/cluster.hpp"
#include "engine/exec/fiber.hpp"
#include "tilewright/exec/block_state.hpp"
#include "tilewright/machine/host_thread.hpp"

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::exec {

class block_runner final : public block_state, public host_thread_services {
 public:
  block_runner() = default;
  ~block_runner();

  /// What the following calls of run are for.
  void prepare(launch_config const& config, erased_kernel kernel, checked_session* session);
  /// Runs one block; the result is what the first failing thread threw, or null.
  std::exception_ptr run(dim3 const& block_index);

  /// The parts of run, for a block of a cluster: begin, then a round as long as it is not finished.
  /// pre: the cluster outlives the block's last round
  void begin(dim3 const& block_index, unsigned rank, cluster_state& cluster);
  void round();
  bool finished() const { return begun_ && yielded_.empty(); }
  /// Lets every thread unwind in the rounds to come.
  void cancel();
  /// Ends a block whose threads have all yielded in vain. pre: one of them waits
  void fail_for_want_of_progress();
  /// Has it threads that yield and may go on all the same?
  bool has_threads_that_only_ask() const;
  /// Threads that wait for warps whose others have exited; whether there are any that run now.
  bool release_warps();
  /// Have all threads that have not exited arrived at the cluster's barrier?
  bool all_at_cluster_barrier() const;
  void pass_cluster_barrier();
  void report_unfinished_loads();
  void report_unfreed_tensor_memory();
  bool has_failed() const { return failure_ != nullptr; }
  std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

  void wait();
  void checked_wait(source_place place);
  void wait_for_warp();

  int lane() const override { return running % warp_size; }
  unsigned char const* exchange(char const* operation, void const* mine, int bytes) override;
  host_async_copies& async_copies() override;
  host_async_copies& bulk_copies() override;
  host_async_copies& matrix_products() override;
  host_barrier_copies& barrier_copies() override;
  int thread_number() const override { return running; }
  bool yield(char const* operation) override;
  void barrier_changed(bool phase_ended) override;
  host_cluster cluster() const override;
  void* map_shared(void const* own, unsigned rank) override;
  void cluster_arrive() override;
  void cluster_wait() override;
  std::uint32_t shared_offset(void const* own) const override;
  unsigned char const* read_shared(std::uint32_t offset, int bytes) override;
  unsigned char const* read_shared_of(unsigned rank, std::uint32_t offset, int bytes) override;
  host_tensor_memory& tensor_memory(unsigned rank) override;
  void end_async_copies();

  void* shared_memory(shared_request const& request);
  checked_allocation& checked_shared_memory(shared_request const& request);

 private:
  struct copies_of_a_thread {
    host_async_copies async;
    host_async_copies bulk;
    host_async_copies products;
  };
  struct unwind {};  // thrown in threads that wait when another has failed
  struct shared_entry {
    std::size_t offset;
    std::size_t elements;
    std::type_info const* type;
    int thread;  // that asked first
  };

  /// The threads of one warp and what they hand one another. An exchange fills one half of `slots` while slower threads
  /// may still read the other.
  struct warp_state {
    std::vector<fiber*> waiting;
    char const* operation = nullptr;                  // that they wait in; null for a barrier
    std::array<std::vector<unsigned char>, 2> slots;  // as large as the largest exchange so far
    std::array<unsigned char, warp_size> half{};      // of each lane's next exchange
  };

  static context& run_threads_on(void* self, fiber& on);
  context& next_context();
  void have_idle_fiber();
  fiber& idle_fiber();
  void pass_barrier();
  void arrive_at_warp(char const* operation);
  void release_warp(int number);
  bool release_warps_of_exited_threads();
  warp_state& warp_of(int thread);
  int threads_of_warp(int warp) const;
  void fail(std::exception_ptr failure);
  void shuffle_threads();
  void have_arena();
  copies_of_a_thread& copies();
  block_runner& block_of_rank(unsigned rank) const;
  [[noreturn]] void refuse_cluster_barrier(char const* operation, char const* what) const;

  erased_kernel kernel_{};
  std::size_t shared_limit_ = 0;
  context worker_;
  fiber* current_ = nullptr;
  std::vector<fiber*> waiting_;   // at the barrier, in the order they came
  std::vector<fiber*> released_;  // from the last barrier
  std::size_t next_released_ = 0;
  std::vector<fiber*> yielded_;
  std::vector<fiber*> idle_;
  std::vector<std::unique_ptr<fiber>> fibers_;
  std::exception_ptr failure_;

  std::vector<std::unique_ptr<warp_state>> warps_;           // made when first asked for
  int waiting_for_warps_ = 0;                                // threads
  std::vector<std::unique_ptr<copies_of_a_thread>> copies_;  // of each thread, made when first asked for

  bool begun_ = false;  // not only prepared
  block_runner* const alone_[1] = {this};
  cluster_state own_cluster_;
  cluster_state* cluster_ = &own_cluster_;
  std::vector<std::uint64_t> arrivals_;  // of each thread: the generation it has arrived at, from 1; 0 for none

  std::vector<shared_entry> shared_;
  std::size_t shared_bytes_ = 0;
  std::size_t arena_bytes_ = 0;
  struct aligned_delete {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, aligned_delete> arena_;

  std::unique_ptr<host_tensor_memory> tensor_memory_;  // made when first asked for

  std::vector<int> shuffled_order_;
  std::uint64_t random_ = 0;
};

/// "(1,2,0)"
std::string describe(dim3 const& index);

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
