// Rows that follow each other on both sides: spans put together in one buffer, written by whole lines.
#include "engine/cpu/program.hpp"
#include "engine/cpu/prove_program.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "flat_copies.hpp"
#include "guarded_memory.hpp"
#include "random_copies.hpp"
#include "tilewright/plan/prove.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <numeric>

namespace tilewright {
namespace {

using tests::flat_copies;
using tests::flat_copy;
using tests::guarded_memory;
using tests::random_bytes;

/// Spans of any length from a line on, then of any, from any place within a line: bytes before and behind stay as they are, and only
/// what is left of a line waits.
TEST(carried_spans, are_written_once_wherever_they_end) {
  flat_copies random(3, 1, 100);
  constexpr std::int64_t line = cpu_engine::carried_bytes;
  std::vector<std::uint8_t> buffer(static_cast<std::size_t>(2 * line + 400));
  std::uint8_t* const span = buffer.data() + 2 * line - reinterpret_cast<std::uintptr_t>(buffer.data()) % line;
  for (std::size_t shift = 0; shift < 64; ++shift)
    for (std::int64_t const longest : {1, 5, 63, 64, 65, 130, 300}) {
      std::vector<std::int64_t> lengths{line + random.below(2)};
      for (int i = 0; i < 8; ++i) lengths.push_back(random.below(longest + 1));
      auto const all = static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
      auto const source = random_bytes(all, shift + 1), before = random_bytes(all, 77);
      guarded_memory const dst(before, guarded_memory::place::between, shift);
      std::int64_t const zero = 0;
      std::int64_t at = 0;
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        std::copy_n(source.data() + at, lengths[i], span);
        cpu_engine::write_carried_spans(dst.data() + at, &zero, 1, lengths[i], span, 0, i > 0, i + 1 < lengths.size());
        at += lengths[i];
        cpu_engine::fence();
        auto const from = static_cast<std::int64_t>(shift), written = (at + from) / line * line - from;
        ASSERT_TRUE(written <= 0 || std::equal(source.begin(), source.begin() + written, dst.data()));
      }
      ASSERT_TRUE(dst.holds(source)) << "from " << shift << ", spans of up to " << longest;
    }
}

/// The plan for such rows, with tiles of a few of them: what is proved and what runs, on one thread and on several.
TEST(carried_spans, are_tiles_of_rows_in_the_order_of_both_sides) {
  flat_copies random(5, 1, 100);
  for (std::int64_t const width : {1, 2, 8})
    for (std::int64_t const row : {65, 100, 343, 1030})
      for (std::size_t const shift : {0, 8, 40}) {
        std::int64_t const length = row / width + (row / width * width % 64 == 0 ? 1 : 0), rows = 3 + random.below(90),
                           pitch = length + 1 + random.below(40);
        flat_copy c{{length, rows}, {1, pitch}, {1, length}, 0, 0, pitch * rows, length * rows, width};
        machine_model machine = machine_named("cpu-avx2");
        machine.processors = static_cast<int>(1 + random.below(3));
        machine.tuning.stream_bytes = machine.tuning.thread_bytes = 1;
        machine.tuning.streamed_run_bytes = 1, machine.tuning.stream_blocks = 0, machine.tuning.long_unit_bytes = 4096;
        machine.tuning.joined_units.row_bytes = std::array<std::int64_t, 3>{1, 300, 2048}[random.below(3)];
        auto const source = random_bytes(c.src_bytes(), 1), before = random_bytes(c.dst_bytes(), 2);
        guarded_memory const src(source, guarded_memory::place::at_end);
        guarded_memory const dst(before, guarded_memory::place::between, shift);
        copy_request const request = c.request(width, std::max<std::int64_t>(width, shift == 0 ? 64 : 8));
        copy_plan plan = plan_copy(request, machine);
        plan::schedule_cpu_with(plan, request, plan::candidates(plan.moves, machine, request).front());
        cpu_engine::program const p = cpu_engine::compile(plan);
        ASSERT_TRUE(p.carries) << c.text() << "\n" << to_json(plan);
        auto const failure = cpu_engine::program_failure(plan, reinterpret_cast<std::uintptr_t>(dst.data()));
        ASSERT_FALSE(failure) << *failure << "\n" << c.text();
        ASSERT_TRUE(cpu_engine::run(p, src.data(), dst.data(), machine.processors, nullptr, nullptr));
        ASSERT_TRUE(dst.holds(c.expected(source, before))) << c.text();
      }
}

}  // namespace
}  // namespace tilewright
