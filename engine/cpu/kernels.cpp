// The vector kernels, for every instruction set, of which one is chosen at run time.
#include "engine/cpu/kernels.hpp"

#include "engine/cpu/fetcher.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#define HWY_TARGET_INCLUDE "engine/cpu/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/cpu/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

bool copy_near_units(transpose_tile const&, std::int64_t, std::int64_t) { return false; }
HWY_INLINE void copy_lines(byte* dst, byte const* src, std::int64_t count) {
  std::memcpy(dst, src, static_cast<std::size_t>(count));
}
HWY_INLINE void copy_lines_ahead(byte* dst, byte const* src, std::int64_t count, byte const*) {
  copy_lines(dst, src, count);
}

#else

/// pre: dst is aligned to lines, count is a multiple of them
HWY_INLINE void copy_lines(byte* dst, byte const* src, std::int64_t count) {
  vector_tag<byte> const d;
  auto const step = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < count; i += step) hn::Stream(hn::LoadU(d, src + i), d, dst + i);
}
/// The same, while what is at `next` is fetched.
HWY_INLINE void copy_lines_ahead(byte* dst, byte const* src, std::int64_t count, byte const* next) {
  vector_tag<byte> const d;
  auto const step = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < count; i += line) {
    hwy::Prefetch(next + i);
    for (std::int64_t k = i; k < i + line; k += step) hn::Stream(hn::LoadU(d, src + k), d, dst + k);
  }
}

/// Units of a vector at least, through the caches: vectors one after another, the last of which may overlap the one before. Both ends of
/// the unit that comes in the next tile are fetched.
template <bool Fetches, class D>
HWY_INLINE void copy_by_vectors(D d, transpose_tile const& t, std::int64_t unit, std::int64_t column_step) {
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t const last = unit - vector, rows = t.row_count;
  auto const copy = [=](byte* to, byte const* from, byte const* next) HWY_ATTR {
    if constexpr (Fetches) {
      __builtin_prefetch(next, 0, 2);
      __builtin_prefetch(next + unit - 1, 0, 2);
    }
    auto const end = hn::LoadU(d, from + last);
    for (std::int64_t k = 0; k < last; k += vector) hn::StoreU(hn::LoadU(d, from + k), d, to + k);
    hn::StoreU(end, d, to + last);
  };
  for (std::int64_t c = 0; c < t.column_count; ++c) {
    byte* to = t.dst + t.columns[c];
    for (std::int64_t r = 0; r < rows; ++r, to += unit) {
      std::int64_t const at = t.rows[r] + c * column_step;
      copy(to, t.src + at, Fetches ? t.next + at : nullptr);
    }
  }
}

/// Does the tile have units that vectors move through the caches? Then it copies them.
bool copy_near_units(transpose_tile const& t, std::int64_t unit, std::int64_t column_step) {
  if (unit < 2 || unit >= t.tuning.called_unit_bytes) return false;
  auto const by = [&](auto const d) HWY_ATTR {
    if (t.next != nullptr) copy_by_vectors<true>(d, t, unit, column_step);
    else copy_by_vectors<false>(d, t, unit, column_step);
    return true;
  };
#if HWY_MAX_BYTES >= 32
  if (unit >= 32) return by(hn::FixedTag<byte, 32>());
#endif
  if (unit >= 16) return by(hn::FixedTag<byte, 16>());
  if (unit >= 8) return by(hn::FixedTag<byte, 8>());
  if (unit >= 4) return by(hn::FixedTag<byte, 4>());
  return by(hn::FixedTag<byte, 2>());
}

#endif

/// Calls use(constant) with the unit. 16 needs no interleaving: E is 1, and a block is a unit.
template <class Use>
HWY_INLINE void with_unit(int unit, Use const& use) {
  switch (unit) {
    case 1: return use(std::integral_constant<int, 1>());
    case 2: return use(std::integral_constant<int, 2>());
    case 4: return use(std::integral_constant<int, 4>());
    case 8: return use(std::integral_constant<int, 8>());
    default: return use(std::integral_constant<int, 16>());
  }
}

void transpose_any(transpose_tile const& t, int unit) {
  with_unit(unit, [&](auto const bytes) HWY_ATTR { transpose_units<bytes()>(t); });
}

