// Runs a program: the tiles go to threads in long ranges, so that each works its way through neighbouring memory.
#include "engine/cpu/thread_buffer.hpp"
#include "engine/cpu/tile_walk.hpp"
#include "engine/exec/parallel_ranges.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

namespace tilewright::cpu_engine {
namespace {

struct free_buffer {
  void operator()(byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
};

}  // namespace

byte* thread_buffer(std::size_t bytes, buffer_user user) {
  struct buffer {
    std::unique_ptr<byte[], free_buffer> memory;
    std::size_t held = 0;
  };
  thread_local std::array<buffer, 2> buffers;
  auto& [memory, held] = buffers[static_cast<std::size_t>(user)];
  if (held < bytes) {
    memory.reset(static_cast<byte*>(::operator new[](bytes, std::align_val_t{64})));
    held = bytes;
  }
  return memory.get();
}

namespace {

bool whole_lines(std::int64_t x) { return x % 64 == 0; }

class tile_runner {
 public:
  tile_runner(program const& p, byte const* src, byte* dst)
      : p_(p),
        src_(src + p.src_base),
        dst_(dst + p.dst_base),
        buffer_(p.buffered ? thread_buffer(static_cast<std::size_t>(carried_bytes + p.buffer_bytes)) + carried_bytes
                           : nullptr),
        lines_(p.streaming && std::all_of(p.columns.begin(), p.columns.end(), whole_lines)),
        last_row_first_(!p.rows.empty() && p.rows.back() < p.rows.front() &&
                        std::any_of(p.grid.begin(), p.grid.end(), [](tile_loop const& l) { return l.backwards; })) {}

  /// Runs the tile where the walk is, which goes on to the next; `is_last`: there is none.
  void run(tile_walk& walk, bool is_last) {
    auto const [rows, columns, unit] = walk.size();
    byte const* const src = src_ + walk.src;
    byte* const dst = dst_ + walk.dst;
    std::int64_t const bytes = columns * rows * p_.unit;
    byte const* next = nullptr;
    bool goes_on = false;
    if (!is_last) {
      walk.advance();
      next = src_ + walk.src;
      goes_on = p_.carries && dst_ + walk.dst == dst + bytes && (comes_ || bytes >= carried_bytes);
      if (p_.streaming && (p_.carries ? !goes_on : p_.kernel == cpu_kernel::interleave))
        fetch_ends(dst_ + walk.dst, walk.size());
    }
    if (p_.kernel == cpu_kernel::interleave) {
      interleave({src, dst, p_.planes.data(), p_.shuffles.data(), p_.joins_planes ? columns : rows, p_.unit,
                  static_cast<int>(p_.planes.size()), p_.joins_planes, p_.streaming, p_.tuning.interleave_piece_bytes});
      return;
    }
    if (!p_.buffered) {
      fill(dst, p_.columns.data(), src, rows, columns, unit, p_.streaming, false, next);
      return;
    }
    if (p_.streaming && !p_.carries) fetch_ends(dst, {rows, columns, unit});
    fill(buffer_, p_.buffer_columns.data(), src, rows, columns, unit, false, true, next);
    if (p_.carries) {
      constexpr std::int64_t at_dst = 0;
      write_carried_spans(dst, &at_dst, 1, bytes, buffer_, 0, comes_, goes_on);
      comes_ = goes_on;
      return;
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c)
      copy_run(dst + p_.columns[c], buffer_ + p_.buffer_columns[c], rows * p_.unit, p_.streaming, p_.tuning);
  }

