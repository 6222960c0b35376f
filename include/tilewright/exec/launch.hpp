// launch runs a kernel on every thread of a grid: blocks in parallel on the machine's cores, the threads of a block
// interleaved on one of them so that block.sync() means what it says. A kernel is a callable that takes a block context
// first and may be called from many threads at once: `[](auto& block, auto src, auto dst) { … }`. Compiled by nvcc, the
// same call runs the kernel as a CUDA grid instead (cuda/launch.hpp), if it is a function object that the device can
// call; launch_cpu stays on the CPU.
#pragma once

#include "tilewright/exec/block.hpp"
#include "tilewright/exec/cuda/launch.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

namespace tilewright {
namespace exec {

template <class Block, class Kernel, class Arguments>
struct bound_kernel {
  Kernel const& kernel;
  Arguments const& arguments;

  static void run_threads(void const* object, block_state& state) {
    auto const& self = *static_cast<bound_kernel const*>(object);
    while (state.next < state.threads) {
      Block block(state, state.start_thread());
      std::apply([&](auto const&... args) { self.kernel(block, args...); }, self.arguments);
      if (state.async) end_async_copies(state);
    }
  }
  erased_kernel erased() const { return {this, &run_threads}; }
};

template <class Block, class Kernel, class... Args>
constexpr bool kernel_takes_a_block_and_these_arguments = std::is_invocable_v<Kernel const&, Block&, Args const&...>;

/// So that launch({4, 2}, 128, kernel) is read as grid, block, kernel.
template <class T>
constexpr bool is_extent = std::is_convertible_v<T const&, dim3>;

}  // namespace exec

/// Calls kernel(block, args...) once for each thread of each block, on the CPU; returns when all have returned.
/// Arguments are copied once and handed to the threads as const; a kernel that takes them by value has its own.
/// Throws launch_error for extents out of range, and whatever the first failing (block, thread) threw.
template <class Kernel, class... Args>
requires(!exec::is_extent<Kernel>) void launch_cpu(launch_config const& config, Kernel const& kernel, Args&&... args) {
  constexpr bool kernel_fits = exec::kernel_takes_a_block_and_these_arguments<cpu_block, Kernel, std::decay_t<Args>...>;
  static_assert(kernel_fits,
                "launch: the kernel cannot be called with a block context and these arguments; write it as "
                "[](auto& block, auto a, …) with one parameter for each argument, and not mutable "
                "(docs/errors.md#kernel_arguments)");
  if constexpr (kernel_fits) {
    std::tuple<std::decay_t<Args>...> const arguments(std::forward<Args>(args)...);
    exec::bound_kernel<cpu_block, Kernel, decltype(arguments)> const bound{kernel, arguments};
    exec::run_grid(config, bound.erased());
  }
}
template <class Kernel, class... Args>
void launch_cpu(dim3 grid, dim3 block, Kernel const& kernel, Args&&... args) {
  launch_cpu(launch_config{.grid = grid, .block = block}, kernel, std::forward<Args>(args)...);
}

/// Calls kernel(block, args...) once for each thread of each block and returns when all have returned: on the CPU
/// (launch_cpu) or, compiled by nvcc and callable with a cuda_block, as a CUDA grid (launch_cuda_and_wait), where a
/// shared_limit that is given is the dynamic shared memory.
template <class Kernel, class... Args>
requires(!exec::is_extent<Kernel>) void launch(launch_config const& config, Kernel const& kernel, Args&&... args) {
#if defined(__CUDACC__)
  if constexpr (exec::runs_on_cuda<Kernel, std::decay_t<Args>...>) {
    bool const limited = config.shared_limit != max_shared_per_block;
    launch_cuda_and_wait(
        {.grid = config.grid, .block = config.block, .shared_bytes = {limited ? config.shared_limit.count : -1}},
        kernel, std::forward<Args>(args)...);
  } else {
    launch_cpu(config, kernel, std::forward<Args>(args)...);
  }
#else
  launch_cpu(config, kernel, std::forward<Args>(args)...);
#endif
}

template <class Kernel, class... Args>
void launch(dim3 grid, dim3 block, Kernel const& kernel, Args&&... args) {
  launch(launch_config{.grid = grid, .block = block}, kernel, std::forward<Args>(args)...);
}

}  // namespace tilewright
