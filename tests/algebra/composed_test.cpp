// Swizzled layouts: every operation is the operation on the layout below, seen through the swizzle.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

std::vector<swizzle_value> swizzles() {
  return {{0, 0, 0}, {1, 0, 1}, {2, 0, 3}, {1, 1, 2}, {2, 2, 2}, {1, 0, -1}, {2, 1, -3}, {3, 4, 3}};
}

/// Expects law(composed) for each swizzle, some offsets and each layout of the families.
template <class Law>
void expect_for_composed(families const& all, Law const& law) {
  for (swizzle_value const& s : swizzles())
    for (long long offset : {0, 4, 5})
      expect_for_all(all, [&](layout_value const& a) { return law(composed_value{s, constant_leaf(offset), a}); });
}

long long value_at(composed_value const& a, long long i) { return a.swizzle(a.offset.number + a.layout(i)); }

families tiles() { return {{1, {1, 4, 8}, {0, 1, 2}}, {2, {2, 4}, {1, 2, 4, 8}}}; }

TEST(composed, offsets_are_swizzled) {
  expect_for_composed(tiles(), [](composed_value const& a) {
    auto const bound = cosize(a);
    for (long long i = 0; i < extent(a.layout); ++i)
      if (*crd2idx(i, a) != value_at(a, i) || value_at(a, i) >= *bound) return false;
    return *size(a) == extent(a.layout) && !crd2idx(extent(a.layout), a);
  });
}

TEST(composed, composition_reads_through_the_swizzle) {
  auto const b = parse_layout("(2,2):(2,1)");
  expect_for_composed(tiles(), [&](composed_value const& a) {
    auto const r = composition(a, b);
    if (!r) return !composition(a.layout, b);
    for (long long i = 0; i < 4; ++i)
      if (value_at(*r, i) != value_at(a, b(i))) return false;
    return true;
  });
}

TEST(composed, coalesce_and_with_shape_keep_the_function) {
  expect_for_composed(tiles(), [](composed_value const& a) {
    auto const r = coalesce(a), shaped = with_shape(a, leaf_tree(constant_leaf(extent(a.layout))));
    for (long long i = 0; i < extent(a.layout); ++i)
      if (value_at(*r, i) != value_at(a, i) || (shaped && value_at(*shaped, i) != value_at(a, i))) return false;
    return true;
  });
}

TEST(composed, divide_is_the_division_below) {
  tiler_value const tiler{parse_tiler("<2,2>")};
  expect_for_composed({{2, {2, 4}, {1, 2, 8}}}, [&](composed_value const& a) {
    for (auto const& [r, below] : {std::pair{logical_divide(a, tiler), logical_divide(a.layout, tiler)},
                                   std::pair{zipped_divide(a, tiler), zipped_divide(a.layout, tiler)},
                                   std::pair{tiled_divide(a, tiler), tiled_divide(a.layout, tiler)},
                                   std::pair{flat_divide(a, tiler), flat_divide(a.layout, tiler)}})
      if (!r || !below || !(r->layout == *below) || !(r->swizzle == a.swizzle) || !(r->offset == a.offset))
        return false;
    return true;
  });
}

TEST(composed, slices_stay_exact) {
  expect_for_composed({{2, {2, 4}, {1, 2, 8}}}, [](composed_value const& a) {
    long long const rows = a.layout.shape[0].number, columns = a.layout.shape[1].number;
    for (long long column = 0; column < columns; ++column) {
      int_tree x{};
      x.open(2);
      x.add_kept();
      x.add_leaf(constant_leaf(column));
      auto const r = slice(x, a);
      for (long long row = 0; row < rows; ++row)
        if (!r || value_at(*r, row) != value_at(a, row + rows * column)) return false;
    }
    return true;
  });
}

TEST(composed, upcast_keeps_the_wide_elements) {
  expect_for_composed({{2, {2, 4}, {1, 2, 4, 8}}}, [](composed_value const& a) {
    auto const r = upcast(a, 2);
    if (!r) return !upcast(a.layout, 2) || a.offset.number % 2 != 0 || (a.swizzle.bits != 0 && a.swizzle.base < 1);
    table narrow{}, wide{};
    for (long long i = 0; i < extent(a.layout); ++i) narrow.push(value_at(a, i) / 2);
    for (long long i = 0; i < extent(r->layout); ++i) wide.push(value_at(*r, i));
    return same_image(narrow, wide);
  });
}

TEST(composed, max_common_vector_stays_together) {
  auto const b = parse_layout("(8,2):(1,8)");
  expect_for_composed({{1, {8, 16}, {1, 2}}, {2, {2, 8}, {1, 2, 8}}}, [&](composed_value const& a) {
    auto const n = max_common_vector(a, b);
    if (!n || *n < 1) return false;
    auto const v = *max_common_layout(a.layout, b);
    for (long long i = 0; i < *n; ++i)
      if (value_at(a, v(i)) != value_at(a, 0) + i || b(v(i)) != i) return false;
    for (long long x = 0; x < 256; x += *n)
      for (long long i = 0; i < *n; ++i)
        if (a.swizzle(x + i) != a.swizzle(x) + i) return false;
    return *max_common_vector(b, a) == *n;
  });
}

TEST(composed, a_swizzle_undoes_itself) {
  swizzle_value const s{2, 1, 3};
  composed_value const a = *composition(s, parse_layout("(8,8):(8,1)"));
  EXPECT_EQ(text_of(composition(s, a)), "Sw<0,0,0> o 0 o (8,8):(8,1)");
  EXPECT_EQ(text_of(composition(swizzle_value{}, a)), "Sw<2,1,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(text_of(composition(swizzle_value{1, 0, 3}, a)), "bad_swizzle");
}

TEST(composed, names_what_is_wrong) {
  EXPECT_EQ(text_of(composition(swizzle_value{3, 0, 2}, parse_layout("8:1"))), "bad_swizzle");
  EXPECT_EQ(text_of(composition(swizzle_value{1, 0, 1}, parse_layout("8:-1"))), "negative_stride");
  EXPECT_EQ(text_of(crd2idx(0, composed_value{{1, 0, 1}, constant_leaf(7), parse_layout("8:-1")})), "6");
  EXPECT_EQ(text_of(crd2idx(8, composed_value{{1, 0, 1}, constant_leaf(0), parse_layout("8:1")})),
            "coordinate_out_of_range");
  EXPECT_EQ(text_of(crd2idx(0, composed_value{{1, 0, 1}, constant_leaf(int64_max), parse_layout("8:1")})), "overflow");
}

}  // namespace
}  // namespace tilewright::tests
