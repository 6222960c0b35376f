// The block context of a plain launch on the CPU: the thread and the block of a kernel's call, the barrier and the
// shared memory. checked_block (checked_block.hpp) has the same members and watches what the threads do with them.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/exec/block_state.hpp"
#include "tilewright/exec/shared_layout.hpp"

#include <type_traits>

namespace tilewright {

namespace exec {
template <class T>
inline constexpr bool needs_no_construction = std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>;
template <class T>
inline constexpr bool fits_shared_alignment = alignof(T) <= 128;
}  // namespace exec

/// What both block contexts answer without asking the engine.
/// The members are host-device for the sake of kernels that are; nothing makes such a block on the device.
class block_position {
 public:
  block_position(exec::block_state& state, int thread) : state_(&state), thread_(thread) {}

  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE int thread() const { return thread_; }  // linear, x fastest
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE dim3 thread_index() const {
    return index_3d(static_cast<unsigned long long>(thread_), state_->block);
  }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE int threads() const { return state_->threads; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE dim3 const& index() const { return state_->index; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE dim3 const& extents() const { return state_->block; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE dim3 const& grid() const { return state_->grid; }
  /// The rank in the cluster, x fastest; 0 for a launch without clusters.
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE int cluster_rank() const { return static_cast<int>(state_->cluster_rank); }
  /// Waits for all threads of the cluster.
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE void cluster_sync() { exec::wait_for_cluster(*state_); }

 protected:
  template <class T>
  exec::shared_request next_request(std::size_t elements, unsigned alignment) {
    return {allocations_++, elements, sizeof_bits_v<T>, alignment, &typeid(T)};
  }

  exec::block_state* state_;

 private:
  int thread_;
  int allocations_ = 0;  // made by this thread
};

class cpu_block : public block_position {
 public:
  using block_position::block_position;

  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE void sync() { exec::wait_for_block(*state_); }
  /// Waits for the other threads of the warp: those of 32 successive threads that have not exited.
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE void sync_warp() { exec::wait_for_warp(*state_); }

  /// A tensor in memory that all threads of the block share, uninitialised, aligned to 128 bytes, swizzled to 1024.
  /// pre: every thread makes the same calls in the same order, else launch_error
  TILEWRIGHT_NO_EXEC_CHECK
  template <class T, class L>
  TILEWRIGHT_HOST_DEVICE exec::shared_tensor<T*, L> shared(L const& layout_or_shape) {
    // Here and in shared_array, for each function between the user's line and a sentence makes the message longer.
    static_assert(exec::needs_no_construction<T>,
                  "shared: the elements of shared memory are neither constructed nor destroyed; use a trivially "
                  "copyable type (docs/errors.md#shared_elements)");
    static_assert(exec::fits_shared_alignment<T>,
                  "shared: shared memory is aligned to 128 bytes; use a type aligned to no more "
                  "(docs/errors.md#shared_alignment)");
    auto const layout = exec::layout_of_shared(layout_or_shape);
    return make_tensor(
        make_smem_ptr(memory_for<T>(static_cast<std::size_t>(cosize(layout)), exec::alignment_of_shared<L>)), layout);
  }

  /// The address of such memory for `elements` Ts.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class T>
  TILEWRIGHT_HOST_DEVICE T* shared_array(std::size_t elements, unsigned alignment = exec::shared_alignment) {
    static_assert(exec::needs_no_construction<T>,
                  "shared: the elements of shared memory are neither constructed nor destroyed; use a trivially "
                  "copyable type (docs/errors.md#shared_elements)");
    static_assert(exec::fits_shared_alignment<T>,
                  "shared: shared memory is aligned to 128 bytes; use a type aligned to no more "
                  "(docs/errors.md#shared_alignment)");
    return memory_for<T>(elements, alignment);
  }

 private:
  TILEWRIGHT_NO_EXEC_CHECK
  template <class T>
  TILEWRIGHT_HOST_DEVICE T* memory_for(std::size_t elements, unsigned alignment) {
    return static_cast<T*>(exec::shared_memory(*state_, next_request<T>(elements, alignment)));
  }
};

}  // namespace tilewright
