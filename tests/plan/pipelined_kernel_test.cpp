// The pipelined body of the tile kernel, run on the CPU with the numbers that it would be compiled with for a GPU: random pairs
// of layouts, any tile of them, in memory that ends where the layouts do, against the value face element by element.
#include "engine/kernels/cuda/tile/body_pipelined.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/kernels/cuda/tile/schedule.hpp"
#include "engine/plan/cuda_tiles.hpp"
#include "tile_kernel_copies.hpp"
#include "tile_kernel_shapes.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/plan/copy_error.hpp"
#include "tilewright/plan/prove.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace tilewright {
namespace {

using kernels::tile_numbers;
using std::int64_t;
using tests::side_of;

constexpr int max_items = 40;  // of a thread

template <int Element, int Stages, bool Shifted>
struct pipelined_shape : tests::shape_of<Element, 16, side_of<false, true, 16 / Element>,
                                         side_of<true, Shifted, (Element < 4 ? 4 / Element : 1)>> {
  static constexpr int stages = Stages, max_reads = max_items, max_writes = max_items;
};

template <class Shape>
struct pipeline {
  int shared_bytes;
  template <class Block>
  void operator()(Block& block, void const* src, void* dst) const {
    unsigned char* const shared = block.template shared_array<unsigned char>(static_cast<std::size_t>(shared_bytes));
    kernels::pipelined_copy<Shape>::run(block, shared, src, dst);
  }
};

template <class Shape>
void run_pipeline(tile_numbers const& n, int blocks, void const* src, void* dst) {
  Shape::set(n);
  launch_cpu(dim3{static_cast<unsigned>(blocks)}, dim3{static_cast<unsigned>(n.threads)},
             pipeline<Shape>{n.shared_bytes}, src, dst);
}
template <int Element>
void run_elements(tile_numbers const& n, int blocks, void const* src, void* dst) {
  if constexpr (Element < 4)
    if (n.write.shifted)
      return n.stages == 2 ? run_pipeline<pipelined_shape<Element, 2, true>>(n, blocks, src, dst)
                           : run_pipeline<pipelined_shape<Element, 3, true>>(n, blocks, src, dst);
  return n.stages == 2 ? run_pipeline<pipelined_shape<Element, 2, false>>(n, blocks, src, dst)
                       : run_pipeline<pipelined_shape<Element, 3, false>>(n, blocks, src, dst);
}
void run_pipeline_on_cpu(tile_numbers const& n, int blocks, void const* src, void* dst) {
  switch (n.element) {
    case 1: return run_elements<1>(n, blocks, src, dst);
    case 2: return run_elements<2>(n, blocks, src, dst);
    case 4: return run_elements<4>(n, blocks, src, dst);
    case 8: return run_elements<8>(n, blocks, src, dst);
    default: return run_elements<16>(n, blocks, src, dst);
  }
}

/// A pipeline for any tile of the copy, on a machine of one multiprocessor.
std::optional<copy_plan> pipeline_plan(copy_request const& request, std::mt19937& random) {
  copy_plan plan;
  plan.machine = machine_named("sm_90");
  plan.machine.processors = 1;
  try {
    plan.moves = widened(make_movement(request.src, request.dst, request.element_bits), request.src_alignment,
                         request.dst_alignment);
  } catch (copy_error const&) {
    return std::nullopt;
  }
  if (!kernels::serves(plan.moves)) return std::nullopt;
  int64_t left = 20 + static_cast<int64_t>(random()) % 600;
  for (loop const& l : plan.moves.loops) {
    int64_t t = random() % 3 != 0 ? l.extent : 1 + static_cast<int64_t>(random()) % l.extent;
    t = std::clamp<int64_t>(t, 1, std::max<int64_t>(1, left));
    plan.tile.push_back(t);
    left /= t;
  }
  plan.order = plan::loops_by(plan.moves, false);
  std::shuffle(plan.order.begin(), plan.order.end(), random);
  kernels::pipeline_knobs const knobs{
      .stages = 2 + static_cast<int>(random() % 2), .min_tiles_of_block = 0, .min_row = 0};
  auto const found = kernels::pipelined_schedule(plan.moves, request, plan.machine, plan.tile, plan.order, knobs);
  if (!found) return std::nullopt;
  plan.schedule = *found;
  return plan;
}

/// How often a test met what it is about.
struct met {
  int moved = 0, shifted = 0, cut = 0, flipped = 0, rows = 0, steps = 0, deep = 0;
  void count(copy_plan const& plan, tile_numbers const& n) {
    ++moved;
    shifted += n.write.shifted;
    cut += !n.limits.empty();
    rows += n.read.rows > 1 && n.write.rows > 1;
    steps += n.read.run_step != n.element;
    deep += n.stages > 2;
    for (loop const& l : plan.moves.loops) flipped += l.src < 0;
  }
};

void pipe_and_compare(tests::random_copy const& c, std::mt19937& random, met& seen) {
  tests::copied_memory const memory(c, random);
  copy_request const request{c.src, c.dst, c.element_bits, memory.src_alignment, memory.dst_alignment};
  std::optional<copy_plan> const plan = pipeline_plan(request, random);
  if (!plan) return;
  ASSERT_TRUE(prove(*plan)) << c.text() << ": " << prove(*plan).failure;
  tile_numbers const numbers = kernels::numbers_of(*plan);
  ASSERT_LE(std::max(numbers.max_reads, numbers.max_writes), max_items) << c.text();
  run_pipeline_on_cpu(numbers, 1 + static_cast<int>(random() % 3), memory.src(), memory.dst());
  ASSERT_TRUE(memory.is_right()) << c.text() << "\n" << kernels::shape_text(numbers);
  seen.count(*plan, numbers);
}

TEST(pipelined_kernel, moves_random_pairs_of_layouts) {
  std::mt19937 random(5);
  met seen;
  for (int n = 0; n < 500 && !HasFatalFailure(); ++n) pipe_and_compare(tests::rows_with_gaps(random), random, seen);
  EXPECT_GE(seen.moved, 100);
  for (int const count : {seen.shifted, seen.cut, seen.flipped, seen.rows, seen.steps, seen.deep}) EXPECT_GE(count, 5);
}

TEST(pipelined_kernel, moves_small_elements_whose_rows_begin_anywhere) {
  std::mt19937 random(7);
  met seen;
  for (int n = 0; n < 200 && !HasFatalFailure(); ++n) {
    pipe_and_compare(tests::rows_of_short_modes(random), random, seen);
    pipe_and_compare(tests::rows_of_pieces(random), random, seen);
    pipe_and_compare(tests::rows_of_planes(random), random, seen);
  }
  EXPECT_GE(seen.moved, 100);
  for (int const count : {seen.shifted, seen.cut, seen.flipped, seen.rows}) EXPECT_GE(count, 5);
}

TEST(pipelined_kernel, wrong_plans_have_no_proof) {
  auto const layout = [](char const* text) { return composed_value{{}, constant_leaf(0), parse_layout(text)}; };
  copy_request const request{layout("(40,3,500):(3,1,130)"), layout("(40,3,500):(1,40,120)"), 8, 16, 16};
  movement const m = make_movement(request.src, request.dst, request.element_bits);
  copy_plan plan;
  plan.machine = machine_named("sm_90");
  plan.machine.processors = 1;
  plan.moves = m;
  for (loop const& l : m.loops) plan.tile.push_back(l.extent == 500 ? 5 : l.extent);
  plan.order = plan::loops_by(m, false);
  auto const found = kernels::pipelined_schedule(m, request, plan.machine, plan.tile, plan.order,
                                                 {.min_tiles_of_block = 0, .min_row = 0});
  ASSERT_TRUE(found.has_value());
  plan.schedule = *found;
  ASSERT_TRUE(prove(plan)) << prove(plan).failure;
  auto const fails = [&](auto const& change) {
    copy_plan wrong = plan;
    change(std::get<cuda_schedule>(wrong.schedule));
    return !prove(wrong);
  };
  auto const row = static_cast<std::size_t>(found->source.rows.front().loop),
             first = static_cast<std::size_t>(found->source.run.front().loop);
  EXPECT_TRUE(fails([&](cuda_schedule& s) { s.place[row] += 1; })) << "rows apart by another number modulo a granule";
  EXPECT_TRUE(fails([&](cuda_schedule& s) { s.place[row] -= 16; })) << "granules with bytes of two rows";
  EXPECT_TRUE(fails([&](cuda_schedule& s) { s.place[first] += 1; })) << "a row that memory has otherwise";
  EXPECT_TRUE(fails([&](cuda_schedule& s) { s.stages = 1; }));
  EXPECT_TRUE(fails([&](cuda_schedule& s) { s.shared_bytes /= 2; }));
  EXPECT_TRUE(fails([&](cuda_schedule& s) { s.target.vector = 2; }));
  EXPECT_TRUE(fails([&](cuda_schedule& s) { s.source.packed = 4; }));
}

}  // namespace
}  // namespace tilewright
