// The block context of a CUDA grid: the members of cpu_block, answered by the hardware. Shared memory is the launch's
// dynamic shared memory, handed out in the order of the calls.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/dim3.hpp"
#include "tilewright/exec/shared_layout.hpp"

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include "tilewright/atom/cluster.hpp"
#include "tilewright/atom/ptx/registers.hpp"
#endif

namespace tilewright {

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

/// Exists on the device alone; the host bodies are there so that kernels compile for both.
class cuda_block {
 public:
  TILEWRIGHT_FN dim3 thread_index() const { return ptx::thread_index(); }
  TILEWRIGHT_FN dim3 index() const { return ptx::block_index(); }
  TILEWRIGHT_FN dim3 extents() const { return ptx::block_extents(); }
  TILEWRIGHT_FN dim3 grid() const { return ptx::grid_extents(); }
  TILEWRIGHT_FN int thread() const {  // linear, x fastest
    dim3 const at = thread_index();
    dim3 const of = extents();
    return static_cast<int>(at.x + of.x * (at.y + of.y * at.z));
  }
  TILEWRIGHT_FN int threads() const {
    dim3 const of = extents();
    return static_cast<int>(of.x * of.y * of.z);
  }

  /// The rank in the cluster, x fastest; 0 for a launch without clusters.
  TILEWRIGHT_FN int cluster_rank() const { return static_cast<int>(block_rank_in_cluster()); }
  /// Waits for all threads of the cluster.
  TILEWRIGHT_FN void cluster_sync() { tilewright::cluster_sync(); }

  TILEWRIGHT_FN void sync() { ptx::block_barrier(); }
  /// pre: all 32 threads of the warp call it
  TILEWRIGHT_FN void sync_warp() { ptx::warp_barrier(); }

  /// A tensor in memory that all threads of the block share, uninitialised, aligned to 128 bytes, swizzled to 1024.
  /// pre: every thread makes the same calls in the same order; the launch gave enough shared_bytes, else the kernel traps
  template <class T, class L>
  TILEWRIGHT_FN auto shared(L const& layout_or_shape) {
    auto const layout = exec::layout_of_shared(layout_or_shape);
    return make_tensor(
        make_smem_ptr(shared_array<T>(static_cast<std::size_t>(cosize(layout)), exec::alignment_of_shared<L>)), layout);
  }

  /// The address of such memory for `elements` Ts.
  template <class T>
  TILEWRIGHT_FN T* shared_array(std::size_t elements, unsigned alignment = exec::shared_alignment) {
    unsigned const begin = place_shared<T>(elements, alignment);
    if (used_ > ptx::dynamic_shared_bytes()) {
      ptx::stop(
          "shared: the kernel's tiles exceed the dynamic shared memory of its launch; give the launch more "
          "shared_bytes\n");
    }
    return static_cast<T*>(ptx::dynamic_shared_memory(begin));
  }

 protected:
  /// Where the next tensor's memory begins.
  template <class T>
  TILEWRIGHT_FN unsigned place_shared(std::size_t elements, unsigned alignment) {
    unsigned const begin = exec::aligned_shared(used_, alignment);
    used_ = begin + static_cast<unsigned>(exec::bytes_of_elements<T>(elements));
    return begin;
  }

 private:
  unsigned used_ = 0;
};

#endif

}  // namespace tilewright
