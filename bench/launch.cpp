// What launch costs: a thread, a block, a grid, a barrier and a checked access, against plain loops and std::thread.
#include "baseline.hpp"
#include "tilewright/exec/launch_checked.hpp"

#include <barrier>
#include <thread>

using namespace tilewright;
using namespace tilewright::bench;

namespace {

constexpr int repeats = 100;  // of what is too short to time alone

/// An empty kernel, against a loop over the threads' numbers.
void empty_threads(benchmark::State& state) {
  auto const threads = static_cast<int>(state.range(0));
  against(
      state, "time/loop", ratio::time,
      [&] {
        for (int i = 0; i < repeats; ++i)
          launch(1, static_cast<unsigned>(threads), [](auto& block) { benchmark::DoNotOptimize(block.thread()); });
      },
      [&] {
        for (int i = 0; i < repeats; ++i)
          for (int t = 0; t < threads; ++t) benchmark::DoNotOptimize(t);
      });
  each_of(state, repeats * threads);
}
BENCHMARK(empty_threads)->RangeMultiplier(4)->Range(64, 1024)->Apply(in_turns);

/// A grid of many blocks of 32 empty threads on all cores, against a loop over the blocks and threads on one.
void empty_blocks(benchmark::State& state) {
  auto const blocks = static_cast<int>(state.range(0));
  against(
      state, "time/loop", ratio::time,
      [&] { launch(static_cast<unsigned>(blocks), 32, [](auto& block) { benchmark::DoNotOptimize(block.thread()); }); },
      [&] {
        for (int b = 0; b < blocks; ++b)
          for (int t = 0; t < 32; ++t) benchmark::DoNotOptimize(t);
      });
  each_of(state, blocks);
}
BENCHMARK(empty_blocks)->Arg(1 << 10)->Arg(1 << 14)->Apply(in_turns);

/// A launch of one block of one thread, against starting and joining a std::thread.
void one_launch(benchmark::State& state) {
  against(
      state, "time/std::thread", ratio::time,
      [] {
        for (int i = 0; i < repeats; ++i) launch(1, 1, [](auto& block) { benchmark::DoNotOptimize(block.thread()); });
      },
      [] {
        for (int i = 0; i < repeats; ++i) std::thread([] { benchmark::DoNotOptimize(0); }).join();
      });
  each_of(state, repeats);
}
BENCHMARK(one_launch)->Apply(in_turns);

/// Threads that wait at barriers and do no more, against loops over the threads' numbers, one for each barrier: what a
/// kernel would be if it were cut at its barriers by hand.
void barriers(benchmark::State& state) {
  auto const threads = static_cast<int>(state.range(0));
  against(
      state, "time/loop", ratio::time,
      [&] {
        launch(1, static_cast<unsigned>(threads), [](auto& block) {
          for (int i = 0; i < repeats; ++i) block.sync();
        });
      },
      [&] {
        for (int i = 0; i < repeats; ++i)
          for (int t = 0; t < threads; ++t) benchmark::DoNotOptimize(t);
      });
  each_of(state, repeats * threads);
}
BENCHMARK(barriers)->RangeMultiplier(4)->Range(64, 1024)->Apply(in_turns);

/// The same against a std::thread for each thread, which wait at a std::barrier.
void barriers_of_std_threads(benchmark::State& state) {
  auto const threads = static_cast<int>(state.range(0));
  against(
      state, "time/std::barrier", ratio::time,
      [&] {
        launch(1, static_cast<unsigned>(threads), [](auto& block) {
          for (int i = 0; i < repeats; ++i) block.sync();
        });
      },
      [&] {
        std::barrier<> all(threads);
        std::vector<std::jthread> running;
        for (int t = 0; t < threads; ++t)
          running.emplace_back([&] {
            for (int i = 0; i < repeats; ++i) all.arrive_and_wait();
          });
      });
  each_of(state, repeats * threads);
}
BENCHMARK(barriers_of_std_threads)->Arg(32)->Apply(in_turns);

/// Writes to shared memory under launch_checked, against those under launch.
void checked_writes(benchmark::State& state) {
  auto const threads = static_cast<unsigned>(state.range(0));
  auto const kernel = [](auto& block) {
    auto a = shared<float>(block, make_shape(block.threads()));
    for (int i = 0; i < repeats; ++i) {
      a(block.thread()) = 1.0f;
      benchmark::ClobberMemory();
    }
  };
  against(
      state, "time/unchecked", ratio::time, [&] { launch_checked(1, threads, kernel); },
      [&] { launch(1, threads, kernel); });
  each_of(state, repeats * static_cast<double>(threads));
}
BENCHMARK(checked_writes)->Arg(256)->Apply(in_turns);

}  // namespace

BENCHMARK_MAIN();
