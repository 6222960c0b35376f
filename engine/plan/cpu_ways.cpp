#include "engine/plan/cpu_ways.hpp"
#include "engine/memory_units.hpp"

#include "engine/kernels/cpu/tile/schedule_tile.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "engine/plan/schedule.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

namespace tilewright::plan {
namespace {

// On 163 copies of the benchmark's families on one core of an AMD EPYC, of 20 tilings each, way 0 took 1.12 times the time of the
// fastest in the geometric mean, the fastest of these seven 1.015 times (docs/adr/0034-transposes-read-a-few-rows-at-a-time.md).
constexpr std::array<tile_limits, cpu_way_count - 2> tilings{{
    {.source_bytes = 4096, .destination_bytes = 256, .max_bytes = 1 << 19, .imaged = true},
    {.source_bytes = 512, .destination_bytes = 512, .max_bytes = 1 << 18, .imaged = true},
    {.source_bytes = 8192, .destination_bytes = 128, .max_bytes = 1 << 17, .imaged = true},
    {.source_bytes = 8192, .destination_bytes = 16384, .max_bytes = 1 << 17, .by_destination = true},
    {.source_bytes = 1024, .destination_bytes = 64},
}};

bool has_choice(copy_plan const& plan) {
  auto const* const s = std::get_if<cpu_schedule>(&plan.schedule);
  return s != nullptr && has_other_tiles(s->kernel) && plan.path != copy_path::contiguous;
}

bool is_same(copy_plan const& a, copy_plan const& b) {
  return a.tile == b.tile && a.order == b.order && a.schedule == b.schedule;
}

}  // namespace

std::optional<copy_plan> cpu_plan(copy_plan const& plan, copy_request const& request, int way) {
  copy_plan out = plan;
  if (way == 0) {
    schedule_cpu(out, request);
    return out;
  }
  std::vector<cpu_knobs> const knobs = candidates(out.moves, out.machine, request);
  schedule_cpu_with(out, request, knobs[std::min<std::size_t>(1, knobs.size() - 1)]);
  if (!has_choice(out)) return {};
  copy_plan tiled = plan;
  tiled.seconds = out.seconds;
  bool const streaming = knobs.front().streaming;
  if (way < cpu_way_count - 1)
    return schedule_tile_within(tiled, request, streaming, tilings[static_cast<std::size_t>(way - 1)])
               ? std::optional(std::move(tiled))
               : std::nullopt;
  // The kernels of tiles of two loops, unless by all estimates they take several times as long; always for long runs, and for runs that
  // are put together as both sides have them.
  auto const& older = std::get<cpu_schedule>(out.schedule);
  constexpr std::int64_t line = engine::cache_line;
  bool const are_long = older.unit_bytes >= out.machine.tuning.imaged_unit_bytes;
  bool const are_joined = older.buffered && older.column_loops.empty() && older.unit_bytes > line;
  if (older.kernel == cpu_kernel::copy_runs && (are_long || are_joined)) return out;
  constexpr double several = 3;
  double const cycles = schedule_tile(tiled, request, streaming);
  return cycles_of_older(out, tiled) < several * cycles ? std::optional(std::move(out)) : std::nullopt;
}

std::vector<cpu_way> cpu_ways(copy_plan const& plan, copy_request const& request) {
  std::vector<cpu_way> out{{0, *cpu_plan(plan, request, 0)}};
  if (!has_choice(out[0].plan)) return out;
  for (int way = 1; way < cpu_way_count; ++way) {
    std::optional<copy_plan> made = cpu_plan(plan, request, way);
    bool const is_new =
        made && std::none_of(out.begin(), out.end(), [&](cpu_way const& w) { return is_same(w.plan, *made); });
    if (is_new) out.push_back({way, std::move(*made)});
  }
  return out;
}

std::int64_t table_bytes_of(copy_plan const& plan) {
  constexpr std::int64_t line = engine::cache_line;
  auto const& s = std::get<cpu_schedule>(plan.schedule);
  if (s.kernel != cpu_kernel::tile || !s.row_loops.empty()) return 0;
  std::int64_t const element = plan.moves.element_bits / 8;
  std::int64_t bytes = s.gather_loops.empty() ? element : 2 * element, step = line;
  for (std::size_t i = 0; i < plan.tile.size(); ++i) {
    loop const& l = plan.moves.loops[i];
    bytes *= plan.tile[i];
    if (l.extent % plan.tile[i] != 0) bytes *= 2;
    if (l.extent > plan.tile[i]) step = std::gcd(step, plan.tile[i] * l.dst * element);
  }
  bool const has_phases = s.streaming && !s.whole_lines && !s.buffered;
  return has_phases ? bytes * (line / step) : bytes;
}

movement part_of(movement const& m, std::size_t loop, std::int64_t begin, std::int64_t end) {
  movement out = m;
  tilewright::loop& part = out.loops[loop];
  out.elements = m.elements / part.extent * (end - begin);
  out.src_offset += begin * part.src;
  out.dst_offset += begin * part.dst;
  part.extent = end - begin;
  if (part.extent == 1) out.loops.erase(out.loops.begin() + static_cast<std::ptrdiff_t>(loop));
  return out;
}

namespace {

std::int64_t run_of_side(std::vector<loop> loops, bool source) {
  auto const step_of = [=](loop const& l) { return std::abs(source ? l.src : l.dst); };
  std::stable_sort(loops.begin(), loops.end(), [&](loop const& a, loop const& b) { return step_of(a) < step_of(b); });
  std::int64_t covered = 1;
  for (loop const& l : loops) {
    if (step_of(l) == 0) continue;
    if (step_of(l) != covered) break;
    covered *= l.extent;
  }
  return covered;
}

}  // namespace

std::int64_t run_of_part(movement const& m, std::vector<std::size_t> const& cut, std::int64_t steps) {
  std::vector<loop> loops = m.loops;
  for (std::size_t const i : cut) loops[i].extent = steps;
  return std::min(run_of_side(loops, true), run_of_side(loops, false)) * m.element_bits / 8;
}

std::vector<std::size_t> loops_to_share(movement const& m, std::int64_t wanted) {
  constexpr std::int64_t line = engine::cache_line;
  std::vector<std::size_t> out;
  for (std::int64_t steps = 1; steps < wanted;) {
    std::optional<std::size_t> best;
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < m.loops.size(); ++i) {
      if (m.loops[i].dst * m.element_bits / 8 % line != 0 || std::find(out.begin(), out.end(), i) != out.end())
        continue;
      out.push_back(i);
      std::int64_t const run = run_of_part(m, out, 1);
      out.pop_back();
      if (run > longest) best = i, longest = run;
    }
    if (!best) return {};
    out.push_back(*best);
    steps *= m.loops[*best].extent;
  }
  return out;
}

}  // namespace tilewright::plan