void transpose_any_each(transpose_tile const& first, int unit, std::vector<transpose_place> const& places, bool fetches,
                        byte const* next) {
  with_unit(unit, [&](auto const bytes) HWY_ATTR {
    transpose_tile tile = first;
    std::size_t const count = places.size();
    for (std::size_t i = 0; i < count; ++i) {
      tile.src = first.src + places[i].src;
      tile.dst = first.dst + places[i].dst;
      tile.next = !fetches          ? nullptr
                  : i + 1 < count   ? first.src + places[i + 1].src
                  : next != nullptr ? next + places[0].src
                                    : nullptr;
      transpose_units<bytes()>(tile);
    }
  });
}

void copy_one_run(byte* dst, byte const* src, std::int64_t count, bool streaming, std::int64_t streamed) {
  if (!streaming || count < std::max(line, streamed)) {
    if (count <= 32) return copy_short(dst, src, count);
    std::memcpy(dst, src, static_cast<std::size_t>(count));
    return;
  }
  auto const head = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(dst) & (line - 1));
  std::memcpy(dst, src, static_cast<std::size_t>(head));
  std::int64_t const lines = (count - head) / line * line;
  copy_lines(dst + head, src + head, lines);
  std::memcpy(dst + head + lines, src + head + lines, static_cast<std::size_t>(count - head - lines));
}

/// Short units are fetched as transpose() does it. Of a long one the processor's prefetcher needs the beginning only, so the
/// next tile's is fetched along with the copying, line by line; those that go into a buffer leave the processor's prefetcher little
/// time, so longer ones are fetched, too.
void copy_all_units(transpose_tile const& t, std::int64_t unit, std::int64_t column_step) {
  bool const is_long = unit >= (t.slack ? t.tuning.long_unit_bytes : t.tuning.fetched_unit_bytes);
  bool const lines_alone = t.streaming && unit % line == 0 && reinterpret_cast<std::uintptr_t>(t.dst) % line == 0;
  if ((!t.streaming || unit < t.tuning.streamed_copy_bytes) && !lines_alone && copy_near_units(t, unit, column_step))
    return;
  fetcher ahead(t, column_step == unit ? unit * t.column_count : unit);
  for (std::int64_t c = 0; c < t.column_count; ++c) {
    byte* dst = t.dst + t.columns[c];
    bool const whole_lines = lines_alone && t.columns[c] % line == 0;
    for (std::int64_t r = 0; r < t.row_count; ++r, dst += unit) {
      byte const* const from = t.src + t.rows[r] + c * column_step;
      if (is_long && whole_lines && t.next != nullptr) {
        copy_lines_ahead(dst, from, unit, t.next + t.rows[r] + c * column_step);
        continue;
      }
      if (!is_long)
        for (std::int64_t k = 0; k < unit; k += line) ahead.step(from + k);
      if (whole_lines) copy_lines(dst, from, unit);
      else copy_one_run(dst, from, unit, t.streaming, t.tuning.streamed_copy_bytes);
    }
  }
}

/// Small pieces go into a buffer first, which has so many lines that the stores before are done when a line of it is loaded.
template <std::size_t Piece>
HWY_INLINE void stream_by_buffer(byte* dst, byte const* src, line_list const& t) {
  alignas(line) byte buffer[line_list::max_count * line];
  std::int64_t const pieces = t.count * (line / static_cast<std::int64_t>(Piece));
  for (std::int64_t i = 0; i < pieces; ++i)
    std::memcpy(buffer + i * static_cast<std::int64_t>(Piece), src + t.pieces[i ^ t.swapped], Piece);
  for (std::int64_t i = 0; i < t.count; ++i) copy_lines(dst + (t.at[i] ^ t.low), buffer + i * line, line);
}

#if HWY_TARGET == HWY_SCALAR

template <std::size_t Piece>
HWY_INLINE void stream_by_vectors(byte* dst, byte const* src, line_list const& t) {
  stream_by_buffer<Piece>(dst, src, t);
}

#else

/// The vector whose bytes from `at` on are at piece_at(place), `Piece` together at least.
template <std::size_t Piece, class D, class At>
HWY_INLINE hn::VFromD<D> joined_pieces(D d, std::size_t at, At const& piece_at) {
  if constexpr (hn::MaxLanes(D()) <= Piece) {
    return hn::LoadU(d, piece_at(at));
  } else {
    hn::Half<D> const half;
    auto const low = joined_pieces<Piece>(half, at, piece_at);
    return hn::Combine(d, joined_pieces<Piece>(half, at + hn::MaxLanes(half), piece_at), low);
  }
}

