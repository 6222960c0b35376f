// Tiles of loops, and a block's threads and values over one: what the kernels `runs` and `staged` have in common.
//
// Everything about a copy is a constant of the shape `S`, which mode_numbers.hpp prints: sums over modes are folded where they are
// unrolled, and the same code runs on a GPU and, in tests, on a CPU.
#pragma once

#include "engine/kernels/cuda/parts/body_block.hpp"
#include "engine/kernels/cuda/parts/body_words.hpp"
#include "tilewright/layout/swizzle_bits.hpp"

namespace tilewright::kernels {

/// A loop of the copy: a block has `tile` of its coordinates. Strides are elements.
struct copied_loop {
  long long extent;
  int tile;
  long long src, dst;
};

/// Coordinate i of `extent` adds i · step to that of `loop`, and i · place elements in shared memory.
struct stepping_mode {
  int loop;
  long long step;
  unsigned extent;
  int place;
};

/// Where a block's tile is.
template <class S>
struct block_tile {
  bool exists = true;  // the grid may have more tiles than a loop
  long long from = S::src_begin, to = S::dst_begin;
  int left[S::loops];  // coordinates of each loop that the tile has

  TILEWRIGHT_FN static block_tile of(unsigned block) {
    long long origin[S::loops] = {}, reach[S::loops] = {};
    TILEWRIGHT_UNROLL
    for (int i = 0; i < S::grid_modes; ++i) {
      stepping_mode const m = S::grid_mode(i);
      long long const index = take_coordinate(block, m.extent, i + 1 == S::grid_modes);
      TILEWRIGHT_UNROLL
      for (int l = 0; l < S::loops; ++l) {  // the index of an array in registers is a constant
        if (l != m.loop) continue;
        origin[l] += index * m.step;
        reach[l] += (m.extent - 1) * m.step;
      }
    }
    block_tile out;
    TILEWRIGHT_UNROLL
    for (int l = 0; l < S::loops; ++l) {
      copied_loop const c = S::loop(l);
      if (reach[l] >= c.extent && origin[l] >= c.extent) out.exists = false;
      out.from += origin[l] * c.src;
      out.to += origin[l] * c.dst;
      long long const rest = c.extent - origin[l];
      out.left[l] = c.extent % c.tile != 0 && rest < c.tile ? static_cast<int>(rest) : c.tile;
    }
    return out;
  }
};

/// What differs between the sides of a copy.
template <class S>
struct source_side {
  using offset = typename S::src_offset;
  using memory = void const;
  using byte = unsigned char const;
  TILEWRIGHT_FN static long long stride(int loop) { return S::loop(loop).src; }
  TILEWRIGHT_FN static swizzle_value swizzle() { return S::src_swizzle(); }
};
template <class S>
struct target_side {
  using offset = typename S::dst_offset;
  using memory = void;
  using byte = unsigned char;
  TILEWRIGHT_FN static long long stride(int loop) { return S::loop(loop).dst; }
  TILEWRIGHT_FN static swizzle_value swizzle() { return S::dst_swizzle(); }
};

/// A thread's part of a thread-value layout `A` over a tile. `A` has thread_modes and value_modes with their number, `active` threads
/// and `values`.
template <class S, class A>
class thread_share {
 public:
  TILEWRIGHT_FN thread_share(int thread, block_tile<S> const& tile) : is_active_(thread < A::active) {
    unsigned rest = static_cast<unsigned>(thread);
    TILEWRIGHT_UNROLL
    for (int l = 0; l < S::loops; ++l) at_[l] = 0, left_[l] = tile.left[l];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < A::thread_modes; ++i) {
      stepping_mode const m = A::thread_mode(i);
      add(m, static_cast<int>(take_coordinate(rest, m.extent, i + 1 == A::thread_modes)), at_, place_);
    }
  }

  /// The coordinate of value v along a loop.
  TILEWRIGHT_FN int coordinate(int loop, int v) const { return at_[loop] + of_value(v).at[loop]; }

