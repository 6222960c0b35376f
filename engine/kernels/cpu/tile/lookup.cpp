// See the header. Patterns of few groups keep their tables in registers while their places go by.
#include "engine/kernels/cpu/tile/lookup.hpp"
#include "engine/memory_units.hpp"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/cpu/tile/lookup.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t line = engine::cache_line;

#if HWY_TARGET == HWY_SCALAR  // no vectors of 16 bytes: byte by byte

void lookup_all(std::vector<lookup_pattern> const& patterns, std::int64_t window, byte const* src, byte* dst, bool,
                fetch_list const&) {
  lookup_bytes(patterns, window, src, dst);
}
std::int64_t window_of_lookup() { return 16; }
void lookup_one_block(lookup_block const& b, byte const* src, byte* dst, fetch_list const&) {
  lookup_bytes(b, src, dst);
}

#else

using line_tag = hn::CappedTag<byte, line>;

/// Bytes that follow each other in the source.
template <bool Streaming>
void plain_copies(lookup_pattern const& p, byte const* src, byte* dst, fetch_cursor& caller) {
  fetch_cursor next = caller;
  line_tag const d;
  constexpr int step = static_cast<int>(hn::MaxLanes(d));
  byte const* const from = src + p.windows[0];
  for (lookup_place const *at = p.places.data(), *const end = at + p.places.size(); at != end; ++at) {
    for (int k = 0; k < line; k += step) {
      auto const v = hn::LoadU(d, from + at->src + k);
      if constexpr (Streaming) hn::Stream(v, d, dst + at->dst + k);
      else hn::StoreU(v, d, dst + at->dst + k);
    }
    next.step();
  }
  caller = next;
}

#if HWY_TARGET <= HWY_AVX3_DL  // lookups of bytes in 128

std::int64_t window_of_lookup() { return 64; }

template <bool Streaming>
HWY_INLINE void put(byte* to, __m512i v) {
  if constexpr (Streaming) _mm512_stream_si512(reinterpret_cast<__m512i*>(to), v);
  else _mm512_storeu_si512(to, v);
}
HWY_INLINE __m512i loaded(byte const* from) { return _mm512_loadu_si512(from); }
HWY_INLINE __m512i looked_up(byte const* from, std::int64_t const* windows, __m512i index) {
  return _mm512_permutex2var_epi8(loaded(from + windows[0]), index, loaded(from + windows[1]));
}

/// Groups whose tables stay in registers. `Odd`: the last group has one window.
/// The cursor is a copy: what is written to bytes could be the caller's, as far as the compiler knows.
template <int Groups, bool Odd, bool Streaming>
void few_groups_of_pairs(lookup_pattern const& p, byte const* src, byte* dst, fetch_cursor& caller) {
  fetch_cursor next = caller;
  __m512i index[Groups];
  __mmask64 mask[Groups];
  std::int64_t windows[2 * Groups];
  for (int g = 0; g < Groups; ++g) {
    index[g] = loaded(p.indices.data() + g * line);
    mask[g] = p.masks[static_cast<std::size_t>(g)];
    windows[2 * g] = p.windows[static_cast<std::size_t>(2 * g)];
    windows[2 * g + 1] = p.windows[static_cast<std::size_t>(2 * g + 1)];
  }
  auto const group = [&](byte const* from, int g) {
    if (Odd && g == Groups - 1) return _mm512_permutexvar_epi8(index[g], loaded(from + windows[2 * g]));
    return looked_up(from, windows + 2 * g, index[g]);
  };
  for (lookup_place const *at = p.places.data(), *const end = at + p.places.size(); at != end; ++at) {
    byte const* const from = src + at->src;
    __m512i v = group(from, 0);
    for (int g = 1; g < Groups; ++g) v = _mm512_mask_mov_epi8(v, mask[g], group(from, g));
    put<Streaming>(dst + at->dst, v);
    next.step();
  }
  caller = next;
}

/// Windows in pairs of 64 bytes.
struct pairs {
  template <int Groups, bool Streaming>
  static HWY_INLINE void few_groups(lookup_pattern const& p, byte const* src, byte* dst, fetch_cursor& next) {
    if (p.is_odd) few_groups_of_pairs<Groups, true, Streaming>(p, src, dst, next);
    else few_groups_of_pairs<Groups, false, Streaming>(p, src, dst, next);
  }
  template <bool Streaming>
  static void many_groups(lookup_pattern const& p, byte const* src, byte* dst, fetch_cursor& caller) {
    fetch_cursor next = caller;
    std::int64_t const groups = p.groups();
    for (lookup_place const *at = p.places.data(), *const end = at + p.places.size(); at != end; ++at) {
      byte const* const from = src + at->src;
      std::int64_t const* windows = p.windows.data();
      byte const* index = p.indices.data();
      __m512i v = looked_up(from, windows, loaded(index));
      for (std::int64_t g = 1; g < groups; ++g) {
        windows += 2, index += line;
        v = _mm512_mask_mov_epi8(v, p.masks[static_cast<std::size_t>(g)], looked_up(from, windows, loaded(index)));
      }
      put<Streaming>(dst + at->dst, v);
      next.step();
    }
    caller = next;
  }
};

