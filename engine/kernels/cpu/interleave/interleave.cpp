// Splits interleaved elements into planes, and joins planes again. Sixteen bytes of one side are put together from the C
// blocks of 16 bytes that they can come from on the other, by a byte shuffle of each; the tables of the shuffles are the
// only thing that depends on the elements' width. A vector of several blocks does several such groups at once.
#include "engine/kernels/cpu/interleave/interleave.hpp"
#include "engine/memory_units.hpp"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/cpu/interleave/interleave.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Element by element: what is shorter than a group.
void move_places(interleave_tile const& t, byte const* const* planes_in, byte* const* planes_out, byte const* src,
                 byte* dst, std::int64_t places) {
  for (std::int64_t p = 0; p < places; ++p)
    for (int c = 0; c < t.channels; ++c) {
      std::int64_t const joined = (p * t.channels + c) * t.unit, apart = p * t.unit;
      if (t.joins) std::memcpy(dst + joined, planes_in[c] + apart, static_cast<std::size_t>(t.unit));
      else std::memcpy(planes_out[c] + apart, src + joined, static_cast<std::size_t>(t.unit));
    }
}

#if HWY_TARGET == HWY_SCALAR  // no shuffles of 16 bytes

void interleave_tile_of(interleave_tile const& t) {
  byte const* in[max_channels];
  byte* out[max_channels];
  for (int c = 0; c < t.channels; ++c) in[c] = t.src + t.planes[c], out[c] = t.dst + t.planes[c];
  move_places(t, in, out, t.src, t.dst, t.places);
}

#else

constexpr std::int64_t line = engine::cache_line, block = 16;
using bytes_tag = hn::CappedTag<byte, line>;

/// The 16 bytes at p, p + step, p + 2 step … as the blocks of one vector.
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, byte const* p, std::int64_t step) {
  hn::FixedTag<byte, 16> const one;
#if HWY_MAX_BYTES == 16
  (void)d, (void)step;
  return hn::LoadU(one, p);
#else
  hn::FixedTag<byte, 32> const two;
  auto const low = hn::Combine(two, hn::LoadU(one, p + step), hn::LoadU(one, p));
#if HWY_MAX_BYTES == 32
  (void)d;
  return low;
#else
  return hn::Combine(d, hn::Combine(two, hn::LoadU(one, p + 3 * step), hn::LoadU(one, p + 2 * step)), low);
#endif
#endif
}

/// The blocks of one vector to the 16 bytes at p, p + step, p + 2 step …
template <class D>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, byte* p, std::int64_t step) {
  hn::FixedTag<byte, 16> const one;
#if HWY_MAX_BYTES == 16
  (void)d, (void)step;
  hn::StoreU(v, one, p);
#else
  hn::FixedTag<byte, 32> const two;
  auto const pair = [&](hn::Vec<decltype(two)> w, byte* to) {
    hn::StoreU(hn::LowerHalf(one, w), one, to);
    hn::StoreU(hn::UpperHalf(one, w), one, to + step);
  };
#if HWY_MAX_BYTES == 32
  (void)d;
  pair(v, p);
#else
  pair(hn::LowerHalf(two, v), p);
  pair(hn::UpperHalf(two, v), p + 2 * step);
#endif
#endif
}

/// Out of C vectors, the k-th of the other side.
template <int C, class D, class V>
HWY_INLINE V shuffled(D d, V const (&v)[C], byte const* tables) {
  V out = hn::TableLookupBytesOr0(v[0], hn::LoadDup128(d, tables));
  for (int c = 1; c < C; ++c) out = hn::Or(out, hn::TableLookupBytesOr0(v[c], hn::LoadDup128(d, tables + c * block)));
  return out;
}

