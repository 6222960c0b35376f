// The runs kernel: vectors along a run that both sides share, from memory to registers to memory. A run that is no whole number of
// vectors ends with single elements.
#pragma once

#include "engine/kernels/cuda/parts/body_modes.hpp"

namespace tilewright::kernels {

/// One tile a block. `S` has the constants of mode_numbers.hpp; its `read` is the layout of both sides.
template <class S>
class runs_copy {
  using access = typename S::read;
  using share = thread_share<S, access>;
  static constexpr int element = S::element, width = access::vector * element;

 public:
  template <class Block>
  TILEWRIGHT_FN static void run(Block& block, void const* src, void* dst) {
    block_tile<S> const tile = block_tile<S>::of(static_cast<unsigned>(block.index().x));
    if (!tile.exists) return;
    runs_copy self{block.thread(), tile, src, dst};
    self.vectors(source_place<S>(src, S::src_begin).at(0));
    if (!ends_whole()) self.single_elements();
  }

 private:
  TILEWRIGHT_FN runs_copy(int thread, block_tile<S> const& tile, void const* src, void* dst)
      : mine_(thread, tile),
        left_(tile.left[access::loop]),
        from_(src, tile.from),
        to_(dst, tile.to) {}

  TILEWRIGHT_FN static bool ends_whole() { return S::loop(access::loop).extent % access::vector == 0; }

  TILEWRIGHT_FN bool has_whole(int v) const {
    return mine_.has(v) && (ends_whole() || mine_.coordinate(access::loop, v) + access::vector <= left_);
  }

  /// A load that always happens keeps all of a thread's loads in flight together; one under a condition would be moved behind the
  /// store that it feeds. What does not exist is read from the first vector of all: the tile's own may hang over its end.
  TILEWRIGHT_FN void vectors(unsigned char const* first_vector) const {
    TILEWRIGHT_UNROLL
    for (int first = 0; first < access::values; first += access::at_once) {
      bundle<width> held[access::at_once];
      TILEWRIGHT_UNROLL
      for (int b = 0; b < access::at_once; ++b) {
        int const v = first + b;
        unsigned char const* const from = ends_whole()   ? from_.at(has_whole(v) ? mine_.source(v) : 0)
                                          : has_whole(v) ? from_.at(mine_.source(v))
                                                         : first_vector;
        held[b] = load_global<width, S::evict_source_last>(from);
      }
      TILEWRIGHT_UNROLL
      for (int b = 0; b < access::at_once; ++b)
        if (has_whole(first + b)) store_words<width>(to_.at(mine_.target(first + b)), held[b]);
    }
  }

  TILEWRIGHT_FN void single_elements() const {
    TILEWRIGHT_UNROLL_BY(1)
    for (int v = 0; v < access::values; ++v) {
      if (!mine_.has(v) || has_whole(v)) continue;
      typename S::src_offset const from = mine_.source(v);
      typename S::dst_offset const to = mine_.target(v);
      int const count = left_ - mine_.coordinate(access::loop, v);
      TILEWRIGHT_UNROLL_BY(1)
      for (int j = 0; j < count; ++j)
        store_words<element>(to_.at(to + static_cast<typename S::dst_offset>(j)),
                             load_words<element>(from_.at(from + static_cast<typename S::src_offset>(j))));
    }
  }

  share mine_;
  int left_;  // of the run
  source_place<S> from_;
  target_place<S> to_;
};

}  // namespace tilewright::kernels
