// A number in global memory by which blocks take turns: wait(i) until the number is i, release(i + 1) for the next.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
#include "tilewright/atom/ptx/flag.hpp"

#if defined(__CUDACC__)
namespace cutlass {

class Semaphore {
 public:
  int* lock;
  bool wait_thread;
  int state = -1;

  /// Thread 0 reads and writes the number, or each where thread_id is negative.
  CUTLASS_HOST_DEVICE Semaphore(int* lock_, int thread_id) : lock(lock_), wait_thread(thread_id <= 0) {}
  /// The number as the thread that waits last saw it.
  CUTLASS_DEVICE void fetch() {
#if TILEWRIGHT_ON_DEVICE
    if (wait_thread) state = tilewright::ptx::load_flag(lock);
#endif
  }
  CUTLASS_DEVICE int get_state() const { return state; }
  /// Until the number is `status`.  post: all threads of the block see what was written before it was released
  CUTLASS_DEVICE void wait(int status = 0) {
#if TILEWRIGHT_ON_DEVICE
    while (__syncthreads_and(wait_thread ? state != status : 1)) fetch();
    __syncthreads();
#else
    static_cast<void>(status);
#endif
  }
  /// post: what the block's threads wrote before is seen by those that wait for `status`
  CUTLASS_DEVICE void release(int status = 0) {
#if TILEWRIGHT_ON_DEVICE
    __syncthreads();
    if (wait_thread) {
      __threadfence();
      atomicExch(lock, status);
    }
#else
    static_cast<void>(status);
#endif
  }
};

}  // namespace cutlass
#endif
