// What the cells of each view say, against the layout worked out digit by digit, and what the views refuse.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tilewright/layout/text.hpp"
#include "tilewright/render/plot.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

namespace tilewright::render {
namespace {

using numbers = std::vector<long long>;

/// A layout's offset by the definition: each leaf's digit of the index times its stride. Nothing of the library is
/// used.
long long by_hand(numbers const& extents, numbers const& strides, long long index) {
  long long offset = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    offset += index % extents[i] * strides[i];
    index /= extents[i];
  }
  return offset;
}
long long by_hand(layout_value const& a, long long index) {
  numbers extents, strides;
  for (int i = 0; i < a.leaves; ++i) {
    extents.push_back(a.shape[i].number);
    strides.push_back(a.stride[i].number);
  }
  return by_hand(extents, strides, index);
}
/// Bits [m+s, m+s+b) onto bits [m, m+b), one by one.
long long swizzled_by_hand(long long x, int b, int m, int s) {
  long long out = x;
  for (int i = 0; i < b; ++i) out ^= (x >> (m + s + i) & 1) << (m + i);
  return out;
}

tiler_value tuple_of(char const* text) {
  layout_value const shape = parse_layout(text);
  tiler_value out{};
  out.tree.open(shape.rank());
  for (int i = 0; i < shape.leaves; ++i) out.tree.add_leaf(shape.shape[i], constant_leaf(1));
  return out;
}

copy_picture a_copy(char const* thr, char const* val, long long atom_bits = 128, long long element_bits = 32) {
  layout_value const t = parse_layout(thr), v = parse_layout(val);
  tiled_copy_value const copy = make_tiled_copy(bits{atom_bits}, bits{element_bits}, t, v).value();
  return {{copy.atom, v, copy.tiler, copy.tv}, t};
}

std::string refusal(plot_request const& r) {
  try {
    (void)make_scene(r);
  } catch (render_error const& e) {
    return e.what();
  }
  return "drawn";
}

// --- layouts ---------------------------------------------------------------------------------------------------------
class layout_views : public testing::TestWithParam<char const*> {};

TEST_P(layout_views, cells_are_the_layout) {
  layout_value const a = parse_layout(GetParam());
  long long const n = size(a).value();
  for (view const what : {view::offsets, view::indices, view::coordinates, view::banks, view::order}) {
    scene const s = layout_scene({named_layout("", a)}, what);
    std::set<long long> seen;
    for (panel const& p : s.panels) {
      if (p.title == "memory, by offset") continue;
      ASSERT_EQ(p.cells.cells.size(), static_cast<std::size_t>(p.cells.rows * p.cells.columns));
      ASSERT_EQ(p.cells.row_lines.size(), static_cast<std::size_t>(p.cells.rows));
      ASSERT_EQ(p.cells.column_lines.size(), static_cast<std::size_t>(p.cells.columns));
      for (cell const& c : p.cells.cells) {
        if (!c.exists) continue;
        ASSERT_TRUE(c.index && c.offset);
        EXPECT_TRUE(seen.insert(*c.index).second);
        long long const offset = by_hand(a, *c.index), bank = (offset % 32 + 32) % 32;
        EXPECT_EQ(*c.offset, offset);
        EXPECT_EQ(c.text, what == view::indices       ? std::to_string(*c.index)
                          : what == view::coordinates ? c.coordinate
                          : what == view::banks       ? std::to_string(bank)
                                                      : std::to_string(offset));
      }
    }
    EXPECT_EQ(static_cast<long long>(seen.size()), n);
  }
}

TEST_P(layout_views, memory_holds_every_element_where_it_is) {
  layout_value const a = parse_layout(GetParam());
  scene const s = layout_scene({named_layout("", a)}, view::order);
  std::map<long long, int> elements_at;
  for (long long i = 0; i < size(a).value(); ++i) ++elements_at[by_hand(a, i)];
  panel const& memory = s.panels.back();
  ASSERT_EQ(memory.title, "memory, by offset");
  for (cell const& c : memory.cells.cells) {
    if (!c.exists) continue;
    int const held = elements_at.contains(*c.offset) ? elements_at[*c.offset] : 0;
    EXPECT_EQ(c.colour == nobody, held == 0);
    EXPECT_EQ(c.colour == several, held > 1);
    EXPECT_EQ(held > 0 ? by_hand(a, *c.index) : *c.offset, *c.offset);
  }
  panel const& first = s.panels.front();
  ASSERT_FALSE(first.path.empty());
  for (std::size_t i = 1; i < first.path.size(); ++i)
    EXPECT_LE(*first.cells.cells[static_cast<std::size_t>(first.path[i - 1])].offset,
              *first.cells.cells[static_cast<std::size_t>(first.path[i])].offset);
}

INSTANTIATE_TEST_SUITE_P(layouts, layout_views,
                         testing::Values("7:3", "100:1", "(4,8):(8,1)", "((2,4),(4,2)):((1,16),(2,8))",
                                         "(3,4,5):(1,3,12)", "(2,3,2,2):(1,2,6,12)", "(4,4):(1,0)", "(4,4):(-1,4)",
                                         "((2,2),(2,2),3):((8,1),(2,4),16)", "1:0", "(1,1)", "((2,2,2,2),2)"));

TEST(layout_view, rows_and_columns_are_the_first_two_modes) {
  grid const g = layout_scene({named_layout("", parse_layout("(4,8):(8,1)"))}).panels.at(0).cells;
  EXPECT_EQ(g.rows, 4);
  EXPECT_EQ(g.columns, 8);
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 8; ++c) {
      EXPECT_EQ(g.at(r, c).text, std::to_string(8 * r + c));
      EXPECT_EQ(g.at(r, c).coordinate, "(" + std::to_string(r) + "," + std::to_string(c) + ")");
    }
}

