// The block context of a checked launch on a GPU: cuda_block, with shared memory whose bounds are watched.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/cuda/block.hpp"
#include "tilewright/exec/cuda/checked_iterator.hpp"

namespace tilewright {

#if defined(__CUDACC__)

class cuda_checked_block : public cuda_block {
 public:
  TILEWRIGHT_FN explicit cuda_checked_block(exec::device_fault* record) : record_(record) {}

  template <class T, class L>
  TILEWRIGHT_FN auto shared(L const& layout_or_shape) {
    auto const layout = exec::layout_of_shared(layout_or_shape);
    return make_tensor(
        make_smem_ptr(shared_array<T>(static_cast<std::size_t>(cosize(layout)), exec::alignment_of_shared<L>)), layout);
  }

  /// What does not fit the launch's dynamic shared memory is outside of the tensor.
  template <class T>
  TILEWRIGHT_FN device_checked_iterator<T> shared_array(std::size_t elements,
                                                        unsigned alignment = exec::shared_alignment) {
    long long const begin = this->template place_shared<T>(elements, alignment);
    long long const wanted = static_cast<long long>(exec::bytes_of_elements<T>(elements));
    long long const room = static_cast<long long>(ptx::dynamic_shared_bytes()) - begin;
    exec::watched_range memory;
    memory.begin = static_cast<unsigned char*>(ptx::dynamic_shared_memory(static_cast<unsigned>(begin)));
    memory.bytes = room < 0 ? 0 : room < wanted ? room : wanted;
    memory.record = record_;
    memory.number = allocations_++;
    memory.element_bits = sizeof_bits_v<T>;
    memory.shared = true;
    return {memory, 0};
  }

 private:
  exec::device_fault* record_;
  int allocations_ = 0;
};

#endif

}  // namespace tilewright
