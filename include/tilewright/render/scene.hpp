// The one scene model of all pictures: panels side by side, each a grid of cells, with captions, a legend and the
// rounds of a copy. Views (plot.hpp) make scenes, writers (writers.hpp) put them out; a scene holds no pixel and no
// format, so that every writer shows the same thing. Text may be any UTF-8; writers escape it.
#pragma once

#include "tilewright/base/config.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilewright::render {

/// What cannot be drawn; `what()` is one sentence that says what was wrong and what to do.
class render_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// How a panel's colour classes become colours (colour.hpp).
enum class palette : std::uint8_t {
  plain,  // one pale grey
  order,  // pale to dark: from the first to the last class
  owner,  // threads: four of one hue, then the next hue
  bank,   // banks of shared memory: as threads, so that a hue is a 16-byte chunk
  group,  // tiles, repetitions, parts: a hue each
  heat,   // how many accesses meet: 0, 1 (none waits), 2, 3–4, 5–8, 9–16, more
};

/// Colour classes of cells that no class describes.
inline constexpr int nobody = -1;   // copied by no thread, used by no element
inline constexpr int several = -2;  // copied more than once

struct cell {
  std::string text;  // in the cell; lines are separated by '\n', the first is the one to keep where space is short
  std::string coordinate;  // nested like the layout's shape, "((1,0),2)"
  std::optional<long long> index, offset, thread, value, bank, round;
  std::optional<long long> link;  // cells of other panels with the same link are the same thing
  int colour = nobody;
  int across = 1, down = 1;  // cells that the text is written over: this one, those to the right, those below
  bool exists = true;        // false for the empty places behind a wrapped row
};

/// Cells row by row. A line's weight is what separates a row (column) from the one before: 0 a hairline, then the
/// levels of nesting, 3 at most.
struct grid {
  int rows = 0, columns = 0;
  std::vector<cell> cells{};  // rows * columns
  std::vector<std::string> row_labels{}, column_labels{};
  std::vector<int> row_lines{}, column_lines{};  // one for each row (column); that of the first is not used
  std::string row_title{}, column_title{};       // what the labels count, "thread"

  cell& at(int row, int column) {
    return cells[static_cast<std::size_t>(row) * columns_() + static_cast<std::size_t>(column)];
  }
  cell const& at(int row, int column) const {
    return cells[static_cast<std::size_t>(row) * columns_() + static_cast<std::size_t>(column)];
  }

 private:
  std::size_t columns_() const { return static_cast<std::size_t>(columns); }
};

struct panel {
  std::string title;
  std::vector<std::string> lines{};  // below the grid
  std::string sign{};                // in front of the panel: "=", "×", "→"
  bool new_row = false;              // the panel begins a row of panels
  std::string heading{};             // above that row
  palette colours = palette::plain;
  int classes = 1;
  grid cells{};
  std::vector<int> path{};  // a line through these cells, by position in `cells.cells`
};

struct legend_entry {
  std::string text;
  palette colours = palette::plain;
  int colour = 0, classes = 1;
};

struct scene {
  std::string title;
  std::vector<std::string> lines{};  // below the title
  std::vector<panel> panels{};
  std::vector<legend_entry> legend{};
  std::vector<std::string> rounds{};  // the name of each round that cells speak of; empty when there are none
};

}  // namespace tilewright::render
