// From layouts to grids of cells: which coordinate is in which cell, where the lines of nested modes go, and what
// each cell knows. The views decide on texts and colours.
#pragma once

#include "tilewright/render/plot.hpp"

#include <functional>

namespace tilewright::render {

/// The shape that a picture is drawn of, with the product of each mode.
struct domain {
  int_tree shape{};
  std::vector<long long> extents{};  // one for each top-level mode, each at least 1

  long long size() const;
};

/// error: layout_error for run-time leaves and sizes beyond 64 bits; render_error when there is no element or too many
domain domain_of(int_tree const& shape, std::string const& name);

/// What a view says of the element with the given index (first mode fastest).
using describe_cell = std::function<cell(long long index)>;

/// One grid for rank 1 and 2; beyond that one for each coordinate of the modes behind the second. The cells' index and
/// coordinate are filled in.
/// post: `names` are "" or "(_,_,k)"
struct drawn_grid {
  std::string name;
  grid cells;
  bool new_row = false;  // the third mode begins anew
};
std::vector<drawn_grid> grids_of(domain const& d, describe_cell const& describe);

/// The weights of the lines within one mode: how many levels of its nesting begin anew at each index.
std::vector<int> nested_lines(int_tree const& shape, subtree mode, long long extent);

std::vector<std::string> counted(long long count);

/// The offset of an index; basis strides have none and give the text of their coordinate instead.
struct element_offset {
  std::optional<long long> number;
  std::string text;
};
element_offset offset_of(composed_value const& map, long long index);

/// Every number of the map, by index.
std::vector<element_offset> offsets_of(named_layout const& layout, long long size);

std::string text_of(composed_value const& map);

/// The extents of each mode, "16 × 8".
std::string extents_text(domain const& d);

}  // namespace tilewright::render
