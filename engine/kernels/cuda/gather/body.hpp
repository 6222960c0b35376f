// The gather kernel, for what no tile serves: swizzles and strides without runs, layouts without common loops, half bytes. A thread
// puts together vectors of the destination, element by element.
#pragma once

#include "engine/kernels/cuda/parts/body_modes.hpp"

namespace tilewright::kernels {

/// Coordinate i of `extent` is i · stride elements further.
struct gathered_mode {
  long long extent, stride;
};

/// `S` has: `bits` of an element, 4 or whole bytes; `vector` elements that a thread writes at once and `at_once` such; `threads`; `items`,
/// the vectors of the copy, counted by `index`; the modes of an item on each side, of `common` extents or each side's own; `src_along`
/// between the elements of a vector; begins and swizzles.
template <class S>
class gather_copy {
  static constexpr bool halves = S::bits < 8;
  static constexpr int element = halves ? 1 : S::bits / 8;  // of what is held, in bytes
  using index = typename S::index;

 public:
  template <class Block>
  TILEWRIGHT_FN static void run(Block& block, void const* src, void* dst) {
    constexpr long long each = static_cast<long long>(S::threads) * S::at_once;
    for (long long begin = static_cast<long long>(block.index().x) * each; begin < S::items;
         begin += each * static_cast<long long>(block.grid().x)) {
      long long target[S::at_once];
      bundle<element> held[S::at_once][S::vector];
      TILEWRIGHT_UNROLL
      for (int u = 0; u < S::at_once; ++u) {
        long long const item = begin + u * S::threads + block.thread();
        long long source = S::src_begin;
        target[u] = S::dst_begin;
        add_offsets(static_cast<index>(item < S::items ? item : 0), source, target[u]);
        load(src, source, held[u]);
      }
      TILEWRIGHT_UNROLL
      for (int u = 0; u < S::at_once; ++u)
        if (begin + u * S::threads + block.thread() < S::items) store(dst, target[u], held[u]);
    }
  }

 private:
  TILEWRIGHT_FN static void add_offsets(index item, long long& source, long long& target) {
    index rest = item;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < S::src_modes; ++i) {
      gathered_mode const m = S::src_mode(i);
      auto const x = static_cast<long long>(take_coordinate(rest, m.extent, i + 1 == S::src_modes));
      source += x * m.stride;
      if (S::common) target += x * S::dst_mode(i).stride;
    }
    if (S::common) return;
    rest = item;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < S::dst_modes; ++i) {
      gathered_mode const m = S::dst_mode(i);
      target += static_cast<long long>(take_coordinate(rest, m.extent, i + 1 == S::dst_modes)) * m.stride;
    }
  }

  TILEWRIGHT_FN static void load(void const* src, long long source, bundle<element> (&held)[S::vector]) {
    TILEWRIGHT_UNROLL
    for (int j = 0; j < S::vector; ++j) {
      long long at = source + j * S::src_along;
      if (S::src_swizzle().bits != 0) at = S::src_swizzle()(at);
      if constexpr (halves) held[j].words[0] = load_nibble(src, at);
      else held[j] = load_words<element>(static_cast<unsigned char const*>(src) + at * element);
    }
  }

  TILEWRIGHT_FN static void store(void* dst, long long target, bundle<element> const (&held)[S::vector]) {
    if (S::dst_swizzle().bits != 0) target = S::dst_swizzle()(target);
    if constexpr (!halves)
      store_words<element * S::vector>(static_cast<unsigned char*>(dst) + target * element,
                                       join<element, S::vector>(held));
    else if constexpr (S::vector == 1) store_nibble(dst, target, held[0].words[0]);
    else store_words<S::vector / 2>(static_cast<unsigned char*>(dst) + (target >> 1), join_nibbles(held));
  }
};

}  // namespace tilewright::kernels
