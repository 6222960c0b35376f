// launch_checked runs the same kernels as launch and watches them. It has two deliberate faults: a missing barrier
// between writing and reading shared memory, and an index one past the end of the output. Each is reported with block,
// thread and coordinate. Without the faults the kernel runs to its end.
#pragma once

#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <cstdio>
#include <numeric>
#include <vector>

namespace tilewright::examples {

enum class planted { nothing, no_barrier, off_by_one };

/// Reverses each block's 8 elements through shared memory.
inline constexpr auto reverse_tiles = [](auto& block, auto src, auto dst, planted fault) {
  auto tile = shared<int>(block, Shape<_8>{});  // (8)
  int const first = static_cast<int>(block.index().x) * 8;
  int const i = block.thread();
  tile(i) = src(first + i);
  if (fault != planted::no_barrier) block.sync();
  int const reversed = tile(7 - i);
  auto const to = first + i + (fault == planted::off_by_one ? 1 : 0);
  dst.data()[to] = reversed;
};

inline bool reverse_with(planted fault, char const* name) {
  std::vector<int> in(32), out(32);
  std::iota(in.begin(), in.end(), 0);
  int const* const read_only = in.data();
  auto const src = make_tensor(make_gmem_ptr(read_only), Shape<_32>{});
  auto const dst = make_tensor(make_gmem_ptr(out.data()), Shape<_32>{});
  printf("%s:\n  ", name);
  try {
    launch_checked(4, 8, reverse_tiles, src, dst, fault);
  } catch (execution_error const& error) {
    printf("%s\n", error.what());
    return false;
  }
  bool right = true;
  for (int i = 0; i < 32; ++i) right = right && out[static_cast<std::size_t>(i)] == i / 8 * 8 + 7 - i % 8;
  printf("no fault, %s\n", right ? "all elements in place" : "but elements out of place");
  return right;
}

inline int run_checked_launch() {
  bool const missed_barrier = reverse_with(planted::no_barrier, "without its barrier");
  bool const missed_bound = reverse_with(planted::off_by_one, "one element too far");
  bool const correct = reverse_with(planted::nothing, "without faults");
  return !missed_barrier && !missed_bound && correct ? 0 : 1;
}

}  // namespace tilewright::examples