/// A group has as many places as a vector holds units.
template <int C>
HWY_INLINE void split_groups(byte const* tables, byte const* src, byte* const* planes, std::int64_t groups) {
  bytes_tag const d;
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t g = 0; g < groups; ++g) {
    hn::Vec<bytes_tag> v[C];
    for (int c = 0; c < C; ++c) v[c] = load_blocks(d, src + g * C * vector + c * block, C * block);
    for (int k = 0; k < C; ++k) hn::StoreU(shuffled<C>(d, v, tables + k * C * block), d, planes[k] + g * vector);
  }
}
template <int C>
HWY_INLINE void join_groups(byte const* tables, byte const* const* planes, byte* dst, std::int64_t groups) {
  bytes_tag const d;
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t g = 0; g < groups; ++g) {
    hn::Vec<bytes_tag> v[C];
    for (int c = 0; c < C; ++c) v[c] = hn::LoadU(d, planes[c] + g * vector);
    for (int k = 0; k < C; ++k)
      store_blocks(d, shuffled<C>(d, v, tables + k * C * block), dst + g * C * vector + k * block, C * block);
  }
}

/// Any number of places: the last group again if they do not make up whole ones.
template <int C>
void move_groups(interleave_tile const& t, byte const* const* planes_in, byte* const* planes_out, byte const* src,
                 byte* dst, std::int64_t places) {
  std::int64_t const group = static_cast<std::int64_t>(hn::Lanes(bytes_tag())) / t.unit;
  if (places < group) return move_places(t, planes_in, planes_out, src, dst, places);
  std::int64_t const left = places % group;
  if (t.joins) {
    join_groups<C>(t.shuffles, planes_in, dst, places / group);
    if (left == 0) return;
    byte const* last[C];
    for (int c = 0; c < C; ++c) last[c] = planes_in[c] + (places - group) * t.unit;
    join_groups<C>(t.shuffles, last, dst + (places - group) * C * t.unit, 1);
  } else {
    split_groups<C>(t.shuffles, src, planes_out, places / group);
    if (left == 0) return;
    byte* last[C];
    for (int c = 0; c < C; ++c) last[c] = planes_out[c] + (places - group) * t.unit;
    split_groups<C>(t.shuffles, src + (places - group) * C * t.unit, last, 1);
  }
}

/// Contiguous bytes of the destination on their way through a buffer in the cache: whole lines are written, and what does
/// not fill one waits for more.
class line_writer {
 public:
  /// pre: buffer is aligned to lines
  void start(byte* dst, byte* buffer) {
    behind_ = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) & (line - 1));
    head_ = behind_ == 0 ? 0 : line - behind_;
    buffer_ = buffer;
    dst_ = dst - behind_;
  }
  byte* end() const { return buffer_ + behind_; }
  /// After `bytes` were put at end(). fetch(i) is called for each line written, with the bytes of those before.
  template <class Fetch>
  void flush(std::int64_t bytes, Fetch const& fetch) {
    std::int64_t const held = behind_ + bytes;
    byte const* from = buffer_;
    if (head_ != 0) {
      if (held < line) {
        behind_ = held;
        return;
      }
      std::memcpy(dst_ + line - head_, from + line - head_, static_cast<std::size_t>(head_));
      head_ = 0;
      from += line;
      dst_ += line;
    }
    std::int64_t const lines = (buffer_ + held - from) / line * line;
    bytes_tag const d;
    auto const step = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < lines; i += line) {
      fetch(i);
      for (std::int64_t k = i; k < i + line; k += step) hn::Stream(hn::Load(d, from + k), d, dst_ + k);
    }
    dst_ += lines;
    behind_ = buffer_ + held - from - lines;
    if (behind_ != 0) hn::Store(hn::Load(hn::FixedTag<byte, 16>(), from + lines), hn::FixedTag<byte, 16>(), buffer_);
    for (std::int64_t k = block; k < behind_; k += block)
      hn::Store(hn::Load(hn::FixedTag<byte, 16>(), from + lines + k), hn::FixedTag<byte, 16>(), buffer_ + k);
  }
  void finish() const {
    std::int64_t const first = head_ != 0 ? line - head_ : 0;
    std::memcpy(dst_ + first, buffer_ + first, static_cast<std::size_t>(behind_ - first));
  }

 private:
  byte *dst_ = nullptr, *buffer_ = nullptr;
  std::int64_t behind_ = 0;  // bytes that wait in the buffer, those before the destination's start included
  std::int64_t head_ = 0;    // bytes of a first line that is not ours from its start
};

