// A scene placed on paper: rectangles, strokes and labels in pixels of 1/96 inch. SVG and LaTeX are two spellings of
// one drawing; here it is decided how large cells are, and which text still fits.
#pragma once

#include "tilewright/render/colour.hpp"

namespace tilewright::render {

struct point {
  double x = 0, y = 0;
};

/// A cell: filled, with lines of text in the middle.
struct box {
  double x = 0, y = 0, width = 0, height = 0;
  point middle{};  // of the text, which may be written over several cells
  rgb fill{}, text_colour{};
  double font = 0;  // 0: no text
  std::vector<std::string> lines{};
  int panel = -1, cell = -1;  // -1: a swatch of the legend
};

struct stroke {
  std::vector<point> points{};
  rgb colour{};
  double width = 1;
  double opacity = 1;
  bool dashed = false;
  int panel = -1;
};

enum class anchor : std::uint8_t { start, middle, end };

struct label {
  double x = 0, y = 0;  // of the baseline
  std::string text;
  double font = 12;
  anchor at = anchor::start;
  rgb colour{};
  bool bold = false, mono = false;
};

/// Where a path begins (a dot) and where it ends (a square): arrow heads are lost in many viewers.
struct path_end {
  double x = 0, y = 0, radius = 0;
  rgb colour{};
  bool is_last = false;
};

struct drawing {
  double width = 0, height = 0;
  std::vector<box> boxes{};
  std::vector<stroke> strokes{};
  std::vector<path_end> ends{};
  std::vector<label> labels{};
};

drawing draw(scene const& s);

/// At most two decimals, without trailing zeros, with a point in every locale.
std::string number_text(double x);

/// UTF-8 text in lines.
std::vector<std::string> lines_of(std::string const& text);
/// Characters of UTF-8 text, as columns of a fixed font.
int columns_of(std::string const& text);

}  // namespace tilewright::render
