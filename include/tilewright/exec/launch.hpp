// launch runs a kernel on every thread of a grid: blocks in parallel on the machine's cores, the threads of a block
// interleaved on one of them so that block.sync() means what it says. A kernel is a callable that takes a block context
// first and may be called from many threads at once: `[](auto& block, auto src, auto dst) { … }`. Compiled by nvcc, the
// same call runs the kernel as a CUDA grid instead (cuda/launch.hpp), if it is a function object that the device can
// call; launch_cpu stays on the CPU.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/exec/block.hpp"
#include "tilewright/exec/cuda/launch.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

namespace tilewright {

namespace detail {
template <class... A>
struct launch_is_included {};
template <class... A>
struct launch_cpu_is_included {};
}  // namespace detail

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

/// The check of a grid or a block given as a shape.
template <class T>
struct launch_has_three_extents {
  static constexpr bool value = true;
};
template <class... T>
struct launch_has_three_extents<tuple<T...>> {
  static constexpr bool value = sizeof...(T) >= 1 && sizeof...(T) <= 3;
  static constexpr auto sentence() {
    static_assert(value,
                  "launch: a grid and a block have one to three extents; group the shape's modes "
                  "(docs/errors.md#launch_extents)");
    return invalid_layout{};
  }
};

/// So that launch({4, 2}, 128, kernel) is read as grid, block, kernel.
template <class T>
constexpr bool is_extent = std::is_convertible_v<T const&, dim3>;

/// Extents in the layouts' own terms, such as Int<32>{}, size(layout) and ceil_div(shape, tiler): up to three numbers.
template <class T>
concept ShapeOfExtents = is_constant_v<T> || is_multiple_v<T> || is_tuple_v<T>;

template <class T>
dim3 extents_of(T const& given) {
  if constexpr (!is_tuple_v<T> && !ShapeOfExtents<T>) {
    return given;
  } else if constexpr (!is_tuple_v<T>) {
    return static_cast<unsigned>(static_cast<long long>(given));
  } else {
    dim3 out;
    if constexpr (tuple_size_v<T> >= 1) out.x = static_cast<unsigned>(static_cast<long long>(size(get<0>(given))));
    if constexpr (tuple_size_v<T> >= 2) out.y = static_cast<unsigned>(static_cast<long long>(size(get<1>(given))));
    if constexpr (tuple_size_v<T> >= 3) out.z = static_cast<unsigned>(static_cast<long long>(size(get<2>(given))));
    return out;
  }
}
template <class Grid, class Block>
concept ShapesOfLaunch = (ShapeOfExtents<Grid> || ShapeOfExtents<Block>)&&(ShapeOfExtents<Grid> ||
                                                                           is_extent<Grid>)&&(ShapeOfExtents<Block> ||
                                                                                              is_extent<Block>);

}  // namespace exec

/// Calls kernel(block, args...) once for each thread of each block, on the CPU; returns when all have returned.
/// Arguments are copied once and handed to the threads as const; a kernel that takes them by value has its own.
/// Throws launch_error for extents out of range, and whatever the first failing (block, thread) threw.
template <class Kernel, class... Args>
requires(!exec::is_extent<Kernel>) void launch_cpu(launch_config const& config, Kernel const& kernel, Args&&... args) {
  constexpr bool kernel_fits = requires(Kernel const& k, cpu_block& b, std::decay_t<Args> const&... a) { k(b, a...); };
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
  constexpr bool kernel_fits = requires(Kernel const& k, cpu_block& b, std::decay_t<Args> const&... a) { k(b, a...); };
  static_assert(kernel_fits,
                "launch: the kernel cannot be called with a block context and these arguments; write it as "
                "[](auto& block, auto a, …) with one parameter for each argument, and not mutable "
                "(docs/errors.md#kernel_arguments)");
  if constexpr (kernel_fits)
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
    launch_cuda_and_wait({.grid = config.grid,
                          .block = config.block,
                          .shared_bytes = {limited ? config.shared_limit.count : -1},
                          .cluster = config.cluster},
                         kernel, std::forward<Args>(args)...);
  } else {
    launch_cpu(config, kernel, std::forward<Args>(args)...);
  }
#else
  constexpr bool kernel_fits = requires(Kernel const& k, cpu_block& b, std::decay_t<Args> const&... a) { k(b, a...); };
  static_assert(kernel_fits,
                "launch: the kernel cannot be called with a block context and these arguments; write it as "
                "[](auto& block, auto a, …) with one parameter for each argument, and not mutable "
                "(docs/errors.md#kernel_arguments)");
  if constexpr (kernel_fits) launch_cpu(config, kernel, std::forward<Args>(args)...);
#endif
}

template <class Kernel, class... Args>
void launch(dim3 grid, dim3 block, Kernel const& kernel, Args&&... args) {
#if !defined(__CUDACC__)
  constexpr bool kernel_fits = requires(Kernel const& k, cpu_block& b, std::decay_t<Args> const&... a) { k(b, a...); };
  static_assert(kernel_fits,
                "launch: the kernel cannot be called with a block context and these arguments; write it as "
                "[](auto& block, auto a, …) with one parameter for each argument, and not mutable "
                "(docs/errors.md#kernel_arguments)");
#else
  constexpr bool kernel_fits = true;
#endif
  if constexpr (kernel_fits) launch(launch_config{.grid = grid, .block = block}, kernel, std::forward<Args>(args)...);
}
/// With extents as shapes: launch(ceil_div(shape, tiler), size(thr_layout), kernel, …).
template <class Grid, class Block, class Kernel, class... Args>
requires(exec::ShapesOfLaunch<Grid, Block>) void launch(Grid const& grid, Block const& block, Kernel const& kernel,
                                                        Args&&... args) {
  using check = all_hold<exec::launch_has_three_extents<Grid>, exec::launch_has_three_extents<Block>>;
#if !defined(__CUDACC__)
  constexpr bool kernel_fits = requires(Kernel const& k, cpu_block& b, std::decay_t<Args> const&... a) { k(b, a...); };
  static_assert(kernel_fits,
                "launch: the kernel cannot be called with a block context and these arguments; write it as "
                "[](auto& block, auto a, …) with one parameter for each argument, and not mutable "
                "(docs/errors.md#kernel_arguments)");
#else
  constexpr bool kernel_fits = true;
#endif
  if constexpr (!check::value) (void)check::sentence();
  else if constexpr (kernel_fits)
    launch(exec::extents_of(grid), exec::extents_of(block), kernel, std::forward<Args>(args)...);
}

}  // namespace tilewright
