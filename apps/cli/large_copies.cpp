// The kernels of the large copies. A block has one thread: what keeps a core busy is its vectors and its cache, so
// each thread carries many values, and blocks, not threads, are what the cores share.
#include "apps/cli/large_copies.hpp"

#include "tilewright/engine/copy.hpp"
#include "tilewright/engine/view.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

namespace tilewright::cli {
namespace {

using one_thread = Layout<_1>;

// --- memory ---------------------------------------------------------------------------------------------------------

constexpr std::align_val_t large_page{std::size_t{1} << 21};

struct aligned_delete {
  void operator()(void* p) const { ::operator delete(p, large_page); }
};

/// Uninitialised, so that the threads that fill it touch it first; in large pages where the system has them, since a
/// column of a matrix touches another page with every element.
template <class T>
std::unique_ptr<T[], aligned_delete> buffer(std::size_t bytes) {
  void* const p = ::operator new(bytes, large_page);
#if defined(MADV_HUGEPAGE)
  (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
  return std::unique_ptr<T[], aligned_delete>(static_cast<T*>(p));
}

/// The baseline: the bytes in chunks of a vector_granule, spread over the cores as the tiles are.
void copy_bytes(void* to, void const* from, std::size_t bytes) {
  auto const chunk = [](auto& block, std::byte* dst, std::byte const* src, std::size_t size) {
    std::size_t const begin = block.index().x * vector_granule;
    std::memcpy(dst + begin, src + begin, std::min(vector_granule, size - begin));
  };
  auto const chunks = static_cast<unsigned>((bytes + vector_granule - 1) / vector_granule);
  launch(dim3(chunks), 1, chunk, static_cast<std::byte*>(to), static_cast<std::byte const*>(from), bytes);
}

/// Calls f(element) for every element, in parallel.
template <class F>
void for_each_index(std::size_t count, F const& f) {
  constexpr std::size_t chunk = std::size_t{1} << 18;
  auto const body = [](auto& block, F const* call, std::size_t size) {
    std::size_t const begin = block.index().x * chunk;
    for (std::size_t i = begin; i < std::min(size, begin + chunk); ++i) (*call)(i);
  };
  launch(dim3(static_cast<unsigned>((count + chunk - 1) / chunk)), 1, body, &f, count);
}

template <class F>
long long count_if(std::size_t count, F const& is_wrong) {
  std::atomic<long long> found{0};
  for_each_index(count, [&](std::size_t i) {
    if (is_wrong(i)) found.fetch_add(1, std::memory_order_relaxed);
  });
  return found;
}

// --- matrix ---------------------------------------------------------------------------------------------------------

using matrix_tile = Shape<_256, _128>;
using register_tile = Shape<_8, _8>;
// Rows of the staged tile start in different cache sets.
using staged_layout = Layout<matrix_tile, Stride<C<128 + 16>, _1>>;

constexpr auto vector_atom = Copy_Atom<UniversalCopy<uint128_t>, float>{};
using whole_rows = decltype(make_tiled_copy(vector_atom, one_thread{}, make_layout(Shape<_1, _128>{}, LayoutRight{})));
using rows_of_8 = decltype(make_tiled_copy(vector_atom, one_thread{}, make_layout(register_tile{}, LayoutRight{})));
using columns_of_8 = decltype(make_tiled_copy(vector_atom, one_thread{}, make_layout(register_tile{}, LayoutLeft{})));

/// Global memory is read along rows and written along columns, whole cache lines at a time; the tile is transposed in between,
/// 8×8 elements after another.
constexpr auto transpose_tile = [](auto& block, auto src, auto dst) {
  auto const at = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y));
  auto const from = local_tile(src, matrix_tile{}, at);  // (TileM, TileN)
  auto const to = local_tile(dst, matrix_tile{}, at);    // (TileM, TileN)
  auto staged = shared<float>(block, staged_layout{});   // (TileM, TileN)

  auto const load = whole_rows{}.get_slice(block.thread());
  copy(whole_rows{}, load.partition_S(from), load.partition_D(staged));
  block.sync();

  auto const rows = rows_of_8{}.get_slice(block.thread()).partition_S(staged);    // (Cpy, RestM, RestN)
  auto const columns = columns_of_8{}.get_slice(block.thread()).partition_D(to);  // (Cpy, RestM, RestN)
  for (int n = 0; n < size<2>(rows); ++n) {
    for (int m = 0; m < size<1>(rows); ++m) {
      auto by_row = make_fragment_like(rows(_, m, n));        // (Cpy)
      auto by_column = make_fragment_like(columns(_, m, n));  // (Cpy)
      copy(rows_of_8{}, rows(_, m, n), by_row);
      copy(make_tensor(by_row.data(), make_layout(register_tile{}, LayoutRight{})),
           make_tensor(by_column.data(), make_layout(register_tile{}, LayoutLeft{})));
      copy(columns_of_8{}, by_column, columns(_, m, n));
    }
  }
};

// --- vector ---------------------------------------------------------------------------------------------------------

using vector_tile = Shape<C<(1 << 18)>>;  // 1 MB of 32-bit integers
using vector_copy =
    decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, std::uint32_t>{}, one_thread{}, Layout<_64>{}));