template <int Pairs>
void block_of_pairs(lookup_block const& b, byte const* src, byte* dst, fetch_cursor& caller) {
  fetch_cursor next = caller;
  auto const vectors = static_cast<std::int64_t>(b.at.size());
  for (lookup_place const *at = b.places.data(), *const end = at + b.places.size(); at != end; ++at) {
    __m512i window[2 * Pairs];
    for (int w = 0; w < 2 * Pairs; ++w) window[w] = loaded(src + at->src + b.windows[static_cast<std::size_t>(w)]);
    byte const* index = b.indices.data();
    std::uint64_t const* mask = b.masks.data();
    for (std::int64_t i = 0; i < vectors; ++i, index += Pairs * line, mask += Pairs) {
      __m512i v = _mm512_permutex2var_epi8(window[0], loaded(index), window[1]);
      for (int g = 1; g < Pairs; ++g)
        v = _mm512_mask_mov_epi8(v, mask[g],
                                 _mm512_permutex2var_epi8(window[2 * g], loaded(index + g * line), window[2 * g + 1]));
      put<false>(dst + at->dst + b.at[static_cast<std::size_t>(i)], v);
      next.step();
    }
  }
  caller = next;
}

void lookup_one_block(lookup_block const& b, byte const* src, byte* dst, fetch_list const& list) {
  fetch_cursor next(list);
  switch (b.windows.size() / 2) {
    case 1: return block_of_pairs<1>(b, src, dst, next);
    case 2: return block_of_pairs<2>(b, src, dst, next);
    case 3: return block_of_pairs<3>(b, src, dst, next);
    case 4: return block_of_pairs<4>(b, src, dst, next);
    case 5: return block_of_pairs<5>(b, src, dst, next);
    case 6: return block_of_pairs<6>(b, src, dst, next);
    case 7: return block_of_pairs<7>(b, src, dst, next);
    default: return block_of_pairs<8>(b, src, dst, next);
  }
}

#else

std::int64_t window_of_lookup() { return 16; }
void lookup_one_block(lookup_block const& b, byte const* src, byte* dst, fetch_list const&) {
  lookup_bytes(b, src, dst);
}

#endif

using part_vector = hn::Vec<line_tag>;
constexpr int part_bytes = static_cast<int>(hn::MaxLanes(line_tag())), parts = static_cast<int>(line) / part_bytes;

/// Windows in fours of 16 bytes, one for each block of 16 bytes of a line, which is one to four vectors.
struct fours {
  /// The windows of the blocks of a part.
  static HWY_INLINE part_vector load_windows(byte const* from, std::int64_t const* windows) {
    hn::FixedTag<byte, 16> const block;
#if HWY_MAX_BYTES >= 32
    hn::FixedTag<byte, 32> const two;
    auto const low = hn::Combine(two, hn::LoadU(block, from + windows[1]), hn::LoadU(block, from + windows[0]));
#if HWY_MAX_BYTES >= 64
    auto const high = hn::Combine(two, hn::LoadU(block, from + windows[3]), hn::LoadU(block, from + windows[2]));
    return hn::Combine(line_tag(), high, low);
#else
    return low;
#endif
#else
    return hn::LoadU(block, from + windows[0]);
#endif
  }

  /// Groups whose tables stay in registers.
  /// The cursor is a copy: what is written to bytes could be the caller's, as far as the compiler knows.
  template <int Groups, bool Streaming>
  static HWY_INLINE void few_groups(lookup_pattern const& p, byte const* src, byte* dst, fetch_cursor& caller) {
    fetch_cursor next = caller;
    line_tag const d;
    part_vector index[Groups * parts];
    std::int64_t windows[Groups * 4];
    for (int i = 0; i < Groups * parts; ++i) index[i] = hn::LoadU(d, p.indices.data() + i * part_bytes);
    for (int i = 0; i < Groups * 4; ++i) windows[i] = p.windows[static_cast<std::size_t>(i)];
    for (lookup_place const *at = p.places.data(), *const end = at + p.places.size(); at != end; ++at) {
      byte const* const from = src + at->src;
      byte* const to = dst + at->dst;
      for (int k = 0; k < parts; ++k) {
        std::int64_t const* const w = windows + k * (4 / parts);
        part_vector v = hn::TableLookupBytesOr0(load_windows(from, w), index[k]);
        for (int g = 1; g < Groups; ++g)
          v = hn::Or(v, hn::TableLookupBytesOr0(load_windows(from, w + 4 * g), index[g * parts + k]));
        if constexpr (Streaming) hn::Stream(v, d, to + k * part_bytes);
        else hn::StoreU(v, d, to + k * part_bytes);
      }
      next.step();
    }
    caller = next;
  }

