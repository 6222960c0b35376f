// In which order a tile's elements are gathered into an image between source and destination, from which vectors of the destination
// are put together.
//
// Law: a vector of w bytes whose elements are w runs apart in the source takes w windows. If an image between has a bytes that follow
// each other in the destination side by side, and behind them runs of w / a bytes of the source, its vectors take a windows of the
// source, and those of the destination take w / a of its own: a + w / a in two steps, which is least for a near the root of w.
#pragma once

#include "engine/kernels/cpu/tile/tile_chooser.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilewright::plan {

/// The loops of the image, fastest first: as many of the destination's fastest as have `share` bytes, as many of the source's fastest
/// as fill a vector, then the others as the destination has them. Loops that repeat the source have no place in it.
inline std::vector<int> gather_order(movement const& m, tile_chooser const& tile, std::int64_t share) {
  constexpr std::int64_t vector = 64;
  std::vector<int> out;
  std::int64_t bytes = m.element_bits / 8;
  auto const take = [&](std::vector<int> const& from, std::int64_t wanted) {
    for (int const i : from) {
      auto const at = static_cast<std::size_t>(i);
      if (bytes >= wanted) break;
      if (tile.tile[at] == 1 || m.loops[at].src == 0 || std::find(out.begin(), out.end(), i) != out.end()) continue;
      out.push_back(i);
      bytes *= tile.tile[at];
    }
  };
  take(tile.by_dst, share);
  take(tile.by_src, vector);
  take(tile.by_dst, tile.bytes() + 1);
  return out;
}

}  // namespace tilewright::plan
