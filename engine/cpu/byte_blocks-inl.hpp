// Transposes of bytes whose columns fill lines: 64 rows of 16 bytes become 16 whole lines. For vectors of 64 bytes; compiled once for
// each instruction set that has them.
#include <hwy/highway.h>

#include "engine/cpu/fetcher.hpp"
#include "engine/cpu/vector_blocks-inl.hpp"

#include <optional>
#include <type_traits>

#if defined(TILEWRIGHT_ENGINE_CPU_BYTE_BLOCKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILEWRIGHT_ENGINE_CPU_BYTE_BLOCKS_INL
#undef TILEWRIGHT_ENGINE_CPU_BYTE_BLOCKS_INL
#else
#define TILEWRIGHT_ENGINE_CPU_BYTE_BLOCKS_INL
#endif

#if HWY_MAX_BYTES == 64

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

/// 16 bytes of each of four rows go into one vector as they are loaded, which takes no shuffle. One or two shuffles put together the four
/// bytes that each column has of these rows, four vectors of other rows are interleaved until a column has 16, and four such fours
/// exchange blocks of 16. That is 5 shuffles a line (6 without VBMI) in place of the 8 of interleaving bytes. `Parts`: quarters of a
/// line that the rows of a block fill.
template <int Parts>
class byte_block {
 public:
  static constexpr int rows = Parts * 16;

  /// row_at(r): where 16 bytes of row r are; put(c, v): takes the line of column c, of which the rows fill the first parts
  template <class RowAt, class Put>
  HWY_INLINE void run(RowAt const& row_at, Put const& put) const {
    __m512i v[4 * Parts];
    each<4 * Parts>([&](auto const g) HWY_ATTR { v[g()] = by_columns(loaded(row_at, 4 * g())); });
    each<Parts>([&](auto const part) HWY_ATTR { interleave(v + part() * 4); });
    each<4>([&](auto const e) HWY_ATTR {
      auto const of_part = [&](int part) HWY_ATTR { return v[std::min(part, Parts - 1) * 4 + e()]; };
      exchange_blocks(of_part(0), of_part(1), of_part(2), of_part(3),
                      [&](int block, __m512i whole) HWY_ATTR { put(block * 4 + e(), whole); });
    });
  }

 private:
  /// Four rows of so many lanes, row by row, become columns of four: lane 4 c + r of the result is lane r * Columns + c.
  template <class T, int Columns>
  struct lane_order {
    alignas(64) T lanes[64 / sizeof(T)] = {};
    constexpr lane_order() {
      for (int i = 0; i < static_cast<int>(64 / sizeof(T)); ++i)
        lanes[i] = static_cast<T>(i / (4 * Columns) * 4 * Columns + i % 4 * Columns + i % (4 * Columns) / 4);
    }
  };
  template <class T, int Columns>
  static HWY_INLINE __m512i order_of() {
    static constexpr lane_order<T, Columns> order;
    return _mm512_load_si512(order.lanes);
  }

  /// Calls use(constant) for 0 to Count - 1: a loop would keep its vectors in memory.
  template <int Count, class Use, int At = 0>
  static HWY_INLINE void each(Use const& use) {
    use(std::integral_constant<int, At>());
    if constexpr (At + 1 < Count) each<Count, Use, At + 1>(use);
  }

  template <class RowAt>
  static HWY_INLINE __m512i loaded(RowAt const& row_at, int first) {
    auto const block = [&](int i)
                           HWY_ATTR { return _mm_loadu_si128(reinterpret_cast<__m128i const*>(row_at(first + i))); };
    __m512i v = _mm512_castsi128_si512(block(0));
    v = _mm512_inserti32x4(v, block(1), 1);
    v = _mm512_inserti32x4(v, block(2), 2);
    return _mm512_inserti32x4(v, block(3), 3);
  }

