// Sizes cells so that their text is legible, drops text that would not be, and places panels in rows.
#include "engine/render/drawing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tilewright::render {
namespace {

constexpr double margin = 20, panel_gap = 34, row_gap = 30;
constexpr double title_font = 17, panel_font = 13, line_font = 12, axis_font = 11;
constexpr double cell_font = 13, min_font = 8.5;
constexpr double glyph = 0.602;  // width of a fixed font's character, of its size (DejaVu Sans Mono)
constexpr double letter = 0.56;  // width of a proportional font's average character
constexpr double page_width = 1500, grid_height = 1400;
constexpr double widest_grid = 2600;  // that text in its cells makes it
constexpr std::array<double, 4> line_widths{0.6, 1.3, 2.1, 3.0};
constexpr rgb hairline{255, 255, 255}, path_colour{180, 40, 20};

double text_width(std::string const& text, double font) { return columns_of(text) * font * letter; }

/// How one panel is drawn, in its own coordinates.
struct placed_panel {
  panel const* from = nullptr;
  std::string title;  // with the sign where the panel begins a row
  double cell_width = 0, cell_height = 0, font = 0;
  int text_lines = 0;  // 0: no text in cells
  double left = 0;     // of the grid: what row labels take
  double top = 0;      // of the grid: what the title and column labels take
  double sign = 0;     // in front
  double width = 0, height = 0;
  int row_step = 1, column_step = 1;  // every n-th label

  double grid_height() const { return cell_height * from->cells.rows; }
};

/// What a cell must hold: the widest line and the number of lines among the texts, or of their first lines. A text over
/// several cells counts as its share of one.
struct text_size {
  int columns = 0, lines = 1;
};
void measure(text_size& out, grid const& g, bool first_line_only) {
  for (cell const& c : g.cells) {
    std::vector<std::string> const lines = lines_of(c.text);
    int const n = first_line_only ? std::min<int>(1, static_cast<int>(lines.size())) : static_cast<int>(lines.size());
    out.lines = std::max(out.lines, (n + c.down - 1) / c.down);
    for (int i = 0; i < n; ++i)
      out.columns = std::max(out.columns, (columns_of(lines[static_cast<std::size_t>(i)]) + c.across - 1) / c.across);
  }
}

/// Panels whose grids have the same extents look alike: they are sized together.
struct family {
  text_size full{}, first{};
  int beside = 1;  // so many of them follow each other in a row
};
bool are_alike(panel const& a, panel const& b) {
  return a.cells.rows == b.cells.rows && a.cells.columns == b.cells.columns;
}
family family_of(std::vector<panel> const& all, std::size_t which) {
  family out;
  int in_row = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!are_alike(all[i], all[which])) {
      in_row = 0;
      continue;
    }
    measure(out.full, all[i].cells, false);
    measure(out.first, all[i].cells, true);
    in_row = all[i].new_row ? 1 : in_row + 1;
    out.beside = std::max(out.beside, in_row);
  }
  return out;
}

int label_step(std::vector<std::string> const& labels, double cell, double needed) {
  bool const any = std::any_of(labels.begin(), labels.end(), [](std::string const& l) { return !l.empty(); });
  if (!any || cell >= needed) return 1;
  int step = 1;
  while (step * cell < needed) step *= 2;
  return step;
}

double font_for(double width, double height, text_size const& s) {
  double const by_width = s.columns == 0 ? cell_font : (width - 4) / (glyph * s.columns);
  return std::min({cell_font, by_width, (height - 3) / (1.12 * s.lines)});
}

/// The width of a cell whose text has that size.
double width_for(double font, text_size const& s) { return std::ceil(glyph * font * s.columns + 4); }

