// Between a few planes and their elements side by side (the channels of an image, in 8 or 16 bits): a thread holds 16 bytes
// of every plane and permutes them in registers. The planes are accessed by whole vectors as they are; the interleaved
// side goes through shared memory, so that a warp's vectors follow each other there too.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/exec/cuda/bundle.hpp"

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace tilewright {

/// Element `v` of plane `c` is element v · Planes + c of the interleaved side.
template <int Element, int Planes>
struct interleaving {
  static constexpr int in_word = 4 / Element;

  /// Word w of an order, its elements taken from words of the other one; `from` gives an element's index there.
  template <class From>
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE static unsigned word_of(bundle<16> const (&in)[Planes], int w, From const& from) {
    auto const pair = [&](int first) {  // two bytes in the low half
      int const a = from(w * in_word + first / Element) * Element + first % Element;
      int const b = from(w * in_word + (first + 1) / Element) * Element + (first + 1) % Element;
      return __byte_perm(in[a / 16].words[a % 16 / 4], in[b / 16].words[b % 16 / 4],
                         static_cast<unsigned>(a % 4 | (4 + b % 4) << 4));
    };
    return __byte_perm(pair(0), pair(2), 0x5410);
  }

  /// `in` holds 16 bytes of each plane; out all of them, interleaved.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE static void join(bundle<16> const (&in)[Planes], bundle<16> (&out)[Planes]) {
    constexpr int each = 16 / Element;
    TILEWRIGHT_UNROLL
    for (int w = 0; w < 4 * Planes; ++w)
      out[w / 4].words[w % 4] = word_of(in, w, [](int x) { return x % Planes * each + x / Planes; });
  }
  /// The inverse of join.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE static void split(bundle<16> const (&in)[Planes], bundle<16> (&out)[Planes]) {
    constexpr int each = 16 / Element;
    TILEWRIGHT_UNROLL
    for (int w = 0; w < 4 * Planes; ++w)
      out[w / 4].words[w % 4] = word_of(in, w, [](int x) { return x % each * Planes + x / each; });
  }
};

/// One tile of `threads` · 16 / element places, from place p0 on. `S` has as constants: `element` (bytes, 1 or 2), `planes`,
/// `threads`, `places` (elements of a plane in all), `plane_stride` (elements) and `vector` (bytes that accesses to the
/// planes are aligned to: 4, 8 or 16).
template <class S>
class interleaved_tile {
 public:
  /// pre: planar, joined: place 0 of plane 0 on either side; joined and p0 · planes · element are multiples of 16 bytes
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE interleaved_tile(long long p0, unsigned char* shared)
      : p0_(p0),
        shared_(shared),
        thread_(static_cast<int>(threadIdx.x)) {}

  /// From planes to one interleaved run.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void join(unsigned char const* planar, unsigned char* joined) const {
    if (thread_ < units()) {
      bundle<16> in[S::planes], out[S::planes];
      TILEWRIGHT_UNROLL
      for (int c = 0; c < S::planes; ++c) in[c] = load_plane(planar + offset_of(c, mine()));
      interleaving<S::element, S::planes>::join(in, out);
      TILEWRIGHT_UNROLL
      for (int c = 0; c < S::planes; ++c) store_bundle<16>(shared_ + (thread_ * S::planes + c) * 16, out[c]);
    }
    __syncthreads();
    unsigned char* const run = joined + p0_ * (S::planes * S::element);
    for (int x = thread_; x < units() * S::planes; x += S::threads)
      store_bundle<16>(run + x * 16, load_bundle<16>(shared_ + x * 16));
    for (int p = left_over(); p < places(); p += S::threads)
      for (int c = 0; c < S::planes; ++c)
        store_bundle<S::element>(run + (p * S::planes + c) * S::element,
                                 load_bundle<S::element>(planar + offset_of(c, p0_ + p)));
  }

  /// From one interleaved run to planes.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void split(unsigned char const* joined, unsigned char* planar) const {
    unsigned char const* const run = joined + p0_ * (S::planes * S::element);
    bundle<16> in[S::planes], out[S::planes];
    TILEWRIGHT_UNROLL
    for (int n = 0; n < S::planes; ++n) {  // what does not exist is read at the tile's begin: no load waits for another
      int const x = thread_ + n * S::threads;
      in[n] = load_source<16, S::evict_source_last>(run + (x < units() * S::planes ? x * 16 : 0));
    }
    TILEWRIGHT_UNROLL
    for (int n = 0; n < S::planes; ++n) store_bundle<16>(shared_ + (thread_ + n * S::threads) * 16, in[n]);
    __syncthreads();
    if (thread_ < units()) {
      TILEWRIGHT_UNROLL
      for (int c = 0; c < S::planes; ++c) in[c] = load_bundle<16>(shared_ + (thread_ * S::planes + c) * 16);
      interleaving<S::element, S::planes>::split(in, out);
      TILEWRIGHT_UNROLL
      for (int c = 0; c < S::planes; ++c) store_plane(planar + offset_of(c, mine()), out[c]);
    }
    for (int p = left_over(); p < places(); p += S::threads)
      for (int c = 0; c < S::planes; ++c)
        store_bundle<S::element>(planar + offset_of(c, p0_ + p),
                                 load_bundle<S::element>(run + (p * S::planes + c) * S::element));
  }

 private:
  static constexpr int each = 16 / S::element;  // places of a thread

  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE int places() const {
    return S::places - p0_ < S::threads * each ? static_cast<int>(S::places - p0_) : S::threads * each;
  }
  /// Whole vectors of a plane in the tile, one for each thread; the last few places of a plane are moved one by one.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE int units() const { return places() / each; }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE int left_over() const { return units() * each + thread_; }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE long long mine() const { return p0_ + thread_ * each; }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE static long long offset_of(int c, long long place) {
    return (c * S::plane_stride + place) * S::element;
  }

  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE static bundle<16> load_plane(unsigned char const* from) {
    bundle<16> out;
    TILEWRIGHT_UNROLL
    for (int at = 0; at < 16; at += S::vector) {
      bundle<S::vector> const part = load_source<S::vector, S::evict_source_last>(from + at);
      TILEWRIGHT_UNROLL
      for (int w = 0; w < S::vector / 4; ++w) out.words[at / 4 + w] = part.words[w];
    }
    return out;
  }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE static void store_plane(unsigned char* to, bundle<16> const& in) {
    TILEWRIGHT_UNROLL
    for (int at = 0; at < 16; at += S::vector) {
      bundle<S::vector> part;
      TILEWRIGHT_UNROLL
      for (int w = 0; w < S::vector / 4; ++w) part.words[w] = in.words[at / 4 + w];
      store_bundle<S::vector>(to + at, part);
    }
  }

  long long p0_;
  unsigned char* shared_;
  int thread_;
};

}  // namespace tilewright

#endif
