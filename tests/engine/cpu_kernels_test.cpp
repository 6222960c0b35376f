// Every kernel of the CPU on every instruction set of the machine, with thresholds so small that tensors of a few kilobytes
// take every branch; then large tensors with the thresholds as they are. Source and destination are between pages that
// cannot be touched, and every byte of the destination is compared, those between its elements included. TILEWRIGHT_ROUNDS=100
// in the environment tries 100 times as many pairs, with other seeds.
#include "effort.hpp"
#include "engine/cpu/kernels.hpp"
#include "engine/cpu/program.hpp"
#include "engine/cpu/prove_program.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "flat_copies.hpp"
#include "guarded_memory.hpp"
#include "random_copies.hpp"
#include "tilewright/plan/prove.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <array>
#include <bit>
#include <set>

namespace tilewright {
namespace {

using bytes = std::vector<std::uint8_t>;
using tests::flat_copies;
using tests::flat_copy;
using tests::guarded_memory;
using tests::random_bytes;
using tests::rounds;

/// Calls use() with each instruction set that the kernels were compiled for and the machine has.
template <class Use>
void on_every_instruction_set(Use const& use) {
  std::int64_t const all = hwy::SupportedTargets();
  auto const choose = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  std::set<std::string> seen;
  for (std::int64_t left = all; left != 0; left &= left - 1) {
    choose(left & -left);
    if (seen.insert(cpu_engine::instruction_set()).second) use(std::string(cpu_engine::instruction_set()));
  }
  choose(0);
  EXPECT_FALSE(seen.empty());
}

/// Thresholds far below those of any machine, another set each time.
machine_model small_machine(flat_copies& random) {
  auto const any = [&](std::initializer_list<std::int64_t> choices) {
    return choices.begin()[random.below(static_cast<std::int64_t>(choices.size()))];
  };
  auto const shape = [&] {
    return cpu_tile_shape{any({1, 64, 128, 300, 1024}), any({1, 64, 200, 512}), any({256, 1024, 4096, 20'000})};
  };
  machine_model m = machine_named("cpu");
  m.processors = static_cast<int>(1 + random.below(3));
  cpu_tuning& t = m.tuning;
  t.short_units = shape(), t.lone_units = shape(), t.long_units = shape(), t.joined_units = shape(),
  t.whole_lines = shape(), t.ragged_lines = shape();
  t.long_column_bytes = any({64, 1000}), t.page_column_bytes = any({16, 64}), t.short_row_bytes = any({1, 700});
  t.channel_tile_bytes = any({64, 1000, 5000}), t.piece_bytes = any({1, 64, 1000});
  t.few_sets_bytes = any({16, 64, 1024}), t.few_sets_columns = any({1, 3, 8});
  t.short_unit_bytes = any({1, 8, 64, 192}), t.long_unit_bytes = any({1, 64, 200, 4096}),
  t.lone_unit_bytes = any({1, 64, 200, 4096});
  t.long_row_bytes = any({1, 64, 200}), t.long_source_bytes = any({1, 100, 8192}), t.page_bytes = any({16, 128, 4096});
  t.backward_bytes = any({0, 100, 1 << 14, 1 << 30});
  t.stream_bytes = any({1, 1, 1 << 30}), t.stream_blocks = 0;
  t.streamed_run_bytes = any({1, 1, 64, 256});
  t.thread_bytes = any({1, 1000, 1 << 20}), t.report_bytes = any({1, 5000}), t.walk_elements = any({1, 10, 1000});
  t.gathered_rows = any({1, 16, 20, 64, 70, 128, 1000}), t.prefetch_bytes = any({0, 64});
  t.near_columns_bytes = any({1, 500, 1 << 14}), t.imaged_unit_bytes = any({1, 64, 128}),
  t.streamed_copy_bytes = any({1, 64, 65, 128}), t.called_unit_bytes = any({1, 20, 64, 512}),
  t.short_near_bytes = any({1, 20, 64, 512}), t.fetched_ahead_bytes = any({0, 64, 100, 2048}),
  t.repeated_unit_bytes = any({1, 8, 20, 64, 1 << 15});
  t.interleave_piece_bytes = any({1, 500, 2000, 1 << 20});
  t.imaged_run_bytes = any({1, 10, 64, 256}), t.imaged_min_bytes = any({1, 200, 4096});
  return m;
}

struct run_of {
  bytes source, before, after;
  guarded_memory src, dst;

  static guarded_memory::place anywhere(flat_copies& random) {
    return static_cast<guarded_memory::place>(random.below(3));
  }
  run_of(flat_copy const& c, flat_copies& random)
      : source(random_bytes(c.src_bytes(), static_cast<std::uint64_t>(random.below(1 << 30)))),
        before(random_bytes(c.dst_bytes(), static_cast<std::uint64_t>(random.below(1 << 30)))),
        after(c.expected(source, before)),
        src(source, anywhere(random), static_cast<std::size_t>(random.below(64))),
        dst(before, anywhere(random), static_cast<std::size_t>(random.below(4) == 0 ? 0 : random.below(64))) {}
};

std::int64_t alignment_of(void const* p) {
  return std::int64_t{1} << std::min(6, std::countr_zero(reinterpret_cast<std::uintptr_t>(p)));
}

bool go_on(void*, std::int64_t) { return true; }

/// Plans with any of the planner's candidates, proves the plan and runs it.
void expect_right(flat_copy const& c, machine_model const& machine, flat_copies& random, std::set<std::string>& taken) {
  run_of r(c, random);
  copy_request const request = c.request(alignment_of(r.src.data()), alignment_of(r.dst.data()));
  copy_plan plan = plan_copy(request, machine);
  std::vector<plan::cpu_knobs> const choices = plan::candidates(plan.moves, machine, request);
  copy_plan blank = plan;
  blank.reasons.clear();
  plan::schedule_cpu_with(blank, request,
                          choices[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(choices.size())))]);
  if (random.below(3) == 0) plan = blank;
  auto const& s = std::get<cpu_schedule>(plan.schedule);
  taken.insert(std::string(name_of(s.kernel)) + (s.buffered ? " buffered" : "") + (s.streaming ? " streaming" : ""));
  if (plan.path == copy_path::rows && std::count(plan.order.begin(), plan.order.end(), 0) == 1 && plan.order.size() > 1)
    taken.insert("parts of runs");
  auto const address = reinterpret_cast<std::uintptr_t>(r.dst.data());
  auto const failure = cpu_engine::program_failure(plan, address);
  ASSERT_FALSE(failure) << *failure << "\n" << c.text() << "\n" << to_json(plan);
  cpu_engine::program const p = cpu_engine::compile(plan);
  bool const reports = random.below(4) == 0;
  ASSERT_TRUE(
      cpu_engine::run(p, r.src.data(), r.dst.data(), plan.machine.processors, reports ? go_on : nullptr, nullptr));
  ASSERT_TRUE(r.dst.holds(r.after)) << c.text() << "\n" << to_json(plan);
  ASSERT_TRUE(r.src.holds(r.source)) << c.text();
}

TEST(cpu_kernels, are_right_on_every_instruction_set_with_small_thresholds) {
  on_every_instruction_set([](std::string const& name) {
    SCOPED_TRACE(name);
    flat_copies random(7, 1, 20'000);
    std::set<std::string> taken;
    for (std::int64_t round = 0; round < rounds(700) && !testing::Test::HasFatalFailure(); ++round)
      expect_right(random.next(), small_machine(random), random, taken);
    if (rounds(700) < 700) return;
    for (char const* const kind : {"copy_runs", "copy_runs streaming", "copy_runs buffered streaming", "transpose",
                                   "transpose streaming", "transpose buffered streaming", "gather",
                                   "gather buffered streaming", "interleave", "interleave streaming", "parts of runs"})
      EXPECT_TRUE(taken.contains(kind)) << kind;
  });
}

TEST(cpu_kernels, are_right_for_swizzles_half_bytes_and_what_has_no_tiles) {
  on_every_instruction_set([](std::string const& name) {
    SCOPED_TRACE(name);
    tests::random_copies cases(11, 3000);
    flat_copies random(12, 1, 1000);
    for (std::int64_t round = 0; round < rounds(800); ++round) {
      tests::random_copy const c = cases.next();
      machine_model const machine = small_machine(random);
      copy_plan const plan = plan_copy({c.src, c.dst, c.element_bits, 1, 1}, machine);
      bytes const source = random_bytes(static_cast<std::size_t>(c.bytes_of(c.src_elements)), 2),
                  before = random_bytes(static_cast<std::size_t>(c.bytes_of(c.dst_elements)), 3);
      guarded_memory const src(source, run_of::anywhere(random), 5),
          dst(before, run_of::anywhere(random), random.below(2) == 0 ? 0 : 9);
      auto const failure = cpu_engine::program_failure(plan, reinterpret_cast<std::uintptr_t>(dst.data()));
      ASSERT_FALSE(failure) << *failure << "\n" << c.text();
      cpu_engine::run(cpu_engine::compile(plan), src.data(), dst.data(), machine.processors, nullptr, nullptr);
      ASSERT_TRUE(dst.holds(c.expected(source, before))) << c.text();
    }
  });
}

TEST(cpu_kernels, stop_when_they_are_asked_to) {
  copy_plan plan = plan_copy(flat_copy{{300, 200}, {200, 1}, {1, 300}, 0, 0, 60'000, 60'000, 1}.request(64, 64),
                             machine_named("cpu"));
  plan.machine.tuning.report_bytes = plan.machine.tuning.thread_bytes = 1;
  bytes const source = random_bytes(60'000, 1);
  for (int const threads : {0, 1, 3}) {
    bytes out(60'000);
    EXPECT_FALSE(cpu_engine::run(
        cpu_engine::compile(plan), source.data(), out.data(), threads, [](void*, std::int64_t) { return false; },
        nullptr));
  }
}

/// Tiles that were reported, by how many at once; together with what was reported last.
struct reports {
  std::int64_t sum = 0, last = 0, count = 0;
};

/// One thread reports after each stride of tiles how many are done, and each tile runs once.
TEST(cpu_kernels, report_every_tile_once) {
  copy_plan plan = plan_copy(flat_copy{{300, 200}, {200, 1}, {1, 300}, 0, 0, 60'000, 60'000, 1}.request(64, 64),
                             machine_named("cpu"));
  bytes const source = random_bytes(60'000, 1);
  for (std::int64_t const distance : {1, 20'000, 1 << 20}) {
    plan.machine.tuning.report_bytes = distance;
    cpu_engine::program const p = cpu_engine::compile(plan);
    bytes const before(60'000);
    guarded_memory const dst(before, guarded_memory::place::at_end);
    reports seen;
    auto const add = [](void* owner, std::int64_t done) {
      auto& r = *static_cast<reports*>(owner);
      r.sum += done - r.last, r.last = done, ++r.count;
      return done > 0;
    };
    ASSERT_TRUE(cpu_engine::run(p, source.data(), dst.data(), 1, add, &seen));
    std::int64_t const stride = std::max<std::int64_t>(1, distance / p.tile_bytes);
    EXPECT_EQ(seen.last, p.tiles);
    EXPECT_EQ(seen.sum, p.tiles);
    EXPECT_EQ(seen.count, (p.tiles + stride - 1) / stride);
  }
}

/// Large ones, with the thresholds as they are, ragged against every size of block: all element sizes, to 64 MB.
TEST(cpu_kernels, are_right_for_large_tensors) {
  std::set<std::string> taken;
  for (auto const& [min, max, count] :
       {std::array<std::int64_t, 3>{50'000, 1'000'000, 60}, std::array<std::int64_t, 3>{1'000'000, 12'000'000, 15},
        std::array<std::int64_t, 3>{30'000'000, 64'000'000, 5}}) {
    flat_copies random(static_cast<std::uint64_t>(max), min, max);
    for (std::int64_t round = 0; round < rounds(count); ++round) {
      flat_copy const c = random.next(std::int64_t{1} << round % 5);
      if (c.src_bytes() + c.dst_bytes() > 200'000'000) continue;  // mostly padding
      machine_model machine = machine_named("cpu");
      if (round % 2 == 0) machine.tuning.stream_bytes = machine.tuning.stream_blocks = 0;
      expect_right(c, machine, random, taken);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_TRUE(rounds(60) < 60 || taken.contains("transpose buffered streaming"));
}

TEST(cpu_kernels, copy_runs_of_any_length) {
  cpu_tuning tuning;
  tuning.streamed_copy_bytes = 64, tuning.called_unit_bytes = 200;
  on_every_instruction_set([&](std::string const& name) {
    for (std::int64_t count = 0; count <= 330; ++count)
      for (bool const streaming : {false, true})
        for (std::size_t const shift : {0, 1, 63}) {
          bytes const source = random_bytes(static_cast<std::size_t>(count), 1);
          bytes const before(source.size(), 0);
          guarded_memory const src(source,
                                   count % 2 == 0 ? guarded_memory::place::at_end : guarded_memory::place::at_start);
          guarded_memory const dst(before, guarded_memory::place::between, shift),
              end(before, guarded_memory::place::at_end);
          for (guarded_memory const* to : {&dst, &end}) {
            cpu_engine::copy_run(to->data(), src.data(), count, streaming, tuning);
            cpu_engine::fence();
            ASSERT_TRUE(to->holds(source)) << name << ": " << count << " bytes";
          }
        }
  });
}

/// Tiles of units, with and without a next tile to fetch, in whole lines and otherwise: nothing beyond a unit is written.
TEST(cpu_kernels, copy_units_of_any_length) {
  cpu_tuning tuning;
  tuning.short_near_bytes = 192, tuning.streamed_copy_bytes = 64, tuning.fetched_ahead_bytes = 512;
  on_every_instruction_set([&](std::string const& name) {
    for (std::int64_t unit = 1; unit <= 330; unit += unit % 64 == 63 || unit % 64 == 0 ? 1 : 21)
      for (std::int64_t const rows : {1, 3})
        for (bool const streaming : {false, true})
          for (bool const fetches : {false, true})
            for (std::size_t const shift : {0, 16}) {
              std::int64_t const columns = 2, pitch = rows * unit + 64 - rows * unit % 64 + 64;
              std::vector<std::int64_t> row_at, column_at;
              for (std::int64_t r = 0; r < rows; ++r) row_at.push_back((rows - 1 - r) * columns * unit);
              for (std::int64_t c = 0; c < columns; ++c) column_at.push_back(c * pitch);
              bytes const source = random_bytes(static_cast<std::size_t>(rows * columns * unit), 5);
              bytes const before = random_bytes(static_cast<std::size_t>((columns - 1) * pitch + rows * unit), 6);
              bytes after = before;
              for (std::int64_t c = 0; c < columns; ++c)
                for (std::int64_t r = 0; r < rows; ++r)
                  std::copy_n(&source[static_cast<std::size_t>(row_at[static_cast<std::size_t>(r)] + c * unit)], unit,
                              &after[static_cast<std::size_t>(c * pitch + r * unit)]);
              guarded_memory const src(source, guarded_memory::place::at_end);
              guarded_memory const dst(before, guarded_memory::place::between, shift);
              cpu_engine::copy_units({src.data(), row_at.data(), rows, dst.data(), column_at.data(), columns, false,
                                      streaming, 0, fetches ? src.data() : nullptr, tuning},
                                     unit, unit);
              cpu_engine::fence();
              ASSERT_TRUE(dst.holds(after)) << name << ": " << rows << " rows of units of " << unit << " bytes";
            }
  });
}

/// Matrices whose rows of the destination all start at the same place within a cache line, but not at its start: their tiles
/// are shifted to the lines, and the first is smaller than the others.
TEST(cpu_kernels, shift_tiles_to_lines) {
  on_every_instruction_set([](std::string const& name) {
    SCOPED_TRACE(name);
    flat_copies random(13, 1, 20'000);
    int shifted = 0;
    for (std::int64_t round = 0; round < rounds(300) && !testing::Test::HasFatalFailure(); ++round) {
      flat_copy c;
      c.width = std::int64_t{1} << random.below(5);
      std::int64_t const rows = 2 + random.below(random.below(3) == 0 ? 80 / c.width + 2 : 900 / c.width),
                         columns = 2 + random.below(60), line = 64 / c.width,
                         pitch = (rows + line - 1) / line * line + random.below(2) * line;
      c.shape = {rows, columns}, c.src = {columns + random.below(3), 1}, c.dst = {1, pitch};
      c.src_elements = rows * c.src[0], c.dst_elements = columns * pitch;
      machine_model machine = small_machine(random);
      machine.tuning.stream_bytes = machine.tuning.long_row_bytes = 1;
      bytes const source = random_bytes(c.src_bytes(), 1), before = random_bytes(c.dst_bytes(), 2);
      guarded_memory const src(source, run_of::anywhere(random), 7);
      guarded_memory const dst(before, guarded_memory::place::between,
                               static_cast<std::size_t>(c.width * (1 + random.below(line - 1))));
      copy_request const request = c.request(1, alignment_of(dst.data()));
      copy_plan plan = plan_copy(request, machine);
      plan::schedule_cpu_with(plan, request, plan::candidates(plan.moves, machine, request).front());
      cpu_engine::program const p = cpu_engine::compile(plan), here = cpu_engine::program_for(p, dst.data());
      shifted += here.first_rows != 0;
      auto const failure = cpu_engine::program_failure(plan, reinterpret_cast<std::uintptr_t>(dst.data()));
      ASSERT_FALSE(failure) << *failure << "\n" << c.text() << "\n" << to_json(plan);
      cpu_engine::run(p, src.data(), dst.data(), machine.processors, nullptr, nullptr);
      ASSERT_TRUE(dst.holds(c.expected(source, before))) << c.text() << "\n" << to_json(plan);
    }
    EXPECT_GE(shifted, rounds(300) / 10);
  });
}

/// A tile on its own: few rows, where a vector is stored in part; and with slack, where it runs over.
TEST(cpu_kernels, transpose_any_tile) {
  cpu_tuning tuning;
  on_every_instruction_set([&](std::string const& name) {
    for (std::int64_t const unit : {1, 2, 4, 8, 16})
      for (std::int64_t rows = 1; rows <= 200; rows += rows < 70 ? 1 : 13)
        for (std::int64_t const columns : {1, 3, 5, 12, 16, 17, 29, 45, 64, 67, 90})
          for (int const kind :
               {0, 1, 2, 3}) {  // as it is; with slack; with what is known of rows and columns; in strips
            bool const slack = kind == 1;
            tuning.gathered_rows = rows % 2 == 0 ? 128 : 64;
            tuning.strip_rows = std::array{1, 8, 40}[static_cast<std::size_t>(rows % 3)];
            std::int64_t const pitch = columns * unit + rows % 3, high = rows * unit;
            std::vector<std::int64_t> row_at, column_at;
            for (std::int64_t r = 0; r < rows; ++r) row_at.push_back((rows - 1 - r) * pitch);
            for (std::int64_t c = 0; c < columns; ++c) column_at.push_back(c * high);
            bytes const source = random_bytes(static_cast<std::size_t>((rows - 1) * pitch + columns * unit), 3);
            bytes after(static_cast<std::size_t>(columns * high));
            for (std::int64_t c = 0; c < columns; ++c)
              for (std::int64_t r = 0; r < rows; ++r)
                std::copy_n(&source[static_cast<std::size_t>(row_at[static_cast<std::size_t>(r)] + c * unit)], unit,
                            &after[static_cast<std::size_t>(c * high + r * unit)]);
            guarded_memory const src(source, kind == 0 || (kind == 2 && rows % 2 == 1) ? guarded_memory::place::at_start
                                                                                       : guarded_memory::place::at_end);
            auto const unreadable = cpu_engine::unreadable_rows(row_at, columns * unit);
            bytes room(after.size() + (slack ? 63u : 0u));
            guarded_memory const dst(room,
                                     rows % 2 == 0 ? guarded_memory::place::at_end : guarded_memory::place::at_start);
            cpu_engine::transpose({src.data(), row_at.data(), rows, dst.data(), column_at.data(), columns, slack, false,
                                   0, nullptr, tuning, kind == 2 ? unreadable.data() : nullptr, kind == 2, kind == 3},
                                  static_cast<int>(unit));
            ASSERT_TRUE(std::equal(after.begin(), after.end(), dst.data()))
                << name << ": " << rows << " rows, " << columns << " columns of " << unit;
            bytes all(dst.data(), dst.data() + room.size());
            ASSERT_TRUE(dst.holds(all)) << "written beyond the slack";
          }
  });
}

/// By looking at every byte of a block: is it of a row, or in a gap of less than a line between two?
TEST(cpu_kernels, know_behind_which_rows_they_may_read) {
  flat_copies random(5, 1, 100);
  for (int round = 0; round < 500; ++round) {
    std::int64_t const length = 1 + random.below(40), count = 1 + random.below(12);
    std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
    for (std::int64_t& r : rows) r = random.below(600);
    std::vector<bool> is_row(800, false), readable(800, false);
    for (std::int64_t const r : rows)
      for (std::int64_t i = 0; i < length; ++i) is_row[static_cast<std::size_t>(r + i)] = true;
    for (std::size_t i = 0; i < 800; ++i) {
      std::size_t before = i, after = i;
      while (before > 0 && !is_row[before]) --before;
      while (after < 799 && !is_row[after]) ++after;
      readable[i] = is_row[i] || (is_row[before] && is_row[after] && after - before <= 64);
    }
    auto const found = cpu_engine::unreadable_rows(rows, length);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      bool all = true;
      for (std::int64_t i = 0; i < (length + 15) / 16 * 16; ++i)
        all = all && readable[static_cast<std::size_t>(rows[r] + i)];
      EXPECT_EQ(found[r + 1] - found[r], all ? 0 : 1) << "row " << r << " of " << length << " bytes at " << rows[r];
    }
  }
}

}  // namespace
}  // namespace tilewright
