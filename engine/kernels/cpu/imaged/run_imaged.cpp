// Loops over bytes that compilers make vectors of; the copies between are other kernels'.
#include "engine/cpu/half_bytes.hpp"
#include "engine/cpu/program.hpp"
#include "engine/cpu/thread_buffer.hpp"
#include "engine/kernels/cpu/imaged/separate.hpp"
#include "engine/memory_units.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

namespace tilewright::cpu_engine {
namespace {

using std::int64_t;

/// `count` elements from `at` on, a byte each.
void part(byte* __restrict to, byte const* __restrict src, int64_t at, int64_t count) {
  if ((at & 1) != 0) *to++ = half_at(src, at++), --count;
  byte const* const from = src + (at >> 1);
  for (int64_t i = 0; i < count / 2; ++i) {
    to[2 * i] = from[i] & 15;
    to[2 * i + 1] = static_cast<byte>(from[i] >> 4);
  }
  if ((count & 1) != 0) to[count - 1] = half_at(src, at + count - 1);
}

/// The reverse of part().
void pack(byte* __restrict dst, int64_t at, byte const* __restrict from, int64_t count) {
  if ((at & 1) != 0) put_half(dst, at++, *from++), --count;
  byte* const to = dst + (at >> 1);
  for (int64_t i = 0; i < count / 2; ++i) to[i] = static_cast<byte>(from[2 * i] | from[2 * i + 1] << 4);
  if ((count & 1) != 0) put_half(dst, at + count - 1, from[count - 1]);
}

/// Bytes of two runs: those of their even places in `to`, of the odd ones behind them.
void join(byte* __restrict to, byte const* __restrict a, byte const* __restrict b, int64_t bytes) {
  for (int64_t i = 0; i < bytes; ++i) {
    to[i] = static_cast<byte>((a[i] & 15) | b[i] << 4);
    to[bytes + i] = static_cast<byte>(a[i] >> 4 | (b[i] & 0xf0));
  }
}

/// A side's place of a tile: what of it adds to places in the tile, and what is combined with them bit by bit, see separate.hpp.
struct tile_place {
  int64_t high = 0, low = 0;
  /// `unit`: of a place, for elements of so many
  tile_place(swizzle_value const& swizzle, int64_t offset, int64_t unit) {
    int64_t const mask = plan::swizzled_bits(swizzle);
    high = (offset - (offset & mask)) * unit;
    low = swizzle(offset & mask) * unit;
  }
  int64_t of(int64_t at) const { return high + (at ^ low); }
};

/// copy(bytes), where the compiler knows how many they are, if that is a size of registers or lines.
template <class Copy>
void with_size(int64_t bytes, Copy&& copy) {
  switch (bytes) {
    case 1: return copy(std::integral_constant<std::size_t, 1>());
    case 2: return copy(std::integral_constant<std::size_t, 2>());
    case 4: return copy(std::integral_constant<std::size_t, 4>());
    case 8: return copy(std::integral_constant<std::size_t, 8>());
    case 16: return copy(std::integral_constant<std::size_t, 16>());
    case 32: return copy(std::integral_constant<std::size_t, 32>());
    case 64: return copy(std::integral_constant<std::size_t, 64>());
    default: return copy(static_cast<std::size_t>(bytes));
  }
}

class imaged_runner {
 public:
  imaged_runner(imaged_program const& p, byte const* src, byte* dst)
      : p_(p),
        src_(src),
        dst_(dst),
        bytes_(std::max(1, p.element_bits / 8)) {
    constexpr int64_t slack = 64;  // that kernels may read behind an image
    int64_t read = 0, write = 0;
    for (imaged_tables const& t : p.variants) {
      read = std::max(read, t.read_bytes);
      write = std::max(write, t.write_bytes);
    }
    int64_t const second = (read + 2 * slack - 1) / slack * slack;
    first_image_ = thread_buffer(static_cast<std::size_t>(second + write + slack), buffer_user::around_kernels);
    second_image_ = first_image_ + second;
  }
  /// The tile whose first elements are at these offsets, before swizzles; the one whose source is at `next` comes then.
  void run(imaged_tables const& t, int64_t src, int64_t dst, std::optional<int64_t> next) const {
    tile_place const from(p_.src_swizzle, src, bytes_), to(p_.dst_swizzle, dst, bytes_);
    byte const* moved = t.reads.empty() ? src_ + src * bytes_ : first_image_;
    bool const ends_there = t.move.empty() && t.writes.empty();  // the image is the destination
    if (!t.reads.empty()) read(t, from, ends_there ? dst_ + dst * bytes_ : first_image_);
    if (!t.move.empty()) {
      byte* const target = !t.writes.empty() ? second_image_ : dst_ + (p_.joins ? dst >> 1 : dst * bytes_);
      run_tiles(t.move[0], moved, target, 0, t.move[0].tiles);
      moved = target;
    }
    if (!t.writes.empty() && !write_lines(t, to, moved, next)) write(t, to, moved);
  }

