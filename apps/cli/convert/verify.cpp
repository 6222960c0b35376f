// The naive walk: every coordinate, both offsets by their definition. It goes in boxes along the nearest leaf of each
// side, since files larger than memory would otherwise be read once for each element.
#include "apps/cli/convert/verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstring>
#include <vector>

namespace tilewright::cli {
namespace {

constexpr std::int64_t box_extent = 512;  // along the nearest leaf of a side

struct walked_leaf {
  std::int64_t extent = 1, src = 0, dst = 0;
  std::int64_t box = 1;
};

/// post: the leaf with the smallest step on one side; of leaves of one element any
std::size_t widen_nearest(std::vector<walked_leaf>& leaves, std::int64_t walked_leaf::*stride) {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < leaves.size(); ++i) {
    bool const nearer = math::abs(leaves[i].*stride) < math::abs(leaves[nearest].*stride);
    if (leaves[i].extent > 1 && (nearer || leaves[nearest].extent == 1)) nearest = i;
  }
  leaves[nearest].box = std::min(leaves[nearest].extent, box_extent);
  return nearest;
}

/// Counts up like a clock whose hands step by `step` and stop before `end`.
bool advance(std::vector<std::int64_t>& at, std::vector<std::int64_t> const& begin,
             std::vector<std::int64_t> const& end, std::vector<std::int64_t> const& step) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    at[i] += step[i];
    if (at[i] < end[i]) return true;
    at[i] = begin[i];
  }
  return false;
}

/// The index along each axis of the array.
std::string coordinate_of(conversion const& c, std::vector<std::int64_t> const& at) {
  std::vector<std::int64_t> axes;
  layout_value const& a = c.src.layout;
  for (int i = 0; i < a.rank(); ++i) {
    subtree const u = a.mode(i);
    std::int64_t index = 0, position = 1;
    for (int k = u.leaf; k < u.leaf_end; ++k) {
      index += at[static_cast<std::size_t>(k)] * position;
      position *= a.shape[k].number;
    }
    axes.push_back(index);
  }
  return fmt::format("({})", fmt::join(axes, ", "));
}

template <std::size_t Bytes>
std::int64_t count_if_not_zero(std::byte const* data, std::int64_t elements) {
  constexpr std::byte zero[Bytes]{};
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < elements; ++i)
    count += std::memcmp(data + static_cast<std::size_t>(i) * Bytes, zero, Bytes) != 0;
  return count;
}

template <std::size_t Bytes>
std::optional<std::string> find(conversion const& c, std::byte const* in, std::byte const* out,
                                std::function<bool(std::int64_t)> const& go_on) {
  std::vector<walked_leaf> leaves;
  std::int64_t elements = 1;
  for (int i = 0; i < c.src.layout.leaves; ++i) {
    leaves.push_back({c.src.layout.shape[i].number, c.src.layout.stride[i].number, c.dst.layout.stride[i].number});
    elements *= leaves.back().extent;
    if (leaves.back().extent == 0) return std::nullopt;
  }
  widen_nearest(leaves, &walked_leaf::dst);
  std::size_t const inner = widen_nearest(leaves, &walked_leaf::src);  // its coordinates run in the innermost loop

  std::vector<std::int64_t> const zero(leaves.size(), 0);
  std::vector<std::int64_t> extents, boxes, steps(leaves.size(), 1);
  for (walked_leaf const& l : leaves) extents.push_back(l.extent), boxes.push_back(l.box);
  std::vector<std::int64_t> corner = zero;
  std::int64_t compared = 0;
  do {
    std::vector<std::int64_t> at = corner, end = corner;
    for (std::size_t i = 0; i < end.size(); ++i) end[i] = std::min(extents[i], corner[i] + boxes[i]);
    std::int64_t const run = end[inner] - corner[inner];
    steps[inner] = run;
    do {
      std::int64_t from = c.src.offset.number, to = c.dst.offset.number;
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        from += at[i] * leaves[i].src;
        to += at[i] * leaves[i].dst;
      }
      for (std::int64_t k = 0; k < run; ++k, from += leaves[inner].src, to += leaves[inner].dst) {
        std::int64_t const placed = c.dst.swizzle(to);
        if (std::memcmp(in + from * std::int64_t{Bytes}, out + placed * std::int64_t{Bytes}, Bytes) != 0) {
          at[inner] += k;
          return fmt::format("the element {} is not that of the input", coordinate_of(c, at));
        }
      }
      compared += run;
    } while (advance(at, corner, end, steps));
    if (!go_on(compared)) return std::nullopt;
  } while (advance(corner, zero, extents, boxes));

  bool const has_holes = c.out_elements > elements;
  if (has_holes && count_if_not_zero<Bytes>(in, elements) != count_if_not_zero<Bytes>(out, c.out_elements))
    return "an element that the layout skips is not zero";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_difference(conversion const& c, std::byte const* in, std::byte const* out,
                                           std::size_t element_bytes, std::function<bool(std::int64_t)> const& go_on) {
  switch (element_bytes) {
    case 1: return find<1>(c, in, out, go_on);
    case 2: return find<2>(c, in, out, go_on);
    case 4: return find<4>(c, in, out, go_on);
    case 8: return find<8>(c, in, out, go_on);
    default: return find<16>(c, in, out, go_on);
  }
}

}  // namespace tilewright::cli
