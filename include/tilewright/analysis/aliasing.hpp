// Injectivity: do two coordinates of a layout share an offset? And its image: which offsets it reaches, and which gaps
// it leaves between them. A layout whose strides each step over all that the smaller ones reach is injective by that
// argument alone, however large; any other is enumerated.
#pragma once

#include "tilewright/base/config.hpp"

#include <algorithm>
#include <vector>

#include "tilewright/analysis/tiling.hpp"
#include "tilewright/tiling/offsets.hpp"
#include "tilewright/tiling/warp_access.hpp"

namespace tilewright::analysis {

enum class aliasing_verdict : int {
  injective_by_strides,      // each stride exceeds the span of the smaller ones
  injective_by_enumeration,  // every offset was compared
  aliased,                   // `first` and `second` share `offset`
};

struct aliasing {
  aliasing_verdict verdict = aliasing_verdict::injective_by_strides;
  long long first_index = -1, second_index = -1;  // the second is the smallest index whose offset came before
  coord_value first{}, second{};                  // their coordinates, congruent to the shape
  long long offset = 0;

  constexpr bool injective() const { return verdict != aliasing_verdict::aliased; }
};

/// The set of a layout's offsets.
struct image {
  long long smallest = 0, largest = -1;  // largest < smallest: no offset
  long long offsets = 0;                 // distinct ones
  long long gaps = 0;                    // integers between the smallest and the largest that no coordinate reaches
  long long first_gap = 0;               // where gaps > 0

  constexpr bool contiguous() const { return gaps == 0; }
  friend constexpr bool operator==(image const&, image const&) = default;
};

namespace detail {

/// pre: the layout was found well-formed, and not empty
constexpr bool strides_separate(layout_value const& a) {
  struct step {
    long long extent, stride;
  };
  std::array<step, int_tree::leaf_capacity> steps{};
  std::size_t count = 0;
  for (int i = 0; i < a.leaves; ++i)
    if (a.shape[i].number > 1) steps[count++] = {a.shape[i].number, math::abs(a.stride[i].number)};
  std::sort(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count),
            [](step const& x, step const& y) { return x.stride < y.stride; });
  long long reach = 0;  // the largest sum of the smaller steps; fits, since the cosize does
  for (std::size_t i = 0; i < count; ++i) {
    if (steps[i].stride <= reach) return false;
    reach += (steps[i].extent - 1) * steps[i].stride;
  }
  return true;
}

}  // namespace detail

/// The first two coordinates that share an offset, or why there are none.
/// error: those of cosize; throws std::length_error where strides do not decide and no alias comes before the limit
/// cost: O(leaves log leaves); O(size log size) where strides do not decide
inline result<aliasing> find_aliasing(composed_value const& a) {
  result<long long> const n = checked_size(a);
  if (!n) return n.error();
  aliasing out{};
  if (*n <= 1 || detail::strides_separate(a.layout)) return out;  // a swizzle is a permutation
  struct visit {
    long long offset, index;
  };
  // Prefixes that grow, so that a huge layout with an early alias is answered early.
  for (long long prefix = 1024;; prefix *= 8) {
    long long const count = std::min(prefix, *n);
    require_enumerable(count, "the layout");
    std::vector<visit> all;
    all.reserve(static_cast<std::size_t>(count));
    for (long long i = 0; i < count; ++i) all.push_back({offset_of(a, i), i});
    std::sort(all.begin(), all.end(), [](visit const& x, visit const& y) {
      return x.offset != y.offset ? x.offset < y.offset : x.index < y.index;
    });
    long long second = int64_max;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].offset == all[i - 1].offset && all[i].index < second) {
        std::size_t from = i - 1;
        while (from > 0 && all[from - 1].offset == all[i].offset) --from;
        second = all[i].index;
        out.first_index = all[from].index;
        out.second_index = second;
        out.offset = all[i].offset;
      }
    if (second != int64_max) {
      out.verdict = aliasing_verdict::aliased;
      out.first = idx2crd(out.first_index, shape_of(a.layout)).value();
      out.second = idx2crd(out.second_index, shape_of(a.layout)).value();
      return out;
    }
    if (count == *n) break;
  }
  out.verdict = aliasing_verdict::injective_by_enumeration;
  return out;
}
inline result<aliasing> find_aliasing(layout_value const& a) { return find_aliasing(unswizzled(a)); }

/// error: those of cosize; throws std::length_error beyond enumeration_limit;  cost: O(size log size)
inline result<image> image_of(composed_value const& a) {
  result<long long> const n = checked_size(a);
  if (!n) return n.error();
  require_enumerable(*n, "the layout");
  image out{};
  if (*n == 0) return out;
  std::vector<long long> all;
  all.reserve(static_cast<std::size_t>(*n));
  for (long long i = 0; i < *n; ++i) all.push_back(offset_of(a, i));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  out.smallest = all.front();
  out.largest = all.back();
  out.offsets = static_cast<long long>(all.size());
  out.gaps = out.largest - out.smallest + 1 - out.offsets;
  for (std::size_t i = 1; i < all.size() && out.gaps > 0; ++i)
    if (all[i] != all[i - 1] + 1) {
      out.first_gap = all[i - 1] + 1;
      break;
    }
  return out;
}
inline result<image> image_of(layout_value const& a) { return image_of(unswizzled(a)); }

}  // namespace tilewright::analysis
