// Where a tile of the tile kernels (body.hpp, body_pipelined.hpp) begins in memory, and its rows.
#pragma once

#include "engine/kernels/cuda/parts/body_block.hpp"
#include "engine/kernels/cuda/tile/body_load.hpp"

namespace tilewright::kernels {

template <class Mode>
TILEWRIGHT_FN int place_in_mode(Mode const& m, int x) {
  return (m.flipped ? m.extent - 1 - x : x) * m.place;
}

/// The place of element x of a row of a side, from the row's own; x counts the modes from the `first` on.
template <class Side>
TILEWRIGHT_FN int compute_place(int x, int first = 0) {
  int out = 0;
  auto rest = static_cast<unsigned>(x);
  TILEWRIGHT_UNROLL
  for (int i = 0; i < Side::run_modes; ++i) {
    if (i < first) continue;
    auto const m = Side::run_mode(i);
    out += place_in_mode(m, static_cast<int>(take_coordinate(rest, m.extent, i + 1 == Side::run_modes)));
  }
  return out;
}

/// A row: bytes from the tile's begin in memory, and its place in shared memory. Offset: unsigned, of 32 or 64 bits
template <class Offset>
struct tile_row {
  Offset at;
  int place;
};

/// Row q of a side, its modes taken apart.
template <class Side, class Offset>
TILEWRIGHT_FN tile_row<Offset> compute_row(int q) {
  tile_row<Offset> out{0, 0};
  unsigned rest = static_cast<unsigned>(q);
  TILEWRIGHT_UNROLL
  for (int i = 0; i < Side::row_modes; ++i) {
    auto const m = Side::row_mode(i);
    int const x = static_cast<int>(take_coordinate(rest, m.extent, i + 1 == Side::row_modes));
    out.at += static_cast<Offset>(static_cast<Offset>(x) * static_cast<Offset>(m.step));
    out.place += place_in_mode(m, x);
  }
  return out;
}

/// The begins of a tile in memory and how far it reaches in the loops that it does not divide. `S` is the shape of tile_copy
/// (body.hpp).
template <class S>
struct tile_begin {
  address from = 0, to = 0;
  int shift = 0;  // of places, where a loop that runs backwards in the source is cut off
  bool is_whole = true;
  bool begins_rows = true, ends_rows = true;  // of the destination, as long as they are without a gap
  int left[S::limits > 0 ? S::limits : 1] = {};

  TILEWRIGHT_FN static tile_begin of(unsigned tile, void const* src, void* dst) {
    tile_begin out;
    out.from = reinterpret_cast<address>(src) + static_cast<address>(S::src_begin);
    out.to = reinterpret_cast<address>(dst) + static_cast<address>(S::dst_begin);
    TILEWRIGHT_UNROLL
    for (int l = 0; l < S::limits; ++l) out.left[l] = S::limit(l).tile;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < S::modes; ++i) {
      auto const m = S::mode(i);
      unsigned const x = i + 1 == S::modes ? tile : tile % m.extent;
      tile /= m.extent;
      out.from += static_cast<address>(x) * static_cast<address>(m.src);
      out.to += static_cast<address>(x) * static_cast<address>(m.dst);
      if (m.cuts_row) {
        out.begins_rows = out.begins_rows && x == 0;
        out.ends_rows = out.ends_rows && x + 1 == m.extent;
      }
      if (m.limit < 0) continue;
      auto const l = S::limit(m.limit);
      if (x + 1 != m.extent) continue;
      // The last tile of the loop. A loop that runs backwards in the source begins there with its last coordinate.
      out.left[m.limit] = l.last;
      out.from += static_cast<address>(static_cast<long long>(l.last - l.tile) * l.src_step);
      out.shift += (l.last - l.tile) * l.place;
      out.is_whole = false;
    }
    return out;
  }

  /// Of a tile that is cut off: does row q exist, and how many elements does a row have?
  template <class Side>
  TILEWRIGHT_FN bool row_exists(int q) const {
    bool exists = true;
    unsigned rest = static_cast<unsigned>(q);
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Side::row_modes; ++i) {
      auto const m = Side::row_mode(i);
      int const x = static_cast<int>(take_coordinate(rest, m.extent, i + 1 == Side::row_modes));
      if (m.limit >= 0) exists = exists && x < left[m.limit];
    }
    return exists;
  }
  template <class Side, bool Cut>
  TILEWRIGHT_FN int length() const {
    if (Cut && Side::run_limit >= 0) return left[Side::run_limit < 0 ? 0 : Side::run_limit] * Side::run_inner;
    return Side::run_length;
  }
};

}  // namespace tilewright::kernels
