// The tile kernel of the CPU against loops over the modes: random pairs of layouts with thresholds so small that tensors of
// a few kilobytes have tiles of every kind, on every instruction set of the machine. Source and destination are between
// pages that cannot be touched, and every byte of the destination is compared, those between its elements included.
#include "effort.hpp"
#include "engine/cpu/kernels.hpp"
#include "engine/cpu/program.hpp"
#include "engine/kernels/cpu/tile/schedule_tile.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "flat_copies.hpp"
#include "guarded_memory.hpp"
#include "random_copies.hpp"
#include "tilewright/plan/prove.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <algorithm>
#include <set>

namespace tilewright {
namespace {

using bytes = std::vector<std::uint8_t>;
using tests::flat_copies;
using tests::flat_copy;
using tests::guarded_memory;
using tests::random_bytes;

void use_targets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// Calls use() with each instruction set that the machine has.
template <class Use>
void on_every_instruction_set(Use const& use) {
  std::int64_t const all = hwy::SupportedTargets();
  for (std::int64_t left = all; left != 0; left &= left - 1) {
    use_targets(left & -left);
    if (hwy::SupportedTargets() == (left & -left)) use(std::string(cpu_engine::instruction_set()));
  }
  use_targets(0);
}

/// 5 to 12 modes of 1 to 5 elements in a random order, sometimes reversed, padded or repeated.
flat_copy many_modes(flat_copies& random) {
  flat_copy c;
  c.width = std::int64_t{1} << random.below(5);
  std::int64_t const rank = 5 + random.below(8);
  for (std::int64_t size = c.width; static_cast<std::int64_t>(c.shape.size()) < rank && size < 20'000;
       size *= c.shape.back())
    c.shape.push_back(2 + random.below(4));
  auto const strides = [&](bool is_source, std::int64_t& offset, std::int64_t& elements) {
    std::vector<std::size_t> order(c.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size() - 1; i > 0; --i)
      std::swap(order[i], order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i) + 1))]);
    std::vector<std::int64_t> out(c.shape.size(), 0);
    std::int64_t next = 1, last = 0;
    for (std::size_t const m : order) {
      if (is_source && random.below(20) == 0) continue;
      bool const is_reversed = random.below(12) == 0;
      out[m] = is_reversed ? -next : next;
      (is_reversed ? offset : last) += (c.shape[m] - 1) * next;
      next = next * c.shape[m] + (random.below(10) == 0 ? random.below(5) : 0);
    }
    elements = offset + last + 1;
    return out;
  };
  c.src = strides(true, c.src_offset, c.src_elements);
  c.dst = strides(false, c.dst_offset, c.dst_elements);
  return c;
}

machine_model small_machine(flat_copies& random) {
  auto const any = [&](std::initializer_list<std::int64_t> choices) {
    return choices.begin()[random.below(static_cast<std::int64_t>(choices.size()))];
  };
  machine_model m = machine_named(random.below(3) == 0 ? "cpu-sse4" : "cpu");
  m.processors = static_cast<int>(1 + random.below(3));
  cpu_tuning& t = m.tuning;
  t.tile_source_bytes = any({1, 16, 64, 200, 512}), t.tile_destination_bytes = any({1, 16, 64, 200, 512});
  t.crowded_bytes = any({1, 1 << 12, 1 << 23});
  t.few_spans = any({0, 1, 4, 1000}), t.few_spans_source_bytes = any({64, 500, 4096});
  t.few_spans_destination_bytes = any({64, 128, 200}), t.few_spans_max_bytes = any({64, 1000, 1 << 16});
  t.few_spans_ragged_bytes = any({1, 64, 512}), t.prefetcher_streams = any({0, 1, 8, 1000});
  t.many_times = any({2, 8, 1000}), t.repeated_source_bytes = any({2, 32, 100});
  t.repeated_destination_bytes = any({1, 64, 1000, 1 << 15}), t.repeated_max_bytes = any({64, 1000, 1 << 16});
  t.ordered_source_bytes = any({1, 64, 1000}), t.ordered_destination_bytes = any({1, 64, 1000});
  t.ragged_source_bytes = any({1, 64, 200}), t.ragged_destination_bytes = any({1, 100, 512, 4000});
  t.carried_source_bytes = any({1, 64, 200, 512}), t.carried_destination_bytes = any({1, 64, 100, 256});
  t.carried_max_bytes = any({64, 1000, 1 << 16}), t.carried_run_bytes = any({1, 200, 2048});
  t.carried_row_bytes = any({1, 200, 4096}), t.carried_row_destination_bytes = any({1, 64, 200});
  t.carried_row_max_bytes = any({64, 1000, 1 << 17}), t.carried_far_bytes = any({1, 200, 4096});
  t.page_bytes = any({1, 128, 4096}), m.near_bytes = any({1, 1000, 1 << 15});
  t.ragged_max_bytes = any({64, 1000, 1 << 16}), t.whole_max_bytes = any({1, 1000, 1 << 16}),
  t.table_vectors = any({1, 12, 1000}), t.pass_bytes = any({1, 100, 1 << 14});
  t.backward_bytes = t.table_vectors == 1 ? 0 : t.table_vectors == 12 ? 1000 : 1 << 30;
  t.tile_min_bytes = any({1, 100, 1000, 4000});
  t.strip_bytes = any({1, 64, 500, 1 << 20}), t.strip_rows = any({1, 8, 20, 64});
  t.tile_max_bytes = any({64, 1000, 5000, 1 << 16}), t.thread_bytes = any({1, 1 << 20});
  return m;
}