  /// Is value v an element of the tile? A vector is its first one.
  TILEWRIGHT_FN bool has(int v) const {
    bool out = (A::active == S::threads || is_active_) && v < A::values;
    value const x = of_value(v);
    TILEWRIGHT_UNROLL
    for (int l = 0; l < S::loops; ++l)
      if (may_leave(l)) out = out && at_[l] + x.at[l] < left_[l];
    return out;
  }

  /// Elements from the tile's first one on a side.
  TILEWRIGHT_FN typename S::src_offset source(int v) const { return offset_on<source_side<S>>(v); }
  TILEWRIGHT_FN typename S::dst_offset target(int v) const { return offset_on<target_side<S>>(v); }
  /// Elements from where shared memory starts.
  TILEWRIGHT_FN int place(int v) const { return place_ + of_value(v).place; }

 private:
  struct value {
    int at[S::loops], place;
  };

  /// The thread's part and the value's are added up apart: the latter is a constant.
  template <class Side>
  TILEWRIGHT_FN typename Side::offset offset_on(int v) const {
    using offset = typename Side::offset;
    value const x = of_value(v);
    offset thread = 0, all = 0;
    TILEWRIGHT_UNROLL
    for (int l = 0; l < S::loops; ++l) {
      thread += static_cast<offset>(at_[l]) * static_cast<offset>(Side::stride(l));
      all += static_cast<offset>(x.at[l]) * static_cast<offset>(Side::stride(l));
    }
    return thread + all;
  }

  TILEWRIGHT_FN static void add(stepping_mode const& m, int index, int (&at)[S::loops], int& place) {
    TILEWRIGHT_UNROLL
    for (int l = 0; l < S::loops; ++l)
      if (l == m.loop) at[l] += index * static_cast<int>(m.step);
    place += index * m.place;
  }

  TILEWRIGHT_FN static value of_value(int v) {
    value out{};
    unsigned rest = static_cast<unsigned>(v);
    TILEWRIGHT_UNROLL
    for (int i = 0; i < A::value_modes; ++i) {
      stepping_mode const m = A::value_mode(i);
      add(m, static_cast<int>(take_coordinate(rest, m.extent, i + 1 == A::value_modes)), out.at, out.place);
    }
    return out;
  }

  /// Can a value be beyond the tile's end along a loop, or beyond the loop's?
  TILEWRIGHT_FN static bool may_leave(int loop) {
    int last = 0;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < A::thread_modes; ++i) last += last_of(A::thread_mode(i), loop);
    TILEWRIGHT_UNROLL
    for (int i = 0; i < A::value_modes; ++i) last += last_of(A::value_mode(i), loop);
    copied_loop const c = S::loop(loop);
    return c.extent % c.tile != 0 || last >= c.tile;
  }
  TILEWRIGHT_FN static int last_of(stepping_mode const& m, int loop) {
    return m.loop == loop ? static_cast<int>((m.extent - 1) * m.step) : 0;
  }

  bool is_active_;
  int at_[S::loops], left_[S::loops], place_ = 0;
};

/// Addresses of a side's elements, by their offsets from a tile's first one.
template <class S, class Side>
class side_place {
  using memory = typename Side::memory;
  using byte = typename Side::byte;

 public:
  TILEWRIGHT_FN side_place(memory* tensor, long long begin) : base_(static_cast<byte*>(tensor)), begin_(begin) {
    if (Side::swizzle().bits == 0) base_ += begin * S::element;
  }
  TILEWRIGHT_FN byte* at(typename Side::offset x) const {
    if (Side::swizzle().bits == 0) return base_ + x * S::element;
    return base_ + Side::swizzle()(begin_ + x) * S::element;
  }

 private:
  byte* base_;
  long long begin_;
};
template <class S>
using source_place = side_place<S, source_side<S>>;
template <class S>
using target_place = side_place<S, target_side<S>>;

}  // namespace tilewright::kernels
