// The vector kernels, for every instruction set, of which one is chosen at run time.
#include "engine/cpu/kernels.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#define HWY_TARGET_INCLUDE "engine/cpu/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/cpu/copy_runs-inl.hpp"
#include "engine/cpu/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

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
void copy_run(byte* dst, byte const* src, std::int64_t count, bool streaming, cpu_tuning const& tuning) {
  HWY_DYNAMIC_DISPATCH(copy_one_run)(dst, src, count, streaming, tuning);
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