/// Cells as large as their text wants, smaller where the page is full, but not so small that the text is lost as long as
/// the grid does not become wider than any screen.
void size_cells(placed_panel& out, grid const& g, family const& alike) {
  text_size size = alike.full;
  double const wanted_width = std::max(34.0, width_for(cell_font, size) + 8);
  double const wanted_height = size.lines > 1 ? 36 : 27;
  double const page = (page_width - panel_gap * (alike.beside - 1)) / alike.beside;
  double const legible = std::max(26.0, width_for(11, size));
  double fitting = std::floor(page / g.columns);
  if (fitting < legible) fitting = std::floor(page_width / g.columns);  // fewer of them fit a row
  double const smallest = width_for(min_font + 0.5, size);
  if (fitting < smallest && smallest * g.columns <= widest_grid) fitting = smallest;
  out.cell_width = std::clamp(fitting, 7.0, wanted_width);
  double const square = std::max(7.0, std::min(wanted_height, out.cell_width));
  out.cell_height = std::clamp(std::floor(grid_height / g.rows), std::min(square, 16.0), wanted_height);
  if (out.cell_width < 20) out.cell_height = std::min(out.cell_height, std::max(out.cell_width, 7.0));
  out.text_lines = size.lines;
  out.font = font_for(out.cell_width, out.cell_height, size);
  if (out.font < min_font && size.lines > 1) {
    size = alike.first;
    out.text_lines = 1;
    out.font = font_for(out.cell_width, out.cell_height, size);
  }
  if (out.font < min_font) out.text_lines = 0;
}

placed_panel place(panel const& p, family const& alike) {
  placed_panel out;
  out.from = &p;
  out.title = p.title;
  grid const& g = p.cells;
  if (g.rows > 0 && g.columns > 0) size_cells(out, g, alike);
  int widest_label = 0, widest_head = 0;
  for (std::string const& l : g.row_labels) widest_label = std::max(widest_label, columns_of(l));
  for (std::string const& l : g.column_labels) widest_head = std::max(widest_head, columns_of(l));
  out.row_step = label_step(g.row_labels, out.cell_height, axis_font + 1);
  out.column_step = label_step(g.column_labels, out.cell_width, widest_head * axis_font * glyph + 3);
  out.left = widest_label > 0 ? widest_label * axis_font * glyph + 9 : 0;
  if (!g.row_title.empty()) out.left = std::max(out.left, text_width(g.row_title, axis_font) + 9);
  bool const heads = widest_head > 0 || !g.column_title.empty();
  out.top = (p.title.empty() ? 0 : panel_font + 9) + (heads ? axis_font + 7 : 0) +
            (g.column_title.empty() || widest_head == 0 ? 0 : axis_font + 4);
  out.sign = p.sign.empty() ? 0 : 30;
  double below = 0, widest_line = 0;
  for (std::string const& l : p.lines) {
    below += line_font + 6;
    widest_line = std::max(widest_line, text_width(l, line_font));
  }
  double const grid_width = out.cell_width * g.columns;
  out.width =
      out.sign + out.left + std::max({grid_width, text_width(p.title, panel_font) - out.left, widest_line - out.left});
  out.height = out.top + out.cell_height * g.rows + (below > 0 ? below + 6 : 0);
  return out;
}

/// Puts one panel into the drawing.
class painter {
 public:
  /// top: of the grids of the row;  sign_at: the height of the sign in front
  painter(drawing& to, placed_panel const& p, int number, double x, double y, double top, double sign_at)
      : to_(to),
        p_(p),
        g_(p.from->cells),
        number_(number),
        x_(x + p.sign),
        left_(x + p.sign + p.left),
        top_(top),
        y_(y) {
    if (p.sign > 0)
      add_label(x + p.sign / 2 - 4, sign_at + 7, p.from->sign, 22, anchor::middle, quiet_ink, false, false);
  }

  void paint() {
    panel const& from = *p_.from;
    if (!p_.title.empty()) add_label(x_, y_ + panel_font, p_.title, panel_font, anchor::start, ink, true, false);
    axes();
    cells();
    lines();
    path();
    double y = top_ + p_.cell_height * g_.rows + 6;
    for (std::string const& l : from.lines) {
      y += line_font + 6;
      add_label(x_, y - 4, l, line_font, anchor::start, quiet_ink, false, false);
    }
  }

 private:
  double column_at(int c) const { return left_ + p_.cell_width * c; }
  double row_at(int r) const { return top_ + p_.cell_height * r; }

  void add_label(double x, double y, std::string text, double font, anchor at, rgb colour, bool bold, bool mono) {
    to_.labels.push_back({x, y, std::move(text), font, at, colour, bold, mono});
  }
  void add_stroke(point a, point b, rgb colour, double width) { to_.strokes.push_back({{a, b}, colour, width}); }

