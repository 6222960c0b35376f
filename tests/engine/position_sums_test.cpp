// Sums by position: both sides of a right copy agree, in any partition; copies with a wrong, missing, doubled or
// misplaced element do not. The copies are made by the naive walk.
#include "engine/npy/position_sums.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

namespace tilewright {
namespace {

using npy::position_sums;
using npy::position_total;
using bytes = std::vector<std::byte>;

struct copied {
  std::vector<loop> loops;
  std::int64_t element_bytes = 1;
  bytes source, destination;
};

std::int64_t span_of(std::vector<loop> const& loops, std::int64_t loop::*stride) {
  std::int64_t last = 0;
  for (loop const& l : loops) last += (l.extent - 1) * l.*stride;
  return last + 1;
}

void walk(copied& c) {
  std::vector<std::int64_t> x(c.loops.size(), 0);
  while (true) {
    std::int64_t from = 0, to = 0;
    for (std::size_t i = 0; i < x.size(); ++i) from += x[i] * c.loops[i].src, to += x[i] * c.loops[i].dst;
    std::memcpy(c.destination.data() + to * c.element_bytes, c.source.data() + from * c.element_bytes,
                static_cast<std::size_t>(c.element_bytes));
    std::size_t i = 0;
    for (; i < x.size() && ++x[i] == c.loops[i].extent; ++i) x[i] = 0;
    if (i == x.size()) return;
  }
}

/// The loops of a permutation; with `gap`, the destination has holes above its loop of that number.
copied permuted(std::vector<std::int64_t> const& extents, std::vector<std::size_t> const& order,
                std::int64_t element_bytes, std::size_t gap = 99) {
  copied c;
  c.element_bytes = element_bytes;
  std::int64_t stride = 1;
  for (std::int64_t const e : extents) c.loops.push_back({e, stride, 0}), stride *= e;
  stride = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == gap) stride = stride * 2 + 3;
    c.loops[order[i]].dst = stride;
    stride *= c.loops[order[i]].extent;
  }
  c.source.resize(static_cast<std::size_t>(span_of(c.loops, &loop::src) * element_bytes));
  c.destination.resize(static_cast<std::size_t>(span_of(c.loops, &loop::dst) * element_bytes));
  std::uint64_t random = static_cast<std::uint64_t>(c.source.size()) * 0x9e3779b97f4a7c15u;
  for (std::byte& b : c.source)
    random = random * 6364136223846793005u + 1442695040888963407u, b = std::byte(random >> 56);
  walk(c);
  return c;
}

std::int64_t some_element_bytes() { return *rc::gen::element<std::int64_t>(1, 2, 3, 4, 6, 8, 12, 16, 20); }

