// Runs of any length, one after another: through the caches by vectors in place, past them line by line while what is read later is
// fetched. Compiled once for each instruction set.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "engine/cpu/vector_blocks-inl.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(TILEWRIGHT_ENGINE_CPU_COPY_RUNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILEWRIGHT_ENGINE_CPU_COPY_RUNS_INL
#undef TILEWRIGHT_ENGINE_CPU_COPY_RUNS_INL
#else
#define TILEWRIGHT_ENGINE_CPU_COPY_RUNS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

/// The row that comes as number i.
HWY_INLINE std::int64_t row_at(transpose_tile const& t, std::int64_t i) {
  return t.last_row_first ? t.row_count - 1 - i : i;
}

/// Where the bytes are that are read `bytes` later than those of a run: on in this run, in one that follows, or in the next tile.
class source_ahead {
 public:
  source_ahead(transpose_tile const& t, std::int64_t unit, std::int64_t column_step, std::int64_t bytes)
      : t_(t),
        column_step_(column_step),
        rest_(bytes % unit),
        base_(bytes == 0 ? nullptr : t.src) {
    for (std::int64_t i = 0; i < bytes / unit && base_ != nullptr; ++i) advance();
  }
  /// To the next run; returns where those of this one's last `rest()` bytes are: at its start. Null: nothing follows.
  byte const* advance() {
    if (base_ != nullptr && ++row_ == t_.row_count) {
      row_ = 0;
      if (++column_ == t_.column_count) {
        column_ = 0;
        base_ = is_next_ ? nullptr : t_.next;
        is_next_ = true;
      }
    }
    return at();
  }
  /// Those of this run's first bytes.
  byte const* first() const { return base_ == nullptr ? nullptr : at() + rest_; }
  std::int64_t rest() const { return rest_; }

 private:
  byte const* at() const {
    return base_ == nullptr ? nullptr : base_ + t_.rows[row_at(t_, row_)] + column_ * column_step_;
  }

  transpose_tile const& t_;
  std::int64_t column_step_, rest_;
  byte const* base_;
  std::int64_t row_ = 0, column_ = 0;
  bool is_next_ = false;
};

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void copy_lines(byte* dst, byte const* src, std::int64_t count, byte const* = nullptr) {
  std::memcpy(dst, src, static_cast<std::size_t>(count));
}
HWY_INLINE void copy_near(byte* dst, byte const* src, std::int64_t count, byte const* = nullptr) {
  std::memcpy(dst, src, static_cast<std::size_t>(count));
}
bool copy_near_units(transpose_tile const&, std::int64_t, std::int64_t) { return false; }

#else

/// Past the caches, while the lines at `next` are fetched if it is not null.
/// pre: dst is aligned to lines, count is a multiple of them
HWY_INLINE void copy_lines(byte* dst, byte const* src, std::int64_t count, byte const* next = nullptr) {
  vector_tag<byte> const d;
  auto const step = static_cast<std::int64_t>(hn::Lanes(d));
  if (next == nullptr) {
    for (std::int64_t i = 0; i < count; i += step) hn::Stream(hn::LoadU(d, src + i), d, dst + i);
    return;
  }
  for (std::int64_t i = 0; i < count; i += line) {
    __builtin_prefetch(next + i, 0, 2);  // into the second level, as in fetcher.hpp
    for (std::int64_t k = i; k < i + line; k += step) hn::Stream(hn::LoadU(d, src + k), d, dst + k);
  }
}

/// Vectors one after another from byte k on, the last of which may overlap the one before.
/// pre: a vector <= count
template <class D>
HWY_INLINE void copy_by_vectors(D d, byte* dst, byte const* src, std::int64_t count, std::int64_t k = 0) {
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t const last = count - vector;
  auto const end = hn::LoadU(d, src + last);
  for (; k < last; k += vector) hn::StoreU(hn::LoadU(d, src + k), d, dst + k);
  hn::StoreU(end, d, dst + last);
}

/// Through the caches: vectors of 32 bytes, fewer of which are cut by the ends of lines than of longer ones.
/// pre: 32 <= count
HWY_INLINE void copy_near(byte* dst, byte const* src, std::int64_t count, byte const* next = nullptr) {
  hn::CappedTag<byte, 32> const d;
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t k = 0;
  if (next != nullptr)
    for (; k + line < count; k += line) {
      hwy::Prefetch(next + k);
      for (std::int64_t j = k; j < k + line; j += vector) hn::StoreU(hn::LoadU(d, src + j), d, dst + j);
    }
  copy_by_vectors(d, dst, src, count, k);
}

