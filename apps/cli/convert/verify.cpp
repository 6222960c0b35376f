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

struct walked_leaf {
  std::int64_t extent = 1, src = 0, dst = 0;
  std::int64_t box = 1;
};

/// Leaves of more than one element, from the one with the smallest step on one side.
std::vector<std::size_t> by_step(std::vector<walked_leaf> const& leaves, std::int64_t walked_leaf::*stride) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i].extent > 1) out.push_back(i);
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return math::abs(leaves[a].*stride) < math::abs(leaves[b].*stride);
  });
  return out;
}

/// Chooses the boxes. The leaves that are nearest on both sides, in one order, are a stretch on either; behind them a
/// box takes the next leaf of each side, so that it reads as many stretches of one side as of the other.
/// post: the stretches that a box touches on either side
std::int64_t choose_boxes(std::vector<walked_leaf>& leaves, comparison const& c) {
  std::vector<std::size_t> const src = by_step(leaves, &walked_leaf::src), dst = by_step(leaves, &walked_leaf::dst);
  std::int64_t stretch = 1;  // elements
  std::size_t i = 0;
  for (; i < src.size() && src[i] == dst[i]; ++i) {
    walked_leaf& l = leaves[src[i]];
    l.box = std::min(l.extent, std::max<std::int64_t>(c.stretch_elements / stretch, 1));
    stretch *= l.box;
    if (l.box < l.extent) return 1;
  }
  if (i == src.size()) return 1;
  std::int64_t const box = std::clamp<std::int64_t>(c.stretch_elements / stretch, 1, c.box_extent);
  for (std::size_t const at : {src[i], dst[i]}) leaves[at].box = std::min(leaves[at].extent, box);
  return std::max(leaves[src[i]].box, leaves[dst[i]].box);
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

/// Elements of a width that the compiler knows; 0: any.
template <std::size_t Bytes>
class elements {
 public:
  elements(comparison const& c) : c_(c), bytes_(Bytes > 0 ? Bytes : static_cast<std::size_t>(c.element.bytes)) {
    if (c.order) converted_.resize(bytes_);
  }
  bool equal(std::int64_t from, std::int64_t to) {
    std::size_t const width = Bytes > 0 ? Bytes : bytes_;
    std::byte const* wanted = c_.in + static_cast<std::size_t>(from) * width;
    if (c_.order) {
      std::memcpy(converted_.data(), wanted, width);
      convert_byte_order(converted_, c_.element, *c_.order);
      wanted = converted_.data();
    }
    return std::memcmp(wanted, c_.out + static_cast<std::size_t>(to) * width, width) == 0;
  }
  std::int64_t count_if_not_zero(std::byte const* data, std::int64_t count) const {
    std::int64_t out = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      std::byte const* const at = data + static_cast<std::size_t>(i) * bytes_;
      out += std::any_of(at, at + bytes_, [](std::byte b) { return b != std::byte{0}; });
    }
    return out;
  }

 private:
  comparison const& c_;
  std::size_t bytes_;
  std::vector<std::byte> converted_;
};

template <std::size_t Bytes>
std::optional<std::string> find(comparison const& given) {
  conversion const& c = given.what;
  std::vector<walked_leaf> leaves;
  std::int64_t count = 1;
  for (int i = 0; i < c.src.layout.leaves; ++i) {
    leaves.push_back({c.src.layout.shape[i].number, c.src.layout.stride[i].number, c.dst.layout.stride[i].number});
    count *= leaves.back().extent;
    if (leaves.back().extent == 0) return std::nullopt;
  }
  elements<Bytes> both(given);
  std::int64_t const stretches = choose_boxes(leaves, given);
  std::size_t inner = 0;  // the leaf of the innermost loop
  for (std::size_t i = 1; i < leaves.size(); ++i)
    if (leaves[i].box > leaves[inner].box) inner = i;

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
        if (both.equal(from, c.dst.swizzle(to))) continue;
        at[inner] += k;
        return fmt::format("the element {} is not that of the input", coordinate_of(c, at));
      }
      compared += run;
    } while (advance(at, corner, end, steps));
    if (!given.go_on(compared, stretches)) return std::nullopt;
  } while (advance(corner, zero, extents, boxes));

  bool const has_holes = c.out_elements > count;
  if (has_holes && both.count_if_not_zero(given.in, count) != both.count_if_not_zero(given.out, c.out_elements))
    return "an element that the layout skips is not zero";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_difference(comparison const& c) {
  switch (c.element.bytes) {
    case 1: return find<1>(c);
    case 2: return find<2>(c);
    case 4: return find<4>(c);
    case 8: return find<8>(c);
    case 16: return find<16>(c);
    default: return find<0>(c);
  }
}

}  // namespace tilewright::cli