std::int64_t alignment_of(void const* p) {
  return std::int64_t{1} << std::min(6, std::countr_zero(reinterpret_cast<std::uintptr_t>(p)));
}

/// Plans, proves and runs with the tile kernel; tells what kind of tiles there were.
std::string kind_when_run(flat_copy const& c, flat_copies& random) {
  bytes const source = random_bytes(c.src_bytes(), static_cast<std::uint64_t>(random.below(1 << 30)));
  bytes const before = random_bytes(c.dst_bytes(), static_cast<std::uint64_t>(random.below(1 << 30)));
  auto const anywhere = [&] { return static_cast<guarded_memory::place>(random.below(3)); };
  guarded_memory const src(source, anywhere(), static_cast<std::size_t>(random.below(64)));
  guarded_memory const dst(before, anywhere(), static_cast<std::size_t>(random.below(3) == 0 ? random.below(64) : 0));
  copy_request const request = c.request(alignment_of(src.data()), alignment_of(dst.data()));
  copy_plan plan;
  plan.machine = small_machine(random);
  plan.moves = make_movement(request.src, request.dst, request.element_bits);
  plan.bytes = 2 * plan.moves.elements * plan.moves.element_bits / 8;
  if (plan.moves.loops.empty()) return "one element";
  bool const streaming = random.below(2) == 0;
  plan::tile_limits const limits{1 + random.below(600),   1 + random.below(600), 1 + random.below(2000),
                                 64 + random.below(9000), random.below(2) == 0,  random.below(2) == 0};
  bool const is_within = random.below(4) == 0 && plan::schedule_tile_within(plan, request, streaming, limits);
  if (!is_within) {
    EXPECT_GT(plan::schedule_tile(plan, request, streaming), 0);
  }
  if (source.size() % 4 == 0) {  // a proof takes as long as many copies
    plan_proof const proof = prove(plan);
    EXPECT_TRUE(proof) << proof.failure << "\n" << c.text() << "\n" << to_json(plan);
  }
  cpu_engine::program const p = cpu_engine::compile(plan);
  EXPECT_TRUE(cpu_engine::run(p, src.data(), dst.data(), plan.machine.processors, nullptr, nullptr));
  EXPECT_TRUE(dst.holds(c.expected(source, before))) << c.text() << "\n" << to_json(plan);
  EXPECT_TRUE(src.holds(source)) << c.text();
  cpu_engine::tile_tables const& t = p.tile.variants[0];
  return std::string(t.transposes.unit != 0 ? "transposes" : "lookups") + (t.stages_source ? " from image" : "") +
         (t.gathers.empty() ? "" : " gathered") + (t.stages_destination ? " to image" : "") +
         (t.ends.empty() ? "" : " with ends") + (streaming ? " streaming" : "") +
         (p.tile.variants.size() > 1 ? " clipped" : "") + (p.tile.carries ? " carried" : "") +
         (t.transposes.strips ? " in strips" : "");
}

