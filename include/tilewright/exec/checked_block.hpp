// The block context of a checked launch: the members of cpu_block, with shared memory that is watched byte by byte and
// a barrier that reports the threads it leaves out.
#pragma once

#include "tilewright/exec/block.hpp"
#include "tilewright/exec/checked_iterator.hpp"

namespace tilewright {

class checked_block : public block_position {
 public:
  using block_position::block_position;

  void sync(exec::source_place place = exec::source_place::here()) { exec::checked_wait_for_block(*state_, place); }

  template <class T>
  checked_iterator<T> shared_array(std::size_t elements) {
    return {exec::checked_shared_memory(*state_, next_request<T>(elements)), 0};
  }
};

}  // namespace tilewright