  void axes() {
    double const head = top_ - 5;
    for (int c = 0; c < g_.columns && c < static_cast<int>(g_.column_labels.size()); c += p_.column_step)
      add_label(column_at(c) + p_.cell_width / 2, head, g_.column_labels[static_cast<std::size_t>(c)], axis_font,
                anchor::middle, quiet_ink, false, true);
    for (int r = 0; r < g_.rows && r < static_cast<int>(g_.row_labels.size()); r += p_.row_step)
      add_label(left_ - 6, row_at(r) + p_.cell_height / 2 + axis_font * 0.36,
                g_.row_labels[static_cast<std::size_t>(r)], axis_font, anchor::end, quiet_ink, false, true);
    if (!g_.column_title.empty())
      add_label(column_at(0) + p_.cell_width * g_.columns / 2, g_.column_labels.empty() ? head : head - axis_font - 4,
                g_.column_title, axis_font, anchor::middle, quiet_ink, false, false);
    if (!g_.row_title.empty())
      add_label(left_ - 6, head, g_.row_title, axis_font, anchor::end, quiet_ink, false, false);
  }

  /// Texts over several cells come last, so that no cell covers them.
  void cells() {
    for (bool const wide : {false, true})
      for (int r = 0; r < g_.rows; ++r)
        for (int c = 0; c < g_.columns; ++c) {
          cell const& from = g_.at(r, c);
          if (from.exists && (from.across * from.down > 1) == wide) to_.boxes.push_back(box_of(from, r, c));
        }
  }
  box box_of(cell const& from, int r, int c) const {
    box b{column_at(c), row_at(r), p_.cell_width, p_.cell_height};
    b.middle = {b.x + b.width * from.across / 2, b.y + b.height * from.down / 2};
    b.fill = colour_of(p_.from->colours, from.colour, p_.from->classes);
    b.text_colour = text_colour_on(b.fill);
    b.panel = number_;
    b.cell = r * g_.columns + c;
    if (p_.text_lines > 0 && !from.text.empty()) {
      b.lines = lines_of(from.text);
      std::size_t const room = static_cast<std::size_t>(p_.text_lines) * static_cast<std::size_t>(from.down);
      if (b.lines.size() > room) b.lines.resize(room);
      b.font = std::floor(p_.font * 10) / 10;
    }
    return b;
  }

  bool exists(int r, int c) const { return r >= 0 && c >= 0 && r < g_.rows && c < g_.columns && g_.at(r, c).exists; }