copy_plan plan_of(char const* src, char const* dst, int bits) {
  return plan_copy({composed(parse_layout(src)), composed(parse_layout(dst)), bits, 64, 64}, machine_named("cpu"));
}

TEST(tile_kernel, is_right_on_every_instruction_set) {
  on_every_instruction_set([](std::string const& name) {
    SCOPED_TRACE(name);
    flat_copies random(21, 1, 20'000);
    std::set<std::string> kinds;
    for (int round = 0; round < tests::rounds(1200) && !testing::Test::HasFailure(); ++round)
      kinds.insert(kind_when_run(random.below(2) == 0 ? random.next() : many_modes(random), random));
    if (tests::rounds(1200) < 1200) return;
    for (char const* const kind :
         {"lookups", "lookups clipped", "lookups from image", "lookups from image to image streaming",
          "lookups from image to image streaming clipped", "lookups to image streaming", "transposes",
          "transposes clipped", "transposes to image streaming", "transposes to image streaming clipped",
          "transposes to image streaming carried", "transposes to image streaming clipped carried",
          "transposes to image streaming in strips", "transposes to image streaming clipped carried in strips"})
      EXPECT_TRUE(kinds.contains(kind)) << kind;
    auto const has_gathers = [](std::string const& kind) { return kind.find("gathered") != std::string::npos; };
    EXPECT_TRUE(std::any_of(kinds.begin(), kinds.end(), has_gathers));
    auto const has_ends = [](std::string const& kind) { return kind.find("with ends") != std::string::npos; };
    EXPECT_TRUE(std::any_of(kinds.begin(), kinds.end(), has_ends));
  });
}

TEST(tile_kernel, is_right_for_large_tensors) {
  flat_copies random(22, 500'000, 6'000'000);
  for (int round = 0; round < tests::rounds(25) && !testing::Test::HasFailure(); ++round) {
    flat_copy const c = random.next();
    if (c.src_bytes() + c.dst_bytes() < 60'000'000) kind_when_run(c, random);
  }
}

/// Matrices of an odd number of units of 16 bytes: they begin at four places within a cache line, and each has tables of its own.
TEST(tile_kernel, has_tables_for_each_place_within_a_line) {
  for (std::int64_t const rows : {61, 67, 79, 131})
    for (std::int64_t const columns : {101, 163})
      for (std::size_t const shift : {0, 16, 48}) {
        flat_copy c;
        c.width = 16, c.shape = {rows, columns, 6}, c.src = {columns, 1, rows * columns};
        c.dst = {1, rows, rows * columns}, c.src_elements = c.dst_elements = 6 * rows * columns;
        bytes const source = random_bytes(c.src_bytes(), 7), before = random_bytes(c.dst_bytes(), 8);
        guarded_memory const src(source, guarded_memory::place::at_end);
        guarded_memory const dst(before, guarded_memory::place::between, shift);
        copy_request const request = c.request(16, 64);
        copy_plan plan;
        plan.machine = machine_named("cpu");
        plan.machine.tuning.ragged_destination_bytes = 4096, plan.machine.tuning.ragged_max_bytes = 1 << 15;
        plan.machine.tuning.tile_destination_bytes = 64, plan.machine.tuning.whole_max_bytes = 1;
        plan.machine.tuning.carried_run_bytes = 1 << 30;  // tables, not lines that are carried
        plan.moves = make_movement(request.src, request.dst, request.element_bits);
        plan::schedule_tile(plan, request, true);
        cpu_engine::program const p = cpu_engine::compile(plan);
        EXPECT_EQ(p.tile.phases, 4) << rows << " x " << columns;
        ASSERT_TRUE(cpu_engine::run(p, src.data(), dst.data(), 1, nullptr, nullptr));
        ASSERT_TRUE(dst.holds(c.expected(source, before))) << rows << " x " << columns << " at " << shift;
      }
}

/// Runs a plan of the tile kernel with tiles of so many bytes, for one thread, and compares.
cpu_engine::program program_of_run(flat_copy const& c, bool streaming, plan::tile_limits const& limits,
                                   std::string const& name) {
  bytes const source = random_bytes(c.src_bytes(), 11), before = random_bytes(c.dst_bytes(), 12);
  guarded_memory const src(source, guarded_memory::place::at_end);
  guarded_memory const dst(before, guarded_memory::place::between, 5 * static_cast<std::size_t>(c.width));
  copy_request const request = c.request(1, 1);
  copy_plan plan;
  plan.machine = machine_named("cpu");
  plan.moves = make_movement(request.src, request.dst, request.element_bits);
  plan.bytes = 2 * plan.moves.elements * c.width;
  EXPECT_TRUE(plan::schedule_tile_within(plan, request, streaming, limits));
  EXPECT_TRUE(prove(plan)) << name << ": " << prove(plan).failure;
  cpu_engine::program p = cpu_engine::compile(plan);
  EXPECT_TRUE(cpu_engine::run(p, src.data(), dst.data(), 1, nullptr, nullptr));
  EXPECT_TRUE(dst.holds(c.expected(source, before))) << name << (streaming ? " streaming" : "");
  return p;
}

/// Matrices of units of 3 bytes: each vector has pieces from many lines, which are read again while they are in the nearest cache.
TEST(tile_kernel, goes_through_its_tables_several_times) {
  on_every_instruction_set([](std::string const& name) {
    flat_copy c;
    c.width = 1, c.shape = {3, 29, 29, 61}, c.src = {1, 87, 3, 2523}, c.dst = {1, 3, 87, 2523};
    c.src_elements = c.dst_elements = 61 * 2523;
    for (bool const streaming : {false, true}) {
      auto const p = program_of_run(c, streaming, {65536, 65536, 1, 1 << 20, false, false}, name);
      std::vector<cpu_engine::lookup_pattern> const& patterns = p.tile.variants[0].patterns;
      std::set<std::pair<std::vector<std::int64_t>, std::vector<cpu_engine::byte>>> tables;
      for (cpu_engine::lookup_pattern const& one : patterns) tables.emplace(one.windows, one.indices);
      EXPECT_GT(patterns.size(), tables.size()) << name;
    }
  });
}

/// Rows of 22 bytes, 35 of which lie far apart: vectors that go on over the end of such a group have tables that few share, so each
/// group begins with a vector, and the last one overlaps the one before. Past the caches that is done in an image.
TEST(tile_kernel, begins_a_vector_where_its_tables_repeat) {
  on_every_instruction_set([](std::string const& name) {
    flat_copy c;
    c.width = 1, c.shape = {22, 35, 38}, c.src = {-1, 836, 22}, c.dst = {1, 22, 770};
    c.src_offset = 21, c.src_elements = c.dst_elements = 22 * 35 * 38;
    for (bool const streaming : {false, true}) {
      auto const p = program_of_run(c, streaming, {65536, 65536, 1, 1 << 20, false, false}, name);
      cpu_engine::tile_tables const& t = p.tile.variants[0];
      EXPECT_EQ(t.stages_destination, streaming) << name;
      std::set<std::int32_t> places;
      for (cpu_engine::lookup_pattern const& one : t.patterns)
        for (cpu_engine::lookup_place const& at : one.places) places.insert(at.dst);
      for (int const group : {1, 2, 37}) {
        EXPECT_TRUE(places.contains(group * 770)) << name;
        EXPECT_TRUE(places.contains(group * 770 - 64)) << name;
      }
    }
  });
}

/// Small matrices, which have all their windows in registers where bytes are looked up in 128; from two lines to sixteen, rows or
/// columns reversed, between gaps of the source, with a last window and a last vector that overlap the ones before.
TEST(tile_kernel, keeps_the_windows_of_small_matrices) {
  struct matrices {
    std::int64_t rows, columns, width, gap, reversed;
  };
  on_every_instruction_set([](std::string const& name) {
    for (matrices const& m : {matrices{29, 9, 1, 0, 0},
                              {29, 9, 2, 5, 1},
                              {15, 15, 1, 0, 2},
                              {16, 8, 1, 0, 0},
                              {13, 10, 1, 70, 0},
                              {31, 33, 1, 0, 1},
                              {32, 32, 1, 0, 0},
                              {5, 37, 1, 9, 2},
                              {21, 7, 2, 0, 3}}) {
      flat_copy c;
      std::int64_t const all = m.rows * m.columns, pitch = all + m.gap, count = 40;
      c.width = m.width, c.shape = {m.rows, m.columns, count};
      c.src = {m.reversed & 1 ? -m.columns : m.columns, m.reversed & 2 ? -1 : 1, pitch}, c.dst = {1, m.rows, all};
      c.src_offset = (m.reversed & 1 ? (m.rows - 1) * m.columns : 0) + (m.reversed & 2 ? m.columns - 1 : 0);
      c.src_elements = (count - 1) * pitch + all, c.dst_elements = count * all;
      for (bool const streaming : {false, true}) {
        auto const p = program_of_run(c, streaming, {65536, 65536, 1, 1 << 20, false, false}, name);
        cpu_engine::tile_tables const& t = p.tile.variants[0];
        if (m.rows != 29 || cpu_engine::lookup_window() != 64) continue;
        EXPECT_EQ(t.block.places.size(), 40) << name << " " << c.text();
        EXPECT_TRUE(t.patterns.empty()) << name;
      }
    }
  });
}

/// 32 planes of two bytes, 4096 bytes each in a tile: in an image without gaps all would be in one set of the nearest cache.
TEST(tile_kernel, keeps_spans_that_would_share_sets_apart) {
  flat_copy c;
  c.width = 2, c.shape = {6144, 32}, c.src = {32, 1}, c.dst = {1, 6144}, c.src_elements = c.dst_elements = 6144 * 32;
  auto const p = program_of_run(c, true, {64, 4096, 1, 1 << 20, false, true}, "");
  EXPECT_EQ(p.tile.variants[0].dst_span_bytes, 4096);
  EXPECT_EQ(p.tile.variants[0].dst_pitch, 4096 + 64);
}

/// Spans of the source of 256 bytes follow each other in its image, and do not in the source.
TEST(tile_kernel, keeps_spans_without_gaps_in_the_image_apart) {
  on_every_instruction_set([](std::string const& name) {
    copy_request const request{composed(parse_layout("(10,3,6):(1,11,41)")),
                               composed(parse_layout("(10,3,6):(1,10,30)")), 64, 8, 8};
    copy_plan plan;
    plan.machine = machine_named("cpu");
    plan.moves = make_movement(request.src, request.dst, request.element_bits);
    plan.bytes = 2 * plan.moves.elements * 8;
    plan::schedule_tile(plan, request, false);
    EXPECT_TRUE(prove(plan)) << name << ": " << prove(plan).failure;
  });
}

/// How far a tile reaches in the source along a loop, in bytes.
std::int64_t tile_bytes_along(copy_plan const& plan, std::size_t loop) {
  return plan.tile[loop] * std::abs(plan.moves.loops[loop].src) * plan.moves.element_bits / 8;
}

/// Heads of 64 channels, 32 in a row of 4096 bytes: where few rows are read at a time they are read whole, and each head's 128 bytes
/// are written by themselves; only past the caches, and not if the rows of the destination are powers of two apart.
TEST(tile_kernel, reads_few_spans_far) {
  auto const planned = [](char const* src, char const* dst, std::int64_t few_spans) {
    machine_model machine = machine_named("cpu");
    machine.tuning.few_spans = few_spans;
    return plan_copy({composed(parse_layout(src)), composed(parse_layout(dst)), 16, 64, 64}, machine);
  };
  char const* const rows = "(8,1000,32,64):(2048000,2048,64,1)";
  char const* const heads = "(8,1000,32,64):(2048000,64,64000,1)";
  copy_plan const far = planned(rows, heads, 16), near = planned(rows, heads, 0);
  ASSERT_TRUE(std::get<cpu_schedule>(far.schedule).streaming) << explain(far);
  ASSERT_EQ(far.moves.loops[1].dst, 64) << explain(far);  // the tokens of a head follow each other
  ASSERT_EQ(far.moves.loops[2].src, 64) << explain(far);  // the heads of a token do
  EXPECT_EQ(tile_bytes_along(far, 2), 4096) << explain(far);
  EXPECT_LT(tile_bytes_along(near, 2), 4096) << explain(near);
  for (copy_plan const* p : {&far, &near}) EXPECT_TRUE(prove(*p)) << prove(*p).failure << explain(*p);
  char const* const crowded = "(8,1048576,32,64):(2147483648,2048,64,1)";
  char const* const apart = "(8,1048576,32,64):(2147483648,64,67108864,1)";
  EXPECT_EQ(planned(crowded, apart, 16).tile, planned(crowded, apart, 0).tile);
  copy_plan const small = planned("(2,100,32,64):(204800,2048,64,1)", "(2,100,32,64):(204800,64,6400,1)", 16);
  EXPECT_FALSE(std::get<cpu_schedule>(small.schedule).streaming);
}

/// Rows of the destination that do not end with cache lines: any thread may begin in the middle of one, at any place.
TEST(tile_kernel, carries_parts_of_lines_to_the_next_tile) {
  for (std::int64_t const width : {1, 2, 4, 8, 16})
    for (std::int64_t const rows : {1301, 4093}) {
      flat_copy c;
      c.width = width, c.shape = {rows, 67, 3}, c.src = {67, 1, rows * 67}, c.dst = {1, rows, rows * 67};
      c.src_elements = c.dst_elements = 3 * rows * 67;
      bytes const source = random_bytes(c.src_bytes(), 9), before = random_bytes(c.dst_bytes(), 10);
      for (int const threads : {1, 3}) {
        guarded_memory const src(source, guarded_memory::place::at_end);
        guarded_memory const dst(before, guarded_memory::place::between, static_cast<std::size_t>(threads * width));
        copy_request const request = c.request(width, width);
        copy_plan plan;
        plan.machine = machine_named("cpu");
        plan.machine.processors = threads, plan.machine.tuning.thread_bytes = 1;
        plan.machine.tuning.carried_run_bytes = 1000, plan.machine.tuning.whole_max_bytes = 1;
        plan.machine.tuning.ragged_destination_bytes = plan.machine.tuning.ragged_max_bytes = 512;
        plan.moves = make_movement(request.src, request.dst, request.element_bits);
        plan.bytes = 2 * plan.moves.elements * width;
        plan::schedule_tile(plan, request, true);
        EXPECT_TRUE(std::get<cpu_schedule>(plan.schedule).carries) << explain(plan);
        EXPECT_TRUE(prove(plan)) << prove(plan).failure;
        cpu_engine::program const p = cpu_engine::compile(plan);
        ASSERT_TRUE(cpu_engine::run(p, src.data(), dst.data(), threads, nullptr, nullptr));
        ASSERT_TRUE(dst.holds(c.expected(source, before))) << rows << " rows of " << width << " bytes";
      }
    }
}

TEST(tile_kernel, carries_only_where_spans_go_on) {
  copy_plan const good = plan_of("(1301,1575,8):(1575,1,2049075)", "(1301,1575,8):(1,1301,2049075)", 32);
  ASSERT_TRUE(std::get<cpu_schedule>(good.schedule).carries) << explain(good);
  ASSERT_TRUE(prove(good)) << prove(good).failure;
  EXPECT_NE(explain(good).find("goes on where the spans of this one end"), std::string::npos);
  auto const refuses = [&](auto const& change) {
    copy_plan bad = good;
    change(bad, std::get<cpu_schedule>(bad.schedule));
    return !prove(bad);
  };
  EXPECT_TRUE(refuses([](copy_plan& p, cpu_schedule&) { std::swap(p.order[0], p.order[1]); }));
  EXPECT_TRUE(refuses([](copy_plan& p, cpu_schedule&) { p.tile[0] = 8; }));  // spans of half a line
  EXPECT_TRUE(refuses([](copy_plan&, cpu_schedule& c) { c.streaming = false; }));
}

/// Tables are made for the instruction set in use; others run them too.
TEST(tile_kernel, runs_tables_of_another_instruction_set) {
  flat_copies random(23, 1000, 20'000);
  for (int round = 0; round < 20; ++round) {
    flat_copy const c = many_modes(random);
    copy_request const request = c.request(1, 1);
    copy_plan plan;
    plan.machine = machine_named("cpu");
    plan.moves = make_movement(request.src, request.dst, request.element_bits);
    if (plan.moves.loops.empty()) continue;
    plan::schedule_tile(plan, request, false);
    cpu_engine::program const p = cpu_engine::compile(plan);
    bytes const source = random_bytes(c.src_bytes(), 5), before = random_bytes(c.dst_bytes(), 6);
    on_every_instruction_set([&](std::string const& name) {
      bytes after = before;
      cpu_engine::run(p, source.data(), after.data(), 1, nullptr, nullptr);
      EXPECT_EQ(after, c.expected(source, before)) << name << "\n" << c.text();
    });
  }
}

TEST(tile_kernel, is_chosen_for_small_modes_steps_and_reversals) {
  struct {
    char const *what, *src, *dst;
    int bits;
  } const cases[] = {
      {"batches of 3 x 3", "(3,3,9000):(1,3,9)", "(3,3,9000):(3,1,9)", 32},
      {"every second element", "(9000):(2)", "(9000):(1)", 32},
      {"windows of 7 x 7", "(7,32,7,32):(1,7,224,1568)", "(7,32,7,32):(1,49,7,1568)", 32},
      {"short rows with an odd pitch", "(45,5000):(1,53)", "(45,5000):(1,45)", 32},
      {"interleaved by 2", "(3136,2,16):(1,3136,6272)", "(3136,2,16):(2,1,6272)", 8},
      {"a repeated element", "(16,9000):(0,1)", "(16,9000):(1,16)", 16},
      {"12 modes of 2", "(2,2,2,2,2,2,2,2,2,2,2,2):(1,2,4,8,16,32,64,128,256,512,1024,2048)",
       "(2,2,2,2,2,2,2,2,2,2,2,2):(2048,1024,512,256,128,64,32,16,8,4,2,1)", 32},
  };
  for (auto const& c : cases) {
    copy_plan const plan = plan_of(c.src, c.dst, c.bits);
    EXPECT_EQ(std::get<cpu_schedule>(plan.schedule).kernel, cpu_kernel::tile) << c.what << "\n" << explain(plan);
    EXPECT_TRUE(prove(plan)) << c.what;
    EXPECT_NE(explain(plan).find("kernel tile"), std::string::npos);
  }
}

/// Every 8th byte of every third row, transposed: gathered, then transposed; the proof runs the tables that run.
TEST(tile_kernel, gathers_before_it_transposes) {
  copy_plan const plan = plan_of("(997,1000):(24000,8)", "(997,1000):(1,997)", 8);
  auto const& s = std::get<cpu_schedule>(plan.schedule);
  EXPECT_EQ(s.kernel, cpu_kernel::tile);
  EXPECT_FALSE(s.gather_loops.empty()) << explain(plan);
  EXPECT_TRUE(prove(plan)) << prove(plan).failure;
  EXPECT_NE(explain(plan).find("gathered first"), std::string::npos);
  copy_plan bad = plan;
  std::get<cpu_schedule>(bad.schedule).gather_loops.clear();
  EXPECT_FALSE(prove(bad));  // its columns do not follow each other in the source
}

/// Bits of an index in an order that leaves some of the fastest among themselves: a vector has bytes from 16 lines, which transposes have
/// in rows of two. On every instruction set, past the caches and through them, to a destination that begins anywhere.
TEST(tile_kernel, puts_vectors_of_many_lines_together_in_two_steps) {
  flat_copy c;
  c.width = 1;
  std::vector<int> const order{5, 1, 10, 14, 6, 13, 12, 4, 2, 8, 7, 11, 15, 9, 0, 3};
  for (std::size_t i = 0; i < order.size(); ++i) {
    c.shape.push_back(2);
    c.dst.push_back(std::int64_t{1} << i);
    c.src.push_back(std::int64_t{1} << order[i]);
  }
  c.src_elements = c.dst_elements = 1 << 16;
  bytes const source = random_bytes(c.src_bytes(), 5), before = random_bytes(c.dst_bytes(), 6);
  bytes const after = c.expected(source, before);
  int in_two_steps = 0;
  on_every_instruction_set([&](std::string const& name) {
    for (bool const streams : {false, true})
      for (std::size_t const shift : {0, 5}) {
        machine_model m = machine_named(name == "AVX2" ? "cpu-avx2" : "cpu");
        m.processors = 1;
        if (streams) m.tuning.stream_bytes = 1, m.tuning.stream_blocks = 0;
        copy_plan const plan = plan_copy(c.request(1, shift == 0 ? 64 : 1), m);
        auto const& s = std::get<cpu_schedule>(plan.schedule);
        if (s.kernel == cpu_kernel::tile && s.row_loops.empty() && !s.gather_loops.empty()) ++in_two_steps;
        EXPECT_TRUE(prove(plan)) << prove(plan).failure;
        guarded_memory const src(source, guarded_memory::place::at_end);
        guarded_memory const dst(before, guarded_memory::place::between, shift);
        cpu_engine::program const p = cpu_engine::compile(plan);
        EXPECT_TRUE(cpu_engine::run(p, src.data(), dst.data(), 1, nullptr, nullptr));
        EXPECT_TRUE(dst.holds(after)) << name << "\n" << explain(plan);
      }
  });
  EXPECT_GT(in_two_steps, 0);
}

/// A loop that an image between would miss, or have twice.
TEST(tile_kernel, gathers_each_loop_once) {
  copy_plan const good = plan_of("(997,1000):(24000,8)", "(997,1000):(1,997)", 8);
  ASSERT_TRUE(prove(good));
  auto const failure_of = [&](auto const& change) {
    copy_plan bad = good;
    change(std::get<cpu_schedule>(bad.schedule).gather_loops);
    return prove(bad).failure;
  };
  using loops = std::vector<int>;
  EXPECT_EQ(failure_of([](loops& l) { l = {1}; }), "loop 0 is gathered 0 times");
  EXPECT_EQ(failure_of([](loops& l) { l = {0, 1, 0}; }), "loop 0 is gathered 2 times");
  EXPECT_EQ(failure_of([](loops& l) { l = {0, 1, 2}; }), "there is no loop 2 to gather");
}

/// One number of a plan is changed: the proof fails.
TEST(tile_kernel, wrong_plans_have_no_proof) {
  copy_plan const good = plan_of("(4,4,4,4,4,4,4,4):(1,4,16,64,256,1024,4096,16384)",
                                 "(4,4,4,4,4,4,4,4):(256,4096,1,16384,64,4,1024,16)", 32);
  auto const& s = std::get<cpu_schedule>(good.schedule);
  ASSERT_EQ(s.kernel, cpu_kernel::tile);
  ASSERT_FALSE(s.row_loops.empty());
  ASSERT_TRUE(prove(good));
  auto const refuses = [&](auto const& change) {
    copy_plan bad = good;
    change(bad, std::get<cpu_schedule>(bad.schedule));
    return !prove(bad);
  };
  EXPECT_TRUE(refuses([](copy_plan& p, cpu_schedule&) { p.tile[0] = 0; }));
  EXPECT_TRUE(refuses([](copy_plan& p, cpu_schedule&) { p.tile[1] = p.moves.loops[1].extent + 1; }));
  EXPECT_TRUE(refuses([](copy_plan& p, cpu_schedule&) {
    p.tile.assign(p.tile.size(), 1);
    p.order.pop_back();
  }));
  EXPECT_TRUE(refuses([](copy_plan&, cpu_schedule& c) { std::swap(c.row_loops, c.column_loops); }));
  EXPECT_TRUE(refuses([](copy_plan&, cpu_schedule& c) { c.row_loops.push_back(c.column_loops[0]); }));
  EXPECT_TRUE(refuses([](copy_plan&, cpu_schedule& c) { c.column_loops.clear(); }));
  EXPECT_TRUE(refuses([](copy_plan&, cpu_schedule& c) { c.unit_bytes *= 2; }));
  EXPECT_TRUE(refuses([](copy_plan&, cpu_schedule& c) { c.row_loops[0] = 99; }));
}

}  // namespace
}  // namespace tilewright