TEST(layout_view, higher_modes_are_panels) {
  scene const s = layout_scene({named_layout("", parse_layout("(2,3,2,2)"))});
  ASSERT_EQ(s.panels.size(), 4u);
  EXPECT_EQ(s.panels[0].title, "(_,_,0,0)");
  EXPECT_EQ(s.panels[3].title, "(_,_,1,1)");
  EXPECT_EQ(s.panels[3].cells.at(1, 2).offset, 1 + 4 + 6 + 12);
}

TEST(layout_view, nested_modes_are_separated_level_by_level) {
  grid const g = layout_scene({named_layout("", parse_layout("((2,2,2),(4,2))"))}).panels.at(0).cells;
  EXPECT_EQ(g.row_lines, (std::vector<int>{2, 0, 1, 0, 2, 0, 1, 0}));
  EXPECT_EQ(g.column_lines, (std::vector<int>{1, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(layout_view, coordinates_as_offsets_are_text) {
  scene const s = layout_scene({named_layout("", identity_layout(parse_tuple("(2,3)")).value())});
  EXPECT_EQ(s.panels.at(0).cells.at(1, 2).text, "(1,2)");
  EXPECT_FALSE(s.panels.at(0).cells.at(1, 2).offset);
}

TEST(banks_view, shows_a_swizzle_before_and_after) {
  composed_value const a{{3, 2, 3}, {}, parse_layout("(8,32):(32,1)")};
  scene const s = layout_scene({named_layout("", a)}, view::banks);
  ASSERT_EQ(s.panels.size(), 2u);
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 32; ++c) {
      long long const offset = 32 * r + c;
      EXPECT_EQ(*s.panels[0].cells.at(r, c).bank, offset % 32);
      EXPECT_EQ(*s.panels[1].cells.at(r, c).offset, swizzled_by_hand(offset, 3, 2, 3));
      EXPECT_EQ(*s.panels[1].cells.at(r, c).bank, swizzled_by_hand(offset, 3, 2, 3) % 32);
      EXPECT_EQ(s.panels[0].cells.at(r, c).link, s.panels[1].cells.at(r, c).link);
    }
}

TEST(banks_view, counts_bits) {
  plot_options options;
  options.element = {16};
  scene const s = layout_scene({named_layout("", parse_layout("(4,80):(80,1)"))}, view::banks, options);
  for (cell const& c : s.panels.at(0).cells.cells) EXPECT_EQ(*c.bank, *c.offset * 2 / 4 % 32);
}

// --- divisions and products ------------------------------------------------------------------------------------------
TEST(divide_view, colours_are_tiles) {
  for (char const* operation : {"logical", "zipped", "tiled", "flat"}) {
    plot_options options;
    options.operation = operation;
    scene const s = divide_scene(parse_layout("(8,8):(8,1)"), tuple_of("(2,4)"), options);
    std::map<long long, int> colour_of_offset;
    for (panel const& p : s.panels) {
      for (cell const& c : p.cells.cells) {
        long long const row = *c.offset / 8, column = *c.offset % 8;  // of the row-major source
        EXPECT_EQ(c.colour, row / 2 + 4 * (column / 4)) << operation << " offset " << *c.offset;
        ++colour_of_offset[*c.offset];
      }
    }
    ASSERT_EQ(colour_of_offset.size(), 64u);
    for (auto const& [offset, times] : colour_of_offset) EXPECT_EQ(times, 2) << operation << " offset " << offset;
  }
}

TEST(divide_view, tells_what_overhangs) {
  scene const s = divide_scene(parse_layout("(8,8):(8,1)"), tuple_of("(3,4)"));
  EXPECT_EQ(s.lines.back(), "6 tiles of 12 elements; the number is the offset");
  EXPECT_EQ(s.lines.front(), "8 cells without a colour are outside A: its last tiles overhang");
  grid const& g = s.panels.at(1).cells;
  for (int in_tile = 0; in_tile < 12; ++in_tile)
    for (int tile = 0; tile < 6; ++tile) {
      int const row = in_tile % 3 + 3 * (tile % 3);
      EXPECT_EQ(g.at(in_tile, tile).colour, row < 8 ? tile : nobody);
      EXPECT_EQ(g.at(in_tile, tile).link.has_value(), row < 8);
    }
  scene const through = divide_scene(parse_layout("(4,6)"), tiler_value::of(parse_layout("12")));  // tiles of 3 columns
  for (cell const& c : through.panels.at(0).cells.cells) EXPECT_EQ(c.colour, *c.index / 12);
}

TEST(product_view, colours_are_repetitions) {
  plot_options options;
  options.operation = "raked";
  scene const s = product_scene(parse_layout("(2,2)"), tiler_value::of(parse_layout("(3,4)")), options);
  ASSERT_EQ(s.panels.size(), 3u);
  grid const& g = s.panels[2].cells;
  ASSERT_EQ(g.rows, 6);
  ASSERT_EQ(g.columns, 8);
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 8; ++c) EXPECT_EQ(g.at(r, c).colour, r % 3 + 3 * (c % 4));
}

// --- tiled copies ----------------------------------------------------------------------------------------------------
TEST(threads_view, is_the_ownership_map_of_the_first_document) {
  scene const s = threads_scene(a_copy("(4,8)", "(1,1)"));
  ASSERT_EQ(s.panels.size(), 4u);
  EXPECT_EQ(s.lines.at(0), "32 threads, 4 values each on a tile of 16 × 8: every element is copied exactly once");
  EXPECT_EQ(s.panels[0].cells.rows, 4);
  grid const& g = s.panels[3].cells;
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 8; ++c) {
      EXPECT_EQ(*g.at(r, c).thread, r / 4 + 4 * c);
      EXPECT_EQ(*g.at(r, c).value, r % 4);
    }
  EXPECT_EQ(g.at(4, 0).text, "T01");  // one label for the atom's four elements
  EXPECT_EQ(g.at(5, 0).text, "");
  for (int r = 1; r < 16; ++r) EXPECT_EQ(g.row_lines[static_cast<std::size_t>(r)], r % 4 == 0 ? 1 : 0);
}

TEST(tv_view, is_the_map_and_its_inverse) {
  layout_value const tv = parse_layout("((4,8),(2,2)):((2,16),(1,8))");
  scene const s = tv_scene(tv, parse_layout("(16,8)"));
  grid const &map = s.panels.at(0).cells, &inverse = s.panels.at(1).cells;
  ASSERT_EQ(inverse.rows, 32);
  ASSERT_EQ(inverse.columns, 4);
  for (int t = 0; t < 32; ++t)
    for (int v = 0; v < 4; ++v) {
      long long const index = by_hand({4, 8, 2, 2}, {2, 16, 1, 8}, t + 32 * v);
      EXPECT_EQ(*inverse.at(t, v).index, index);
      cell const& c = map.at(static_cast<int>(index % 16), static_cast<int>(index / 16));
      EXPECT_EQ(*c.thread, t);
      EXPECT_EQ(*c.value, v);
      EXPECT_EQ(c.link, inverse.at(t, v).link);
    }
}

TEST(tv_view, shows_what_is_carried_never_or_twice) {
  scene const s = tv_scene(parse_layout("(4,2):(1,2)"), parse_layout("8"));
  EXPECT_EQ(s.lines.at(0),
            "4 threads, 2 values each on a tile of 8: 2 elements are copied by no thread, 2 elements are copied more "
            "than once");
  std::vector<int> colours;
  for (cell const& c : s.panels.at(0).cells.cells) colours.push_back(c.colour);
  EXPECT_EQ(colours, (std::vector<int>{0, 1, several, several, 2, 3, nobody, nobody}));
}

TEST(copy_view, knows_thread_value_round_and_both_offsets) {
  scene const s = copy_scene(a_copy("(4,8)", "(1,1)"), {named_layout("source", parse_layout("(32,16):(1,32)")),
                                                        named_layout("destination", parse_layout("(32,16):(16,1)"))});
  ASSERT_EQ(s.panels.size(), 2u);
  ASSERT_EQ(s.rounds, (std::vector<std::string>{"tile (0,0)", "tile (1,0)", "tile (0,1)", "tile (1,1)"}));
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 16; ++c)
      for (std::size_t side = 0; side < 2; ++side) {
        cell const& x = s.panels[side].cells.at(r, c);
        EXPECT_EQ(*x.thread, r % 16 / 4 + 4 * (c % 8));
        EXPECT_EQ(*x.value, r % 4);
        EXPECT_EQ(*x.round, r / 16 + 2 * (c / 8));
        EXPECT_EQ(*x.offset, side == 0 ? r + 32 * c : 16 * r + c);
        EXPECT_EQ(*x.link, r + 32 * c);
      }
}

