// Tiled copies and plain copies of memory, as a share of memcpy's speed with the same number of threads.
#include "baseline.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <tbb/global_control.h>
#include <cstddef>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <thread>

using namespace tilewright;
using namespace tilewright::bench;

namespace {

constexpr std::size_t alignment = 64;

/// Floats that start on a cache line.
class buffer {
 public:
  explicit buffer(std::size_t elements)
      : data_(static_cast<float*>(::operator new(elements * sizeof(float), std::align_val_t(alignment)))),
        size_(elements) {
    std::iota(begin(), begin() + size_, 0.0f);
  }
  float* begin() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(float); }

 private:
  struct release {
    void operator()(float* p) const { ::operator delete(p, std::align_val_t(alignment)); }
  };
  std::unique_ptr<float, release> data_;
  std::size_t size_;
};

void one_and_all_cores(benchmark::internal::Benchmark* b) {
  auto const all = static_cast<int>(std::thread::hardware_concurrency());
  b->ArgName("threads")->Arg(1);
  if (all > 1) b->Arg(all);
  b->Apply(in_turns)->Unit(benchmark::kMillisecond);
}

/// The speed of a copy by the engine on so many threads, and what it is of memcpy's.
void share_of_memcpy(benchmark::State& state, buffer const& from, buffer const& to, auto const& copy_all) {
  auto const threads = static_cast<int>(state.range(0));
  tbb::global_control const limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  against(state, "share", ratio::speed, copy_all, [&] { memcpy_by(threads, to.begin(), from.begin(), from.bytes()); });
  state.SetBytesProcessed(static_cast<std::int64_t>(2 * from.bytes()) * state.iterations());
}

/// The benchmark is void unless dst(i) == src(i) throughout.
void check(benchmark::State& state, auto const& src, auto const& dst) {
  for (int i = 0; i < size(src); ++i)
    if (src(i) != dst(i)) return state.SkipWithError("the copy is wrong");
}

// --- a vector of 256 MB ----------------------------------------------------------------------------------------------

constexpr int vector_size = 1 << 26;

constexpr auto copy_vector_tile = [](auto& block, auto tiled, auto src, auto dst) {
  auto const coord = static_cast<int>(block.index().x);
  auto const thr_copy = tiled.get_slice(block.thread());
  auto const from = thr_copy.partition_S(local_tile(src, tiled.tile_shape(), coord));  // (Cpy, Rest)
  auto const to = thr_copy.partition_D(local_tile(dst, tiled.tile_shape(), coord));    // (Cpy, Rest)
  copy(tiled, from, to);
};

/// 256 threads carry so many floats each, 128 bits at a time.
template <int Values>
void tiled_vector(benchmark::State& state) {
  static buffer const from(vector_size), to(vector_size);
  auto const tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_256>>{},
                                     Layout<Shape<Int<Values>>>{});
  auto const src = make_tensor(make_gmem_ptr(static_cast<float const*>(from.begin())), make_shape(vector_size));  // (I)
  auto const dst = make_tensor(make_gmem_ptr(to.begin()), make_shape(vector_size));                               // (I)
  unsigned const blocks = vector_size / (256 * Values);
  share_of_memcpy(state, from, to, [&] { launch(blocks, 256, copy_vector_tile, tiled, src, dst); });
  launch(blocks, 256, copy_vector_tile, tiled, src, dst);
  check(state, src, dst);
}
BENCHMARK(tiled_vector<4>)->Apply(one_and_all_cores);
BENCHMARK(tiled_vector<16>)->Apply(one_and_all_cores);
BENCHMARK(tiled_vector<64>)->Apply(one_and_all_cores);

// --- a matrix of 4096 x 4096 floats, transposed ----------------------------------------------------------------------

constexpr int extent = 4096;
using Square = Shape<Int<extent>, Int<extent>>;
using Tile_MN = Shape<_64, _64>;

auto row_major(float const* data) {
  return make_tensor(make_gmem_ptr(data), make_layout(Square{}, LayoutRight{}));  // (M, N)
}
auto column_major(float* data) {
  return make_tensor(make_gmem_ptr(data), make_layout(Square{}, LayoutLeft{}));  // (M, N)
}