 private:
  /// Lines that are written in part must be read, those of the next tile while this one is copied.
  void fetch_ends(byte* dst, tile_size const& size) const {
    auto const fetch = [](byte* first, std::int64_t bytes) {
      __builtin_prefetch(first, 1, 3);
      __builtin_prefetch(first + bytes - 1, 1, 3);
    };
    if (p_.carries || p_.joins_planes) return fetch(dst, size.rows * size.columns * p_.unit);
    std::int64_t const* const spans = p_.kernel == cpu_kernel::interleave ? p_.planes.data() : p_.columns.data();
    for (std::int64_t c = 0; c < size.columns; ++c) fetch(dst + spans[c], size.rows * p_.unit);
  }
  void fill(byte* dst, std::int64_t const* to, byte const* src, std::int64_t rows, std::int64_t columns,
            std::int64_t unit, bool streaming, bool slack, byte const* next) const {
    switch (p_.kernel) {
      case cpu_kernel::transpose: {
        bool const lines =
            streaming && lines_ && whole_lines(rows * p_.unit) && whole_lines(reinterpret_cast<std::intptr_t>(dst));
        bool const is_whole =
            rows == static_cast<std::int64_t>(p_.rows.size());  // else what follows the rows may not be there
        transpose({src, p_.rows.data(), rows, dst, to, columns, slack, lines, p_.ahead, next, p_.tuning,
                   is_whole && !p_.unreadable.empty() ? p_.unreadable.data() : nullptr},
                  static_cast<int>(p_.unit));
        return;
      }
      case cpu_kernel::copy_runs:
        copy_units({src, p_.rows.data(), rows, dst, to, columns, slack, streaming, 0, next, p_.tuning, nullptr, false,
                    false, last_row_first_},
                   unit, p_.column_src);
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
  bool comes_ = false;  // is part of the tile's first line left in front of the buffer
  bool lines_;
  bool last_row_first_;  // so that the source is read upwards within a tile too
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

  /// Tiles between two reports: so many that a report costs nothing and a stop comes soon.
  std::int64_t stride() const {
    return std::max<std::int64_t>(1, p.tuning.report_bytes / std::max<std::int64_t>(1, p.tile_bytes));
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
      run_tiles(p, src, dst, at, until);
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
};

/// The program itself, or the shifted one for a destination that begins within a cache line, put into `memory`.
program const& program_at(program const& p, void const* dst, std::optional<program>& memory) {
  std::int64_t const behind = (reinterpret_cast<std::intptr_t>(dst) + p.dst_base) & 63;
  if (p.row_loop < 0 || p.first_rows != 0 || behind == 0 || behind % p.unit != 0) return p;
  return memory.emplace(shifted(p, behind));
}

}  // namespace

void run_tiles(program const& p, void const* src_pointer, void* dst_pointer, std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  if (p.kernel == cpu_kernel::walk) {
    std::int64_t const chunk = (p.walked.elements + p.tiles - 1) / p.tiles;
    walk(p.walked, src_pointer, dst_pointer, std::min(begin * chunk, p.walked.elements),
         std::min(end * chunk, p.walked.elements));
    return;
  }
  if (p.kernel == cpu_kernel::imaged)
    return run_tiles(p.imaged, static_cast<byte const*>(src_pointer), static_cast<byte*>(dst_pointer), begin, end);
  if (p.kernel == cpu_kernel::tile)
    return run_tiles(p.tile, static_cast<byte const*>(src_pointer), static_cast<byte*>(dst_pointer), begin, end);
  tile_runner runner(p, static_cast<byte const*>(src_pointer), static_cast<byte*>(dst_pointer));
  tile_walk walk(p, begin);
  for (std::int64_t i = begin; i < end; ++i) runner.run(walk, i + 1 == end);
}

program program_for(program const& p, void const* dst) {
  std::optional<program> memory;
  return program_at(p, dst, memory);
}

bool run(program const& p, void const* src, void* dst, int threads, tile_progress progress, void* owner) {
  if (p.is_one_run && progress == nullptr) {
    std::memcpy(static_cast<byte*>(dst) + p.dst_base, static_cast<byte const*>(src) + p.src_base,
                static_cast<std::size_t>(p.unit));
    return true;
  }
  std::optional<program> memory;
  program const& at = program_at(p, dst, memory);
  if (&at != &p) return run(at, src, dst, threads, progress, owner);
  job work{p, static_cast<byte const*>(src), static_cast<byte*>(dst), progress, owner};
  std::int64_t const max_threads = std::min<std::int64_t>(p.tiles, p.tiles * p.tile_bytes / p.tuning.thread_bytes + 1);
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