constexpr auto copy_tile = [](auto& block, auto src, auto dst) {
  auto const at = make_coord(static_cast<int>(block.index().x));
  auto const mine = vector_copy{}.get_slice(block.thread());
  copy(vector_copy{}, mine.partition_S(local_tile(src, vector_tile{}, at)),
       mine.partition_D(local_tile(dst, vector_tile{}, at)));
};

// --- measuring ------------------------------------------------------------------------------------------------------

template <class F>
double seconds_of(F const& f) {
  auto const start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs both alternately, memcpy first, so that every copy of ours finds a destination that is wrong.
template <class Ours, class Memcpy>
void measure(measurement& out, std::string_view title, progress& shown, Ours const& ours, Memcpy const& plain) {
  constexpr int min_runs = 5, max_runs = 30;
  constexpr double long_enough = 2.0;  // seconds
  out.seconds = out.memcpy_seconds = std::numeric_limits<double>::infinity();
  double spent = 0;
  for (int run = 0; run < min_runs || (run < max_runs && spent < long_enough); ++run) {
    shown.show(fmt::format("{}: run {}", title, run + 1));
    double const memcpy_seconds = seconds_of(plain), seconds = seconds_of(ours);
    out.memcpy_seconds = std::min(out.memcpy_seconds, memcpy_seconds);
    out.seconds = std::min(out.seconds, seconds);
    spent += memcpy_seconds + seconds;
  }
}

}  // namespace

measurement transpose_matrix(int extent, copied_by how, progress& shown) {
  auto const n = static_cast<std::size_t>(extent);
  measurement out{.bytes = n * n * sizeof(float)};
  std::string const title = fmt::format("{0} x {0} float", extent);
  // Every element of up to 4096 x 4096 has a number of its own: floats count to 2^24.
  auto const value_at = [](std::size_t i) { return static_cast<float>(i % (std::size_t{1} << 24)); };

  shown.show(title + ": filling");
  auto const rows = buffer<float>(out.bytes), columns = buffer<float>(out.bytes);
  for_each_index(n * n, [&](std::size_t i) {
    rows[i] = value_at(i);
    columns[i] = -1.0f;
  });

  auto const plain = [&] { copy_bytes(columns.get(), rows.get(), out.bytes); };
  auto const shape = make_shape(extent, extent);
  auto const src = make_tensor(make_gmem_ptr(static_cast<float const*>(rows.get())), shape, make_stride(extent, _1{}));
  auto const dst = make_tensor(make_gmem_ptr(columns.get()), shape, make_stride(_1{}, extent));
  auto const tiles = ceil_div(shape, matrix_tile{});
  dim3 const grid(static_cast<unsigned>(get<0>(tiles)), static_cast<unsigned>(get<1>(tiles)));
  if (how == copied_by::tiled_kernel)
    measure(
        out, title, shown, [&] { launch(grid, 1, transpose_tile, src, dst); }, plain);
  else
    measure(
        out, title, shown, [&] { copy(view(src), view(dst)); }, plain);

  shown.show(title + ": checking");
  out.wrong = count_if(n * n, [&](std::size_t i) { return columns[i % n * n + i / n] != value_at(i); });
  return out;
}

measurement copy_vector(std::size_t bytes, progress& shown) {
  measurement out{.bytes = bytes};
  std::size_t const n = bytes / sizeof(std::uint32_t);
  std::string const title = fmt::format("{} MB vector", bytes >> 20);

  shown.show(title + ": filling");
  auto const from = buffer<std::uint32_t>(bytes), to = buffer<std::uint32_t>(bytes);
  for_each_index(n, [&](std::size_t i) {
    from[i] = static_cast<std::uint32_t>(i);
    to[i] = ~static_cast<std::uint32_t>(i);
  });

  auto const shape = make_shape(static_cast<int>(n));
  auto const src = make_tensor(make_gmem_ptr(static_cast<std::uint32_t const*>(from.get())), shape);
  auto const dst = make_tensor(make_gmem_ptr(to.get()), shape);
  dim3 const grid(static_cast<unsigned>(bytes / vector_granule));
  measure(
      out, title, shown, [&] { launch(grid, 1, copy_tile, src, dst); },
      [&] { copy_bytes(to.get(), from.get(), bytes); });

  // What memcpy wrote is right too, so the copy that is checked starts from a wrong destination.
  shown.show(title + ": checking");
  for_each_index(n, [&](std::size_t i) { to[i] = ~static_cast<std::uint32_t>(i); });
  launch(grid, 1, copy_tile, src, dst);
  out.wrong = count_if(n, [&](std::size_t i) { return to[i] != static_cast<std::uint32_t>(i); });
  return out;
}

}  // namespace tilewright::cli