  static HWY_INLINE __m512i by_columns(__m512i v) {
#if HWY_TARGET <= HWY_AVX3_DL
    return _mm512_permutexvar_epi8(order_of<byte, 16>(), v);
#else
    // Each block of 16 gets four bytes of each row, which are then put in order within it.
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi32(order_of<std::uint32_t, 4>(), v), within_blocks());
#endif
  }
  static HWY_INLINE __m512i within_blocks() {
    return _mm512_broadcast_i32x4(_mm512_castsi512_si128(order_of<byte, 4>()));
  }

  /// What block b of each has of column 4 b + e goes into v[e].
  static HWY_INLINE void interleave(__m512i* v) {
    __m512i const a = _mm512_unpacklo_epi32(v[0], v[1]), b = _mm512_unpackhi_epi32(v[0], v[1]);
    __m512i const c = _mm512_unpacklo_epi32(v[2], v[3]), d = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(a, c), v[1] = _mm512_unpackhi_epi64(a, c);
    v[2] = _mm512_unpacklo_epi64(b, d), v[3] = _mm512_unpackhi_epi64(b, d);
  }

  /// Calls put(b, block b of all four).
  template <class Put>
  static HWY_INLINE void exchange_blocks(__m512i a, __m512i b, __m512i c, __m512i d, Put const& put) {
    __m512i const low = _mm512_shuffle_i32x4(a, b, 0x44), high = _mm512_shuffle_i32x4(a, b, 0xee);
    __m512i const other = _mm512_shuffle_i32x4(c, d, 0x44), upper = _mm512_shuffle_i32x4(c, d, 0xee);
    put(0, _mm512_shuffle_i32x4(low, other, 0x88));
    put(1, _mm512_shuffle_i32x4(low, other, 0xdd));
    put(2, _mm512_shuffle_i32x4(high, upper, 0x88));
    put(3, _mm512_shuffle_i32x4(high, upper, 0xdd));
  }
};

/// The first parts of a line.
template <int Parts, bool Streaming>
HWY_INLINE void put_parts(byte* to, __m512i v) {
  if constexpr (Streaming) _mm512_stream_si512(reinterpret_cast<__m512i*>(to), v);
  else if constexpr (Parts == 4) _mm512_storeu_si512(to, v);
  else _mm512_mask_storeu_epi32(to, (1U << (4 * Parts)) - 1, v);
}

/// The columns of a line from byte `from` of it on, of a block's rows. All that it counts with is its own, and stays in registers while
/// bytes are written.
template <int Parts, bool Streaming, class RowAt>
HWY_INLINE void transpose_line(byte* const out, std::int64_t const* const columns, std::int64_t const from,
                               RowAt const row_at) {
  for (std::int64_t at = from; at < line; at += 16)
    byte_block<Parts>().run([=](int i) HWY_ATTR { return row_at(i) + at; },
                            [=](int c, __m512i v) HWY_ATTR { put_parts<Parts, Streaming>(out + columns[at + c], v); });
}

/// The distance from each of these rows to the next, if it is the same for all.
inline std::optional<std::int64_t> step_of(std::int64_t const* rows, std::int64_t count) {
  std::int64_t const step = rows[1] - rows[0];
  bool differ = false;
  for (std::int64_t i = 2; i < count; ++i) differ |= rows[i] - rows[i - 1] != step;
  return differ ? std::nullopt : std::optional(step);
}

/// A block's rows from `first` on, all columns; `step`: from each row to the next, if there is one. The last line of them begins earlier
/// where it would have fewer, which is why some columns are written again.
template <int Parts, bool Streaming>
void transpose_byte_rows(transpose_tile const& t, std::int64_t first, std::optional<std::int64_t> const step,
                         fetcher& caller) {
  constexpr int count = byte_block<Parts>::rows;
  fetcher ahead = caller;
  std::int64_t const* const rows = t.rows + first;
  for (std::int64_t k = 0; k < t.column_count; k += line) {
    std::int64_t const at = std::min(k, t.column_count - line);
    byte const* const src = t.src + at;
    auto const by = [&](auto const row_at) HWY_ATTR {
      transpose_line<Parts, Streaming>(t.dst + first, t.columns + at, (k - at) / 16 * 16, row_at);
    };
    ahead.steps(src, rows, count);
    if (step) by([base = src + rows[0], pitch = *step](int i) HWY_ATTR { return base + i * pitch; });
    else by([=](int i) HWY_ATTR { return src + rows[i]; });
  }
  caller = ahead;
}

/// All rows, a block of them after another; the last begins earlier where it would have too few.
/// pre: 64 rows and columns at least; what goes past the caches is whole lines
HWY_INLINE void transpose_bytes(transpose_tile const& t, fetcher& ahead) {
  std::optional<std::int64_t> const step = step_of(t.rows, t.row_count);
  auto const rows_of = [&](auto const parts, std::int64_t r) HWY_ATTR {
    constexpr std::int64_t count = byte_block<parts()>::rows;
    std::int64_t const first = std::min(r, t.row_count - count);
    if (t.streaming) transpose_byte_rows<4, true>(t, first, step, ahead);
    else transpose_byte_rows<parts(), false>(t, first, step, ahead);
    return count;
  };
  for (std::int64_t r = 0; r < t.row_count;) switch ((t.row_count - r + 15) / 16) {
      case 1: r += rows_of(std::integral_constant<int, 1>(), r); break;
      case 2: r += rows_of(std::integral_constant<int, 2>(), r); break;
      case 3: r += rows_of(std::integral_constant<int, 3>(), r); break;
      default: r += rows_of(std::integral_constant<int, 4>(), r);
    }
}

}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif
