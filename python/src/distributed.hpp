// What the two extension modules share about distributed tensors: layouts from text, element widths, memory of arrays.
#pragma once

#include "python/src/arrays.hpp"
#include "tilewright/distributed/placements.hpp"

#include <cstdint>
#include <string>

namespace tilewright::python {

/// error: LayoutError, one sentence and the place in the text
distributed_layout read_distributed(std::string const& text);

/// An element of Python as `count` elements that a copy can move: 12 bytes are 3 of b32.
struct items {
  element_type type = element_type::b8;
  std::int64_t count = 1;
};
/// pre: bytes > 0
items items_of(std::int64_t bytes);
/// error: copy_error, as with_split_elements
distributed_layout in_items(distributed_layout const& layout, items const& of);

/// The array's memory, in whatever order its axes are.
/// error: ValueError where it is not contiguous, has fewer bytes, or is on a GPU
std::byte* dense_memory(array_view const& a, std::int64_t bytes, char const* role);

}  // namespace tilewright::python
