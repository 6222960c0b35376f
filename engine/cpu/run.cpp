// Runs a program: the tiles go to threads in long ranges, so that each works its way through neighbouring memory.
#include "engine/cpu/program.hpp"
#include "engine/exec/parallel_ranges.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

namespace tilewright::cpu_engine {
namespace {

constexpr std::size_t max_loops = int_tree::leaf_capacity;

struct free_buffer {
  void operator()(byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
};

/// The buffer of the calling thread, at least `bytes` long; kept for the thread's next tiles.
byte* thread_buffer(std::size_t bytes) {
  thread_local std::unique_ptr<byte[], free_buffer> memory;
  thread_local std::size_t held = 0;
  if (held < bytes) {
    memory.reset(static_cast<byte*>(::operator new[](bytes, std::align_val_t{64})));
    held = bytes;
  }
  return memory.get();
}

/// One tile after another.
class tile_walk {
 public:
  tile_walk(program const& p, std::int64_t first) : p_(&p) {
    for (std::size_t i = 0; i < p.grid.size(); ++i) {
      at_[i] = first % p.grid[i].tiles;
      first /= p.grid[i].tiles;
      src += at_[i] * p.grid[i].src_step - (at_[i] > 0 ? p.grid[i].src_shift : 0);
      dst += at_[i] * p.grid[i].dst_step - (at_[i] > 0 ? p.grid[i].dst_shift : 0);
    }
  }
  void advance() {
    for (std::size_t i = 0; i < p_->grid.size(); ++i) {
      tile_loop const& l = p_->grid[i];
      if (++at_[i] < l.tiles) {
        src += l.src_step - (at_[i] == 1 ? l.src_shift : 0);
        dst += l.dst_step - (at_[i] == 1 ? l.dst_shift : 0);
        return;
      }
      src -= (l.tiles - 1) * l.src_step - (l.tiles > 1 ? l.src_shift : 0);
      dst -= (l.tiles - 1) * l.dst_step - (l.tiles > 1 ? l.dst_shift : 0);
      at_[i] = 0;
    }
  }
  /// How many rows and columns this tile has, and the bytes of a unit.
  void counts(std::int64_t& rows, std::int64_t& columns, std::int64_t& unit) const {
    unit = p_->unit;
    rows = p_->row_count;
    columns = p_->column_count;
    for (std::size_t i = 0; i < p_->grid.size(); ++i) {
      tile_loop const& l = p_->grid[i];
      if (l.dst_shift != 0 && at_[i] == 0) rows = std::min(p_->first_rows, p_->row_extent);
      if (l.clips == tile_loop::side::none || at_[i] + 1 != l.tiles || (l.dst_shift != 0 && at_[i] == 0)) continue;
      if (l.clips == tile_loop::side::row) rows = l.last * p_->row_step;
      else if (l.clips == tile_loop::side::column) columns = l.last * p_->column_step;
      else unit = l.last * p_->element;
    }
  }
  std::int64_t src = 0, dst = 0;

 private:
  program const* p_;
  std::array<std::int64_t, max_loops> at_;  // as many as the grid has loops; clearing the rest would cost a small copy
};

bool whole_lines(std::int64_t x) { return x % 64 == 0; }

class tile_runner {
 public:
  tile_runner(program const& p, byte const* src, byte* dst)
      : p_(p),
        src_(src + p.src_base),
        dst_(dst + p.dst_base),
        buffer_(p.buffered ? thread_buffer(static_cast<std::size_t>(p.buffer_bytes)) : nullptr),
        lines_(p.streaming && std::all_of(p.columns.begin(), p.columns.end(), whole_lines)) {}

  /// Runs the tile where the walk is, which goes on to the next; `is_last`: there is none.
  void run(tile_walk& walk, bool is_last) const {
    std::int64_t rows = 0, columns = 0, unit = 0;
    walk.counts(rows, columns, unit);
    byte const* const src = src_ + walk.src;
    byte* const dst = dst_ + walk.dst;
    byte const* next = nullptr;
    if (!is_last) {
      walk.advance();
      next = src_ + walk.src;
    }
    if (p_.kernel == cpu_kernel::interleave) {
      interleave({src, dst, p_.planes.data(), p_.shuffles.data(), p_.joins_planes ? columns : rows, p_.unit,
                  static_cast<int>(p_.planes.size()), p_.joins_planes, p_.streaming});
      return;
    }
    if (!p_.buffered) {
      fill(dst, p_.columns.data(), src, rows, columns, unit, p_.streaming, false, next);
      return;
    }
    fill(buffer_, p_.buffer_columns.data(), src, rows, columns, unit, false, true, next);
    if (p_.joins && rows == p_.row_count) {
      copy_run(dst, buffer_, columns * rows * p_.unit, p_.streaming);
      return;
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c)
      copy_run(dst + p_.columns[c], buffer_ + p_.buffer_columns[c], rows * p_.unit, p_.streaming);
  }

