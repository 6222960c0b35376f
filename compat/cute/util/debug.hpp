// Which thread is this? For printing from one thread of a grid; on a CPU every caller is the one.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"

namespace cute {

/// Thread `t` of block `b`, both counted with x fastest?
CUTE_HOST_DEVICE bool thread([[maybe_unused]] int t, [[maybe_unused]] int b) {
#if TILEWRIGHT_ON_DEVICE
  auto const thread_id = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  auto const block_id = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  return static_cast<int>(thread_id) == t && static_cast<int>(block_id) == b;
#else
  return true;
#endif
}
CUTE_HOST_DEVICE bool thread(int t) { return thread(t, 0); }
CUTE_HOST_DEVICE bool thread0() { return thread(0, 0); }
CUTE_HOST_DEVICE bool block([[maybe_unused]] int b) {
#if TILEWRIGHT_ON_DEVICE
  return static_cast<int>(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) == b;
#else
  return true;
#endif
}
CUTE_HOST_DEVICE bool block0() { return block(0); }

/// print_type<T>(): stops the compiler with T in its message.
template <class... T>
CUTE_HOST_DEVICE constexpr void print_type() {
  static_assert(sizeof...(T) < 0, "print_type: the types are in this message");
}
template <class... T>
CUTE_HOST_DEVICE constexpr void print_type(T const&...) {
  static_assert(sizeof...(T) < 0, "print_type: the types are in this message");
}

}  // namespace cute
