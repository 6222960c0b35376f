// Blocks of up to 1024 bytes that are permuted alike, one after another: batches of small matrices. All windows of a block stay in
// registers while its vectors are put together, so that its source is read once.
#pragma once

#include "engine/kernels/cpu/tile/patterns.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace tilewright::cpu_engine {

/// About the cycles in which all its blocks are put together, next to cycles_of(patterns).
inline double cycles_of(lookup_block const& b) {
  auto const vectors = static_cast<double>(b.at.size()), windows = static_cast<double>(b.windows.size());
  constexpr double start = 20, store = 2, pair = 1.5;
  return start + static_cast<double>(b.places.size()) * (windows + vectors * (store + pair * windows / 2));
}

/// The block of the first `count` modes, which is one span on both sides; without places where it is not, or not of a size for which
/// there are registers.
/// `modes`: of the tile, the destination's fastest first; `first`: where element 0 is in the source
inline lookup_block block_of(tile_modes const& modes, std::size_t count, std::int64_t element, std::int64_t first) {
  constexpr std::int64_t min_lines = 2;  // of shorter ones, a vector takes few windows
  tile_modes const inner(modes.begin(), modes.begin() + static_cast<std::ptrdiff_t>(count)),
      outer(modes.begin() + static_cast<std::ptrdiff_t>(count), modes.end());
  std::vector<std::int64_t> const elements = offsets_of(inner, from_source);
  auto const bytes = static_cast<std::int64_t>(elements.size()) * element;
  lookup_block b;
  if (bytes < min_lines * line || bytes > lookup_block::max_windows * line) return b;
  auto const [lowest, highest] = std::minmax_element(elements.begin(), elements.end());
  if (*highest - *lowest + element != bytes) return b;
  // The last window and the last vector end with the block.
  auto const start_of = [=](std::int64_t i) { return std::min(i * line, bytes - line); };
  std::int64_t const count_of_lines = (bytes + line - 1) / line, pairs = (count_of_lines + 1) / 2;
  for (std::int64_t w = 0; w < 2 * pairs; ++w) b.windows.push_back(*lowest + start_of(w));
  b.indices.assign(static_cast<std::size_t>(count_of_lines * pairs * line), 0);
  b.masks.assign(static_cast<std::size_t>(count_of_lines * pairs), 0);
  for (std::int64_t v = 0; v < count_of_lines; ++v) {
    b.at.push_back(start_of(v));
    for (std::int64_t i = 0; i < line; ++i) {
      std::int64_t const to = start_of(v) + i;
      std::int64_t const from = elements[static_cast<std::size_t>(to / element)] + to % element - *lowest;
      std::int64_t const window = from / line, pair = v * pairs + window / 2;
      b.indices[static_cast<std::size_t>(pair * line + i)] =
          static_cast<byte>(from - start_of(window) + window % 2 * line);
      b.masks[static_cast<std::size_t>(pair)] |= std::uint64_t{1} << i;
    }
  }
  std::vector<std::int64_t> const src = offsets_of(outer, from_source);
  for (std::size_t i = 0; i < src.size(); ++i)
    b.places.push_back(
        {static_cast<std::int32_t>(first + src[i]), static_cast<std::int32_t>(static_cast<std::int64_t>(i) * bytes)});
  return b;
}

/// The block that takes the fewest cycles; without places if no modes make one.
inline lookup_block best_block(tile_modes const& modes, std::int64_t element, std::int64_t first) {
  lookup_block best;
  for (std::size_t count = 1; count < modes.size(); ++count) {
    lookup_block b = block_of(modes, count, element, first);
    if (!b.places.empty() && (best.places.empty() || cycles_of(b) < cycles_of(best))) best = std::move(b);
  }
  return best;
}

}  // namespace tilewright::cpu_engine