  /// Lines from the lightest to the heaviest, then the frame around what exists.
  void lines() {
    if (g_.rows == 0 || g_.columns == 0) return;
    for (int weight = 0; weight < 4; ++weight) {
      rgb const colour = weight == 0 ? hairline : ink;
      double const width = p_.cell_width < 16 ? line_widths[static_cast<std::size_t>(weight)] * 0.6
                                              : line_widths[static_cast<std::size_t>(weight)];
      for (int r = 1; r < g_.rows; ++r)
        if (g_.row_lines[static_cast<std::size_t>(r)] == weight)
          for (auto const& [from, to] : apart(columns_in(r - 1), [&](int c) { return joined(r - 1, c, r, c); }))
            add_stroke({column_at(from), row_at(r)}, {column_at(to), row_at(r)}, colour, width);
      for (int c = 1; c < g_.columns; ++c)
        if (g_.column_lines[static_cast<std::size_t>(c)] == weight)
          for (auto const& [from, to] :
               apart(exists(g_.rows - 1, c - 1) ? g_.rows : g_.rows - 1, [&](int r) { return joined(r, c - 1, r, c); }))
            add_stroke({column_at(c), row_at(from)}, {column_at(c), row_at(to)}, colour, width);
    }
    int const last = columns_in(g_.rows - 1);
    std::vector<point> around{{column_at(0), row_at(0)}, {column_at(g_.columns), row_at(0)}};
    if (last < g_.columns) {
      around.push_back({column_at(g_.columns), row_at(g_.rows - 1)});
      around.push_back({column_at(last), row_at(g_.rows - 1)});
    }
    around.push_back({column_at(last), row_at(g_.rows)});
    around.push_back({column_at(0), row_at(g_.rows)});
    around.push_back(around.front());
    to_.strokes.push_back({std::move(around), ink, 1.3});
  }
  /// The runs [from, to) of 0 … n - 1 in which nothing is joined.
  template <class Joined>
  std::vector<std::pair<int, int>> apart(int n, Joined const& is_joined) const {
    std::vector<std::pair<int, int>> out;
    for (int i = 0; i < n; ++i) {
      if (!spans_.empty() && is_joined(i)) continue;
      if (!out.empty() && out.back().second == i) ++out.back().second;
      else out.emplace_back(i, i + 1);
    }
    return out;
  }
  /// Do both cells belong to one text?
  bool joined(int r, int c, int s, int d) const {
    int const a = spans_[static_cast<std::size_t>(r * g_.columns + c)];
    return a >= 0 && a == spans_[static_cast<std::size_t>(s * g_.columns + d)];
  }
  /// Of each cell, the cell whose text is written over it; empty where every text has a cell of its own.
  static std::vector<int> spans_of(grid const& g) {
    std::vector<int> out;
    for (int r = 0; r < g.rows; ++r)
      for (int c = 0; c < g.columns; ++c) {
        cell const& from = g.at(r, c);
        if (from.across * from.down == 1) continue;
        out.resize(g.cells.size(), -1);
        for (int i = r; i < std::min(g.rows, r + from.down); ++i)
          for (int k = c; k < std::min(g.columns, c + from.across); ++k)
            out[static_cast<std::size_t>(i * g.columns + k)] = r * g.columns + c;
      }
    return out;
  }
  int columns_in(int row) const {
    int n = g_.columns;
    while (n > 0 && !g_.at(row, n - 1).exists) --n;
    return n;
  }

  /// Steps to a neighbour are solid, jumps are faint: they cross the cells between.
  void path() {
    std::vector<int> const& cells = p_.from->path;
    if (cells.size() < 2) return;
    double const width = std::clamp(p_.cell_height / 14, 0.8, 2.0);
    auto const at = [&](int cell) {
      return point{column_at(cell % g_.columns) + p_.cell_width / 2,
                   row_at(cell / g_.columns) + p_.cell_height * (p_.text_lines > 0 ? 0.86 : 0.5)};
    };
    auto const is_step = [&](int a, int b) {
      return std::abs(a % g_.columns - b % g_.columns) + std::abs(a / g_.columns - b / g_.columns) == 1;
    };
    for (std::size_t begin = 0, end = 1; begin + 1 < cells.size(); begin = end++) {
      bool const solid = is_step(cells[begin], cells[end]);
      stroke s{{at(cells[begin]), at(cells[end])}, path_colour, solid ? width : width * 0.6};
      while (end + 1 < cells.size() && solid && is_step(cells[end], cells[end + 1]))
        s.points.push_back(at(cells[++end]));
      s.opacity = solid ? 0.8 : 0.45;
      s.dashed = !solid;
      to_.strokes.push_back(std::move(s));
    }
    point const first = at(cells.front()), last = at(cells.back());
    to_.ends.push_back({first.x, first.y, width * 1.8, path_colour, false});
    to_.ends.push_back({last.x, last.y, width * 1.8, path_colour, true});
  }

  drawing& to_;
  placed_panel const& p_;
  grid const& g_;
  int number_;
  double x_, left_, top_, y_;
  std::vector<int> spans_ = spans_of(g_);
};

/// Swatches with their texts, in lines as wide as the page.
double draw_legend(drawing& out, std::vector<legend_entry> const& legend, double y, double width) {
  if (legend.empty()) return y;
  constexpr double swatch = 15, gap = 18;
  double x = margin;
  for (legend_entry const& entry : legend) {
    double const wide = swatch + 6 + text_width(entry.text, line_font) + gap;
    if (x > margin && x + wide > width) {
      x = margin;
      y += swatch + 9;
    }
    box b{x, y, swatch, swatch};
    b.fill = colour_of(entry.colours, entry.colour, entry.classes);
    out.boxes.push_back(b);
    double const r = x + swatch, d = y + swatch;
    out.strokes.push_back({{{x, y}, {r, y}, {r, d}, {x, d}, {x, y}}, quiet_ink, 0.8});
    out.labels.push_back({r + 6, y + 12, entry.text, line_font, anchor::start, ink});
    x += wide;
  }
  return y + swatch + row_gap / 2;
}