 private:
  void fill(byte* dst, std::int64_t const* to, byte const* src, std::int64_t rows, std::int64_t columns,
            std::int64_t unit, bool streaming, bool slack, byte const* next) const {
    switch (p_.kernel) {
      case cpu_kernel::transpose: {
        bool const lines =
            streaming && lines_ && whole_lines(rows * p_.unit) && whole_lines(reinterpret_cast<std::intptr_t>(dst));
        transpose({src, p_.rows.data(), rows, dst, to, columns, slack, lines, p_.ahead, next},
                  static_cast<int>(p_.unit));
        return;
      }
      case cpu_kernel::copy_runs:
        copy_units({src, p_.rows.data(), rows, dst, to, columns, slack, streaming, 0, next}, unit, p_.column_src);
        return;
      default: gather(dst, to, src, rows, columns);
    }
  }

  template <std::size_t Unit>
  void gather_units(byte* dst, std::int64_t const* columns, byte const* src, std::int64_t rows,
                    std::int64_t count) const {
    for (std::int64_t c = 0; c < count; ++c) {
      byte const* const from = src + c * p_.column_src;
      byte* to = dst + columns[c];
      for (std::int64_t r = 0; r < rows; ++r, to += Unit)
        std::memcpy(to, from + p_.rows[static_cast<std::size_t>(r)], Unit);
    }
  }
  void gather(byte* dst, std::int64_t const* columns, byte const* src, std::int64_t rows, std::int64_t count) const {
    switch (p_.unit) {
      case 1: return gather_units<1>(dst, columns, src, rows, count);
      case 2: return gather_units<2>(dst, columns, src, rows, count);
      case 4: return gather_units<4>(dst, columns, src, rows, count);
      case 8: return gather_units<8>(dst, columns, src, rows, count);
      default: return gather_units<16>(dst, columns, src, rows, count);
    }
  }

  program const& p_;
  byte const* src_;
  byte* dst_;
  byte* buffer_;
  bool lines_;
};

struct job {
  program const& p;
  byte const* src;
  byte* dst;
  tile_progress progress;
  void* owner;
  std::atomic<std::int64_t> done{0};
  std::atomic<bool> stopped{false};
  // The library that hands ranges to threads orders them as well; these do it where the thread sanitizer sees it.
  std::atomic<int> handed{0};

  /// Tiles between two reports: about 4 MB, so that a report costs nothing and a stop comes soon.
  std::int64_t stride() const {
    return std::max<std::int64_t>(1, (std::int64_t{1} << 22) / std::max<std::int64_t>(1, p.tile_bytes));
  }

  /// What one of several threads does.
  void run_range(std::int64_t begin, std::int64_t end) {
    (void)handed.load(std::memory_order_acquire);
    run(begin, end);
    handed.fetch_add(1, std::memory_order_release);
  }
  void run(std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end && !stopped.load(std::memory_order_relaxed);) {
      std::int64_t const until = progress == nullptr ? end : std::min(end, at + stride());
      run_tiles(at, until);
      if (progress != nullptr) report(until - at);
      at = until;
    }
    if (p.streaming) fence();
  }

 private:
  void report(std::int64_t tiles) {
    std::int64_t const so_far = done.fetch_add(tiles, std::memory_order_relaxed) + tiles;
    if (!progress(owner, so_far)) stopped.store(true, std::memory_order_relaxed);
  }
  void run_tiles(std::int64_t begin, std::int64_t end) const {
    if (p.kernel == cpu_kernel::walk) {
      std::int64_t const chunk = (p.walked.elements + p.tiles - 1) / p.tiles;
      walk(p.walked, src, dst, std::min(begin * chunk, p.walked.elements), std::min(end * chunk, p.walked.elements));
      return;
    }
    tile_runner const runner(p, src, dst);
    tile_walk walk(p, begin);
    for (std::int64_t i = begin; i < end; ++i) runner.run(walk, i + 1 == end);
  }
};

}  // namespace

bool run(program const& p, void const* src, void* dst, int threads, tile_progress progress, void* owner) {
  if (p.is_one_run && progress == nullptr) {
    std::memcpy(static_cast<byte*>(dst) + p.dst_base, static_cast<byte const*>(src) + p.src_base,
                static_cast<std::size_t>(p.unit));
    return true;
  }
  if (p.row_loop >= 0 && p.first_rows == 0) {
    auto const start = reinterpret_cast<std::intptr_t>(dst) + p.dst_base;
    std::int64_t const behind = start & 63;
    if (behind != 0 && behind % p.unit == 0) return run(shifted(p, behind), src, dst, threads, progress, owner);
  }
  job work{p, static_cast<byte const*>(src), static_cast<byte*>(dst), progress, owner};
  // Waking a thread costs about as much as copying this many bytes within the caches.
  constexpr std::int64_t worth_a_thread = 1 << 20;
  std::int64_t const max_threads = std::min<std::int64_t>(p.tiles, p.tiles * p.tile_bytes / worth_a_thread + 1);
  if (threads == 0) threads = exec::hardware_threads();
  threads = static_cast<int>(std::min<std::int64_t>(threads, max_threads));
  if (threads == 1) {
    work.run(0, p.tiles);
    return !work.stopped;
  }
  work.handed.store(1, std::memory_order_release);
  exec::parallel_ranges_on(
      threads, static_cast<std::uint64_t>(p.tiles), &work, [](void* owner_, std::uint64_t begin, std::uint64_t end) {
        static_cast<job*>(owner_)->run_range(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
      });
  (void)work.handed.load(std::memory_order_acquire);
  return !work.stopped;
}

}  // namespace tilewright::cpu_engine
