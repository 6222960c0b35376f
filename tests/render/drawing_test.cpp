// Where panels and texts are placed: grids of a row align, panels of one extent have cells of one size, every text has room
// and can be read, and a tiled copy has one label for each atom.
#include "engine/render/drawing.hpp"

#include "tilewright/layout/text.hpp"
#include "tilewright/render/atoms.hpp"
#include "tilewright/render/plot.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tilewright::render {
namespace {

scene copy_of(char const* thr, char const* val, bits atom, bits element, view what, char const* tensor) {
  plot_request r;
  r.what = what;
  layout_value const threads = parse_layout(thr), values = parse_layout(val);
  tiled_copy_value const copy = make_tiled_copy(atom, element, threads, values).value();
  r.copy = {{copy.atom, values, copy.tiler, copy.tv}, threads};
  r.options.element = element;
  if (what == view::copy) r.layouts = {{"source", parse_layout(tensor)}, {"destination", parse_layout(tensor)}};
  return make_scene(r);
}

struct place {
  double left = 1e9, top = 1e9, width = 0, height = 0;
};
/// Of each panel: the corner of its grid and the size of its cells.
std::map<int, place> places(drawing const& d) {
  std::map<int, place> out;
  for (box const& b : d.boxes) {
    if (b.cell < 0) continue;
    place& p = out[b.panel];
    p.left = std::min(p.left, b.x);
    p.top = std::min(p.top, b.y);
    p.width = b.width;
    p.height = b.height;
  }
  return out;
}

TEST(drawing, grids_of_a_row_align) {
  // The four panels differ in titles, labels and height.
  drawing const d = draw(copy_of("(4,8)", "(1,1)", {128}, {32}, view::threads, ""));
  std::map<int, place> const all = places(d);
  ASSERT_EQ(all.size(), 4u);
  for (auto const& [panel, p] : all) EXPECT_EQ(p.top, all.at(0).top) << panel;
}

TEST(drawing, rank_3_is_a_row_of_grids_and_rank_4_a_row_for_each) {
  std::map<int, place> const three = places(draw(layout_scene({{"", parse_layout("(8,8,4):(1,8,64)")}})));
  ASSERT_EQ(three.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(three.at(i).top, three.at(0).top);
    EXPECT_EQ(three.at(i).width, three.at(0).width);  // one size, though later offsets have more digits
    double const end = i == 0 ? 0 : three.at(i - 1).left + 8 * three.at(0).width;
    EXPECT_GT(three.at(i).left, end);
  }
  std::map<int, place> const four = places(draw(layout_scene({{"", parse_layout("(4,6,3,2)")}})));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(four.at(i).top, four.at(0).top);
    EXPECT_EQ(four.at(i + 3).top, four.at(3).top);
    EXPECT_EQ(four.at(i + 3).left, four.at(i).left);
  }
  EXPECT_GT(four.at(3).top, four.at(0).top);
}

TEST(drawing, rows_begin_at_one_margin) {
  named_layout const swizzled{"", composed_value{{3, 2, 3}, {}, parse_layout("(8,32):(32,1)")}};
  drawing const d = draw(layout_scene({swizzled}, view::banks));
  std::map<int, place> const all = places(d);
  ASSERT_GT(all.at(1).top, all.at(0).top);  // the second is too wide to stand beside the first
  EXPECT_EQ(all.at(1).left, all.at(0).left);
  bool found = false;
  for (label const& l : d.labels) found = found || l.text.starts_with("→  after");
  EXPECT_TRUE(found);
}

scene const& atom_of_four_matrices() {
  static scene const s = atom_scene(atom_named("SM75_U32x4_LDSM_N"), {.element = {16}});
  return s;
}

TEST(drawing, every_text_has_room_and_can_be_read) {
  for (scene const& s :
       {copy_of("(4,8)", "(1,1)", {128}, {32}, view::copy, "(32,16)"),
        copy_of("(16,8):(8,1)", "(1,8)", {128}, {16}, view::copy, "(64,64)"),
        copy_of("(32,1)", "(4,2)", {64}, {32}, view::threads, ""), layout_scene({{"", parse_layout("(64,64):(64,1)")}}),
        layout_scene({{"", parse_layout("(256,256):(256,1)")}}), layout_scene({{"", parse_layout("(4,300):(300,1)")}}),
        layout_scene({{"", parse_layout("(16,16,8)")}}), atom_of_four_matrices()}) {
    drawing const d = draw(s);
    for (box const& b : d.boxes) {
      if (b.font <= 0 || b.lines.empty()) continue;
      EXPECT_GE(b.font, 8.5) << s.title;
      double const half = b.middle.x - b.x;  // of what the text is written over
      for (std::string const& line : b.lines) EXPECT_LE(columns_of(line) * b.font * 0.602, 2 * half) << s.title << line;
      EXPECT_LE(static_cast<double>(b.lines.size()) * b.font * 1.12, 2 * (b.middle.y - b.y)) << s.title;
    }
    for (label const& l : d.labels) {
      double const width = columns_of(l.text) * l.font * (l.mono ? 0.602 : 0.56);
      double const left = l.at == anchor::start ? l.x : l.at == anchor::end ? l.x - width : l.x - width / 2;
      EXPECT_GE(left, 0) << l.text;
      EXPECT_LE(left + width, d.width + 1) << l.text;
      EXPECT_LE(l.y, d.height) << l.text;
    }
  }
}

