// The block context of a checked launch: the members of cpu_block, with shared memory that is watched byte by byte and
// a barrier that reports the threads it leaves out.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/block.hpp"
#include "tilewright/exec/watch.hpp"

namespace tilewright {

class checked_block : public block_position {
 public:
  using block_position::block_position;

  void sync(exec::source_place place = exec::source_place::here()) { exec::checked_wait_for_block(*state_, place); }
  void sync_warp() { exec::wait_for_warp(*state_); }

  template <class T, class L>
  exec::shared_tensor<checked_iterator<T>, L> shared(L const& layout_or_shape) {
    static_assert(exec::needs_no_construction<T>,
                  "shared: the elements of shared memory are neither constructed nor destroyed; use a trivially "
                  "copyable type (docs/errors.md#shared_elements)");
    static_assert(exec::fits_shared_alignment<T>,
                  "shared: shared memory is aligned to 128 bytes; use a type aligned to no more "
                  "(docs/errors.md#shared_alignment)");
    auto const layout = exec::layout_of_shared(layout_or_shape);
    checked_iterator<T> const begin =
        memory_for<T>(static_cast<std::size_t>(cosize(layout)), exec::alignment_of_shared<L>);
    if (!begin.memory().is_described()) begin.memory().describe(exec::coordinates_of(layout));
    return make_tensor(make_smem_ptr(begin), layout);
  }

  template <class T>
  checked_iterator<T> shared_array(std::size_t elements, unsigned alignment = exec::shared_alignment) {
    static_assert(exec::needs_no_construction<T>,
                  "shared: the elements of shared memory are neither constructed nor destroyed; use a trivially "
                  "copyable type (docs/errors.md#shared_elements)");
    static_assert(exec::fits_shared_alignment<T>,
                  "shared: shared memory is aligned to 128 bytes; use a type aligned to no more "
                  "(docs/errors.md#shared_alignment)");
    return memory_for<T>(elements, alignment);
  }

 private:
  template <class T>
  checked_iterator<T> memory_for(std::size_t elements, unsigned alignment) {
    return {exec::checked_shared_memory(*state_, next_request<T>(elements, alignment)), 0};
  }
};

}  // namespace tilewright