/// Element by element: 16×16 threads, 4×4 values each.
constexpr auto transpose_elements = [](auto& block, auto src, auto dst) {
  auto const tiled =
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_16, _16>>{}, Layout<Shape<_4, _4>>{});
  auto const coord = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y));
  auto const thr_copy = tiled.get_slice(block.thread());
  auto const from = thr_copy.partition_S(local_tile(src, Tile_MN{}, coord));  // (Cpy, RestM, RestN)
  auto const to = thr_copy.partition_D(local_tile(dst, Tile_MN{}, coord));    // (Cpy, RestM, RestN)
  copy(tiled, from, to);
};

/// The same 4×4 values in registers, read 4 along a row and written 4 along a column at a time.
constexpr auto transpose_vectors = [](auto& block, auto src, auto dst) {
  using Vector = Copy_Atom<UniversalCopy<uint128_t>, float>;
  auto const load = make_tiled_copy(Vector{}, Layout<Shape<_16, _16>>{}, Layout<Shape<_4, _4>, Stride<_4, _1>>{});
  auto const store = make_tiled_copy(Vector{}, Layout<Shape<_16, _16>>{}, Layout<Shape<_4, _4>>{});
  auto const coord = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y));
  auto const loader = load.get_slice(block.thread());
  auto const storer = store.get_slice(block.thread());
  auto const from = loader.partition_S(local_tile(src, Tile_MN{}, coord));  // ((4,4), 1, 1), 4 along N first
  auto const to = storer.partition_D(local_tile(dst, Tile_MN{}, coord));    // ((4,4), 1, 1), 4 along M first
  auto rows = make_fragment_like(from);                                     // ((4,4), 1, 1)
  auto columns = make_fragment_like(to);                                    // ((4,4), 1, 1)
  copy(load, from, rows);
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) columns(m + 4 * n) = rows(n + 4 * m);
  copy(store, columns, to);
};

void by_launch(benchmark::State& state, auto const& kernel) {
  static buffer const from(extent * extent), to(extent * extent);
  auto const src = row_major(from.begin());
  auto const dst = column_major(to.begin());
  dim3 const grid(extent / 64, extent / 64);
  share_of_memcpy(state, from, to, [&] { launch(grid, 256, kernel, src, dst); });
  launch(grid, 256, kernel, src, dst);
  check(state, src, dst);
}
void tiled_transpose_elements(benchmark::State& state) { by_launch(state, transpose_elements); }
void tiled_transpose_vectors(benchmark::State& state) { by_launch(state, transpose_vectors); }
BENCHMARK(tiled_transpose_elements)->Apply(one_and_all_cores);
BENCHMARK(tiled_transpose_vectors)->Apply(one_and_all_cores);

// --- plain copies, one thread ----------------------------------------------------------------------------------------

/// copy(src, dst) of tensors of one layout.
void plain_copy(benchmark::State& state) {
  buffer const from(extent * extent), to(extent * extent);
  auto const src = make_tensor(static_cast<float const*>(from.begin()), Square{});  // (M, N)
  auto const dst = make_tensor(to.begin(), Square{});                               // (M, N)
  share_of_memcpy(state, from, to, [&] { copy(src, dst); });
  check(state, src, dst);
}
/// copy(src, dst) from row-major to column-major, and two nested loops that do it.
void plain_transpose(benchmark::State& state) {
  buffer const from(extent * extent), to(extent * extent);
  auto const src = row_major(from.begin());
  auto const dst = column_major(to.begin());
  share_of_memcpy(state, from, to, [&] { copy(src, dst); });
  check(state, src, dst);
}
void loops_transpose(benchmark::State& state) {
  buffer const from(extent * extent), to(extent * extent);
  share_of_memcpy(state, from, to, [&] {
    for (int n = 0; n < extent; ++n)
      for (int m = 0; m < extent; ++m) to.begin()[m + extent * n] = from.begin()[n + extent * m];
  });
}
void one_core(benchmark::internal::Benchmark* b) {
  b->ArgName("threads")->Arg(1)->Apply(in_turns)->Unit(benchmark::kMillisecond);
}
BENCHMARK(plain_copy)->Apply(one_core);
BENCHMARK(plain_transpose)->Apply(one_core);
BENCHMARK(loops_transpose)->Apply(one_core);

}  // namespace

BENCHMARK_MAIN();
