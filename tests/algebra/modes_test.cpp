// Rearranging modes: the function stays, its coordinates move; slicing fixes some coordinates and keeps the others.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

families three_modes() {
  return {{3, {1, 2, 3}, {0, 1, 6}}, {3, {2, 3}, {-1, 2}, family::nesting::flat}, {1, {0, 1, 4}, {2}}};
}

constexpr bool grouping_law(layout_value const& a) {
  for (int begin = 0; begin <= a.rank(); ++begin)
    for (int end = begin; end <= a.rank(); ++end) {
      auto const r = group(a, begin, end);
      if (!r || r->rank() != a.rank() - (end - begin) + 1 || !same_function(a, *r)) return false;
      if (mode_of(*r, begin).rank() != end - begin) return false;
      for (int i = 0; i < begin; ++i)
        if (!(mode_of(*r, i) == mode_of(a, i))) return false;
    }
  return true;
}

constexpr bool selection_law(layout_value const& a) {
  auto const part = take(a, 0, a.rank());
  if (!part || part->rank() != a.rank()) return false;
  for (int i = 0; i < a.rank(); ++i)
    for (int k = 0; k < a.rank(); ++k) {
      auto const r = select(a, {k, i});
      if (!r || r->rank() != 2 || !(mode_of(*r, 0) == mode_of(a, k)) || !(mode_of(*r, 1) == mode_of(a, i)))
        return false;
    }
  return true;
}

constexpr bool joining_law(layout_value const& a) {
  layout_value const b = make({{5, 7}});
  auto const behind = append(a, b), before = prepend(a, b);
  if (!behind || !before || behind->rank() != a.rank() + 1 || before->rank() != a.rank() + 1) return false;
  if (!(mode_of(*behind, a.rank()) == b) || !(mode_of(*before, 0) == b)) return false;
  for (int i = 0; i < a.rank(); ++i) {
    if (!(mode_of(*behind, i) == mode_of(a, i)) || !(mode_of(*before, i + 1) == mode_of(a, i))) return false;
    auto const r = replace(a, i, b);
    if (!r || !(mode_of(*r, i) == b)) return false;
    auto const back = replace(*r, i, mode_of(a, i));
    if (!back || !(*back == a)) return false;
  }
  return true;
}

constexpr bool flattening_law(layout_value const& a) {
  auto const r = flatten(a);
  if (!r || depth(*r) > 1 || r->leaves != a.leaves || !same_function(a, *r)) return false;
  auto const back = unflatten(*r, int_tree(a));
  return back && *back == a;
}

/// Fixes each subset of the modes at each coordinate: slice(y) + offset is A at the whole coordinate.
bool slicing_law(layout_value const& a) {
  if (!a.is_tuple(a.root())) return true;
  int const rank = a.rank();
  for (int kept = 0; kept < 1 << rank; ++kept)
    for (long long at = 0; at < extent(a); ++at) {
      int_tree x{}, full{};
      x.open(rank);
      full.open(rank);
      long long rest = at, inner = 0, position = 1;
      for (int i = 0; i < rank; ++i) {
        long long const n = extent(mode_of(a, i)), digit = rest % n;
        rest /= n;
        full.add_leaf(constant_leaf(digit));
        if ((kept >> i & 1) != 0) {
          x.add_kept();
          inner += digit * position;
          position *= n;
        } else {
          x.add_leaf(constant_leaf(digit));
        }
      }
      auto const s = slice_and_offset(x, a);
      auto const fixed = dice(x, a);
      if (!s || !fixed || extent(s->layout) * extent(*fixed) != extent(a)) return false;
      if (s->offset + s->layout(inner) != *crd2idx(full, a)) return false;
    }
  return true;
}

static_assert(holds_for(family(3, {2, 3}, {0, 2}), 7, grouping_law));
static_assert(holds_for(family(3, {2, 3}, {0, 2}), 7, selection_law));
static_assert(holds_for(family(3, {2, 3}, {0, 2}), 7, joining_law));
static_assert(holds_for(family(3, {2, 3}, {0, 2}, family::nesting::right), 7, flattening_law));

TEST(group, gathers_modes) { expect_for_all(three_modes(), grouping_law); }
TEST(select, picks_modes) { expect_for_all(three_modes(), selection_law); }
TEST(append, joins_modes) { expect_for_all(three_modes(), joining_law); }
TEST(flatten, keeps_the_leaves) { expect_for_all(every_layout(), flattening_law); }
TEST(slice, is_the_layout_at_the_fixed_coordinates) {
  expect_for_all({{3, {2, 3}, {0, 1, 6}}, {3, {2, 3}, {1, 4}, family::nesting::left}}, slicing_law);
}

TEST(slice, descends_into_nested_coordinates) {
  auto const a = parse_layout("((4,2),8):((1,16),4)");
  auto const at = [&](char const* x) {
    auto const s = slice_and_offset(parse_tuple(x), a);
    return s ? format_layout(s->layout) + " + " + std::to_string(s->offset) : describe(s.error().code).name;
  };
  EXPECT_EQ(at("((_,1),_)"), "(4,8):(1,4) + 16");
  EXPECT_EQ(at("(5,_)"), "(8):(4) + 17");
  EXPECT_EQ(at("_"), "((4,2),8):((1,16),4) + 0");
  EXPECT_EQ(at("63"), "():() + 47");
  EXPECT_EQ(at("(8,_)"), "coordinate_out_of_range");
  EXPECT_EQ(at("((_,2),0)"), "coordinate_out_of_range");
  EXPECT_EQ(at("(_,-1)"), "coordinate_out_of_range");
  EXPECT_EQ(at("(_,_,_)"), "rank_mismatch");
  EXPECT_EQ(text_of(dice(parse_tuple("((_,1),_)"), a)), "(2):(16)");
}

TEST(modes, name_what_is_wrong) {
  auto const a = parse_layout("(2,3,4)");
  EXPECT_EQ(text_of(group(a, 2, 1)), "mode_out_of_range");
  EXPECT_EQ(text_of(group(a, 0, 4)), "mode_out_of_range");
  EXPECT_EQ(text_of(group(a, 0, -1)), "mode_out_of_range");
  EXPECT_EQ(text_of(take(a, -1, 2)), "mode_out_of_range");
  EXPECT_EQ(text_of(select(a, {0, 3})), "mode_out_of_range");
  EXPECT_EQ(text_of(replace(a, 3, a)), "mode_out_of_range");
  EXPECT_EQ(text_of(mode(a, -1)), "mode_out_of_range");
  EXPECT_EQ(text_of(unflatten(a, parse_tuple("(1,2)"))), "not_congruent");
}

}  // namespace
}  // namespace tilewright::tests
