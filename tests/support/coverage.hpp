// What a tiled copy must do, from its declaration alone: thread and value coordinates placed on a tile, the
// tile repeated over a tensor, worked out mode by mode with plain integers. Partitions are compared with it
// element by element.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "plain.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright::tests {

using numbers = std::vector<long long>;

/// The number of coordinates of each mode.
template <class L, int... N>
numbers mode_sizes(L const& layout, seq<N...>) {
  return {number(size<N>(layout))...};
}
template <class L>
numbers mode_sizes(L const& layout) {
  return mode_sizes(layout, make_seq<rank_v<L>>{});
}

inline long long product_of(numbers const& extents) {
  long long n = 1;
  for (long long const e : extents) n *= e;
  return n;
}
/// The coordinate of an index, and back; missing extents count as 1.
inline numbers coordinate(long long index, numbers const& extents, std::size_t rank) {
  numbers out(rank, 0);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    out[i] = index % extents[i];
    index /= extents[i];
  }
  return out;
}
inline long long index_of(numbers const& coord, numbers const& extents) {
  long long index = 0, position = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    index += coord[i] * position;
    position *= extents[i];
  }
  return index;
}

/// Threads thr[i], each with values val[i] of them, over a tensor of the given extents.
struct declaration {
  numbers thr, val, extents;

  /// The tensor's index of the value at `value` that the thread at `thread` carries in repetition `rest`.
  long long element(long long thread, long long value, long long rest) const {
    std::size_t const rank = extents.size();
    numbers const t = coordinate(thread, thr, rank), v = coordinate(value, val, rank);
    numbers tile(rank, 1), repeats(rank, 1);
    for (std::size_t i = 0; i < rank; ++i) {
      if (i < thr.size()) tile[i] *= thr[i];
      if (i < val.size()) tile[i] *= val[i];
      repeats[i] = extents[i] / tile[i];
    }
    numbers const r = coordinate(rest, repeats, rank);
    numbers at(rank, 0);
    for (std::size_t i = 0; i < rank; ++i) at[i] = r[i] * tile[i] + t[i] * (i < val.size() ? val[i] : 1) + v[i];
    return index_of(at, extents);
  }
};

/// Do the partitions of the copy hold, in order, what the declaration says? `val` is the value layout in
/// values.
template <class Copy, class Thr, class Val, class L>
::testing::AssertionResult follows_declaration(Copy const& copy, Thr const& thr, Val const& val, L const& layout) {
  auto const tensor = make_counting_tensor(layout);
  declaration const d{mode_sizes(thr), mode_sizes(val), mode_sizes(layout)};
  long long const threads = product_of(d.thr), values = product_of(d.val), all = product_of(d.extents);
  numbers const order = offsets(thr), rank = offsets(val), where = offsets(layout);
  numbers owners(static_cast<std::size_t>(all), 0);
  for (long long t = 0; t < threads; ++t) {
    auto const mine = copy.get_slice(static_cast<int>(order[static_cast<std::size_t>(t)])).partition_S(tensor);
    auto const theirs = copy.get_slice(static_cast<int>(order[static_cast<std::size_t>(t)])).partition_D(tensor);
    numbers const read = offsets(mine), written = offsets(theirs);
    if (static_cast<long long>(read.size()) * threads != all)
      return ::testing::AssertionFailure() << "size of the partition";
    for (long long v = 0; v < values; ++v)
      for (long long r = 0; r < all / threads / values; ++r) {
        auto const at = static_cast<std::size_t>(rank[static_cast<std::size_t>(v)] + values * r);
        auto const element = static_cast<std::size_t>(d.element(t, v, r));
        ++owners[element];
        if (read[at] != where[element] || written[at] != where[element])
          return ::testing::AssertionFailure()
                 << "thread " << t << ", value " << v << ", repetition " << r << ": reads " << read[at] << ", writes "
                 << written[at] << ", want " << where[element];
      }
  }
  if (std::any_of(owners.begin(), owners.end(), [](long long n) { return n != 1; }))
    return ::testing::AssertionFailure() << "an element has no owner, or two";
  return ::testing::AssertionSuccess();
}

}  // namespace tilewright::tests