TEST(copy_view, agrees_with_the_partitions) {
  struct declared {
    char const *thr, *val, *tensor;
  };
  for (declared const& d :
       {declared{"(4,8)", "(4,2)", "(32,32):(32,1)"}, declared{"(8,4):(4,1)", "(4,2):(2,1)", "(32,16)"},
        declared{"8", "4", "96:2"}, declared{"(2,2,2)", "(4,1,3)", "(8,4,12)"}}) {
    layout_value const tensor = parse_layout(d.tensor);
    tiled_copy_value const copy = make_tiled_copy(bits{32}, bits{32}, parse_layout(d.thr), parse_layout(d.val)).value();
    layout_value const whole = partition_view(copy, tensor).value();  // (thread, value, rest) -> offset
    scene const s = copy_scene(a_copy(d.thr, d.val, 32), {named_layout("", tensor)});
    std::map<long long, cell> at_offset;
    for (panel const& p : s.panels)
      for (cell const& c : p.cells.cells)
        if (c.exists) at_offset[*c.offset] = c;
    long long const threads = copy.threads(), values = copy.values(), n = size(tensor).value();
    ASSERT_EQ(static_cast<long long>(at_offset.size()), n);
    for (long long i = 0; i < n; ++i) {
      cell const& c = at_offset.at(by_hand(whole, i));
      EXPECT_EQ(*c.thread, i % threads);
      EXPECT_EQ(*c.value, i / threads % values);
      EXPECT_EQ(*c.round, i / threads / values);
    }
  }
}