TEST(drawing, a_text_over_several_cells_is_drawn_after_them) {
  drawing const d = draw(atom_of_four_matrices());
  std::map<int, bool> wide_seen;
  for (box const& b : d.boxes) {
    if (b.cell < 0) continue;
    bool const wide = b.middle.x - b.x > b.width;
    EXPECT_TRUE(wide || !wide_seen[b.panel]) << "a cell covers a text drawn before it";
    wide_seen[b.panel] = wide_seen[b.panel] || wide;
  }
  EXPECT_TRUE(wide_seen[0]);
  // Lines do not cross the cells of one text: a row of eight is one.
  place const first = places(d).at(0);
  for (stroke const& s : d.strokes) {
    bool const vertical = s.points.size() == 2 && s.points[0].x == s.points[1].x;
    bool const inside = s.points[0].x > first.left && s.points[0].x < first.left + 8 * first.width &&
                        s.points[0].y >= first.top && s.points[0].y < first.top + 8 * first.height;
    EXPECT_FALSE(vertical && inside);
  }
}

TEST(copy_view, labels_atoms_of_the_first_round) {
  scene const s = copy_of("(16,8):(8,1)", "(1,8)", {128}, {16}, view::copy, "(64,64)");  // 4,096 elements, 4 rounds
  for (panel const& p : s.panels) {
    std::size_t labels = 0, cells = 0;
    for (cell const& c : p.cells.cells) {
      labels += c.text.empty() ? 0 : 1;
      cells += static_cast<std::size_t>(c.across * c.down > 1 ? c.across * c.down : 0);
      EXPECT_TRUE(c.text.empty() || c.round == 0);
      EXPECT_TRUE(c.thread && c.value);  // what a page tells of a cell is whole
    }
    EXPECT_EQ(labels, 128u);
    EXPECT_EQ(cells, 4096u);  // every atom of every round is one rectangle
  }
  EXPECT_EQ(s.panels[0].cells.at(0, 8).text, "T001");
  EXPECT_EQ(s.panels[0].cells.at(0, 8).across, 8);
}

TEST(copy_view, names_the_values_where_a_thread_has_several_atoms) {
  scene const s = copy_of("(4,2)", "(4,2)", {64}, {32}, view::threads, "");
  grid const& g = s.panels.back().cells;
  EXPECT_EQ(g.at(0, 0).text, "T0\nV0–1");
  EXPECT_EQ(g.at(2, 0).text, "T0\nV2–3");
  EXPECT_EQ(g.at(0, 1).text, "T0\nV4–5");
  EXPECT_EQ(g.at(0, 0).down, 2);
}

/// A map whose atoms are no rectangles keeps a label in each cell.
TEST(copy_view, atoms_that_are_no_rectangle_keep_their_labels) {
  copy_picture copy;
  copy.tiler = shape_of(parse_layout("(4,2)"));
  copy.tv = parse_layout("(4,2):(1,4)");  // a thread's two values are side by side
  copy.atom = {2};
  EXPECT_EQ(threads_scene(copy).panels[0].cells.at(0, 0).across, 2);
  copy.tv = parse_layout("((2,2),2):((2,4),1)");
  copy.tiler = shape_of(parse_layout("(2,4)"));
  EXPECT_EQ(threads_scene(copy).panels[0].cells.at(0, 0).down, 2);
  copy.tv = parse_layout("(4,2):(2,9)");
  copy.tiler = shape_of(parse_layout("(4,4)"));
  grid const g = threads_scene(copy).panels[0].cells;
  EXPECT_EQ(g.at(0, 0).text, "T0\nV0");
  EXPECT_EQ(g.at(0, 0).across * g.at(0, 0).down, 1);
}

}  // namespace
}  // namespace tilewright::render
