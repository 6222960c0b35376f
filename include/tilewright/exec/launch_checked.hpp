// launch_checked runs the same kernels as launch, one block after another, and watches them: accesses out of bounds,
// reads and writes of shared memory that no barrier orders, reads of shared memory that no thread wrote, conflicts of
// blocks in global memory, barriers that some threads do not reach. The first fault is thrown with its thread and place.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/exec/checked_block.hpp"
#include "tilewright/exec/launch.hpp"

#include <cstdint>

namespace tilewright {

namespace detail {
template <class... A>
struct launch_checked_is_included {};
}  // namespace detail

struct checked_config {
  dim3 grid{};
  dim3 block{};
  bytes shared_limit = max_shared_per_block;
  /// 0 runs threads and blocks in order. Any other seed shuffles them, again at each barrier and the same way each
  /// time: a result that changes with the seed depends on an order that the kernel does not enforce.
  std::uint64_t seed = 0;
  /// Watches the tensors the kernel writes for conflicts between threads and blocks: 20 bytes for each byte of them.
  bool track_global = true;
  /// A thread that returns early is not missed at later barriers, as compute capability 7.0 and later have it.
  bool exited_threads_leave_barriers = false;
  /// Blocks run one after another: a cluster of several is refused.
  dim3 cluster{};
};

namespace exec {

/// What a kernel gets for an argument.
template <class T>
using watched = decltype(watch(std::declval<checked_session&>(), 0, std::declval<T const&>()));

template <class T>
struct watches_elements : no_objection {};
template <class It, class L>
requires(is_address<decltype(untagged(std::declval<It>()))>) struct watches_elements<Tensor<ViewEngine<It>, L>>
    : elements_are_copied_bytewise<iter_value_t<It>> {
};
template <class... Args>
using watched_elements_check = all_hold<no_objection, watches_elements<Args>...>;

template <class Config, class Kernel, class... Args>
void run_checked(Config const& config, Kernel const& kernel, Args const&... args) {
  checked_session session(config.seed, config.track_global, config.exited_threads_leave_barriers);
  // Braces: the arguments are numbered from left to right.
  std::tuple<decltype(watch(session, 0, args))...> const arguments{watch(session, session.next_argument(), args)...};
  bound_kernel<checked_block, Kernel, decltype(arguments)> const bound{kernel, arguments};
  run_grid_checked({config.grid, config.block, config.shared_limit, config.cluster}, bound.erased(), session);
}

}  // namespace exec

/// As launch; throws execution_error with the first fault.
template <class Kernel, class... Args>
requires(!exec::is_extent<Kernel>) void launch_checked(checked_config const& config, Kernel const& kernel,
                                                       Args const&... args) {
  using check = exec::watched_elements_check<Args...>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    constexpr bool kernel_fits = requires(Kernel const& k, checked_block& b, exec::watched<Args> const&... a) {
      k(b, a...);
    };
    static_assert(kernel_fits,
                  "launch_checked: the kernel cannot be called with a block context and these arguments; write it as "
                  "[](auto& block, auto a, …) with one parameter for each argument, and not mutable "
                  "(docs/errors.md#kernel_arguments)");
    if constexpr (kernel_fits) exec::run_checked(config, kernel, args...);
  }
}

template <class Kernel, class... Args>
void launch_checked(dim3 grid, dim3 block, Kernel const& kernel, Args const&... args) {
  using check = exec::watched_elements_check<Args...>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    constexpr bool kernel_fits = requires(Kernel const& k, checked_block& b, exec::watched<Args> const&... a) {
      k(b, a...);
    };
    static_assert(kernel_fits,
                  "launch_checked: the kernel cannot be called with a block context and these arguments; write it as "
                  "[](auto& block, auto a, …) with one parameter for each argument, and not mutable "
                  "(docs/errors.md#kernel_arguments)");
    if constexpr (kernel_fits) launch_checked(checked_config{.grid = grid, .block = block}, kernel, args...);
  }
}
template <class Grid, class Block, class Kernel, class... Args>
requires(exec::ShapesOfLaunch<Grid, Block>) void launch_checked(Grid const& grid, Block const& block,
                                                                Kernel const& kernel, Args const&... args) {
  using check = all_hold<exec::launch_has_three_extents<Grid>, exec::launch_has_three_extents<Block>,
                         exec::watched_elements_check<Args...>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    constexpr bool kernel_fits = requires(Kernel const& k, checked_block& b, exec::watched<Args> const&... a) {
      k(b, a...);
    };
    static_assert(kernel_fits,
                  "launch_checked: the kernel cannot be called with a block context and these arguments; write it as "
                  "[](auto& block, auto a, …) with one parameter for each argument, and not mutable "
                  "(docs/errors.md#kernel_arguments)");
    if constexpr (kernel_fits) launch_checked(exec::extents_of(grid), exec::extents_of(block), kernel, args...);
  }
}

}  // namespace tilewright