TEST(conflict_view, counts_words_of_each_bank_by_hand) {
  // A warp stores a column of a row-major 32 × 32 tile of floats: bank of (r, 0) is 0 for every r.
  copy_picture const column = a_copy("(32,1)", "(1,1)", 32);
  scene const plain = conflict_scene(column, named_layout("", parse_layout("(32,32):(32,1)")));
  panel const& heat = plain.panels.back();
  ASSERT_EQ(heat.cells.rows, 1);
  for (int b = 0; b < 32; ++b) EXPECT_EQ(heat.cells.at(0, b).text, b == 0 ? "32" : "");
  scene const padded = conflict_scene(column, named_layout("", parse_layout("(32,32):(33,1)")));
  for (int b = 0; b < 32; ++b) EXPECT_EQ(padded.panels.back().cells.at(0, b).text, "1");
  EXPECT_EQ(padded.lines.back(), "no bank serves more than one word at a time");
  // 16-byte stores of rows of 64 bytes, four quarter warps of two rows: rows 0 and 2 of a quarter meet.
  scene const wide =
      conflict_scene(a_copy("(8,4):(4,1)", "(1,4):(4,1)"), named_layout("", parse_layout("(8,16):(32,1)")));
  ASSERT_EQ(wide.panels.back().cells.rows, 4);
  for (int phase = 0; phase < 4; ++phase)
    for (int b = 0; b < 32; ++b) EXPECT_EQ(wide.panels.back().cells.at(phase, b).text, b < 16 ? "2" : "");
}

