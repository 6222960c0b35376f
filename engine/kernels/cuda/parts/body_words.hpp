// What the bodies of the kernels do with words: loads and stores on either machine, shifts and reversals of what was loaded
// from anywhere.
#pragma once

#include "tilewright/atom/ptx/prefetch.hpp"
#include "tilewright/base/config.hpp"
#include "tilewright/exec/cuda/bundle.hpp"

namespace tilewright::kernels {

template <int Bytes>
TILEWRIGHT_FN bundle<Bytes> load_words(void const* p) {
#if TILEWRIGHT_ON_DEVICE
  return load_bundle<Bytes>(p);
#else
  bundle<Bytes> out{};
  auto* const to = reinterpret_cast<unsigned char*>(out.words);
  for (int i = 0; i < Bytes; ++i) to[i] = static_cast<unsigned char const*>(p)[i];
  return out;
#endif
}

template <int Bytes, bool EvictLast>
TILEWRIGHT_FN bundle<Bytes> load_global(void const* p) {
#if TILEWRIGHT_ON_DEVICE
  return load_source<Bytes, EvictLast>(p);
#else
  return load_words<Bytes>(p);
#endif
}

template <int Bytes>
TILEWRIGHT_FN void store_words(void* p, bundle<Bytes> const& in) {
#if TILEWRIGHT_ON_DEVICE
  store_bundle<Bytes>(p, in);
#else
  auto const* const from = reinterpret_cast<unsigned char const*>(in.words);
  for (int i = 0; i < Bytes; ++i) static_cast<unsigned char*>(p)[i] = from[i];
#endif
}

/// Brings the line, or the sector alone, at `p` into the second-level cache. On a CPU a block may want to hear of it (tests do).
template <class Block>
TILEWRIGHT_FN void fetch([[maybe_unused]] Block& block, [[maybe_unused]] void const* p,
                         [[maybe_unused]] bool sector_alone) {
#if TILEWRIGHT_ON_DEVICE
  if (sector_alone) ptx::prefetch_l2_sector(p);
  else ptx::prefetch_l2(p);
#else
  if constexpr (requires { block.fetched(p); }) block.fetched(p);
#endif
}

/// Bytes `by` to `by` + 3 of the two words.
TILEWRIGHT_FN unsigned shifted_word(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (by * 8));
}

/// A word of elements of 1 or 2 bytes, the last of them first.
template <int Element>
TILEWRIGHT_FN unsigned reversed_word(unsigned word) {
  unsigned const halves = word >> 16 | word << 16;
  return Element == 2 ? halves : (halves & 0x00ff00ffu) << 8 | (halves >> 8 & 0x00ff00ffu);
}

/// The first `count` bytes of `first`, then those of `second`; count may be negative, or above 4.
TILEWRIGHT_FN unsigned merged_word(unsigned first, unsigned second, int count) {
  unsigned const mask = count <= 0 ? 0u : count >= 4 ? ~0u : (1u << (count * 8)) - 1u;
  return (first & mask) | (second & ~mask);
}

/// Bytes `lead` to `lead` + 15 of two vectors that follow each other.
/// OfWords: lead is a multiple of 4
template <bool OfWords>
TILEWRIGHT_FN bundle<16> shifted_vector(bundle<16> const& low, bundle<16> const& high, unsigned lead) {
  unsigned words[8];
  TILEWRIGHT_UNROLL
  for (int i = 0; i < 4; ++i) words[i] = low.words[i], words[i + 4] = high.words[i];
  TILEWRIGHT_UNROLL
  for (int i = 0; i < 6; ++i) words[i] = (lead & 8u) != 0 ? words[i + 2] : words[i];
  TILEWRIGHT_UNROLL
  for (int i = 0; i < 5; ++i) words[i] = (lead & 4u) != 0 ? words[i + 1] : words[i];
  bundle<16> out;
  TILEWRIGHT_UNROLL
  for (int i = 0; i < 4; ++i) out.words[i] = OfWords ? words[i] : shifted_word(words[i], words[i + 1], lead & 3u);
  return out;
}

}  // namespace tilewright::kernels
