// How the benchmarks compare: the work and its baseline take turns, so that whatever else the machine does falls on both,
// until a second has passed; the time is the median of the work's runs, the counter the median of the ratios of neighbours.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>
#include <utility>
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

/// Both must take well over a microsecond. Register with in_turns.
inline void against(benchmark::State& state, char const* name, ratio wanted, auto const& work, auto const& baseline) {
  constexpr std::size_t fewest_turns = 5;
  for (auto _ : state) {
    std::vector<double> own, ratios;
    for (double spent = 0; spent < 1 || own.size() < fewest_turns; spent += own.back()) {
      double const base = seconds_of(baseline);
      own.push_back(seconds_of(work));
      ratios.push_back(wanted == ratio::time ? own.back() / base : base / own.back());
      spent += base;
    }
    state.SetIterationTime(median(std::move(own)));
    state.counters[name] = median(std::move(ratios));
  }
}
inline void in_turns(benchmark::internal::Benchmark* b) { b->UseManualTime()->Iterations(1); }

/// memcpy by so many threads, a share each.
inline void memcpy_by(int threads, void* to, void const* from, std::size_t bytes) {
  std::size_t const share = bytes / static_cast<std::size_t>(threads);
  auto const copy_share = [&](int t) {
    std::size_t const at = share * static_cast<std::size_t>(t);
    std::memcpy(static_cast<std::byte*>(to) + at, static_cast<std::byte const*>(from) + at,
                t + 1 == threads ? bytes - at : share);
  };
  std::vector<std::jthread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(copy_share, t);
  copy_share(0);
}

/// Reports the time of one of the `events` in an iteration.
inline void each_of(benchmark::State& state, double events) {
  state.counters["each"] =
      benchmark::Counter(events, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace tilewright::bench
