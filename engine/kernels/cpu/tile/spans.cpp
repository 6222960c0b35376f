// See the header. How long a span is is asked once, and nothing beyond it is touched.
#include "engine/kernels/cpu/tile/spans.hpp"
#include "engine/memory_units.hpp"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/cpu/tile/spans.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t line = engine::cache_line;

#if HWY_TARGET == HWY_SCALAR  // no vectors of 16 bytes

HWY_INLINE void copy_span(byte* dst, byte const* src, std::int64_t bytes) {
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}
template <class From, class To>
HWY_INLINE void copy_short_spans(std::int64_t count, std::int64_t bytes, From const& from, To const& to) {
  for (std::int64_t i = 0; i < count; ++i) copy_span(to(i), from(i), bytes);
}
HWY_INLINE void stream_lines(byte* dst, byte const* src, std::int64_t bytes, fetch_cursor&) {
  copy_span(dst, src, bytes);
}

#else

using line_tag = hn::CappedTag<byte, line>;

/// Spans of less than a line from from(i) to to(i): how long they are is asked once.
template <class From, class To>
HWY_INLINE void copy_short_spans(std::int64_t count, std::int64_t bytes, From const& from, To const& to) {
#if HWY_MAX_BYTES == 64
  line_tag const d;
  auto const used = hn::FirstN(d, static_cast<std::size_t>(bytes));
  for (std::int64_t i = 0; i < count; ++i) hn::BlendedStore(hn::MaskedLoad(used, d, from(i)), used, d, to(i));
#else
  // Two vectors, which may overlap, of the bytes [begin, end).
  auto const by = [&](auto const d, std::int64_t begin, std::int64_t end) HWY_ATTR {
    std::int64_t const last = end - static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < count; ++i) {
      byte const* const src = from(i);
      byte* const dst = to(i);
      auto const low = hn::LoadU(d, src + begin), high = hn::LoadU(d, src + last);
      hn::StoreU(low, d, dst + begin);
      hn::StoreU(high, d, dst + last);
    }
  };
#if HWY_MAX_BYTES >= 32
  if (bytes >= 32) return by(hn::FixedTag<byte, 32>(), 0, bytes);
#else
  if (bytes > 32) {
    by(hn::FixedTag<byte, 16>(), 0, 32);
    return by(hn::FixedTag<byte, 16>(), bytes - 32, bytes);
  }
#endif
  if (bytes >= 16) return by(hn::FixedTag<byte, 16>(), 0, bytes);
  if (bytes >= 8) return by(hn::FixedTag<byte, 8>(), 0, bytes);
  if (bytes >= 4) return by(hn::FixedTag<byte, 4>(), 0, bytes);
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t k = 0; k < bytes; ++k) to(i)[k] = from(i)[k];
#endif
}

/// Nothing beyond the span is read or written.
HWY_INLINE void copy_span(byte* dst, byte const* src, std::int64_t bytes) {
  if (bytes < line)
    return copy_short_spans(
        1, bytes, [=](std::int64_t) HWY_ATTR { return src; }, [=](std::int64_t) HWY_ATTR { return dst; });
  line_tag const d;
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t at = 0;
  for (; at + 4 * vector <= bytes; at += 4 * vector) {
    auto const a = hn::LoadU(d, src + at), b = hn::LoadU(d, src + at + vector), c = hn::LoadU(d, src + at + 2 * vector),
               e = hn::LoadU(d, src + at + 3 * vector);
    hn::StoreU(a, d, dst + at);
    hn::StoreU(b, d, dst + at + vector);
    hn::StoreU(c, d, dst + at + 2 * vector);
    hn::StoreU(e, d, dst + at + 3 * vector);
  }
  for (; at + vector <= bytes; at += vector) hn::StoreU(hn::LoadU(d, src + at), d, dst + at);
  if (at < bytes) hn::StoreU(hn::LoadU(d, src + bytes - vector), d, dst + bytes - vector);
}

/// pre: dst is aligned to lines, bytes is a multiple of them
HWY_INLINE void stream_lines(byte* dst, byte const* src, std::int64_t bytes, fetch_cursor& caller) {
  fetch_cursor next = caller;
  line_tag const d;
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t at = 0; at < bytes; at += line) {
    for (std::int64_t k = at; k < at + line; k += vector) hn::Stream(hn::LoadU(d, src + k), d, dst + k);
    next.step();
  }
  caller = next;
}

