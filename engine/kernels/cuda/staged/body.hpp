// The staged kernel: a block reads a tile in vectors along the source's run into shared memory and writes it in vectors along the
// destination's. Elements of 1 and 2 bytes stay together in words of shared memory, along the source's run, and are transposed in
// registers as they are written.
#pragma once

#include "engine/kernels/cuda/parts/body_modes.hpp"

namespace tilewright::kernels {

/// One tile a block. `S` has the constants of mode_numbers.hpp: two layouts, `read` and `write`, and `packed` elements to a word.
template <class S>
class staged_copy {
  using in = typename S::read;
  using out = typename S::write;
  static constexpr int element = S::element, word = element * S::packed;
  static constexpr int read_bytes = in::vector * element, write_bytes = out::vector * element;

 public:
  /// shared: the plan's shared_bytes, aligned to 16
  template <class Block>
  TILEWRIGHT_FN static void run(Block& block, unsigned char* shared, void const* src, void* dst) {
    block_tile<S> const tile = block_tile<S>::of(static_cast<unsigned>(block.index().x));
    if (!tile.exists) return;
    read({block.thread(), tile}, {src, tile.from}, shared);
    block.sync();
    write({block.thread(), tile}, {dst, tile.to}, shared);
  }

 private:
  /// A load that always happens keeps all of a thread's loads in flight together; one under a condition would be moved behind the
  /// store that it feeds.
  TILEWRIGHT_FN static void read(thread_share<S, in> const& mine, source_place<S> const& from, unsigned char* shared) {
    TILEWRIGHT_UNROLL
    for (int first = 0; first < in::values; first += in::at_once) {
      bundle<read_bytes> held[in::at_once];
      TILEWRIGHT_UNROLL
      for (int b = 0; b < in::at_once; ++b)
        held[b] = load_global<read_bytes, S::evict_source_last>(
            from.at(mine.has(first + b) ? mine.source(first + b) : typename S::src_offset{0}));
      TILEWRIGHT_UNROLL
      for (int b = 0; b < in::at_once; ++b)
        if (mine.has(first + b)) store_words<read_bytes>(shared + mine.place(first + b) * element, held[b]);
    }
  }

  TILEWRIGHT_FN static void write(thread_share<S, out> const& mine, target_place<S> const& to,
                                  unsigned char const* shared) {
    TILEWRIGHT_UNROLL
    for (int first = 0; first < out::values; first += out::at_once) {
      bundle<word> held[out::at_once][out::vector];
      TILEWRIGHT_UNROLL
      for (int b = 0; b < out::at_once; ++b) {
        int const at = mine.has(first + b) ? mine.place(first + b) : 0;
        TILEWRIGHT_UNROLL
        for (int j = 0; j < out::vector; ++j)
          held[b][j] = load_words<word>(shared + (at + j * S::column_step) * element);
      }
      TILEWRIGHT_UNROLL
      for (int b = 0; b < out::at_once; ++b)
        if (mine.has(first + b)) store(to, mine.target(first + b), held[b]);
    }
  }

  TILEWRIGHT_FN static void store(target_place<S> const& to, typename S::dst_offset at,
                                  bundle<word> const (&held)[out::vector]) {
    if constexpr (S::packed == 1) {
      store_words<write_bytes>(to.at(at), join<element, out::vector>(held));
    } else {
      bundle<write_bytes> rows[S::packed];
      transpose_bundles<element, out::vector>(held, rows);
      TILEWRIGHT_UNROLL
      for (int s = 0; s < S::packed; ++s)
        store_words<write_bytes>(to.at(at + static_cast<typename S::dst_offset>(s * S::loop(in::loop).dst)), rows[s]);
    }
  }
};

}  // namespace tilewright::kernels
