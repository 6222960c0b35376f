// How the benchmarks compare: the work and its baseline take turns, each as often as the other, so that whatever else
// the machine does falls on both, and the counter is the median of the ratios of neighbours.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace tilewright::bench {

inline double seconds_of(auto const& work) {
  auto const began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// pre: not empty
inline double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

enum class ratio { time, speed };  // work / baseline, or its inverse: the share of the baseline's speed that is reached

/// Runs both in each iteration; the time reported is the work's. Both must take well over a microsecond.
inline void against(benchmark::State& state, char const* name, ratio wanted, auto const& work, auto const& baseline) {
  std::vector<double> ratios;
  for (auto _ : state) {
    double const base = seconds_of(baseline);
    double const own = seconds_of(work);
    state.SetIterationTime(own);
    ratios.push_back(wanted == ratio::time ? own / base : base / own);
  }
  state.counters[name] = median(std::move(ratios));
}

/// Reports the time of one of the `events` in an iteration.
inline void each_of(benchmark::State& state, double events) {
  state.counters["each"] =
      benchmark::Counter(events, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace tilewright::bench