/// pre: Piece >= 16
template <std::size_t Piece>
HWY_INLINE void stream_by_vectors(byte* dst, byte const* src, line_list const& t) {
  vector_tag<byte> const d;
  constexpr std::size_t vector = HWY_MIN(line, HWY_MAX_BYTES);
  std::int32_t const* from = t.pieces;
  for (std::int64_t i = 0; i < t.count; ++i, from += line / Piece) {
    byte* const to = dst + (t.at[i] ^ t.low);
    auto const piece_at = [=](std::size_t place) HWY_ATTR {
      return src + from[static_cast<std::int64_t>(place / Piece) ^ t.swapped] + place % Piece;
    };
    for (std::size_t at = 0; at < std::size_t{line}; at += vector)
      hn::Stream(joined_pieces<Piece>(d, at, piece_at), d, to + at);
  }
}

#endif

void stream_all_pieces(byte* dst, byte const* src, line_list const& t) {
  switch (t.piece) {
    case 1: return stream_by_buffer<1>(dst, src, t);
    case 2: return stream_by_buffer<2>(dst, src, t);
    case 4: return stream_by_buffer<4>(dst, src, t);
    case 8: return stream_by_buffer<8>(dst, src, t);
    case 16: return stream_by_vectors<16>(dst, src, t);
    case 32: return stream_by_vectors<32>(dst, src, t);
    default: return stream_by_vectors<64>(dst, src, t);
  }
}

char const* name_of_target() { return hwy::TargetName(HWY_TARGET); }
int bytes_of_vector() { return static_cast<int>(hn::Lanes(vector_tag<byte>())); }

}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewright::cpu_engine {
namespace {

HWY_EXPORT(transpose_any);
HWY_EXPORT(transpose_any_each);
HWY_EXPORT(copy_one_run);
HWY_EXPORT(copy_all_units);
HWY_EXPORT(stream_all_pieces);
HWY_EXPORT(bytes_of_vector);
HWY_EXPORT(name_of_target);

}  // namespace

void transpose(transpose_tile const& tile, int unit) { HWY_DYNAMIC_DISPATCH(transpose_any)(tile, unit); }
void transpose_each(transpose_tile const& tile, int unit, std::vector<transpose_place> const& places, bool fetches,
                    byte const* next) {
  HWY_DYNAMIC_DISPATCH(transpose_any_each)(tile, unit, places, fetches, next);
}
void copy_run(byte* dst, byte const* src, std::int64_t count, bool streaming, std::int64_t streamed) {
  HWY_DYNAMIC_DISPATCH(copy_one_run)(dst, src, count, streaming, streamed);
}
void copy_units(transpose_tile const& tile, std::int64_t unit, std::int64_t column_step) {
  HWY_DYNAMIC_DISPATCH(copy_all_units)(tile, unit, column_step);
}
void stream_pieces(byte* dst, byte const* src, line_list const& lines) {
  HWY_DYNAMIC_DISPATCH(stream_all_pieces)(dst, src, lines);
}
void fence() { hwy::FlushStream(); }
int vector_bytes() { return HWY_DYNAMIC_DISPATCH(bytes_of_vector)(); }
std::vector<std::int32_t> unreadable_rows(std::vector<std::int64_t> const& rows, std::int64_t bytes) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] > rows[b]; });
  std::vector<std::int32_t> out(rows.size() + 1, 0);
  std::int64_t end = rows[order[0]] + bytes;  // of the bytes that may be read
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::int64_t const row = rows[order[i]];
    if (i > 0 && rows[order[i - 1]] >= row + bytes + 64) end = row + bytes;
    out[order[i] + 1] = row + (bytes + 15) / 16 * 16 > end ? 1 : 0;
  }
  std::partial_sum(out.begin(), out.end(), out.begin());
  return out;
}

char const* instruction_set() { return HWY_DYNAMIC_DISPATCH(name_of_target)(); }

}  // namespace tilewright::cpu_engine
#endif  // HWY_ONCE