 private:
  void read(imaged_tables const& t, tile_place const& from, byte* image) const {
    if (p_.joins) {
      for (int64_t const at : t.reads) {
        byte const* const a = src_ + (from.of(at) >> 1);
        join(image, a, a + p_.partner / 2, t.read_run / 2);
        image += t.read_run;
      }
    } else if (p_.element_bits < 8) {
      for (int64_t const at : t.reads) part(std::exchange(image, image + t.read_run), src_, from.of(at), t.read_run);
    } else {
      byte const* const src = src_ + from.high;
      with_size(t.read_run * bytes_, [&, low = from.low, to = image](auto size) mutable {
#pragma GCC unroll 4
        for (int64_t const at : t.reads) std::memcpy(std::exchange(to, to + size), src + (at ^ low), size);
      });
    }
  }
  /// Some lines at a time, between which lines of the source that comes next are fetched.
  bool write_lines(imaged_tables const& t, tile_place const& to, byte const* image, std::optional<int64_t> next) const {
    byte* const dst = dst_ + to.high;
    if (t.lines.empty() || (reinterpret_cast<std::uintptr_t>(dst) & (engine::cache_line - 1)) != 0) return false;
    tile_place const ahead(p_.src_swizzle, next.value_or(0), bytes_);
    constexpr std::size_t some = line_list::max_count;
    std::size_t const fetches = next ? t.fetches.size() : 0, count = t.lines.size();
    line_list lines;
    lines.piece = std::min(t.write_run * bytes_, engine::cache_line);
    lines.low = to.low & -engine::cache_line;
    lines.swapped = (to.low & (engine::cache_line - 1)) / lines.piece;
    for (std::size_t i = 0; i < count; i += some) {
      std::size_t const end = std::min(i + some, count);
      lines.at = t.lines.data() + i;
      lines.pieces = t.pieces.data() + i * static_cast<std::size_t>(engine::cache_line / lines.piece);
      lines.count = static_cast<int64_t>(end - i);
      stream_pieces(dst, image, lines);
      for (std::size_t k = fetches * i / count; k < fetches * end / count; ++k)
        __builtin_prefetch(src_ + ahead.of(t.fetches[k]), 0, 2);
    }
    return true;
  }
  void write(imaged_tables const& t, tile_place const& to, byte const* image) const {
    if (p_.element_bits < 8) {
      write_halves(t, to, image);
    } else {
      byte* const dst = dst_ + to.high;
      with_size(t.write_run * bytes_, [&, low = to.low, from = image](auto size) mutable {
#pragma GCC unroll 4
        for (int64_t const at : t.writes) std::memcpy(dst + (at ^ low), std::exchange(from, from + size), size);
      });
    }
  }

  /// The atomic steps at the ends of a run let no other access pass, so lines of the runs that come later are fetched.
  void write_halves(imaged_tables const& t, tile_place const& to, byte const* image) const {
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < t.writes.size(); ++i) {
      if (i + ahead < t.writes.size()) {
        byte const* const later = dst_ + (to.of(t.writes[i + ahead]) >> 1);
        for (int64_t b = 0; b < t.write_run / 2 + engine::cache_line; b += engine::cache_line)
          __builtin_prefetch(later + b, 1);
      }
      pack(dst_, to.of(t.writes[i]), std::exchange(image, image + t.write_run), t.write_run);
    }
  }

  imaged_program const& p_;
  byte const* src_;
  byte* dst_;
  byte *first_image_, *second_image_;
  int64_t bytes_;
};

}  // namespace

void run_tiles(imaged_program const& p, byte const* src, byte* dst, int64_t begin, int64_t end) {
  imaged_runner const runner(p, src, dst);
  tile_cursor at(p.grid, begin);
  for (int64_t tile = begin; tile < end; ++tile) {
    imaged_tables const& tables = p.variants[at.variant];
    int64_t const from = p.src_base + at.src, to = p.dst_base + at.dst;
    at.advance();
    runner.run(tables, from, to, tile + 1 < end ? std::optional(p.src_base + at.src) : std::nullopt);
  }
}

}  // namespace tilewright::cpu_engine
