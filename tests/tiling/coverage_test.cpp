// Coverage against counting every (thread, value) pair, over families of thread-value layouts that cover, repeat, leave
// out and overshoot.
#include "tilewright/tiling/coverage.hpp"

#include <gtest/gtest.h>

#include "generators.hpp"
#include "plain_analysis.hpp"

namespace tilewright::tests {
namespace {

using tiling::coverage;
using tiling::coverage_verdict;
using tiling::owner;

coverage cover(std::string_view tv, std::string_view tile) {
  return tiling::cover(parse_layout(tv), parse_tuple(tile)).value();
}

TEST(coverage, proves_the_tile_of_document_001) {
  coverage const c = cover("(32,4):(4,1)", "(16,8)");
  EXPECT_TRUE(c.holds());
  EXPECT_EQ(c.threads, 32);
  EXPECT_EQ(c.values, 4);
  EXPECT_EQ(c.elements, 128);
}

TEST(coverage, names_the_first_element_and_its_owners) {
  coverage const twice = cover("(4,4):(2,1)", "(4,2)");  // thread 0 carries 0..3, thread 1 carries 2..5, …
  EXPECT_EQ(twice.verdict, coverage_verdict::outside);
  EXPECT_EQ(twice.first, (owner{3, 2}));
  EXPECT_EQ(twice.element, 8);
  coverage const overlap = cover("(3,4):(2,1)", "(4,2)");
  EXPECT_EQ(overlap.verdict, coverage_verdict::carried_twice);
  EXPECT_EQ(format_tuple(overlap.coordinate), "(2,0)");
  EXPECT_EQ(overlap.first, (owner{1, 0}));
  EXPECT_EQ(overlap.second, (owner{0, 2}));
  coverage const gap = cover("(2,2):(4,1)", "(4,2)");
  EXPECT_EQ(gap.verdict, coverage_verdict::never_carried);
  EXPECT_EQ(format_tuple(gap.coordinate), "(2,0)");
  EXPECT_EQ(cover("(2,2):(-1,2)", "4").verdict, coverage_verdict::outside);
  EXPECT_EQ(cover("(2,0):(1,1)", "(2,(1,1))").verdict, coverage_verdict::never_carried);
  EXPECT_TRUE(cover("(2,0):(1,1)", "0").holds());
}

/// Counted pair by pair: the verdict, and which element it is about.
bool agrees(layout_value const& tv, long long elements) {
  int_tree const tile = leaf_tree(constant_leaf(elements));
  coverage const c = tiling::cover(tv, tile).value();
  std::map<long long, std::vector<owner>> carried;
  bool outside = false;
  for (long long t = 0; t < c.threads; ++t)
    for (long long v = 0; v < c.values; ++v) {
      long long const element = crd2idx(tuple_of({t, v}), tv).value();
      outside = outside || element < 0 || element >= elements;
      carried[element].push_back({t, v});
    }
  auto const has = [&](long long e, owner const& o) {
    auto const& all = carried[e];
    return std::find(all.begin(), all.end(), o) != all.end();
  };
  if (outside) return c.verdict == coverage_verdict::outside && has(c.element, c.first);
  for (long long e = 0; e < elements; ++e) {
    std::size_t const times = carried[e].size();
    if (times == 1) continue;
    if (c.element != e || format_tuple(c.coordinate) != std::to_string(e)) return false;
    if (times == 0) return c.verdict == coverage_verdict::never_carried && c.first == owner{} && c.second == owner{};
    return c.verdict == coverage_verdict::carried_twice && has(e, c.first) && has(e, c.second) && c.first != c.second;
  }
  return c.holds();
}

TEST(coverage, agrees_with_counting) {
  families const two_modes{{2, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, -1}},
                           {3, {1, 2, 3}, {0, 1, 2, 4, 6}, family::nesting::left},
                           {3, {1, 2, 3}, {0, 1, 2, 4, 6}, family::nesting::right}};
  for (long long const elements : {0, 1, 4, 6, 8, 12})
    expect_for_all(two_modes, [&](layout_value const& tv) { return agrees(tv, elements); });
}

TEST(coverage, refuses_what_it_cannot_read) {
  EXPECT_EQ(tiling::cover(parse_layout("(2,2,2):(1,2,4)"), parse_tuple("8")).error().code, errc::rank_mismatch);
  EXPECT_EQ(tiling::cover(parse_layout("(2,2):(1,2)"), parse_tuple("(-2,2)")).error().code, errc::bad_extent);
  EXPECT_THROW((void)tiling::cover(parse_layout("(32,1000000000):(1,32)"), parse_tuple("32")), std::length_error);
}

}  // namespace
}  // namespace tilewright::tests
