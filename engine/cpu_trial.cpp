#include "engine/cpu_trial.hpp"
#include "engine/memory_units.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace tilewright::engine {
namespace {

constexpr std::int64_t line = engine::cache_line;
// Tables take some 25 ns a byte, a copy 0.1 to 0.2 ns.
constexpr std::int64_t table_share = 512;        // of what a copy writes, the tables of another plan may be this part,
constexpr std::int64_t first_table_share = 128;  // and those of the planner's
constexpr double margin = 1.08;                  // by which another plan has to be faster than the planner's
constexpr std::int64_t long_bytes = 8 << 20;     // of each way's parts of all rounds, if these are four at most
constexpr std::int64_t max_part_bytes = 16 << 20;  // takes a millisecond, which is long enough to be measured
constexpr std::int64_t max_steps = 64;             // of several loops, in the smallest tensor that is tried
constexpr std::size_t final_runs = 2;              // of each finalist, of which the last counts
constexpr std::int64_t cache_share = 4;  // of the last-level cache, this part may hold a tensor between two runs

bool has_ways(copy_plan const& first, cpu_schedule const& s) {
  return plan::has_other_tiles(s.kernel) && first.bytes / 2 >= first.machine.tuning.trial_bytes &&
         plan::table_bytes_of(first) <= first.bytes / 2 / first_table_share;
}

/// Does the plan write past caches that could hold what it writes?
bool may_stay_near(copy_plan const& p) {
  return std::get<cpu_schedule>(p.schedule).streaming && p.bytes / 2 <= p.machine.far_bytes / cache_share;
}

/// Parts that start with this many steps start as the whole does within a cache line of the destination.
std::int64_t granule_of(movement const& m, std::size_t l) {
  return line / std::gcd(line, m.loops[l].dst * m.element_bits / 8);
}

std::int64_t steps_of(movement const& m, std::vector<std::size_t> const& loops) {
  return std::accumulate(loops.begin(), loops.end(), std::int64_t{1},
                         [&](std::int64_t n, std::size_t l) { return n * m.loops[l].extent; });
}

std::vector<std::size_t> descending(std::vector<std::size_t> loops) {
  std::sort(loops.begin(), loops.end(), std::greater<>());
  return loops;
}

/// Tells a caller of the bytes of all parts, though each knows its own only.
copy_options of_part(copy_options const& options, std::int64_t done, std::int64_t total) {
  copy_options out = options;
  if (options.progress)
    out.progress = [&call = options.progress, done, total](std::int64_t now, std::int64_t) {
      return call(done + now, total);
    };
  return out;
}

}  // namespace

bool cpu_trial::is_worth_it(copy_plan const& first) {
  auto const* const s = std::get_if<cpu_schedule>(&first.schedule);
  return s != nullptr && first.path != copy_path::contiguous && first.machine.tuning.trial_bytes > 0 &&
         (has_ways(first, *s) || may_stay_near(first));
}

cpu_trial::cpu_trial(copy_request request, copy_plan const& first) : request_(std::move(request)) {
  blank_.machine = first.machine;
  blank_.moves = first.moves;
  blank_.bytes = first.bytes;
  tries_ways_ = has_ways(first, std::get<cpu_schedule>(first.schedule));
}

void cpu_trial::share_out(std::vector<std::size_t> loops, std::int64_t part_steps) {
  loops_ = std::move(loops);
  part_steps_ = part_steps;
  // The least time of a few counts: a disturbance hits one of them.
  std::int64_t const part_bytes =
      part_steps * std::max<std::int64_t>(1, blank_.bytes / 2 / steps_of(blank_.moves, loops_));
  last_round_ = static_cast<int>(std::clamp<std::int64_t>(long_bytes / part_bytes, 2, 4));
}

