// The bodies of the kernels `runs`, `staged` and `gather`, run on the CPU with the numbers that a GPU's kernels are compiled with:
// every byte of the destination's memory against the value face, in memory that ends where the copies do.
#include "engine/kernels/cuda/gather/numbers.hpp"
#include "engine/kernels/cuda/parts/mode_numbers.hpp"
#include "engine/kernels/cuda/runs/body.hpp"
#include "engine/kernels/cuda/staged/body.hpp"
#include "engine/plan/cuda_candidates.hpp"
#include "engine/plan/schedule.hpp"
#include "random_copies.hpp"
#include "tile_kernel_copies.hpp"
#include "tile_kernel_shapes.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/machine/arch.hpp"
#include "tilewright/plan/copy_error.hpp"
#include "tilewright/plan/prove.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>

namespace tilewright {
namespace {

using kernels::gather_numbers;
using kernels::mode_numbers;

// --- shapes whose constants are variables where the bodies let them be ------------------------------------------------

constexpr int max_loops = 8;  // of the copies that are moved here

/// Tag: of the reading or the writing layout of one shape.
template <int Tag, int Element, int Vector>
struct access_of {
  static inline mode_numbers::access n;
  static constexpr int vector = Vector, at_once = 3;
  static inline int loop, values, active, thread_modes, value_modes;
  static kernels::stepping_mode thread_mode(int i) { return n.thread_modes[static_cast<std::size_t>(i)]; }
  static kernels::stepping_mode value_mode(int i) { return n.value_modes[static_cast<std::size_t>(i)]; }
  static void set(mode_numbers::access const& a) {
    n = a;
    loop = a.loop, values = a.values, active = a.active;
    thread_modes = static_cast<int>(a.thread_modes.size()), value_modes = static_cast<int>(a.value_modes.size());
  }
};

template <int Element, int ReadVector, int WriteVector, int Packed>
struct modes_shape {
  using src_offset = long long;
  using dst_offset = long long;
  using read = access_of<0, Element, ReadVector>;
  using write = access_of<1, Element, WriteVector>;
  static constexpr int element = Element, packed = Packed, loops = max_loops;
  static constexpr bool evict_source_last = false;
  static inline mode_numbers n;
  static inline int threads, grid_modes, column_step;
  static inline long long src_begin, dst_begin;
  static swizzle_value src_swizzle() { return n.src_swizzle; }
  static swizzle_value dst_swizzle() { return n.dst_swizzle; }
  static kernels::copied_loop loop(int l) {
    return static_cast<std::size_t>(l) < n.loops.size() ? n.loops[static_cast<std::size_t>(l)]
                                                        : kernels::copied_loop{1, 1, 0, 0};
  }
  static kernels::stepping_mode grid_mode(int i) { return n.grid[static_cast<std::size_t>(i)]; }
  static void set(mode_numbers const& m) {
    n = m;
    read::set(m.read);
    write::set(m.write);
    threads = m.threads, grid_modes = static_cast<int>(m.grid.size()), column_step = m.column_step;
    src_begin = m.src_begin, dst_begin = m.dst_begin;
  }
};

template <int Bits, int Vector>
struct gather_shape {
  using index = unsigned long long;
  static constexpr int bits = Bits, vector = Vector, at_once = std::max(1, 8 / Vector), threads = 256;
  static inline gather_numbers n;
  static inline bool common;
  static inline int src_modes, dst_modes;
  static inline long long items, src_begin, dst_begin, src_along;
  static swizzle_value src_swizzle() { return n.src_swizzle; }
  static swizzle_value dst_swizzle() { return n.dst_swizzle; }
  static kernels::gathered_mode src_mode(int i) { return n.src_modes[static_cast<std::size_t>(i)]; }
  static kernels::gathered_mode dst_mode(int i) { return n.dst_modes[static_cast<std::size_t>(i)]; }
  static void set(gather_numbers const& m) {
    n = m;
    common = m.common, items = m.items, src_begin = m.src_begin, dst_begin = m.dst_begin, src_along = m.src_along;
    src_modes = static_cast<int>(m.src_modes.size()), dst_modes = static_cast<int>(m.dst_modes.size());
  }
};

// --- the bodies as kernels --------------------------------------------------------------------------------------------

/// `Body` takes shared memory where Shared is true.
template <class Body, bool Shared>
struct kernel {
  std::size_t shared_bytes;
  template <class Block>
  void operator()(Block& block, void const* src, void* dst) const {
    if constexpr (Shared) Body::run(block, block.template shared_array<unsigned char>(shared_bytes), src, dst);
    else Body::run(block, src, dst);
  }
};

template <class Body, bool Shared>
void launch_body(cuda_schedule const& s, int64_t blocks, void const* src, void* dst) {
  launch_cpu(dim3{static_cast<unsigned>(blocks)}, dim3{static_cast<unsigned>(s.threads)},
             kernel<Body, Shared>{static_cast<std::size_t>(s.shared_bytes)}, src, dst);
}

// --- from a plan to a type, for the widths that are compiled here -----------------------------------------------------

template <int Element, int ReadVector, int WriteVector, int Packed>
bool run_modes(copy_plan const& plan, void const* src, void* dst) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  using shape = modes_shape<Element, ReadVector, WriteVector, Packed>;
  shape::set(kernels::mode_numbers_of(plan));
  if (s.kernel == cuda_kernel::runs) launch_body<kernels::runs_copy<shape>, false>(s, s.blocks, src, dst);
  else launch_body<kernels::staged_copy<shape>, true>(s, s.blocks, src, dst);
  return true;
}

template <int Element, int ReadVector>
bool run_read(copy_plan const& plan, void const* src, void* dst) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  constexpr int wide = 16 / Element, word = Element < 4 ? 4 / Element : 1;
  if (s.kernel == cuda_kernel::runs) return run_modes<Element, ReadVector, 1, 1>(plan, src, dst);
  if constexpr (word > 1 && ReadVector >= word) {
    if (s.packed == word && s.write.vector == 1) return run_modes<Element, ReadVector, 1, word>(plan, src, dst);
    if (s.packed == word && s.write.vector == wide) return run_modes<Element, ReadVector, wide, word>(plan, src, dst);
  }
  if (s.packed > 1) return false;
  if (s.write.vector == 1) return run_modes<Element, ReadVector, 1, 1>(plan, src, dst);
  if constexpr (wide > 1)
    if (s.write.vector == wide) return run_modes<Element, ReadVector, wide, 1>(plan, src, dst);
  return false;
}

