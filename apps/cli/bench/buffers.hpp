// The memory of a trial, and what must be in it after the copy: worked out by walking both layouts index by index, with
// none of the engine's own account of them.
#pragma once

#include "bench/support/memory.hpp"
#include "tilewright/layout/swizzle_value.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tilewright::cli {

/// A layout's offsets in the order of its index, in elements.
class index_walk {
 public:
  explicit index_walk(composed_value const& map) : map_(&map), below_(map.offset.number) {}

  std::int64_t offset() const { return map_->swizzle.bits == 0 ? below_ : map_->swizzle(below_); }
  void advance();

 private:
  composed_value const* map_;
  std::int64_t below_;
  std::array<std::int64_t, int_tree::leaf_capacity> at_{};
};

/// Elements of a layout, and the bytes from its lowest to its highest; the lowest may be below element 0.
struct side_span {
  std::int64_t elements = 1;
  std::int64_t first_byte = 0;  // 0 or less
  std::int64_t bytes = 0;
};
/// cost: O(elements)
side_span span_of(composed_value const& map, int element_bits);

struct trial_buffers {
  side_span from, to;
  tilewright::bench::large_buffer src, dst, want;

  std::byte* source() const { return src.data() - from.first_byte; }
  std::byte* destination() const { return dst.data() - to.first_byte; }
};

/// Fills the source with numbers that tell elements apart, the destination with others, and `want` with what the
/// destination must be after the copy.
/// error: usage_error when it would take more than most of the machine's memory
void prepare(trial_buffers& b, composed_value const& src, composed_value const& dst, int element_bits);

/// One sentence on the first element of `got` that is not what was wanted; empty when all are.
std::string complaint_about(std::byte const* got, trial_buffers const& b, composed_value const& dst, int element_bits);

/// Element by element in the order of the index.
void copy_by_index(composed_value const& src, composed_value const& dst, int element_bits, std::byte const* from,
                   std::byte* to);

}  // namespace tilewright::cli