copied some_copy() {
  auto const rank = *rc::gen::inRange<std::size_t>(1, 5);
  auto extents = *rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(1, 12));
  std::size_t const longest = *rc::gen::inRange<std::size_t>(0, rank);
  extents[longest] = *rc::gen::element<std::int64_t>(1, 3, 64, 257, 1000, 4096, 4099, 9001);
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = rank; i-- > 1;) std::swap(order[i], order[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  return permuted(extents, order, some_element_bytes(), *rc::gen::inRange<std::size_t>(0, rank + 3));
}

position_total in_pieces(position_sums const& sums, position_sums::side which, bytes const& data,
                         std::int64_t element_bytes) {
  position_total out;
  auto const elements = static_cast<std::int64_t>(data.size()) / element_bytes;
  for (std::int64_t at = 0; at < elements;) {
    std::int64_t const count = std::min(elements - at, *rc::gen::inRange<std::int64_t>(1, 5000));
    out += sums.sum(which, at * element_bytes,
                    std::span(data).subspan(static_cast<std::size_t>(at * element_bytes),
                                            static_cast<std::size_t>(count * element_bytes)));
    at += count;
  }
  return out;
}

RC_GTEST_PROP(position_sums, both_sides_of_a_right_copy_agree_in_any_pieces, ()) {
  copied const c = some_copy();
  auto const sums = position_sums::of(c.loops, c.element_bytes);
  RC_ASSERT(sums.has_value());
  position_total const read = sums->sum(position_sums::source, 0, c.source);
  RC_ASSERT(read == sums->sum(position_sums::destination, 0, c.destination));
  RC_ASSERT(read == in_pieces(*sums, position_sums::source, c.source, c.element_bytes));
  RC_ASSERT(read == in_pieces(*sums, position_sums::destination, c.destination, c.element_bytes));
  RC_ASSERT(read.positions == sums->expected().positions);
  RC_ASSERT(read.bytes == sums->expected().bytes);
  RC_ASSERT(read.bytes == static_cast<std::int64_t>(c.source.size()));
}

RC_GTEST_PROP(position_sums, a_changed_byte_is_found, ()) {
  copied c = some_copy();
  auto const sums = position_sums::of(c.loops, c.element_bytes);
  position_total const read = sums->sum(position_sums::source, 0, c.source);
  auto const at = *rc::gen::inRange<std::size_t>(0, c.destination.size());
  c.destination[at] ^= std::byte(*rc::gen::inRange(1, 256));
  position_total const written = sums->sum(position_sums::destination, 0, c.destination);
  RC_ASSERT(written.words != read.words || !written.holes_are_zero);
}

RC_GTEST_PROP(position_sums, a_copy_with_other_loops_is_found, ()) {
  // What a kernel does that takes two loops of equal extent for each other, or shifts a row by one element.
  auto const e = *rc::gen::inRange<std::int64_t>(2, 40), f = *rc::gen::inRange<std::int64_t>(1, 300);
  copied const right = permuted({e, f, e}, {2, 1, 0}, some_element_bytes());
  copied const wrong = permuted({e, f, e}, {0, 1, 2}, right.element_bytes);
  auto const sums = position_sums::of(right.loops, right.element_bytes);
  position_total const read = sums->sum(position_sums::source, 0, right.source);
  if (right.destination != wrong.destination)
    RC_ASSERT(read.words != sums->sum(position_sums::destination, 0, wrong.destination).words);
  bytes shifted = right.destination;
  std::rotate(shifted.begin(), shifted.begin() + right.element_bytes, shifted.end());
  if (shifted != right.destination) RC_ASSERT(read.words != sums->sum(position_sums::destination, 0, shifted).words);
}

RC_GTEST_PROP(position_sums, bytes_that_are_seen_twice_or_never_are_found, ()) {
  copied const c = some_copy();
  auto const sums = position_sums::of(c.loops, c.element_bytes);
  auto const elements = static_cast<std::int64_t>(c.source.size()) / c.element_bytes;
  auto const begin = *rc::gen::inRange<std::int64_t>(0, elements);
  auto const count = *rc::gen::inRange<std::int64_t>(1, elements - begin + 1);
  auto const some = sums->sum(position_sums::source, begin * c.element_bytes,
                              std::span(c.source).subspan(static_cast<std::size_t>(begin * c.element_bytes),
                                                          static_cast<std::size_t>(count * c.element_bytes)));
  RC_ASSERT(some.positions != 0u);
  if (count < elements) RC_ASSERT(some.positions != sums->expected().positions);
}

TEST(position_sums, exchanged_elements_are_found) {
  // Every exchange of two elements of a small copy whose elements differ in the sign alone.
  copied c = permuted({16, 12}, {1, 0}, 4);
  for (std::size_t i = 0; i < c.source.size(); ++i) c.source[i] = std::byte(i % 4 == 3 && i / 4 % 3 == 0 ? 0x80 : 0);
  walk(c);
  auto const sums = position_sums::of(c.loops, 4);
  std::uint64_t const read = sums->sum(position_sums::source, 0, c.source).words;
  for (std::size_t i = 0; i < 192; ++i)
    for (std::size_t j = i + 1; j < 192; ++j) {
      bytes wrong = c.destination;
      std::swap_ranges(wrong.begin() + static_cast<std::ptrdiff_t>(4 * i),
                       wrong.begin() + static_cast<std::ptrdiff_t>(4 * i + 4),
                       wrong.begin() + static_cast<std::ptrdiff_t>(4 * j));
      if (wrong == c.destination) continue;
      ASSERT_NE(sums->sum(position_sums::destination, 0, wrong).words, read) << i << " and " << j;
    }
}

TEST(position_sums, loops_that_are_not_nested_or_go_backwards_have_none) {
  EXPECT_FALSE(position_sums::of({{2, 1, 3}, {3, 2, 2}}, 4).has_value());
  EXPECT_FALSE(position_sums::of({{4, 1, -1}}, 4).has_value());
  EXPECT_FALSE(position_sums::of({{4, 1, 1}}, 0).has_value());
  EXPECT_TRUE(position_sums::of({}, 4).has_value());
  EXPECT_TRUE(position_sums::of({{1, 0, 0}, {4, 1, 1}}, 4).has_value());
}

TEST(position_sums, weighted_sums_are_those_of_the_plain_loop) {
  std::vector<std::uint32_t> coefficients(300);
  bytes data(1200);
  for (std::size_t i = 0; i < 300; ++i) coefficients[i] = static_cast<std::uint32_t>(i * 2654435761u);
  for (std::size_t i = 0; i < 1200; ++i) data[i] = static_cast<std::byte>(i * 37 + 11);
  for (std::int64_t const width : {1, 2, 4})
    for (std::size_t const count : {0u, 1u, 3u, 7u, 8u, 31u, 64u, 299u}) {
      std::uint64_t wanted = 0;
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, data.data() + i * static_cast<std::size_t>(width), static_cast<std::size_t>(width));
        wanted += std::uint64_t{word} * coefficients[i];
      }
      EXPECT_EQ(npy::weighted_sum(data.data(), width, coefficients.data(), count), wanted) << width << " " << count;
    }
}

}  // namespace
}  // namespace tilewright