  template <bool Streaming>
  static void many_groups(lookup_pattern const& p, byte const* src, byte* dst, fetch_cursor& caller) {
    fetch_cursor next = caller;
    line_tag const d;
    std::int64_t const groups = p.groups();
    for (lookup_place const *at = p.places.data(), *const end = at + p.places.size(); at != end; ++at) {
      byte const* const from = src + at->src;
      std::int64_t const* windows = p.windows.data();
      byte const* index = p.indices.data();
      part_vector v[parts];
      for (int k = 0; k < parts; ++k) v[k] = hn::Zero(d);
      for (std::int64_t g = 0; g < groups; ++g, windows += 4, index += line)
        for (int k = 0; k < parts; ++k)
          v[k] = hn::Or(v[k], hn::TableLookupBytesOr0(load_windows(from, windows + k * (4 / parts)),
                                                      hn::LoadU(d, index + k * part_bytes)));
      for (int k = 0; k < parts; ++k) {
        if constexpr (Streaming) hn::Stream(v[k], d, dst + at->dst + k * part_bytes);
        else hn::StoreU(v[k], d, dst + at->dst + k * part_bytes);
      }
      next.step();
    }
    caller = next;
  }
};

template <class Windows, bool Streaming>
void lookup_patterns(std::vector<lookup_pattern> const& patterns, byte const* src, byte* dst, fetch_cursor& next) {
  for (lookup_pattern const& p : patterns) switch (p.groups()) {
      case 1:
        if (p.is_plain) plain_copies<Streaming>(p, src, dst, next);
        else Windows::template few_groups<1, Streaming>(p, src, dst, next);
        break;
      case 2: Windows::template few_groups<2, Streaming>(p, src, dst, next); break;
      case 3: Windows::template few_groups<3, Streaming>(p, src, dst, next); break;
      case 4: Windows::template few_groups<4, Streaming>(p, src, dst, next); break;
      case 5: Windows::template few_groups<5, Streaming>(p, src, dst, next); break;
      case 6: Windows::template few_groups<6, Streaming>(p, src, dst, next); break;
      default: Windows::template many_groups<Streaming>(p, src, dst, next);
    }
}

template <class Windows>
void lookup_in(std::vector<lookup_pattern> const& patterns, byte const* src, byte* dst, bool streaming,
               fetch_cursor& next) {
  if (streaming) lookup_patterns<Windows, true>(patterns, src, dst, next);
  else lookup_patterns<Windows, false>(patterns, src, dst, next);
}

void lookup_all(std::vector<lookup_pattern> const& patterns, std::int64_t window, byte const* src, byte* dst,
                bool streaming, fetch_list const& list) {
  fetch_cursor next(list);
#if HWY_TARGET <= HWY_AVX3_DL
  if (window == 64) return lookup_in<pairs>(patterns, src, dst, streaming, next);
#endif
  (void)window;
  lookup_in<fours>(patterns, src, dst, streaming, next);
}

#endif

}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewright::cpu_engine {
namespace {

HWY_EXPORT(window_of_lookup);
HWY_EXPORT(lookup_all);
HWY_EXPORT(lookup_one_block);

}  // namespace

void lookup_bytes(std::vector<lookup_pattern> const& patterns, std::int64_t window, byte const* src, byte* dst) {
  constexpr std::size_t lanes = 64;
  for (lookup_pattern const& p : patterns)
    for (lookup_place const& at : p.places) {
      byte out[lanes] = {};
      for (std::size_t g = 0; g < p.masks.size(); ++g)
        for (std::size_t i = 0; i < lanes; ++i) {
          if ((p.masks[g] >> i & 1) == 0) continue;
          std::size_t const from = p.indices[g * lanes + i], number = window == 64 ? g * 2 + from / 64 : g * 4 + i / 16;
          out[i] = src[at.src + p.windows[number] + static_cast<std::int64_t>(from % 64)];
        }
      std::memcpy(dst + at.dst, out, lanes);
    }
}

void lookup_bytes(lookup_block const& b, byte const* src, byte* dst) {
  constexpr std::size_t lanes = 64;
  std::size_t const pairs = b.windows.size() / 2;
  for (lookup_place const& place : b.places)
    for (std::size_t v = 0; v < b.at.size(); ++v)
      for (std::size_t i = 0; i < lanes; ++i)
        for (std::size_t g = 0; g < pairs; ++g) {
          if ((b.masks[v * pairs + g] >> i & 1) == 0) continue;
          std::size_t const from = b.indices[(v * pairs + g) * lanes + i];
          dst[place.dst + b.at[v] + static_cast<std::int64_t>(i)] =
              src[place.src + b.windows[2 * g + from / lanes] + static_cast<std::int64_t>(from % lanes)];
        }
}

std::int64_t lookup_window() { return HWY_DYNAMIC_DISPATCH(window_of_lookup)(); }
void lookup(lookup_block const& block, byte const* src, byte* dst, fetch_list const& next) {
  HWY_DYNAMIC_DISPATCH(lookup_one_block)(block, src, dst, next);
}
void lookup(std::vector<lookup_pattern> const& patterns, std::int64_t window, byte const* src, byte* dst,
            bool streaming, fetch_list const& next) {
  if (window > lookup_window()) return lookup_bytes(patterns, window, src, dst);
  HWY_DYNAMIC_DISPATCH(lookup_all)(patterns, window, src, dst, streaming, next);
}

}  // namespace tilewright::cpu_engine
#endif  // HWY_ONCE
