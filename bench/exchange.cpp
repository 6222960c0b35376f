// Planning a redistribution on one rank: four axes, two of them sharded, to the two others. Time and memory for 64 to 10,000
// ranks; the baseline computes the owners of each element of a small tensor, which is what a plan without layouts does.
#include "tilewright/distributed/exchange.hpp"
#include "tilewright/distributed/placements.hpp"

#include <benchmark/benchmark.h>
#include <malloc.h>

namespace {

using namespace tilewright;

struct pair_of_layouts {
  distributed_layout src, dst;
};

pair_of_layouts square_mesh(int side, std::int64_t extent) {
  std::vector<std::int64_t> const shape{extent, extent, extent, extent};
  return {distribute(shape, {side, side}, {shard(0), shard(1)}), distribute(shape, {side, side}, {shard(2), shard(3)})};
}

void plan_one_rank(benchmark::State& state) {
  auto const [src, dst] = square_mesh(static_cast<int>(state.range(0)), 1024);
  double bytes = 0;
  for (auto _ : state) {
    struct mallinfo2 const before = mallinfo2();
    rank_plan const plan = plan_exchange(src, dst, src.ranks / 2);
    struct mallinfo2 const after = mallinfo2();
    benchmark::DoNotOptimize(plan.sends.data());
    bytes = static_cast<double>(after.uordblks + after.hblkhd) - static_cast<double>(before.uordblks + before.hblkhd);
  }
  state.counters["ranks"] = src.ranks;
  state.counters["plan_MB"] = bytes / 1e6;
}
BENCHMARK(plan_one_rank)->Arg(8)->Arg(32)->Arg(100)->Unit(benchmark::kMillisecond);

void owners_of_each_element(benchmark::State& state) {
  auto const [src, dst] = square_mesh(8, 16);
  for (auto _ : state)
    for (std::int64_t i = 0; i < 65536; ++i) {
      std::vector<std::int64_t> const x{i % 16, i / 16 % 16, i / 256 % 16, i / 4096};
      benchmark::DoNotOptimize(places_of(src, x).size() + places_of(dst, x).size());
    }
  state.counters["ranks"] = src.ranks;
}
BENCHMARK(owners_of_each_element)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