/// Finds the loop whose parts are most like the whole: on both sides they go on for as many bytes as can be. Where all loops have few
/// steps, several loops are shared out together.
void cpu_trial::prepare() {
  rounds_ = 0;
  if (!tries_ways_) return;
  ways_ = plan::cpu_ways(blank_, request_);
  std::erase_if(ways_, [&](plan::cpu_way const& w) {
    return w.number != 0 && plan::table_bytes_of(w.plan) > blank_.bytes / 2 / table_share;
  });
  seconds_.assign(ways_.size(), std::numeric_limits<double>::infinity());
  auto const count = static_cast<std::int64_t>(ways_.size());
  if (count < 2) return;
  ready_parts_.resize(ways_.size());
  movement const& m = blank_.moves;
  bool const has_lines = std::get<cpu_schedule>(ways_[0].plan.schedule).whole_lines;
  // The parts of all ways together are a third of the tensor at most, unless a loop has few steps.
  auto const steps_of_part = [&](std::int64_t all) {
    std::int64_t const step_bytes = std::max<std::int64_t>(1, blank_.bytes / 2 / all);
    return std::max<std::int64_t>(1, std::min(max_part_bytes / step_bytes, all / (3 * count)));
  };
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < m.loops.size(); ++i) {
    std::int64_t const extent = m.loops[i].extent, granule = has_lines ? granule_of(m, i) : 1;
    std::int64_t const part = std::max<std::int64_t>(1, steps_of_part(extent) / granule) * granule;
    std::int64_t const run = plan::run_of_part(m, {i}, part);
    if (count * part >= extent || run <= longest) continue;
    longest = run;
    share_out({i}, part);
  }
  std::vector<std::size_t> const several = plan::loops_to_share(m, 3 * count);
  if (several.size() < 2 || plan::run_of_part(m, several, 1) <= longest) return;
  std::int64_t const all = steps_of(m, several);
  // Each step is a copy of its own, which threads share.
  if (blank_.bytes / 2 / all >= blank_.machine.tuning.trial_bytes / max_steps) share_out(several, steps_of_part(all));
}

/// A run, as it goes on.
struct cpu_trial::one_run {
  void const* src;
  void* dst;
  copy_options const& options;
  std::int64_t done = 0;  // bytes
};

/// One part for each way that may be the fastest, each time another; the rest for the one that is.
std::vector<trial_part> cpu_trial::parts() const {
  std::vector<trial_part> out;
  if (part_steps_ == 0) return out;
  int const count = static_cast<int>(ways_.size());
  std::int64_t at = 0;
  for (int i = 0; i < count; ++i) {
    int const way = (i + std::max(0, rounds_)) % count;
    if (is_slow(way)) continue;
    out.push_back({at, at + part_steps_, way});
    at += part_steps_;
  }
  out.push_back({at, steps_of(blank_.moves, loops_), -1});
  return out;
}

bool cpu_trial::is_slow(int way) const {
  constexpr double much = 1.5;  // times the time of the fastest: more than runs differ by
  double const seconds = seconds_[static_cast<std::size_t>(way)];
  double const least = *std::min_element(seconds_.begin(), seconds_.end());
  return rounds_ > 0 && !(seconds <= much * least);
}

int cpu_trial::fastest() const {
  auto const least = std::min_element(seconds_.begin(), seconds_.end());
  return *least * margin < seconds_[0] ? static_cast<int>(least - seconds_.begin()) : 0;
}

/// A plan for these steps, of the one loop or of each of the several.
std::shared_ptr<ready_plan const> cpu_trial::ready_for_part(trial_part const& part) const {
  copy_plan blank = blank_;
  for (std::size_t const l : descending(loops_)) blank.moves = plan::part_of(blank.moves, l, part.begin, part.end);
  blank.bytes = 2 * blank.moves.elements * blank.moves.element_bits / 8;
  // A part goes past the caches if the whole does.
  if (std::get<cpu_schedule>(ways_[0].plan.schedule).streaming)
    blank.machine.tuning.stream_bytes = blank.machine.tuning.stream_blocks = 0;
  auto made = plan::cpu_plan(blank, request_, ways_[static_cast<std::size_t>(part.way)].number);
  return made ? make_ready(std::move(*made), cpu) : nullptr;
}

/// Where a part, or one step of several loops, starts on a side, in elements from where the first does.
std::int64_t cpu_trial::start_of(std::int64_t step, bool source) const {
  std::int64_t out = 0;
  for (std::size_t const i : loops_) {
    tilewright::loop const& l = blank_.moves.loops[i];
    out += (loops_.size() == 1 ? step : step % l.extent) * (source ? l.src : l.dst);
    step /= l.extent;
  }
  return out;
}

