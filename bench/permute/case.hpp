// One case of the benchmark: the two layouts as text, as the library reads them, and as plain modes for the others.
#pragma once

#include "bench/support/loops.hpp"
#include "tilewright/engine/element_type.hpp"
#include "tilewright/layout/layout_value.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::bench {

/// A case in the words of libraries that know formats by name: "nchw", "nhwc", "nChw16c".
struct named_format {
  std::vector<std::int64_t> dims;  // N, C, H, W
  std::string src, dst;
};

struct permute_case {
  std::string suite, name;
  element_type element = element_type::f32;
  layout_value src{}, dst{};
  std::string src_text, dst_text;
  std::int64_t src_offset = 0, dst_offset = 0;      // where coordinate (0, 0, ...) is stored, in elements
  std::int64_t src_elements = 0, dst_elements = 0;  // of the buffers
  std::int64_t roof_bytes = 0;                      // of the lines that must be read or written; 0: not said
  std::optional<named_format> format;

  int element_bytes() const { return bits_of(element) / 8; }
};

/// The cases of a JSON array, as cases.py prints it.
/// error: std::runtime_error, one sentence that names the case
std::vector<permute_case> read_cases(std::string const& json);

/// The leaves of both layouts side by side.
/// pre: the layouts have one profile, whole bytes and no stride 0 in the destination, which read_cases made sure of
modes modes_of(permute_case const& one);

/// The elements from the first to the last that a side touches, at and after that of coordinate (0, 0, ...).
std::int64_t src_span(modes const& all);
std::int64_t dst_span(modes const& all);

/// Does each coordinate have an element of the source of its own, after the one of coordinate (0, 0, ...)?
bool has_positive_strides(modes const& all);

/// The same loops with as few modes as possible: modes that follow each other on both sides become one, and extents of 1
/// go. Ordered by source stride, the smallest first.
modes joined(modes all);

/// Do both sides cover their spans without a gap, in ascending order?
bool is_dense(modes const& all);

}  // namespace tilewright::bench
