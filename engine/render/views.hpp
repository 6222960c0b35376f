// What the views share.
#pragma once

#include "engine/render/grid_of_layout.hpp"

namespace tilewright::render {

/// "name: layout", or the layout alone.
std::string title_of(named_layout const& layout);

/// The bank of shared memory in which an element begins.
/// pre: checked(options)
long long bank_of(long long offset, plot_options const& options);
/// error: render_error unless the widths and the number of banks are at least 1
void check_banks(plot_options const& options);

std::vector<legend_entry> bank_legend(long long banks);

/// Classes of the order palette.
inline constexpr int order_classes = 16;

/// The offsets of a layout and where each is between the lowest and the highest.
struct offset_range {
  long long lowest = 0, highest = 0;
  explicit offset_range(std::vector<element_offset> const& offsets);
  int class_of(long long offset) const;
};

/// Panels with grids, one for each grid; the first bears the title, the others their coordinate.
std::vector<panel> panels_of(std::string const& title, std::vector<drawn_grid> grids, palette colours, int classes);

/// A tile whose cells say which thread has the element as which value.
/// error: render_error when a (thread, value) is outside of the tile
std::vector<panel> thread_value_panels(std::string const& title, layout_value const& tv, int_tree const& tile);

/// error: render_error when the scene has more cells than writers can show
scene checked_scene(scene s);

}  // namespace tilewright::render
