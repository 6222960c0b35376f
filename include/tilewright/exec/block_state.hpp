// What the threads of one block share while they run on the CPU, and the few calls into the compiled engine that the
// block contexts are made of. The engine knows a kernel only as an erased function that runs all threads not yet
// started, so no header of the library needs a fiber or a thread pool.
//
// A block runs on one worker from its first thread to its last. Threads start one after another on the same stack; a
// thread that waits in sync() keeps that stack, and the threads after it continue on another. When every thread that
// has not exited waits, they are resumed in order: that is the barrier.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/dim3.hpp"
#include "tilewright/exec/limits.hpp"

#include <cstddef>
#include <typeinfo>

namespace tilewright::exec {

class checked_session;
class checked_allocation;

/// The place of a barrier in the source; std::source_location, for compilers whose library lacks it.
struct source_place {
  char const* file;
  unsigned line;

  static constexpr source_place here(char const* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

struct block_state {
  dim3 grid;
  dim3 block;
  dim3 index;
  unsigned cluster_rank = 0;   // of the block in its cluster, x fastest
  int threads = 0;             // in the block
  int next = 0;                // threads started so far
  int running = -1;            // the thread that runs now
  int const* order = nullptr;  // the order in which threads start; null for 0, 1, 2 …
  checked_session* checks = nullptr;
  bool cancelled = false;  // a thread has thrown: the others unwind when they next run
  bool async = false;      // a thread has started asynchronous copies

  /// pre: next < threads; post: the result runs now.
  int start_thread() {
    int const thread = order == nullptr ? next : order[next];
    ++next;
    running = thread;
    return thread;
  }
};

/// Waits until every thread of the block that has not exited waits too, then returns in the same thread.
/// Once another thread has thrown it does not return but unwinds this thread's stack, so it must not be called from a
/// noexcept function; a destructor that runs while the stack unwinds may call it, and does not wait.
void wait_for_block(block_state& state);

/// As wait_for_block, and reports threads that wait at different places or have exited (checked mode only).
void checked_wait_for_block(block_state& state, source_place place);

/// Waits until every thread of the running thread's warp that has not exited waits too.
/// Throws launch_error when that can never be, for threads of the warp wait elsewhere.
void wait_for_warp(block_state& state);

/// Waits until every thread of the cluster that has not exited waits too.
void wait_for_cluster(block_state& state);

/// Call when a thread's kernel has returned and state.async is set: ends the copies it did not wait for; a checked
/// launch reports them.
void end_async_copies(block_state& state);

/// What one call of shared<T>() asks for; every thread of a block asks for the same.
struct shared_request {
  int ordinal;  // of the call within its thread
  std::size_t elements;
  std::size_t element_bits;
  unsigned alignment;
  std::type_info const* type;
};

/// The memory of the request's ordinal, aligned as it asks; the first thread that asks makes it.
/// Throws launch_error if the threads disagree or the block's limit is exceeded.
void* shared_memory(block_state& state, shared_request const& request);
checked_allocation& checked_shared_memory(block_state& state, shared_request const& request);

/// A kernel with its arguments bound and its type forgotten.
/// run_threads starts threads until state.next == state.threads and returns when the last one it started has exited.
struct erased_kernel {
  void const* object;
  void (*run_threads)(void const* object, block_state& state);
};

/// Runs every block of the grid once, in parallel.
/// post: all blocks have run, or the exception of the first failing (block, thread) is thrown; blocks after a failing
/// one may not have run.
void run_grid(launch_config const& config, erased_kernel kernel);

/// Runs the blocks one after another under the session's checks, in the order of its seed.
void run_grid_checked(launch_config const& config, erased_kernel kernel, checked_session& session);

}  // namespace tilewright::exec
