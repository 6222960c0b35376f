// The widest access that the threads of a tiled copy can make on one side, and why it is not wider: every doubling of
// the width is tried on every thread and round, and the first thing that forbids it is the answer.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tiling/tiled_side.hpp"

namespace tilewright::tiling {

enum class width_limit : int {
  machine,  // no instruction is wider: `found` bits
  atom,     // the atom carries `found` elements
  element,  // elements of `found` bits make no power of two
  values,   // a thread has `found` values, no multiple of `needed`
  stride,   // values run along `mode`, where the next is `found` elements away, not 1
  run,      // after `needed / 2` values the next is `found` elements away, in `mode`
  swizzle,  // it keeps only `found` elements together
  start,    // accesses start at multiples of `found` elements (the stride of `mode`), not of `needed`
  offset,   // the layout starts at offset `found`, no multiple of `needed`
  base,     // the base is aligned to `found` bytes, not to `needed`
};

struct access_width {
  elements vector{1};  // of one access
  bits width{};
  width_limit limit = width_limit::machine;
  int along = -1;  // the tile's mode that the elements of an access run along; -1 for a single element
  int mode = -1;   // that the limit speaks of, where it speaks of one
  long long found = 0;
  long long needed = 0;               // for an access twice as wide
  elements wanted{1};                 // of one access, by the atom and the machine
  long long thread = -1, value = -1;  // the first for whom it does not hold, where one was looked for

  /// Is the width short of what the copy asked for?
  constexpr bool limited() const { return limit != width_limit::machine && limit != width_limit::atom; }
  friend constexpr bool operator==(access_width const&, access_width const&) = default;
};

namespace detail {

/// The mode of the tile in which two elements of it differ, the last of several; -1 for the same element.
inline int mode_between(tiled_map const& map, long long from, long long to) {
  int_tree const a = idx2crd(from, map.tiler).value(), b = idx2crd(to, map.tiler).value();
  int mode = -1;
  for (int i = 0; i < map.tiler.rank(); ++i) {
    subtree const u = map.tiler.mode(i);
    for (int k = u.leaf; k < u.leaf_end; ++k)
      if (!(a.shape[k] == b.shape[k])) mode = i;
  }
  return mode;
}

/// The first mode of the tensor that steps by something other than 1 and no multiple of `needed`.
inline int misaligned_mode(layout_value const& tensor, long long needed, long long& stride) {
  for (int i = 0; i < tensor.rank(); ++i) {
    subtree const u = tensor.mode(i);
    for (int k = u.leaf; k < u.leaf_end; ++k)
      if (tensor.shape[k].number > 1 && math::abs(tensor.stride[k].number) != 1 &&
          tensor.stride[k].number % needed != 0) {
        stride = tensor.stride[k].number;
        return i;
      }
  }
  return -1;
}

/// Is every group of `n` values contiguous and aligned to n, given that groups of n / 2 are? If not, why is in `out`.
inline bool holds_vectors(tiled_map const& map, tiled_side const& side, composed_value const& tensor, long long n,
                          access_width& out) {
  auto const fail = [&](width_limit why, int mode, long long found, long long thread, long long value) {
    out.limit = why;
    out.mode = mode;
    out.found = found;
    out.needed = n;
    out.thread = thread;
    out.value = value;
    return false;
  };
  if (side.values % n != 0) return fail(width_limit::values, -1, side.values, -1, -1);
  auto const plain = [&](long long t, long long v) {
    return side.offset[static_cast<std::size_t>(t + side.threads * v)];
  };
  long long const half = n / 2;
  for (long long v = 0; v < side.values; v += n)
    for (long long t = 0; t < side.threads; ++t) {
      long long const step = plain(t, v + half) - plain(t, v + half - 1);
      if (step == 1) continue;
      int const mode =
          mode_between(map, map.tv(t + side.threads * (v + half - 1)), map.tv(t + side.threads * (v + half)));
      return fail(half == 1 ? width_limit::stride : width_limit::run, mode, step, t, v);
    }
  for (round_class const& round : side.classes)
    for (long long v = 0; v < side.values; v += n)
      for (long long t = 0; t < side.threads; ++t) {
        if (math::floor_mod(side.below_swizzle(t, v, round), n) != 0) {
          long long found = 0;
          int const mode = misaligned_mode(tensor.layout, n, found);
          if (tensor.offset.number % n != 0) return fail(width_limit::offset, -1, tensor.offset.number, t, v);
          return fail(width_limit::start, mode, found, t, v);
        }
        long long const first = side.at(t, v, round);
        bool whole = math::floor_mod(first, n) == 0;
        for (long long i = 1; i < n && whole; ++i) whole = side.at(t, v + i, round) == first + i;
        if (!whole) return fail(width_limit::swizzle, -1, 1LL << side.swizzle.base, t, v);
      }
  return true;
}

}  // namespace detail

/// A stride of which only a divisor is known, for the layouts given here: a width found with it holds for every multiple
/// of the divisor. (It is a multiple by a large prime, so it aligns nothing else and continues no run.)
constexpr long long any_multiple_of(long long divisor) { return 1000003 * divisor; }

/// pre:  `side` is side_of(map, tensor); the base is aligned to `alignment`
/// post: each thread's values, taken `vector` at a time in order, are contiguous and aligned in every round, and twice as
///       many are not, for the reason given
/// cost: O(log(width) * kinds of rounds * threads * values)
inline access_width width_of(tiled_map const& map, tiled_side const& side, composed_value const& tensor,
                             bytes alignment, bits widest) {
  access_width out{};
  out.wanted.count = std::max(1LL, std::min(map.atom.count, widest.count / map.element.count));
  long long n = 1;
  for (;;) {
    long long const twice = 2 * n, wide = twice * map.element.count;
    if (wide > widest.count) {
      out.limit = width_limit::machine;
      out.found = widest.count;
    } else if (twice > map.atom.count) {
      out.limit = width_limit::atom;
      out.found = map.atom.count;
    } else if (!math::has_single_bit(static_cast<unsigned long long>(map.element.count))) {
      out.limit = width_limit::element;
      out.found = map.element.count;
    } else if (detail::holds_vectors(map, side, tensor, twice, out)) {
      if (wide > 8 && alignment.count % (wide / 8) != 0) {
        out.limit = width_limit::base;
        out.mode = -1;
        out.found = alignment.count;
        out.needed = wide / 8;
      } else {
        n = twice;
        continue;
      }
    }
    break;
  }
  out.vector = {n};
  out.width = to_bits(out.vector, map.element);
  if (n > 1) out.along = detail::mode_between(map, map.tv(0), map.tv(side.threads));
  return out;
}

}  // namespace tilewright::tiling