/// Where a panel begins a row its sign is in front of its title or heading, so that the grids of all rows align.
std::string sign_before(panel const& p) { return p.sign.empty() ? "" : p.sign + "  "; }
void begin_row(placed_panel& p) {
  p.width -= p.sign;
  p.sign = 0;
  p.title = (p.from->heading.empty() ? sign_before(*p.from) : "") + p.from->title;
  p.width = std::max(p.width, text_width(p.title, panel_font));
}

/// One row of panels [begin, end), their grids side by side at one height.
/// post: the height of the row
double draw_row(drawing& out, std::vector<placed_panel> const& panels, std::size_t begin, std::size_t end, double y) {
  double top = 0, below = 0;
  double const row = y;
  std::string const& heading = panels[begin].from->heading;
  if (!heading.empty()) {
    out.labels.push_back(
        {margin, y + panel_font, sign_before(*panels[begin].from) + heading, panel_font, anchor::start, ink, true});
    y += panel_font + 9;
  }
  for (std::size_t i = begin; i < end; ++i) {
    top = std::max(top, panels[i].top);
    below = std::max(below, panels[i].height - panels[i].top);
  }
  double x = margin;
  for (std::size_t i = begin; i < end; ++i) {
    double const beside = i == begin ? panels[i].grid_height() : panels[i - 1].grid_height();
    double const sign_at = y + top + std::min(panels[i].grid_height(), beside) / 2;
    painter(out, panels[i], static_cast<int>(i), x, y, y + top, sign_at).paint();
    x += panels[i].width + panel_gap;
  }
  return y - row + top + below;
}

}  // namespace

drawing draw(scene const& s) {
  drawing out;
  std::vector<placed_panel> panels;
  for (std::size_t i = 0; i < s.panels.size(); ++i) panels.push_back(place(s.panels[i], family_of(s.panels, i)));
  double y = margin, right = 0;
  if (!s.title.empty()) {
    out.labels.push_back({margin, y + title_font - 2, s.title, title_font, anchor::start, ink, true});
    right = std::max(right, margin + columns_of(s.title) * title_font * 0.6);
    y += title_font + 9;
  }
  for (std::string const& l : s.lines) {
    out.labels.push_back({margin, y + line_font, l, line_font, anchor::start, quiet_ink});
    right = std::max(right, margin + text_width(l, line_font));
    y += line_font + 7;
  }
  y += 8;
  for (std::size_t begin = 0; begin < panels.size();) {
    std::size_t end = begin;
    begin_row(panels[begin]);
    double width = 0;
    auto const fits = [&](placed_panel const& p) {
      return !p.from->new_row && width + panel_gap + p.width <= page_width + 100;
    };
    while (end < panels.size() && (end == begin || fits(panels[end]))) {
      width += (end == begin ? 0 : panel_gap) + panels[end].width;
      ++end;
    }
    right = std::max({right, margin + width, margin + text_width(panels[begin].from->heading, panel_font)});
    y += draw_row(out, panels, begin, end, y) + row_gap;
    begin = end;
  }
  double const width = std::max(right, 320.0) + margin;
  y = draw_legend(out, s.legend, y - row_gap / 2, width - margin);
  out.width = std::ceil(width);
  out.height = std::ceil(s.legend.empty() ? y - row_gap + margin : y);
  return out;
}

std::string number_text(double x) {
  char digits[32];
  auto const end = std::to_chars(digits, digits + sizeof(digits), x, std::chars_format::fixed, 2).ptr;
  std::string out(digits, end);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> out(1);
  for (char const ch : text)
    if (ch == '\n') out.emplace_back();
    else out.back() += ch;
  return out;
}

int columns_of(std::string const& text) {
  int n = 0;
  for (char const ch : text) n += (static_cast<unsigned char>(ch) & 0xc0u) != 0x80u ? 1 : 0;
  return n;
}

}  // namespace tilewright::render