TEST(stages_view, is_one_panel_a_step) {
  scene const s = stages_scene(
      "plan", {{"coalesce", {"4 modes become 2"}, {}}, {"tile", {}, layout_panels({"", parse_layout("(2,2)")})[0]}});
  ASSERT_EQ(s.panels.size(), 2u);
  EXPECT_EQ(s.panels[0].title, "1. coalesce");
  EXPECT_EQ(s.panels[0].lines.at(0), "4 modes become 2");
  EXPECT_EQ(s.panels[1].cells.rows, 2);
  EXPECT_EQ(s.panels[1].sign, "→");
}

// --- refusals --------------------------------------------------------------------------------------------------------
TEST(refusals, say_what_and_what_to_do) {
  auto const of = [](view what, char const* layout) {
    plot_request r;
    r.what = what;
    r.layouts = {named_layout("", parse_layout(layout))};
    return r;
  };
  EXPECT_EQ(refusal(of(view::offsets, "(4,0)")),
            "(4,0):(1,4) has no elements, so there is nothing to draw; give extents of 1 or more");
  EXPECT_EQ(refusal(of(view::offsets, "(512,512)")),
            "(512,512):(1,512) has 262144 elements and a picture has 65536 at most; draw a slice or a tile of it");
  EXPECT_EQ(
      refusal(of(view::offsets, "(2,2,65)")),
      "a layout of 3 modes needs a panel for each of its 65 coordinates beyond the second mode, and a picture has "
      "64 at most; slice or group its modes");
  plot_request none;
  EXPECT_EQ(refusal(none), "the view offsets draws 1 to 16 layouts, not 0; give that many");
  plot_request banks = of(view::banks, "(4,4)");
  banks.options.element = {0};
  EXPECT_EQ(refusal(banks),
            "banks need element bits, a number of banks and a bank width from 1 to 65536, not 0, 32 and 4");
  plot_request tv = of(view::tv, "1");
  tv.copy.tv = parse_layout("(4,4):(4,1)");
  tv.copy.tiler = shape_of(parse_layout("(3,3)"));
  EXPECT_EQ(
      refusal(tv),
      "thread 3 has value 0 at index 12, outside the tile of 9 elements; give the tile that the map was made for");
  plot_request copy = of(view::copy, "(32,16)");
  copy.copy = a_copy("(4,8)", "(1,1)");
  copy.layouts.emplace_back("", parse_layout("(16,32)"));
  EXPECT_EQ(refusal(copy), "the source is 32 × 16 elements and the destination 16 × 32; give both the same extents");
  copy.layouts = {named_layout("", parse_layout("(20,8)"))};
  EXPECT_THROW((void)make_scene(copy), layout_error);
  EXPECT_THROW((void)view_of("pie"), render_error);
  EXPECT_THROW((void)conflict_scene(std::vector<bank_request>{}), render_error);
  EXPECT_THROW((void)conflict_scene({{"a", {1, 2}}, {"b", {1}}}), render_error);
}

}  // namespace
}  // namespace tilewright::render