/// Units of a vector at least, through the caches. Both ends of the unit that comes in the next tile are fetched.
template <bool Fetches, class D>
HWY_INLINE void copy_units_by_vectors(D d, transpose_tile const& t, std::int64_t unit, std::int64_t column_step) {
  std::int64_t const rows = t.row_count;
  auto const copy = [=](byte* to, byte const* from, byte const* next) HWY_ATTR {
    if constexpr (Fetches) {
      __builtin_prefetch(next, 0, 2);
      __builtin_prefetch(next + unit - 1, 0, 2);
    }
    copy_by_vectors(d, to, from, unit);
  };
  for (std::int64_t c = 0; c < t.column_count; ++c) {
    byte* to = t.dst + t.columns[c] + (t.last_row_first ? (rows - 1) * unit : 0);
    std::int64_t const step = t.last_row_first ? -unit : unit;
    for (std::int64_t i = 0; i < rows; ++i, to += step) {
      std::int64_t const at = t.rows[row_at(t, i)] + c * column_step;
      copy(to, t.src + at, Fetches ? t.next + at : nullptr);
    }
  }
}

/// Does the tile have units that vectors move through the caches? Then it copies them.
bool copy_near_units(transpose_tile const& t, std::int64_t unit, std::int64_t column_step) {
  if (unit < 2 || unit >= t.tuning.short_near_bytes) return false;
  auto const by = [&](auto const d) HWY_ATTR {
    if (t.next != nullptr) copy_units_by_vectors<true>(d, t, unit, column_step);
    else copy_units_by_vectors<false>(d, t, unit, column_step);
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

/// Through the caches. Null: nothing is fetched.
HWY_INLINE void copy_run_near(byte* dst, byte const* src, std::int64_t count, cpu_tuning const& t, byte const* next) {
  if (count <= 32) return copy_short(dst, src, count);
  if (count < t.called_unit_bytes) return copy_near(dst, src, count, next);
  std::memcpy(dst, src, static_cast<std::size_t>(count));
}

/// What is fetched along with a run: for its first bytes at `first`, for its last `rest` at `second`; null: nothing.
struct fetched_along {
  byte const* first = nullptr;
  byte const* second = nullptr;
  std::int64_t rest = 0;
};

/// Past the caches, but for the lines at both ends that are written in part.
/// pre: a line <= count
HWY_INLINE void stream_run(byte* dst, byte const* src, std::int64_t count, fetched_along const& f) {
  auto const head = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(dst) & (line - 1));
  std::int64_t const end = head + (count - head) / line * line;
  std::int64_t const cut = std::clamp((count - f.rest - head) / line * line + head, head, end);
  if (head != 0) copy_short(dst, src, head);
  copy_lines(dst + head, src + head, cut - head, f.first == nullptr ? nullptr : f.first + head);
  copy_lines(dst + cut, src + cut, end - cut, f.second == nullptr ? nullptr : f.second + cut - (count - f.rest));
  if (end != count) copy_short(dst + end, src + end, count - end);
}

void copy_one_run(byte* dst, byte const* src, std::int64_t count, bool streaming, cpu_tuning const& t) {
  if (!streaming || count < std::max(line, t.streamed_copy_bytes)) return copy_run_near(dst, src, count, t, nullptr);
  stream_run(dst, src, count, {});
}

/// Short units through the caches fetch the ends of the next tile's; all others the lines that are read some bytes later. Units that stay
/// in the caches on both sides leave it to the processor, which is faster there.
void copy_all_units(transpose_tile const& t, std::int64_t unit, std::int64_t column_step) {
  bool const lines_alone = t.streaming && unit % line == 0 && reinterpret_cast<std::uintptr_t>(t.dst) % line == 0;
  bool const streams = t.streaming && (unit >= std::max(line, t.tuning.streamed_copy_bytes) || lines_alone);
  if (!streams && copy_near_units(t, unit, column_step)) return;
  source_ahead ahead(t, unit, column_step, streams || t.slack ? t.tuning.fetched_ahead_bytes : 0);
  for (std::int64_t c = 0; c < t.column_count; ++c) {
    for (std::int64_t i = 0; i < t.row_count; ++i) {
      std::int64_t const r = row_at(t, i);
      byte* const dst = t.dst + t.columns[c] + r * unit;
      byte const* const from = t.src + t.rows[r] + c * column_step;
      fetched_along f{ahead.first(), nullptr, ahead.rest()};
      f.second = ahead.advance();
      if (streams) stream_run(dst, from, unit, f);
      else copy_run_near(dst, from, unit, t.tuning, f.first);
    }
  }
}

}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
