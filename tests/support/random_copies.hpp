// Random pairs of layouts over one domain, for tests of what moves tensors: nested modes, padding, gaps, negative and
// zero strides, offsets, swizzles, extents that divide nothing, modes that the two sides split differently. Beside each
// pair stands what the value face says of it, element by element.
#pragma once

#include "tilewright/algebra/value_face.hpp"
#include "tilewright/layout/swizzle_value.hpp"
#include "tilewright/layout/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::tests {

struct random_copy {
  composed_value src{}, dst{};
  int element_bits = 32;
  std::vector<std::int64_t> from, to;               // where each element is read and written, counted in elements
  std::int64_t src_elements = 0, dst_elements = 0;  // that the buffers hold

  std::int64_t bytes_of(std::int64_t elements) const { return (elements * element_bits + 7) / 8; }
  std::string text() const {
    auto const one = [](composed_value const& a) {
      return a.swizzle.bits == 0 && a.offset.number == 0 ? format_layout(a.layout) : format_composed(a);
    };
    return one(src) + " -> " + one(dst) + ", elements of " + std::to_string(element_bits) + " bits";
  }

  /// dst after the copy, element by element.
  std::vector<std::uint8_t> expected(std::vector<std::uint8_t> const& source, std::vector<std::uint8_t> out) const {
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (element_bits == 4) {
        unsigned const value = (source[std::size_t(from[i] / 2)] >> (from[i] % 2 * 4)) & 15u;
        auto& byte = out[std::size_t(to[i] / 2)];
        byte = static_cast<std::uint8_t>(to[i] % 2 == 0 ? (byte & 0xf0u) | value : (byte & 0x0fu) | value << 4);
      } else {
        auto const bytes = std::size_t(element_bits / 8);
        std::memcpy(&out[std::size_t(to[i]) * bytes], &source[std::size_t(from[i]) * bytes], bytes);
      }
    }
    return out;
  }
};

class random_copies {
 public:
  /// `most` bounds the elements of a copy.
  explicit random_copies(std::uint64_t seed, std::int64_t most = 20000) : random_(seed), most_(most) {}

  random_copy next() {
    for (;;) {
      random_copy out;
      static constexpr int widths[] = {4, 8, 16, 32, 64, 128};
      out.element_bits = widths[below(6)];
      std::vector<std::int64_t> sizes;
      std::int64_t total = 1;
      for (std::int64_t left = 1 + below(4); left > 0; --left) {
        sizes.push_back(extent());
        total *= sizes.back();
      }
      if (total > most_) continue;
      bool const may_broadcast = below(4) == 0;
      out.src = side(sizes, may_broadcast);
      out.dst = side(sizes, false);
      if (fill(out)) return out;
    }
  }

 private:
  std::int64_t below(std::int64_t n) { return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random_); }

  std::int64_t extent() {
    static constexpr std::int64_t common[] = {1,  2,  3,  4,  5,  7,  8,   12,  16,  24,
                                              30, 32, 33, 48, 64, 96, 100, 127, 128, 256};
    return below(3) == 0 ? 1 + below(40) : common[below(20)];
  }

  /// A size as a product, at random.
  std::vector<std::int64_t> factors(std::int64_t size) {
    std::vector<std::int64_t> out;
    while (size > 1 && below(3) != 0 && out.size() < 3) {
      std::vector<std::int64_t> divisors;
      for (std::int64_t d = 2; d < size; ++d)
        if (size % d == 0) divisors.push_back(d);
      if (divisors.empty()) break;
      out.push_back(divisors[std::size_t(below(std::int64_t(divisors.size())))]);
      size /= out.back();
    }
    out.push_back(size);
    return out;
  }

  /// One layout over modes of these sizes; distinct offsets unless some of its strides are 0.
  composed_value side(std::vector<std::int64_t> const& sizes, bool broadcast) {
    std::vector<std::vector<std::int64_t>> shape, stride;
    std::vector<std::pair<std::size_t, std::size_t>> leaves;
    for (std::size_t m = 0; m < sizes.size(); ++m) {
      shape.push_back(factors(sizes[m]));
      stride.emplace_back(shape[m].size(), 0);
      for (std::size_t l = 0; l < shape[m].size(); ++l) leaves.emplace_back(m, l);
    }
    if (below(4) != 0) std::shuffle(leaves.begin(), leaves.end(), random_);
    std::int64_t next = below(8) == 0 ? 1 + below(4) : 1, offset = below(3) == 0 ? below(40) : 0;
    for (auto const& [m, l] : leaves) {
      if (broadcast && below(3) == 0) continue;
      std::int64_t const n = shape[m][l];
      bool const is_negative = below(6) == 0;
      stride[m][l] = is_negative ? -next : next;
      if (is_negative) offset += (n - 1) * next;
      next = next * n + (below(4) == 0 ? below(9) : 0);
    }
    composed_value out;
    out.layout = parse_layout(text_of(shape) + ":" + text_of(stride));
    out.offset = constant_leaf(offset);
    if (below(5) == 0) out.swizzle = {int(1 + below(3)), int(below(4)), int(3 + below(2))};
    return out;
  }

  static std::string text_of(std::vector<std::vector<std::int64_t>> const& modes) {
    std::string out;
    for (auto const& mode : modes) {
      std::string inner;
      for (std::int64_t const n : mode) inner += (inner.empty() ? "" : ",") + std::to_string(n);
      out += (out.empty() ? "" : ",") + (mode.size() == 1 ? inner : "(" + inner + ")");
    }
    return "(" + out + ")";
  }

  /// The value face's account of the copy; false for what no test can hold.
  bool fill(random_copy& c) const {
    auto const count = size(c.src.layout);
    if (!count) return false;
    std::int64_t src_last = -1, dst_last = -1;
    for (long long i = 0; i < *count; ++i) {
      auto const a = crd2idx(i, c.src), b = crd2idx(i, c.dst);
      if (!a || !b || *a < 0 || *b < 0) throw std::logic_error("random_copies: " + c.text());
      c.from.push_back(*a);
      c.to.push_back(*b);
      src_last = std::max<std::int64_t>(src_last, *a);
      dst_last = std::max<std::int64_t>(dst_last, *b);
    }
    c.src_elements = src_last + 1;
    c.dst_elements = dst_last + 1;
    return c.src_elements + c.dst_elements < 64 * most_;
  }

  std::mt19937_64 random_;
  std::int64_t most_;
};

/// Bytes that differ from their neighbours.
inline std::vector<std::uint8_t> random_bytes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> out(count);
  for (auto& byte : out) byte = static_cast<std::uint8_t>(random());
  return out;
}

}  // namespace tilewright::tests