/// Copies a part by its way and returns the time for a step; infinite where that way has no plan for it.
double cpu_trial::seconds_of(one_run& now, trial_part const& part) {
  std::int64_t const element = blank_.moves.element_bits / 8, steps = part.end - part.begin;
  bool const is_single = loops_.size() == 1;
  // Parts that start alike within a cache line have one plan, made for the first of them.
  bool const is_alike = !is_single || (steps == part_steps_ && part_steps_ % granule_of(blank_.moves, loops_[0]) == 0);
  std::shared_ptr<ready_plan const> made;
  if (is_alike) {
    auto& kept = ready_parts_[static_cast<std::size_t>(part.way)];
    if (!kept) kept = ready_for_part({0, is_single ? steps : 1, part.way});
    made = kept;
  } else {
    made = ready_for_part(part);
  }
  if (!made) {
    (void)seconds_of(now, {part.begin, part.end, 0});
    return std::numeric_limits<double>::infinity();
  }
  auto const began = std::chrono::steady_clock::now();
  for (std::int64_t at = part.begin; at < part.end; at += is_single ? steps : 1) {
    auto const* const src = static_cast<unsigned char const*>(now.src) + (is_alike ? start_of(at, true) * element : 0);
    auto* const dst = static_cast<unsigned char*>(now.dst) + (is_alike ? start_of(at, false) * element : 0);
    run_ready(*made, src, dst, of_part(now.options, now.done, blank_.bytes / 2));
    now.done += made->plan.bytes / 2;
  }
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return seconds / static_cast<double>(steps);
}

std::shared_ptr<ready_plan const> cpu_trial::chosen() const {
  plan::cpu_way best = ways_[static_cast<std::size_t>(fastest())];
  if (best.number != 0)
    best.plan.reasons.push_back(fmt::format(
        "Of {} plans that each copied parts of this tensor, it was the fastest: {:.2f} times as fast as the "
        "one that estimates favour.",
        ways_.size(), seconds_[0] / seconds_[static_cast<std::size_t>(fastest())]));
  auto out = std::make_shared<ready_plan>(*make_ready(best.plan, cpu));
  out->was_tried = true;
  return out;
}

/// `best`, or nothing while it is compared with a plan that writes through the caches.
std::shared_ptr<ready_plan const> cpu_trial::kept_or_compared(std::shared_ptr<ready_plan const> best) {
  if (!may_stay_near(best->plan)) return best;
  copy_plan blank = blank_;
  blank.machine.tuning.stream_bytes = std::numeric_limits<std::int64_t>::max();
  copy_plan near = *plan::cpu_plan(blank, request_, 0);
  if (std::get<cpu_schedule>(near.schedule).streaming) return best;
  near.machine = blank_.machine;
  finalists_ = {std::move(best), make_ready(std::move(near), cpu)};
  return {};
}

std::shared_ptr<ready_plan const> cpu_trial::run_finalist(void const* src, void* dst, copy_options const& options) {
  std::size_t const runner = final_seconds_.size() / final_runs;
  auto const began = std::chrono::steady_clock::now();
  run_ready(*finalists_[runner], src, dst, options);
  final_seconds_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  if (final_seconds_.size() < finalists_.size() * final_runs) return {};
  double const past = final_seconds_[final_runs - 1], through = final_seconds_.back();
  if (through * margin >= past) return finalists_[0];
  auto out = std::make_shared<ready_plan>(*finalists_[1]);
  out->plan.reasons.push_back(
      fmt::format("Runs of this tensor were {:.2f} times as fast through the caches as past them.", past / through));
  out->was_tried = true;
  return out;
}

std::shared_ptr<ready_plan const> cpu_trial::run(ready_plan const& first, void const* src, void* dst,
                                                 copy_options const& options) {
  std::unique_lock const lock(mutex_, std::try_to_lock);
  if (!lock || is_over_) {
    run_ready(first, src, dst, options);
    return {};
  }
  auto const kept = run_next(first, src, dst, options);
  is_over_ = kept != nullptr;
  return kept;
}

std::shared_ptr<ready_plan const> cpu_trial::run_next(ready_plan const& first, void const* src, void* dst,
                                                      copy_options const& options) {
  if (!finalists_.empty()) return run_finalist(src, dst, options);
  if (rounds_ < 0) prepare();
  if (part_steps_ == 0) {
    run_ready(first, src, dst, options);
    auto plain = std::make_shared<ready_plan>(first);
    plain->trial = nullptr;
    return kept_or_compared(std::move(plain));
  }
  one_run now{src, dst, options};
  for (trial_part part : parts()) {
    bool const counts = part.way >= 0;
    if (!counts) part.way = fastest();
    double const seconds = seconds_of(now, part);
    double& least = seconds_[static_cast<std::size_t>(part.way)];
    if (counts) least = std::min(least, seconds);
  }
  if (++rounds_ < last_round_) return {};
  return kept_or_compared(chosen());
}

}  // namespace tilewright::engine
