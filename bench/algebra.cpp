// The algebra on run-time values: operations per second, and their time against evaluating the layouts index by index.
#include "baseline.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

using namespace tilewright;
using namespace tilewright::bench;

namespace {

constexpr int repeats = 64;  // of what is too short to time alone

/// The sum of a layout's values: what an answer by enumeration has to look at, at the least.
long long sum_of_values(layout_value const& a) {
  long long const count = size(a).value();
  long long sum = 0;
  for (long long i = 0; i < count; ++i) sum += a(i);
  return sum;
}

void operations(benchmark::State& state, layout_value const& looked_at, auto const& operation) {
  against(
      state, "time/enumeration", ratio::time,
      [&] {
        for (int i = 0; i < repeats; ++i) {
          auto const answer = operation();
          benchmark::DoNotOptimize(answer);
          benchmark::ClobberMemory();
        }
      },
      [&] {
        for (int i = 0; i < repeats; ++i) {
          benchmark::DoNotOptimize(sum_of_values(looked_at));
          benchmark::ClobberMemory();
        }
      });
  each_of(state, repeats);
  state.counters["per second"] = benchmark::Counter(repeats, benchmark::Counter::kIsIterationInvariantRate);
}

layout_value const matrix = parse_layout("(128,(64,2)):(128,(1,64))");
layout_value const threads = parse_layout("(16,8):(8,1)");
layout_value const values = parse_layout("(1,8)");
layout_value const tile = parse_layout("(16,(4,2)):(1,(16,128))");

void composing(benchmark::State& state) {
  operations(state, tile, [] { return composition(matrix, tile); });
}
void dividing(benchmark::State& state) {
  auto const tiler = tiler_value::of({parse_layout("16:1"), parse_layout("(4,2):(1,64)")});
  operations(state, matrix, [&] { return zipped_divide(matrix, tiler); });
}
void multiplying(benchmark::State& state) {
  operations(state, raked_product(threads, values).value(), [] { return raked_product(threads, values); });
}
void inverting(benchmark::State& state) {
  operations(state, matrix, [] { return right_inverse(matrix); });
}
void complementing(benchmark::State& state) {
  operations(state, matrix, [] { return complement(tile, 16384); });
}
BENCHMARK(composing)->Apply(in_turns);
BENCHMARK(dividing)->Apply(in_turns);
BENCHMARK(multiplying)->Apply(in_turns);
BENCHMARK(inverting)->Apply(in_turns);
BENCHMARK(complementing)->Apply(in_turns);

/// The whole (thread, value, rest) view of a 128×128 tensor, and making the tiled copy first.
void viewing(benchmark::State& state) {
  tiled_copy_value const copy =
      make_tiled_copy(bits{128}, bits{32}, parse_layout("(4,8):(1,4)"), parse_layout("(1,1)")).value();
  layout_value const tensor = parse_layout("(128,128):(1,128)");
  operations(state, tensor, [&] { return partition_view(copy, tensor); });
}
void making(benchmark::State& state) {
  layout_value const thr = parse_layout("(4,8):(1,4)"), val = parse_layout("(1,1)");
  operations(state, parse_layout("(16,8):(1,16)"), [&] { return make_tiled_copy(bits{128}, bits{32}, thr, val); });
}
BENCHMARK(viewing)->Apply(in_turns);
BENCHMARK(making)->Apply(in_turns);

}  // namespace

BENCHMARK_MAIN();