#endif

void read_all_spans(byte* image, std::int64_t pitch, byte const* src, std::int64_t const* offsets, std::int64_t count,
                    std::int64_t bytes) {
  auto const from = [=](std::int64_t i) HWY_ATTR { return src + offsets[i]; };
  auto const to = [=](std::int64_t i) HWY_ATTR { return image + i * pitch; };
  if (bytes < line) return copy_short_spans(count, bytes, from, to);
  for (std::int64_t i = 0; i < count; ++i) copy_span(to(i), from(i), bytes);
}

HWY_INLINE void write_span(byte* dst, byte const* src, std::int64_t bytes, bool streaming, fetch_cursor& next) {
  if (!streaming || bytes < 2 * line) return copy_span(dst, src, bytes);
  auto const head = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(dst) & (line - 1));
  if (head != 0) copy_span(dst, src, head);
  std::int64_t const lines = (bytes - head) / line * line;
  stream_lines(dst + head, src + head, lines, next);
  if (head + lines != bytes) copy_span(dst + head + lines, src + head + lines, bytes - head - lines);
}
void write_all_spans(byte* dst, std::int64_t const* offsets, std::int64_t count, std::int64_t bytes, byte const* image,
                     std::int64_t pitch, bool streaming, fetch_list const& list) {
  if (bytes < line)
    return copy_short_spans(
        count, bytes, [=](std::int64_t i) HWY_ATTR { return image + i * pitch; },
        [=](std::int64_t i) HWY_ATTR { return dst + offsets[i]; });
  fetch_cursor next(list);
  for (std::int64_t i = 0; i < count; ++i) write_span(dst + offsets[i], image + i * pitch, bytes, streaming, next);
}

/// The line that ends at `from` to the line that ends at `to`; they may overlap.
HWY_INLINE void move_line(byte* to, byte const* from) {
  hn::CappedTag<byte, line> const d;
  constexpr int vectors = line / static_cast<int>(hn::MaxLanes(d));
  hn::Vec<decltype(d)> v[vectors];
  auto const step = static_cast<std::int64_t>(hn::Lanes(d));
  for (int i = 0; i < vectors; ++i) v[i] = hn::LoadU(d, from - line + i * step);
  for (int i = 0; i < vectors; ++i) hn::StoreU(v[i], d, to - line + i * step);
}

void write_all_carried_spans(byte* dst, std::int64_t const* offsets, std::int64_t count, std::int64_t bytes,
                             byte* image, std::int64_t pitch, bool comes, bool goes_on) {
  fetch_cursor nothing({});
  for (std::int64_t i = 0; i < count; ++i, image += pitch) {
    byte* const to = dst + offsets[i];
    std::int64_t const behind = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) & (line - 1));
    std::int64_t const first = comes ? -behind : std::min(-behind & (line - 1), bytes);
    std::int64_t const lines = (bytes - first) / line * line, end = first + lines;
    if (first > 0) copy_span(to, image, first);
    stream_lines(to + first, image + first, lines, nothing);
    if (goes_on) move_line(image, image + bytes);
    else copy_span(to + end, image + end, bytes - end);
  }
}

}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewright::cpu_engine {
namespace {

HWY_EXPORT(read_all_spans);
HWY_EXPORT(write_all_spans);
HWY_EXPORT(write_all_carried_spans);

}  // namespace

void read_spans(byte* image, std::int64_t pitch, byte const* src, std::int64_t const* offsets, std::int64_t count,
                std::int64_t bytes) {
  HWY_DYNAMIC_DISPATCH(read_all_spans)(image, pitch, src, offsets, count, bytes);
}
void write_spans(byte* dst, std::int64_t const* offsets, std::int64_t count, std::int64_t bytes, byte const* image,
                 std::int64_t pitch, bool streaming, fetch_list const& next) {
  HWY_DYNAMIC_DISPATCH(write_all_spans)(dst, offsets, count, bytes, image, pitch, streaming, next);
}

void write_carried_spans(byte* dst, std::int64_t const* offsets, std::int64_t count, std::int64_t bytes, byte* image,
                         std::int64_t pitch, bool comes, bool goes_on) {
  HWY_DYNAMIC_DISPATCH(write_all_carried_spans)(dst, offsets, count, bytes, image, pitch, comes, goes_on);
}

}  // namespace tilewright::cpu_engine
#endif  // HWY_ONCE
