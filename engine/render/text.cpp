// Writes scenes for terminals: boxes around cells, backgrounds in colour, panels side by side as far as they fit.
#include "engine/render/drawing.hpp"
#include "engine/render/svg.hpp"
#include "tilewright/render/writers.hpp"

#include <algorithm>
#include <cmath>

namespace tilewright::render {
namespace {

/// A line of text with its width, which escape sequences do not add to.
struct styled {
  std::string bytes;
  int width = 0;

  void add(std::string const& text) {
    bytes += text;
    width += columns_of(text);
  }
  void pad_to(int columns) {
    if (width < columns) add(std::string(static_cast<std::size_t>(columns - width), ' '));
  }
};
using block = std::vector<styled>;

int width_of(block const& b) {
  int width = 0;
  for (styled const& line : b) width = std::max(width, line.width);
  return width;
}

struct strokes_of_text {
  char const *across, *down;
  char const* corner[3][3];  // by row (first, between, last) and column
};
constexpr strokes_of_text boxes{"─", "│", {{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}}};
constexpr strokes_of_text plain_boxes{"-", "|", {{"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}}};

/// The nearest of the 6×6×6 colours and 24 greys that 256-colour terminals share.
int ansi256(rgb c) {
  constexpr int levels[] = {0, 95, 135, 175, 215, 255};
  auto const nearest = [&](int part) {
    int best = 0;
    for (int i = 1; i < 6; ++i)
      if (std::abs(levels[i] - part) < std::abs(levels[best] - part)) best = i;
    return best;
  };
  int const r = nearest(c.red), g = nearest(c.green), b = nearest(c.blue);
  int const grey = std::clamp((c.red + c.green + c.blue) / 3 - 3, 0, 235) / 10, level = 8 + 10 * grey;
  auto const distance = [&](int x, int y, int z) {
    return (x - c.red) * (x - c.red) + (y - c.green) * (y - c.green) + (z - c.blue) * (z - c.blue);
  };
  bool const cube = distance(levels[r], levels[g], levels[b]) <= distance(level, level, level);
  return cube ? 16 + 36 * r + 6 * g + b : 232 + grey;
}

std::string in_colour(std::string const& text, rgb back, text_colours how) {
  if (how == text_colours::none) return text;
  rgb const front = text_colour_on(back);
  auto const code = [&](rgb c, char layer) {
    if (how == text_colours::ansi256) return std::string(1, layer) + "8;5;" + std::to_string(ansi256(c));
    return std::string(1, layer) + "8;2;" + std::to_string(c.red) + ";" + std::to_string(c.green) + ";" +
           std::to_string(c.blue);
  };
  return "\x1b[" + code(back, '4') + ";" + code(front, '3') + "m" + text + "\x1b[0m";
}

/// Control characters could do anything to a terminal.
std::string printable(std::string const& text) {
  std::string out = valid_utf8(text);
  for (char& ch : out)
    if (static_cast<unsigned char>(ch) < 0x20 || ch == 0x7f) ch = ' ';
  return out;
}

std::string text_of(cell const& c, bool first_line_only) {
  if (first_line_only) return printable(c.text.substr(0, c.text.find('\n')));
  return printable(c.text);
}

/// One panel as lines; columns [begin, end) of its grid.
class panel_writer {
 public:
  panel_writer(panel const& p, text_options const& o) : p_(p), g_(p.cells), o_(o), b_(o.ascii ? plain_boxes : boxes) {
    for (std::string const& l : g_.row_labels) label_width_ = std::max(label_width_, columns_of(l));
    label_width_ = std::max(label_width_, g_.row_labels.empty() ? 0 : columns_of(g_.row_title));
    measure(false);
    if (grid_width(0, g_.columns) > o_.width) measure(true);
  }

  /// The panel, split at the width.
  block write() const {
    block out;
    if (!p_.title.empty()) add(out, printable(p_.title));
    if (g_.rows > 0 && g_.columns > 0) {
      int begin = 0;
      while (begin < g_.columns) {
        int const end = last_column(begin);
        if (begin > 0) add(out, "");
        rows(out, begin, end);
        begin = end;
      }
    }
    for (std::string const& l : p_.lines) add(out, printable(l));
    return out;
  }

 private:
  static void add(block& out, std::string const& text) { out.emplace_back().add(text); }

  void measure(bool first_line_only) {
    first_line_only_ = first_line_only;
    cell_width_ = 1;
    for (cell const& c : g_.cells) cell_width_ = std::max(cell_width_, columns_of(text_of(c, first_line_only)));
    for (std::string const& l : g_.column_labels) cell_width_ = std::max(cell_width_, columns_of(l));
  }

  bool line_before(int column, int begin) const {
    return column == begin || g_.column_lines[static_cast<std::size_t>(column)] > 0;
  }
  int grid_width(int begin, int end) const {
    int width = label_width_ > 0 ? label_width_ + 1 : 0;
    for (int c = begin; c < end; ++c) width += cell_width_ + 2 + (line_before(c, begin) ? 1 : 0);
    return width + 1;
  }
  /// As many columns as fit, at least one; where it must break, at the heaviest line that leaves half of them.
  int last_column(int begin) const {
    int end = begin + 1;
    while (end < g_.columns && grid_width(begin, end + 1) <= o_.width) ++end;
    if (end == g_.columns) return end;
    int best = end;
    auto const weight = [&](int c) { return g_.column_lines[static_cast<std::size_t>(c)]; };
    for (int c = end - 1; c > begin + (end - begin) / 2; --c)
      if (weight(c) > weight(best)) best = c;
    return best;
  }

  styled start(std::string const& text) const {
    styled line;
    if (label_width_ == 0) return line;
    line.pad_to(label_width_ - columns_of(text));
    line.add(text + " ");
    return line;
  }

  void rule(block& out, int kind, int begin, int end) const {
    styled line = start("");
    for (int c = begin; c < end; ++c) {
      if (line_before(c, begin)) line.add(b_.corner[kind][c == begin ? 0 : 1]);
      for (int i = 0; i < cell_width_ + 2; ++i) line.add(b_.across);
    }
    line.add(b_.corner[kind][2]);
    out.push_back(std::move(line));
  }

  void rows(block& out, int begin, int end) const {
    bool const heads =
        std::any_of(g_.column_labels.begin(), g_.column_labels.end(), [](auto const& l) { return !l.empty(); });
    if (!g_.column_title.empty()) {
      styled line = start("");
      line.add(" " + printable(g_.column_title));
      out.push_back(std::move(line));
    }
    if (heads) {
      styled line = start(g_.row_labels.empty() ? "" : printable(g_.row_title));
      for (int c = begin; c < end; ++c) {
        if (line_before(c, begin)) line.add(" ");
        centred(line, printable(g_.column_labels[static_cast<std::size_t>(c)]));
      }
      out.push_back(std::move(line));
    }
    rule(out, 0, begin, end);
    for (int r = 0; r < g_.rows; ++r) {
      if (r > 0 && g_.row_lines[static_cast<std::size_t>(r)] > 0) rule(out, 1, begin, end);
      styled line = start(g_.row_labels.empty() ? "" : printable(g_.row_labels[static_cast<std::size_t>(r)]));
      for (int c = begin; c < end; ++c) {
        if (line_before(c, begin)) line.add(b_.down);
        cell const& from = g_.at(r, c);
        styled in_cell;
        centred(in_cell, text_of(from, first_line_only_));
        line.bytes += from.exists ? in_colour(in_cell.bytes, colour_of(p_.colours, from.colour, p_.classes), o_.colours)
                                  : in_cell.bytes;
        line.width += in_cell.width;
      }
      line.add(b_.down);
      out.push_back(std::move(line));
    }
    rule(out, 2, begin, end);
  }

  void centred(styled& line, std::string const& text) const {
    int const space = cell_width_ + 2 - columns_of(text), left = (space + 1) / 2;
    line.add(std::string(static_cast<std::size_t>(std::max(left, 0)), ' ') + text +
             std::string(static_cast<std::size_t>(std::max(space - left, 0)), ' '));
  }

  panel const& p_;
  grid const& g_;
  text_options const& o_;
  strokes_of_text const& b_;
  int label_width_ = 0, cell_width_ = 1;
  bool first_line_only_ = false;
};

std::string ascii_sign(std::string const& sign, bool ascii) {
  if (!ascii) return sign;
  return sign == "→" ? "->" : sign == "×" ? "x" : sign;
}

/// b to the right of a, with a sign between the two at half the height.
void beside(block& a, block const& b, std::string const& sign) {
  int const width = width_of(a);
  std::size_t const lines = std::max(a.size(), b.size());
  a.resize(lines);
  for (std::size_t i = 0; i < lines; ++i) {
    a[i].pad_to(width);
    std::string const between = i == std::min(lines / 2, b.size() - 1) && !sign.empty() ? "  " + sign + "  " : "";
    a[i].add(between);
    a[i].pad_to(width + (sign.empty() ? 3 : 4 + columns_of(sign)));
    if (i < b.size()) {
      a[i].bytes += b[i].bytes;
      a[i].width += b[i].width;
    }
  }
}

void put(std::string& out, block const& lines) {
  for (styled const& line : lines) {
    std::size_t const end = line.bytes.find_last_not_of(' ');
    out += line.bytes.substr(0, end == std::string::npos ? 0 : end + 1) + "\n";
  }
}

/// Only signs that scenes use of themselves; other text stays what it is.
std::string in_ascii(std::string text) {
  struct sign {
    char const *from, *to;
  };
  for (sign const& s : {sign{"→", "->"}, sign{"×", "x"}, sign{"–", "-"}, sign{"…", "..."}, sign{"·", "."}})
    for (std::size_t at = text.find(s.from); at != std::string::npos; at = text.find(s.from, at))
      text.replace(at, std::string(s.from).size(), s.to);
  return text;
}

}  // namespace

std::string to_text(scene const& s, text_options const& options) {
  text_options o = options;
  o.width = std::max(o.width, 20);
  std::string out;
  if (!s.title.empty()) out += printable(s.title) + "\n";
  for (std::string const& line : s.lines) out += printable(line) + "\n";
  block row;
  bool headed = false;  // a heading is above the row
  for (panel const& p : s.panels) {
    block next = panel_writer(p, o).write();
    if (next.empty()) continue;
    std::string const sign = ascii_sign(printable(p.sign), o.ascii);
    int const gap = sign.empty() ? 3 : 4 + columns_of(sign);
    bool const fits = !row.empty() && !p.new_row && width_of(row) + gap + width_of(next) <= o.width;
    if (fits) {
      if (headed) next.insert(next.begin(), styled{});
      beside(row, next, sign);
      continue;
    }
    headed = !p.heading.empty();
    if (!row.empty()) out += "\n";
    put(out, row);
    row = next;
    if (!p.heading.empty()) {
      block with_heading(1);
      with_heading[0].add((sign.empty() ? "" : sign + " ") + printable(p.heading));
      row.insert(row.begin(), with_heading[0]);
      continue;
    }
    if (!sign.empty() && !p.title.empty())
      row.front() = styled{sign + " " + row.front().bytes, gap - 3 + row.front().width};
  }
  if (!row.empty()) out += "\n";
  put(out, row);
  if (!s.legend.empty() && o.colours != text_colours::none) {
    out += "\n";
    for (legend_entry const& e : s.legend)
      out += in_colour("  ", colour_of(e.colours, e.colour, e.classes), o.colours) + " " + printable(e.text) + "  ";
    out += "\n";
  }
  return o.ascii ? in_ascii(out) : out;
}

}  // namespace tilewright::render
