// Copies between two layouts of plain modes, made so that every path of the CPU's planner is taken often: transposes,
// shared runs, channels, gaps, reversed and repeated modes, one side's order shuffled against the other's. What they have to
// do is evaluated by loops over the modes, which share nothing with the library.
#pragma once

#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace tilewright::tests {

struct flat_copy {
  std::vector<std::int64_t> shape, src, dst;  // strides, in elements
  std::int64_t src_offset = 0, dst_offset = 0, src_elements = 0, dst_elements = 0;
  std::int64_t width = 1;  // bytes of an element

  std::int64_t elements() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  }
  copy_request request(std::int64_t src_alignment, std::int64_t dst_alignment) const {
    auto const side = [&](std::vector<std::int64_t> const& strides, std::int64_t offset) {
      composed_value out = composed(parse_layout(text_of(shape) + ":" + text_of(strides)));
      out.offset = constant_leaf(offset);
      return out;
    };
    return {side(src, src_offset), side(dst, dst_offset), static_cast<int>(8 * width), src_alignment, dst_alignment};
  }
  std::string text() const {
    return text_of(shape) + ":" + text_of(src) + "+" + std::to_string(src_offset) + " -> " + text_of(dst) + "+" +
           std::to_string(dst_offset) + ", elements of " + std::to_string(width) + " bytes";
  }
  std::size_t src_bytes() const { return static_cast<std::size_t>(src_elements * width); }
  std::size_t dst_bytes() const { return static_cast<std::size_t>(dst_elements * width); }

  /// The destination after the copy.
  std::vector<std::uint8_t> expected(std::vector<std::uint8_t> const& source, std::vector<std::uint8_t> out) const {
    switch (width) {
      case 1: fill<1>(source.data(), out.data()); break;
      case 2: fill<2>(source.data(), out.data()); break;
      case 4: fill<4>(source.data(), out.data()); break;
      case 8: fill<8>(source.data(), out.data()); break;
      default: fill<16>(source.data(), out.data());
    }
    return out;
  }

 private:
  static std::string text_of(std::vector<std::int64_t> const& numbers) {
    std::string out;
    for (std::int64_t const n : numbers) out += (out.empty() ? "(" : ",") + std::to_string(n);
    return out + ")";
  }
  template <std::size_t Width>
  void fill(std::uint8_t const* source, std::uint8_t* out) const {
    std::vector<std::int64_t> at(shape.size(), 0);
    std::int64_t from = src_offset, to = dst_offset;
    for (;;) {
      for (std::int64_t i = 0, a = from, b = to; i < shape[0]; ++i, a += src[0], b += dst[0])
        std::memcpy(out + b * std::int64_t{Width}, source + a * std::int64_t{Width}, Width);
      std::size_t m = 1;
      for (; m < shape.size(); ++m) {
        from += src[m], to += dst[m];
        if (++at[m] < shape[m]) break;
        from -= shape[m] * src[m], to -= shape[m] * dst[m];
        at[m] = 0;
      }
      if (m >= shape.size()) return;
    }
  }
};

class flat_copies {
 public:
  /// Copies of `min` to `max` bytes.
  flat_copies(std::uint64_t seed, std::int64_t min, std::int64_t max) : random_(seed), min_(min), max_(max) {}

  /// Elements of `width` bytes; 0: of 1, 2, 4, 8 or 16.
  flat_copy next(std::int64_t width = 0) {
    for (;;) {
      flat_copy c;
      c.width = width != 0 ? width : std::int64_t{1} << below(5);
      c.shape = below(4) == 0 ? channels() : modes();
      std::int64_t const bytes = c.elements() * c.width;
      if (bytes < min_ || bytes > max_) continue;
      std::vector<std::size_t> order(c.shape.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      if (below(6) == 0) std::shuffle(order.begin(), order.end(), random_);
      c.dst = strides(c.shape, order, false, c.dst_offset, c.dst_elements);
      if (below(8) != 0) rearrange(order);
      c.src = strides(c.shape, order, true, c.src_offset, c.src_elements);
      return c;
    }
  }
  std::int64_t below(std::int64_t n) { return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random_); }

 private:
  /// Small, around the lengths of vectors and batches, or long enough to fill what is left.
  std::int64_t extent(std::int64_t left) {
    static constexpr std::int64_t around[] = {8, 16, 32, 64, 128, 192, 256, 384, 512, 1024, 4096};
    std::int64_t n = 1;
    switch (below(4)) {
      case 0: n = 1 + below(9); break;
      case 1: n = 1 + below(100); break;
      case 2: n = around[below(11)] + below(5) - 2; break;
      default: n = 1 + below(std::max<std::int64_t>(1, left)); break;
    }
    return std::max<std::int64_t>(1, n);
  }
  std::vector<std::int64_t> modes() {
    std::vector<std::int64_t> out;
    std::int64_t left = max_;
    for (std::int64_t rank = 1 + below(4); rank > 0; --rank) {
      out.push_back(extent(left));
      left /= out.back();
    }
    return out;
  }
  /// (run, channels, places, batches)
  std::vector<std::int64_t> channels() {
    std::int64_t const run = 1 + below(2) * below(4), count = 2 + below(7), places = 1 + below(max_ / (count * run));
    return {run, count, places, 1 + below(3)};
  }
  /// The first few modes change places, as in most permutations.
  void rearrange(std::vector<std::size_t>& order) {
    if (order.size() < 2) return;
    if (below(3) == 0) std::shuffle(order.begin(), order.end(), random_);
    else std::swap(order[0], order[1 + static_cast<std::size_t>(below(static_cast<std::int64_t>(order.size()) - 1))]);
    // A leading run that both sides share.
    if (order.size() > 2 && below(3) == 0) std::iota(order.begin(), order.begin() + 1, std::size_t{0}), dedupe(order);
  }
  static void dedupe(std::vector<std::size_t>& order) {
    std::vector<std::size_t> out;
    for (std::size_t const m : order)
      if (std::find(out.begin(), out.end(), m) == out.end()) out.push_back(m);
    for (std::size_t m = 0; m < order.size(); ++m)
      if (std::find(out.begin(), out.end(), m) == out.end()) out.push_back(m);
    order = out;
  }
  std::vector<std::int64_t> strides(std::vector<std::int64_t> const& shape, std::vector<std::size_t> const& order,
                                    bool is_source, std::int64_t& offset, std::int64_t& elements) {
    std::vector<std::int64_t> out(shape.size(), 0);
    std::int64_t next = is_source && below(10) == 0 ? 2 + below(3) : 1;
    offset = below(4) == 0 ? below(70) : 0;
    bool const is_padded = below(3) == 0, to_lines = below(3) == 0, may_repeat = is_source && below(10) == 0;
    std::int64_t last = 0;
    for (std::size_t const m : order) {
      if (may_repeat && below(3) == 0) continue;
      bool const is_reversed = below(16) == 0;
      out[m] = is_reversed ? -next : next;
      if (is_reversed) offset += (shape[m] - 1) * next;
      else last += (shape[m] - 1) * next;
      next *= shape[m];
      if (is_padded && below(2) == 0) next += below(9);
      else if (to_lines) next = (next + 63) / 64 * 64;
    }
    elements = offset + last + 1;
    return out;
  }

  std::mt19937_64 random_;
  std::int64_t min_, max_;
};

}  // namespace tilewright::tests
