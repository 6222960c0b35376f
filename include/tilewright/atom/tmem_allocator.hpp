// Who has which columns of tensor memory (Blackwell; PTX ISA, "tcgen05.alloc"): a warp allocates them for its block, or a warp of
// each of two blocks that multiply together, and the same number must be freed before the block ends. On the CPU too.
//
//   TMEM::Allocator1Sm allocator;
//   if (warp == 0) allocator.allocate(512, &shared.base);     then __syncthreads(): every thread reads the address
//   if (warp == 0) { allocator.release_allocation_lock();  allocator.free(shared.base, 512); }
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/tcgen05.hpp"
#include "tilewright/machine/host_thread.hpp"

namespace tilewright {
namespace detail {

/// Blocks: 1, or 2 where a pair of blocks multiplies. Each function is called by all threads of a warp.
template <int Blocks>
class tmem_allocator {
 public:
  static constexpr int ColumnsPerAllocationSlice = 32;
  static constexpr int Sm100TmemCapacityColumns = 512;

  /// Waits until `columns` columns, a power of two from 32 to 512, are free.
  /// post: their address is in *address, which is in shared memory
  /// error: layout_error tmem_columns, tmem_released; launch_error where none will be freed
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN void allocate(int columns, std::uint32_t* address) const {
#if TILEWRIGHT_ON_DEVICE
    ptx::tmem_allocate<Blocks>(address, columns);
#elif TILEWRIGHT_HOSTED
    for_the_warp("TMEM::Allocator::allocate", [&](host_tensor_memory& memory) {
      while (!memory.allocate(columns, *address))
        if (!host_thread->yield("TMEM::Allocator::allocate")) return;
    });
#endif
  }
  /// error: layout_error tmem_columns unless allocate gave this address for as many columns
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN void free(std::uint32_t address, int columns) const {
#if TILEWRIGHT_ON_DEVICE
    ptx::tmem_free<Blocks>(address, columns);
#elif TILEWRIGHT_HOSTED
    for_the_warp("TMEM::Allocator::free", [&](host_tensor_memory& memory) {
      memory.free(address, columns);
      host_thread->barrier_changed(false);
    });
#endif
  }
  /// The block allocates no more, so that the next block on the processor may.
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN void release_allocation_lock() const {
#if TILEWRIGHT_ON_DEVICE
    ptx::tmem_release_lock<Blocks>();
#elif TILEWRIGHT_HOSTED
    for_the_warp("TMEM::Allocator::release_allocation_lock", [](host_tensor_memory& memory) { memory.release(); });
#endif
  }

 private:
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  template <class F>
  static void for_the_warp(char const* operation, F const& f) {
    host_thread_services& warp = thread_of_a_warp();
    int const nothing = 0;
    warp.exchange(operation, &nothing, sizeof(nothing));
    if (warp.lane() == 0) f(warp.tensor_memory(warp.cluster().rank));
    warp.exchange(operation, &nothing, sizeof(nothing));
  }
#endif
};

}  // namespace detail

namespace TMEM {
using Allocator1Sm = detail::tmem_allocator<1>;
using Allocator2Sm = detail::tmem_allocator<2>;
}  // namespace TMEM

}  // namespace tilewright
