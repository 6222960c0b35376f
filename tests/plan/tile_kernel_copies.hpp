// Copies for the tile kernel's tests: rows of the destination that are pieces of the source, that run through several modes of a few
// elements, or that interleave planes.
#pragma once

#include "random_copies.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::tests {

/// A random number from `low` to `high`.
inline std::int64_t from_to(std::mt19937& random, int low, int high) {
  return low + static_cast<std::int64_t>(random() % unsigned(high - low + 1));
}

/// The copy whose modes have these extents and strides, the first fastest; a source that runs backwards begins where it ends.
inline random_copy copy_of(std::vector<std::int64_t> const& extents, std::vector<std::int64_t> const& source,
                           std::vector<std::int64_t> const& target, int element_bits) {
  std::size_t const rank = extents.size();
  random_copy c;
  c.element_bits = element_bits;
  std::int64_t lowest = 0, all = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    lowest += std::min<std::int64_t>(0, (extents[i] - 1) * source[i]);
    all *= extents[i];
  }
  auto const listed = [](std::vector<std::int64_t> const& numbers) {
    std::string out;
    for (std::int64_t const n : numbers) out += (out.empty() ? "(" : ",") + std::to_string(n);
    return out + ")";
  };
  auto const layout = [&](std::vector<std::int64_t> const& strides) {
    return parse_layout((listed(extents) + ":" + listed(strides)).c_str());
  };
  c.src = composed_value{{}, constant_leaf(-lowest), layout(source)};
  c.dst = composed_value{{}, constant_leaf(0), layout(target)};
  for (std::int64_t n = 0; n < all; ++n) {
    std::int64_t rest = n, from = -lowest, to = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      from += rest % extents[i] * source[i];
      to += rest % extents[i] * target[i];
      rest /= extents[i];
    }
    c.from.push_back(from);
    c.to.push_back(to);
    c.src_elements = std::max(c.src_elements, from + 1);
    c.dst_elements = std::max(c.dst_elements, to + 1);
  }
  return c;
}

/// Rows of the destination that are pieces of small elements of the source: forwards, backwards or one element repeated,
/// with gaps between pieces and padded rows; or, across, columns of the source.
inline random_copy rows_of_pieces(std::mt19937& random) {
  std::int64_t const piece = from_to(random, 2, 70), pieces = from_to(random, 1, 9), rows = from_to(random, 1, 13);
  std::int64_t const step = from_to(random, -1, 1), pitch = piece + from_to(random, 0, 5);
  bool const backwards = random() % 3 == 0, is_across = random() % 2 == 0;
  std::vector<std::int64_t> source{step, backwards ? -pitch : pitch, pitch * pieces + from_to(random, 0, 3)};
  if (is_across) source = {pitch * pieces, pitch, 1};
  std::vector<std::int64_t> const target{1, piece, piece * pieces + from_to(random, 0, 20)};
  int const bits = random() % 2 == 0 ? 8 : 16;
  return copy_of({piece, pieces, is_across ? std::min(rows, pitch) : rows}, source, target, bits);
}

/// Rows of the destination through many modes of a few elements, which the source has in another order; the last mode is padded
/// now and then, and long at times, so that tables have a period of a row.
inline random_copy rows_of_short_modes(std::mt19937& random) {
  auto const rank = static_cast<std::size_t>(from_to(random, 4, 6));
  std::vector<std::int64_t> extents(rank), source(rank), target(rank);
  bool const is_aligned = random() % 2 == 0;  // to whole accesses
  for (std::int64_t& e : extents) e = is_aligned ? 2 * from_to(random, 1, 3) : from_to(random, 2, 6);
  if (random() % 3 != 0) extents.back() = from_to(random, 20, 60);
  if (is_aligned && random() % 2 == 0) extents[0] = 3, extents[1] = 16;  // no access is like the next one
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  std::int64_t step = 1;
  for (std::size_t const i : order) source[i] = std::exchange(step, step * extents[i]);
  step = 1;
  std::int64_t const padding = random() % 2 == 0 ? from_to(random, 1, 9) * (is_aligned ? 16 : 1) : 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (i + 1 == rank) step += padding;
    target[i] = std::exchange(step, step * extents[i]);
  }
  return copy_of(extents, source, target, random() % 2 == 0 ? 8 : 16);
}

/// A few planes, columns and rows of small elements, in either direction: planes that the destination interleaves, or interleaved
/// ones that it has apart; backwards along any of them, and in rows that are padded or not.
inline random_copy rows_of_planes(std::mt19937& random) {
  bool const is_apart = random() % 2 == 0, is_aligned = random() % 3 != 0;
  std::int64_t const planes = std::int64_t{1} << (random() % 2 == 0 ? 1 : from_to(random, 2, 3)),
                     columns = from_to(random, 1, 20) * (is_aligned ? 8 : 1) + (random() % 2 == 0 ? 2 : 8),
                     rows = from_to(random, 1, 6);
  std::int64_t const gap = random() % 2 == 0 ? 0 : from_to(random, 1, 8) * (is_aligned ? 16 : 1),
                     pitch = planes * columns + gap;
  std::vector<std::int64_t> const together{1, planes, pitch};
  std::vector<std::int64_t> apart{columns, 1, pitch};
  if (random() % 4 == 0) apart = {columns * rows, 1, columns};
  std::vector<std::int64_t> source = is_apart ? together : apart;
  for (std::int64_t& stride : source)
    if (random() % 5 == 0) stride = -stride;
  return copy_of({planes, columns, rows}, source, is_apart ? apart : together, random() % 2 == 0 ? 8 : 16);
}

/// Three or four modes in any order on both sides, of any elements; the source's may run backwards, in steps of up to three
/// elements, and either side has gaps after its modes.
inline random_copy rows_with_gaps(std::mt19937& random) {
  auto const rank = static_cast<std::size_t>(from_to(random, 3, 4));
  std::vector<std::int64_t> extents(rank), source(rank), target(rank);
  for (std::int64_t& e : extents) e = from_to(random, 2, rank == 3 ? 14 : 8);
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (auto* const side : {&source, &target}) {
    std::shuffle(order.begin(), order.end(), random);
    if (random() % 2 == 0) extents[order[0]] = from_to(random, 30, 90);
    std::int64_t step = side == &source && random() % 4 == 0 ? from_to(random, 2, 3) : 1;
    for (std::size_t const i : order) {
      (*side)[i] = std::exchange(step, step * extents[i] + (random() % 3 == 0 ? from_to(random, 1, 20) : 0));
      if (side == &source && random() % 6 == 0) (*side)[i] = -(*side)[i];
    }
  }
  // The source's strides were made before the destination's first mode got longer: they may overlap, which a source may.
  return copy_of(extents, source, target, 8 << random() % 5);
}

}  // namespace tilewright::tests
