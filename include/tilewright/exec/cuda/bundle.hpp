// What the kernels of whole-tensor copies carry: a bundle of 1 to 16 bytes, loaded and stored by one instruction, and the
// transposes of small elements between bundles in registers, by which 8- and 16-bit elements change the mode they run along
// at the price of one or two byte permutations for each word.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/evict_last.hpp"

namespace tilewright {

/// `Bytes` bytes in 32-bit registers; the low ones of a register where there are fewer than 4.
template <int Bytes>
struct bundle {
  static constexpr int registers = Bytes < 4 ? 1 : Bytes / 4;
  unsigned words[registers];
};

/// `Count` elements of `Bytes` bytes, one to a bundle, in one bundle: the first in the low bytes.
template <int Bytes, int Count>
TILEWRIGHT_FN bundle<Bytes * Count> join(bundle<Bytes> const (&in)[Count]) {
  bundle<Bytes * Count> out{};
  TILEWRIGHT_UNROLL
  for (int i = 0; i < Count; ++i) {
    if constexpr (Bytes >= 4) {
      TILEWRIGHT_UNROLL
      for (int r = 0; r < Bytes / 4; ++r) out.words[i * (Bytes / 4) + r] = in[i].words[r];
    } else {
      out.words[i * Bytes / 4] |= in[i].words[0] << (i * Bytes % 4 * 8);
    }
  }
  return out;
}

/// Four of the eight bytes of two words: those that the selector's hexadecimal digits name, its lowest digit the first.
/// pre: digits are below 8
TILEWRIGHT_FN unsigned chosen_bytes(unsigned low, unsigned high, unsigned selector) {
#if TILEWRIGHT_ON_DEVICE
  return __byte_perm(low, high, selector);
#else
  unsigned long long const all = static_cast<unsigned long long>(high) << 32 | low;
  unsigned out = 0;
  for (int i = 0; i < 4; ++i) out |= static_cast<unsigned>(all >> ((selector >> (4 * i) & 7u) * 8) & 0xffu) << (8 * i);
  return out;
#endif
}

/// `Count` words, each of 4 / Bytes elements along one mode, transposed: out[s] is element s of every word, in order.
template <int Bytes, int Count>
TILEWRIGHT_FN void transpose_bundles(bundle<4> const (&in)[Count], bundle<Bytes * Count> (&out)[4 / Bytes]) {
  if constexpr (Count * Bytes < 4) {
    TILEWRIGHT_UNROLL
    for (int s = 0; s < 4 / Bytes; ++s) {
      bundle<Bytes> one[Count];
      TILEWRIGHT_UNROLL
      for (int i = 0; i < Count; ++i)
        one[i].words[0] = in[i].words[0] >> (s * Bytes * 8) & (Bytes == 1 ? 0xffu : 0xffffu);
      out[s] = join<Bytes, Count>(one);
    }
  } else if constexpr (Bytes == 2) {
    TILEWRIGHT_UNROLL
    for (int g = 0; g < Count / 2; ++g) {
      unsigned const a = in[2 * g].words[0], b = in[2 * g + 1].words[0];
      out[0].words[g] = chosen_bytes(a, b, 0x5410);
      out[1].words[g] = chosen_bytes(a, b, 0x7632);
    }
  } else {
    TILEWRIGHT_UNROLL
    for (int g = 0; g < Count / 4; ++g) {
      unsigned const a = in[4 * g].words[0], b = in[4 * g + 1].words[0];
      unsigned const c = in[4 * g + 2].words[0], d = in[4 * g + 3].words[0];
      unsigned const ab_low = chosen_bytes(a, b, 0x5140), ab_high = chosen_bytes(a, b, 0x7362);  // a0 b0 a1 b1 …
      unsigned const cd_low = chosen_bytes(c, d, 0x5140), cd_high = chosen_bytes(c, d, 0x7362);
      out[0].words[g] = chosen_bytes(ab_low, cd_low, 0x5410);
      out[1].words[g] = chosen_bytes(ab_low, cd_low, 0x7632);
      out[2].words[g] = chosen_bytes(ab_high, cd_high, 0x5410);
      out[3].words[g] = chosen_bytes(ab_high, cd_high, 0x7632);
    }
  }
}

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

/// pre: p is aligned to Bytes
template <int Bytes>
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE bundle<Bytes> load_bundle(void const* p) {
  if constexpr (Bytes == 16) {
    uint4 const v = *static_cast<uint4 const*>(p);
    return {{v.x, v.y, v.z, v.w}};
  } else if constexpr (Bytes == 8) {
    uint2 const v = *static_cast<uint2 const*>(p);
    return {{v.x, v.y}};
  } else if constexpr (Bytes == 4) {
    return {{*static_cast<unsigned const*>(p)}};
  } else if constexpr (Bytes == 2) {
    return {{*static_cast<unsigned short const*>(p)}};
  } else {
    return {{*static_cast<unsigned char const*>(p)}};
  }
}

/// A load of the source of a copy. EvictLast: its line is the last that the second-level cache gives up.
/// pre: p is aligned to Bytes; 4, 8 or 16 of them where EvictLast
template <int Bytes, bool EvictLast>
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE bundle<Bytes> load_source(void const* p) {
#if TILEWRIGHT_ON_DEVICE
  if constexpr (EvictLast) {
    bundle<Bytes> out;
    ptx::load_evict_last<Bytes>(p, out.words);
    return out;
  }
#endif
  return load_bundle<Bytes>(p);
}

/// pre: p is aligned to Bytes
template <int Bytes>
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void store_bundle(void* p, bundle<Bytes> const& in) {
  if constexpr (Bytes == 16) {
    *static_cast<uint4*>(p) = make_uint4(in.words[0], in.words[1], in.words[2], in.words[3]);
  } else if constexpr (Bytes == 8) {
    *static_cast<uint2*>(p) = make_uint2(in.words[0], in.words[1]);
  } else if constexpr (Bytes == 4) {
    *static_cast<unsigned*>(p) = in.words[0];
  } else if constexpr (Bytes == 2) {
    *static_cast<unsigned short*>(p) = static_cast<unsigned short>(in.words[0]);
  } else {
    *static_cast<unsigned char*>(p) = static_cast<unsigned char>(in.words[0]);
  }
}

#endif

// --- elements of 4 bits, two to a byte, low half first ----------------------------------------------------------------

TILEWRIGHT_FN unsigned load_nibble(void const* p, long long index) {
  return static_cast<unsigned>(static_cast<unsigned char const*>(p)[index >> 1]) >> ((index & 1) * 4) & 0xfu;
}

/// Leaves what is next to the element as it is, also when other threads write it at the time: the seven others of the aligned word
/// on a GPU, the other one of the byte on a CPU.
TILEWRIGHT_FN void store_nibble(void* p, long long index, unsigned value) {
#if TILEWRIGHT_ON_DEVICE
  auto const address = reinterpret_cast<unsigned long long>(p) + static_cast<unsigned long long>(index >> 1);
  auto* const word = reinterpret_cast<unsigned*>(address & ~3ull);
  unsigned const shift = static_cast<unsigned>(address & 3u) * 8 + static_cast<unsigned>(index & 1) * 4;
  atomicAnd(word, ~(0xfu << shift));
  atomicOr(word, value << shift);
#else
  unsigned char* const byte = static_cast<unsigned char*>(p) + (index >> 1);
  unsigned const shift = static_cast<unsigned>(index & 1) * 4;
  __atomic_fetch_and(byte, static_cast<unsigned char>(~(0xfu << shift)), __ATOMIC_RELAXED);
  __atomic_fetch_or(byte, static_cast<unsigned char>(value << shift), __ATOMIC_RELAXED);
#endif
}

/// 2, 4 or 8 elements, the first in the low bits.
template <int Count>
TILEWRIGHT_FN bundle<Count / 2> join_nibbles(bundle<1> const (&in)[Count]) {
  bundle<Count / 2> out{};
  TILEWRIGHT_UNROLL
  for (int i = 0; i < Count; ++i) out.words[0] |= in[i].words[0] << (4 * i);
  return out;
}

}  // namespace tilewright