/// All of the tile by way of a buffer, in pieces that stay in the first-level cache. While one is written, the next is
/// fetched, line for line: the processor's prefetcher ends at each page, and there is one for each plane.
template <int C>
void stream_places(interleave_tile const& t) {
  constexpr std::int64_t max_piece = 12288 / C / line * line;  // bytes of each plane
  constexpr std::int64_t pitch = max_piece + 2 * line;
  std::int64_t const piece = std::clamp(t.piece_bytes / C / line * line, line, max_piece);
  HWY_ALIGN_MAX byte memory[C * pitch];
  line_writer writers[C];
  byte const* in[C];
  byte* out[C];
  for (int c = 0; c < C; ++c) in[c] = t.src + t.planes[c];
  if (t.joins) writers[0].start(t.dst, memory);
  else
    for (int c = 0; c < C; ++c) writers[c].start(t.dst + t.planes[c], memory + c * pitch);
  std::int64_t const step = piece / t.unit;
  for (std::int64_t at = 0; at < t.places; at += step) {
    std::int64_t const places = std::min(step, t.places - at), bytes = places * t.unit;
    byte const* const src = t.src + at * C * t.unit;
    if (t.joins) {
      move_groups<C>(t, in, nullptr, nullptr, writers[0].end(), places);
      for (int c = 0; c < C; ++c) in[c] += bytes;
      int plane = 0;
      std::int64_t ahead = 0;
      writers[0].flush(C * bytes, [&](std::int64_t) {
        hwy::Prefetch(in[plane] + ahead);
        if (++plane < C) return;
        plane = 0;
        ahead += line;
      });
    } else {
      for (int c = 0; c < C; ++c) out[c] = writers[c].end();
      move_groups<C>(t, nullptr, out, src, nullptr, places);
      for (int c = 0; c < C; ++c)
        writers[c].flush(bytes, [next = src + (C + c) * bytes](std::int64_t i) { hwy::Prefetch(next + i); });
    }
  }
  for (int c = 0; c < (t.joins ? 1 : C); ++c) writers[c].finish();
}

template <int C>
void interleave_channels(interleave_tile const& t) {
  if (t.streaming) return stream_places<C>(t);
  byte const* in[C];
  byte* out[C];
  for (int c = 0; c < C; ++c) in[c] = t.src + t.planes[c], out[c] = t.dst + t.planes[c];
  move_groups<C>(t, in, out, t.src, t.dst, t.places);
}

void interleave_tile_of(interleave_tile const& t) {
  switch (t.channels) {
    case 2: return interleave_channels<2>(t);
    case 3: return interleave_channels<3>(t);
    case 4: return interleave_channels<4>(t);
    case 5: return interleave_channels<5>(t);
    case 6: return interleave_channels<6>(t);
    case 7: return interleave_channels<7>(t);
    default: return interleave_channels<8>(t);
  }
}

#endif

}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewright::cpu_engine {
namespace {

HWY_EXPORT(interleave_tile_of);

}  // namespace

std::vector<byte> interleave_shuffles(int channels, std::int64_t unit, bool joins) {
  constexpr std::int64_t block = 16;
  constexpr byte nothing = 0x80;
  std::vector<byte> out(static_cast<std::size_t>(channels * channels * block), nothing);
  for (int k = 0; k < channels; ++k)
    for (std::int64_t j = 0; j < block; ++j) {
      // Byte j of block k: which block of the other side has it, and where.
      std::int64_t from = 0, at = 0;
      if (joins) {
        std::int64_t const element = (k * block + j) / unit;
        from = element % channels;
        at = element / channels * unit + j % unit;
      } else {
        std::int64_t const joined = (j / unit * channels + k) * unit + j % unit;
        from = joined / block;
        at = joined % block;
      }
      out[static_cast<std::size_t>((k * channels + from) * block + j)] = static_cast<byte>(at);
    }
  return out;
}

void interleave(interleave_tile const& tile) { HWY_DYNAMIC_DISPATCH(interleave_tile_of)(tile); }

}  // namespace tilewright::cpu_engine
#endif  // HWY_ONCE
