// What launch costs: an empty thread, a thread that waits at barriers, and a checked access. Times are of one block, on
// the thread that launches it, divided by the block's threads.
#include "tilewright/exec/launch_checked.hpp"

#include <benchmark/benchmark.h>

using namespace tilewright;

namespace {

void per_thread(benchmark::State& state, double events) {
  state.counters["each"] =
      benchmark::Counter(events * static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void empty_threads(benchmark::State& state) {
  auto const threads = static_cast<unsigned>(state.range(0));
  for (auto _ : state) launch(1, threads, [](auto& block) { benchmark::DoNotOptimize(block.thread()); });
  per_thread(state, 1);
}
BENCHMARK(empty_threads)->RangeMultiplier(4)->Range(64, 1024);

void barriers(benchmark::State& state) {
  auto const threads = static_cast<unsigned>(state.range(0));
  constexpr int count = 100;
  for (auto _ : state) {
    launch(1, threads, [](auto& block) {
      for (int i = 0; i < count; ++i) block.sync();
    });
  }
  per_thread(state, count);
}
BENCHMARK(barriers)->RangeMultiplier(4)->Range(64, 1024);

void checked_writes(benchmark::State& state) {
  auto const threads = static_cast<unsigned>(state.range(0));
  constexpr int count = 100;
  for (auto _ : state) {
    launch_checked(1, threads, [](auto& block) {
      auto a = shared<float>(block, make_shape(block.threads()));
      for (int i = 0; i < count; ++i) a(block.thread()) = 1.0f;
    });
  }
  per_thread(state, count);
}
BENCHMARK(checked_writes)->Arg(256);

}  // namespace

BENCHMARK_MAIN();