template <int Element>
bool run_element(copy_plan const& plan, void const* src, void* dst) {
  constexpr int wide = 16 / Element;
  int const vector = std::get<cuda_schedule>(plan.schedule).read.vector;
  if (vector == 1) return run_read<Element, 1>(plan, src, dst);
  if constexpr (wide > 1)
    if (vector == wide) return run_read<Element, wide>(plan, src, dst);
  if constexpr (wide > 4)
    if (vector == wide / 2) return run_read<Element, wide / 2>(plan, src, dst);
  return false;
}

template <int Bits, int Vector>
bool run_gather(copy_plan const& plan, void const* src, void* dst) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  using shape = gather_shape<Bits, Vector>;
  EXPECT_EQ(s.threads, shape::threads);
  EXPECT_EQ(s.write.at_once, shape::at_once);
  shape::set(kernels::gather_numbers_of(plan));
  launch_body<kernels::gather_copy<shape>, false>(s, std::min<int64_t>(s.blocks, 2), src, dst);
  return true;
}

template <int Bits>
bool run_bits(copy_plan const& plan, void const* src, void* dst) {
  int const vector = std::get<cuda_schedule>(plan.schedule).write.vector;
  if (vector == 1) return run_gather<Bits, 1>(plan, src, dst);
  if constexpr (Bits <= 64)
    if (vector == 2) return run_gather<Bits, 2>(plan, src, dst);
  if constexpr (Bits <= 32)
    if (vector == 4) return run_gather<Bits, 4>(plan, src, dst);
  if constexpr (Bits <= 16)
    if (vector == 8) return run_gather<Bits, 8>(plan, src, dst);
  return false;
}

bool run_on_cpu(copy_plan const& plan, void const* src, void* dst) {
  bool const gathers = std::get<cuda_schedule>(plan.schedule).kernel == cuda_kernel::gather;
  switch (plan.moves.element_bits) {
    case 4: return gathers && run_bits<4>(plan, src, dst);
    case 8: return gathers ? run_bits<8>(plan, src, dst) : run_element<1>(plan, src, dst);
    case 16: return gathers ? run_bits<16>(plan, src, dst) : run_element<2>(plan, src, dst);
    case 32: return gathers ? run_bits<32>(plan, src, dst) : run_element<4>(plan, src, dst);
    case 64: return gathers ? run_bits<64>(plan, src, dst) : run_element<8>(plan, src, dst);
    default: return gathers ? run_bits<128>(plan, src, dst) : run_element<16>(plan, src, dst);
  }
}

// --- the tests --------------------------------------------------------------------------------------------------------

/// How often a kernel moved what it has a way of its own for.
struct met {
  std::map<cuda_kernel, int> kernels;
  int swizzled = 0, packed = 0, vectors = 0, hanging_over = 0, ragged = 0, halves = 0, two_walks = 0;

