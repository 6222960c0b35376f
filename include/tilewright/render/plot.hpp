// Views: what can be drawn, as values. A plot_request names a view, its layouts and its options, and make_scene draws
// it; the functions below it are the views by name, for C++. All are found by evaluating the layouts at every
// coordinate, so a picture is as true as the layout's own function.
#pragma once

#include "tilewright/base/config.hpp"

#include <map>

#include "tilewright/algebra/composed.hpp"
#include "tilewright/plan/copy_plan.hpp"
#include "tilewright/render/scene.hpp"
#include "tilewright/tiling/thread_value.hpp"

namespace tilewright::render {

/// A layout with the name that its panel bears; without bits the swizzle does nothing.
struct named_layout {
  std::string name;
  composed_value map{};

  named_layout() = default;
  named_layout(std::string title, layout_value const& layout) : name(std::move(title)), map{{}, {}, layout} {}
  named_layout(std::string title, composed_value const& layout) : name(std::move(title)), map(layout) {}
  bool swizzled() const { return map.swizzle.bits != 0; }
};

/// A tiled copy as pictures need it.
struct copy_picture : thread_value_map {
  layout_value thr{};  // as it was declared, and here val too; without nodes where they are not known
};

enum class view : std::uint8_t {
  offsets,      // the offset in each cell
  indices,      // the index (first mode fastest) in each cell
  coordinates,  // the nested coordinate in each cell
  banks,        // the bank of shared memory; with a swizzle, before and after
  order,        // a line through the cells in the order of memory, and memory itself
  divide,       // a layout, and the same divided by a tiler
  product,      // a block, its repetition, and their product
  threads,      // atom × threads × values = who carries what of a tile
  tv,           // the thread-value map of a tile, and its inverse
  copy,         // a tiled copy's source and destination, round by round
  conflicts,    // the bank conflicts of a tiled copy's accesses to a layout in shared memory
  plan,         // how a copy from one layout to another is run: a tile read, staged and written, and the tiles
  atom,         // which thread of a copy atom reads and writes what
};

struct plot_options {
  std::string title{};   // in place of the view's own
  bits element{32};      // of the elements, for banks
  long long banks = 32;  // of shared memory
  bytes bank_width{4};
  std::string operation{};  // of divide and product: logical, zipped, tiled, flat, blocked, raked
  bool loads = false;       // conflicts: of loads from shared memory instead of stores to it
};

struct plot_request {
  view what = view::offsets;
  std::vector<named_layout>
      layouts{};        // divide and product take two; tv takes the map; copy takes one or two; conflicts one
  tiler_value tiler{};  // of divide and product
  copy_picture copy{};  // of threads, tv, copy
  copy_plan plan{};     // of plan
  std::string atom{};   // of atom: its name
  plot_options options{};
};

/// The names of the views, for messages and for the command line.
std::vector<std::string> const& view_names();
/// error: render_error, which lists the names
view view_of(std::string const& name);

/// More cells than this are refused: a browser would not draw them any more.
inline constexpr long long cell_limit = 65536;

/// error: render_error for what the view cannot draw; layout_error for what the algebra refuses
/// cost: O(cells of the scene)
scene make_scene(plot_request const& request);

// --- the views by name -----------------------------------------------------------------------------------------------
/// Each layout as panels: rank 1 in rows of 32, rank 2 as rows and columns, beyond that a panel for each coordinate of
/// the other modes. Nested modes are separated by lines, heavier for outer levels.
scene layout_scene(std::vector<named_layout> const& layouts, view what = view::offsets,
                   plot_options const& options = {});
/// A's cells and those of its division, in the colour of their tile.
scene divide_scene(layout_value const& a, tiler_value const& tiler, plot_options const& options = {});
/// The block, its repetition and the product, in the colour of the repetition.
scene product_scene(layout_value const& block, tiler_value const& tiler, plot_options const& options = {});
/// Who carries what of a tile: the atom, the threads, the values, and the map of owners.
scene threads_scene(copy_picture const& copy, plot_options const& options = {});
/// Tile -> (thread, value), and (thread, value) -> tile.
/// pre: every index of tv is in the tile;  error: render_error;  post: cells that are not copied, or copied twice, are named
scene tv_scene(layout_value const& tv, int_tree const& tile, plot_options const& options = {});
/// Who moves what of the whole tensors, and in which round.
/// pre: source and destination have the same extents, whole numbers of tiles
scene copy_scene(copy_picture const& copy, std::vector<named_layout> const& sides, plot_options const& options = {});

/// Where a tiled copy's accesses to shared memory meet: in one round, the element in the colour of its bank's load, and
/// a row for each phase of each request with the number of words that every bank must serve.
/// pre: the tensor is a whole number of tiles;  error: render_error, layout_error
scene conflict_scene(copy_picture const& copy, named_layout const& shared, plot_options const& options = {});

/// One phase of a request to shared memory: for each bank, how many words it must serve one after another.
struct bank_request {
  std::string name;
  std::vector<long long> ways;
};
/// The heat map alone: a row for each request, a column for each bank.
scene conflict_scene(std::vector<bank_request> const& requests, plot_options const& options = {});

/// A plan's first tile as it is read, as it waits in shared memory, and as it is written, then the order of the tiles;
/// what the plan knows and why is above. Colours are threads on a GPU and cache lines on a CPU, a red line is a run of
/// memory. A tile's first 16 × 32 cells are drawn; a cell is an element, or the run that is moved whole.
/// error: render_error for a plan that prove() does not accept
scene plan_scene(copy_plan const& plan, plot_options const& options = {});

/// One step of a plan (or of any explanation): what it is, what is to say of it, and a grid if there is one.
struct stage {
  std::string title;
  std::vector<std::string> lines{};
  std::optional<panel> picture{};
};
scene stages_scene(std::string const& title, std::vector<stage> const& stages);

/// The panels of one layout, to put into a scene of your own.
std::vector<panel> layout_panels(named_layout const& layout, view what = view::offsets,
                                 plot_options const& options = {});

}  // namespace tilewright::render
