// Divisions: (tile, rest) meets every index of the layout once, in the order the tile and its complement give; the
// zipped, tiled and flat forms only rearrange modes.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

/// Reads mode by mode: crd2idx at a flat coordinate of the logical division, (t0, r0, t1, r1).
long long offset(result<layout_value> const& r, std::initializer_list<int_tree> modes) {
  int_tree x{};
  x.open(static_cast<int>(modes.size()));
  for (int_tree const& m : modes) x.add(m);
  return *crd2idx(x, *r);
}
int_tree pair(long long a, long long b) { return tuple_of({a, b}); }

/// A 2-mode layout divided by one tile for each mode, in all four forms.
bool forms_law(layout_value const& a, layout_value const& tiles) {
  tiler_value const tiler = tiler_value::of({mode_of(tiles, 0), mode_of(tiles, 1)});
  auto const logical = logical_divide(a, tiler), zipped = zipped_divide(a, tiler);
  auto const tiled = tiled_divide(a, tiler), flat = flat_divide(a, tiler);
  if (!logical) return !zipped && !tiled && !flat;
  if (!zipped || !tiled || !flat) return false;
  for (int i = 0; i < 2; ++i)
    if (!(mode_of(*logical, i) == *logical_divide(mode_of(a, i), mode_of(tiles, i)))) return false;
  auto const size_at = [&](int i, int k) { return extent(mode_of(mode_of(*logical, i), k)); };
  for (long long t0 = 0; t0 < size_at(0, 0); ++t0)
    for (long long r0 = 0; r0 < size_at(0, 1); ++r0)
      for (long long t1 = 0; t1 < size_at(1, 0); ++t1)
        for (long long r1 = 0; r1 < size_at(1, 1); ++r1) {
          long long const expected = offset(logical, {pair(t0, r0), pair(t1, r1)});
          int_tree const x0 = tuple_of({t0}), y0 = tuple_of({r0}), x1 = tuple_of({t1}), y1 = tuple_of({r1});
          if (offset(zipped, {pair(t0, t1), pair(r0, r1)}) != expected) return false;
          if (offset(tiled, {pair(t0, t1), y0, y1}) != expected) return false;
          if (offset(flat, {x0, x1, y0, y1}) != expected) return false;
        }
  return true;
}

static_assert(holds_for(family(2, {2, 4}, {1, 2, 8}), 7, family(1, {1, 2, 4}, {0, 1, 2}), 2, logical_divide_law));

TEST(logical_divide, meets_every_index_once_or_there_is_no_such_layout) {
  expect_for_all(left_operands(), {{1, {1, 2, 3, 4, 6}, {0, 1, 2, 3, 4}}, {2, {1, 2, 3}, {0, 1, 2, 3, 4}}},
                 logical_divide_law);
}

TEST(divide, by_mode_in_four_forms) {
  expect_for_all({{2, {3, 4}, {1, 4, 6}}}, {{2, {1, 2, 3}, {0, 1, 2}}}, forms_law);
}

TEST(divide, in_pictures) {
  auto const a = parse_layout("(8,6):(1,8)");
  tiler_value const tiler{parse_tiler("<4,2:3>")};
  EXPECT_EQ(text_of(logical_divide(a, tiler)), "((4,2),(2,3)):((1,4),(24,8))");
  EXPECT_EQ(text_of(zipped_divide(a, tiler)), "((4,2),(2,3)):((1,24),(4,8))");
  EXPECT_EQ(text_of(tiled_divide(a, tiler)), "((4,2),2,3):((1,24),4,8)");
  EXPECT_EQ(text_of(flat_divide(a, tiler)), "(4,2,2,3):(1,24,4,8)");
}

TEST(divide, keeps_modes_beyond_the_tiler_and_those_at_underscores) {
  auto const a = parse_layout("(8,6,5):(1,8,48)");
  EXPECT_EQ(text_of(logical_divide(a, tiler_value{parse_tiler("<4>")})), "((4,2),6,5):((1,4),8,48)");
  EXPECT_EQ(text_of(zipped_divide(a, tiler_value{parse_tiler("<4,_>")})), "((4,6),(2,1,5)):((1,8),(4,0,48))");
}

TEST(divide, rounds_up_what_overhangs_the_last_mode) {
  EXPECT_EQ(text_of(logical_divide(parse_layout("10:1"), parse_layout("4:1"))), "(4,3):(1,4)");
  EXPECT_EQ(text_of(logical_divide(parse_layout("(8,10):(10,1)"), tiler_value{parse_tiler("<4,4>")})),
            "((4,2),(4,3)):((10,40),(1,4))");
}

TEST(divide, of_nothing_is_nothing) {
  EXPECT_EQ(text_of(logical_divide(parse_layout("(0,4):(1,8)"), parse_layout("2:1"))), "(2,0):(1,2)");
}

TEST(divide, an_integer_is_its_own_only_mode) {
  tiler_value const two{parse_tiler("<2>")};
  EXPECT_EQ(text_of(logical_divide(parse_layout("8:3"), two)), "((2,4)):((3,6))");
  EXPECT_EQ(text_of(zipped_divide(parse_layout("8:3"), two)), "((2),(4)):((3),(6))");
}

TEST(divide, names_what_is_wrong) {
  auto const divide = [](char const* a, char const* t) {
    return text_of(logical_divide(parse_layout(a), tiler_value{parse_tiler(t)}));
  };
  EXPECT_EQ(divide("12:1", "(2,2):(1,3)"), "tile_leaves_gaps");
  EXPECT_EQ(divide("12:1", "(2,2):(1,1)"), "not_injective");
  EXPECT_EQ(divide("(96,128):(1,200)", "64:1"), "stride_does_not_divide");
  EXPECT_EQ(divide("(8,8):(1,8)", "<4,4,4>"), "rank_mismatch");
  EXPECT_EQ(divide("(8):(1)", "<0>"), "division_by_zero");
  EXPECT_EQ(divide("8:1", "<2,2>"), "rank_mismatch");
  EXPECT_EQ(divide("(4,4):(1,8)", "(0,2):(0,3)"), "division_by_zero");
}

}  // namespace
}  // namespace tilewright::tests