  void count(copy_plan const& plan) {
    auto const& s = std::get<cuda_schedule>(plan.schedule);
    ++kernels[s.kernel];
    swizzled += plan.moves.is_swizzled();
    packed += s.packed > 1;
    halves += plan.moves.element_bits < 8;
    two_walks += !plan.moves.has_loops();
    if (s.kernel == cuda_kernel::gather) return;
    vectors += s.read.vector > 1;
    hanging_over += s.kernel == cuda_kernel::runs &&
                    plan.moves.loops[static_cast<std::size_t>(s.read.loop)].extent % s.read.vector != 0;
    for (std::size_t l = 0; l < plan.tile.size(); ++l) ragged += plan.moves.loops[l].extent % plan.tile[l] != 0;
  }
};

/// One of the tilings that the planner weighs for the two kernels with modes, or its own plan where that gathers.
std::optional<copy_plan> plan_with_modes(copy_request const& request, std::mt19937& random) {
  copy_plan plan;
  plan.machine = machine_named("sm_90");
  try {
    plan.moves = widened(make_movement(request.src, request.dst, request.element_bits), request.src_alignment,
                         request.dst_alignment);
    copy_plan const own = plan_copy(request, plan.machine);
    if (std::get<cuda_schedule>(own.schedule).kernel == cuda_kernel::gather) return own;
  } catch (copy_error const&) {
    return std::nullopt;
  }
  movement const& m = plan.moves;
  if (!m.has_loops() || m.loops.empty() || m.loops[0].src == 0 || m.element_bits < 8) return std::nullopt;
  auto const found = plan::candidates_of(m, request, plan.machine, 12);
  if (found.empty()) return std::nullopt;
  plan::take(plan, found[random() % found.size()]);
  cuda_kernel const kernel = std::get<cuda_schedule>(plan.schedule).kernel;
  if (kernel != cuda_kernel::runs && kernel != cuda_kernel::staged) return std::nullopt;
  return plan;
}

void move_and_compare(tests::random_copy const& c, std::mt19937& random, met& seen) {
  tests::copied_memory const memory(c, random);
  copy_request const request{c.src, c.dst, c.element_bits, memory.src_alignment, memory.dst_alignment};
  std::optional<copy_plan> const plan = plan_with_modes(request, random);
  if (!plan || plan->moves.loops.size() > max_loops) return;
  ASSERT_TRUE(prove(*plan)) << c.text() << ": " << prove(*plan).failure;
  if (!run_on_cpu(*plan, memory.src(), memory.dst())) return;  // a width not compiled here
  ASSERT_TRUE(memory.is_right()) << c.text() << ", kernel " << name_of(std::get<cuda_schedule>(plan->schedule).kernel);
  seen.count(*plan);
}

TEST(mode_kernels, move_random_pairs_of_layouts) {
  tests::random_copies copies(20261130, 4000);
  std::mt19937 random(3);
  met seen;
  for (int n = 0; n < 450 && !HasFatalFailure(); ++n) move_and_compare(copies.next(), random, seen);
  for (cuda_kernel const kernel : {cuda_kernel::runs, cuda_kernel::staged, cuda_kernel::gather})
    EXPECT_GE(seen.kernels[kernel], 20) << name_of(kernel);
  EXPECT_GE(seen.swizzled, 30);
  EXPECT_GE(seen.ragged, 20);
  EXPECT_GE(seen.halves, 10);
  EXPECT_GE(seen.two_walks, 10);
}

/// Transposes of whole vectors and slices of rows, larger than a tile, so that all widths and the last tiles come up.
TEST(mode_kernels, move_transposes_and_slices_of_every_width) {
  std::mt19937 random(5);
  met seen;
  for (int n = 0; n < 96 && !HasFatalFailure(); ++n) {
    std::int64_t const unit = n % 3 == 0 ? 1 : 16;
    std::int64_t const rows = unit * static_cast<std::int64_t>(1 + random() % 12),
                       columns = unit * static_cast<std::int64_t>(1 + random() % 12), batch = 1 + random() % 3;
    int const bits = 8 << random() % 5;
    bool const slice = n % 4 == 3;
    std::int64_t const cut =
        slice && unit > 1 && n % 8 == 7 ? 5 : 0;  // rows that are no whole vectors begin at multiples of them
    std::int64_t const pitch = columns + (slice ? unit : 0);
    std::vector<std::int64_t> const extents{columns - cut, rows, batch}, source{1, pitch, pitch * rows};
    std::vector<std::int64_t> const target = slice ? std::vector<std::int64_t>{1, columns, columns * rows}
                                                   : std::vector<std::int64_t>{rows, 1, columns * rows};
    move_and_compare(tests::copy_of(extents, source, target, bits), random, seen);
  }
  EXPECT_GE(seen.kernels[cuda_kernel::staged], 15);
  EXPECT_GE(seen.kernels[cuda_kernel::runs], 5);
  EXPECT_GE(seen.hanging_over, 1);
  EXPECT_GE(seen.packed, 3);
  EXPECT_GE(seen.vectors, 15);
}

}  // namespace
}  // namespace tilewright
