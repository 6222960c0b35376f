// Injectivity and images against a set of all offsets, over families of layouts with overlaps, gaps, negative strides
// and swizzles.
#include "tilewright/analysis/aliasing.hpp"

#include <gtest/gtest.h>

#include "plain_analysis.hpp"

namespace tilewright::tests {
namespace {

using analysis::aliasing;
using analysis::aliasing_verdict;
using analysis::find_aliasing;
using analysis::image_of;

bool agrees(composed_value const& a) {
  long long const n = size(a.layout).value();
  std::map<long long, long long> first_with;
  long long second = -1, first = -1;
  for (long long i = 0; i < n; ++i) {
    long long const x = a.swizzle(a.offset.number + a.layout(i));
    auto const [at, fresh] = first_with.insert({x, i});
    if (!fresh && second < 0) {
      second = i;
      first = at->second;
    }
  }
  aliasing const found = find_aliasing(a).value();
  if (found.injective() != (second < 0)) return false;
  if (second >= 0 && (found.first_index != first || found.second_index != second)) return false;
  if (second >= 0 && crd2idx(found.first, a.layout).value() != a.layout(first)) return false;

  analysis::image const set = image_of(a).value();
  if (set.offsets != static_cast<long long>(first_with.size())) return false;
  if (n == 0) return set.largest < set.smallest && set.contiguous();
  long long gaps = 0, first_gap = 0;
  for (long long x = first_with.begin()->first; x < first_with.rbegin()->first; ++x)
    if (!first_with.contains(x) && gaps++ == 0) first_gap = x;
  return set.smallest == first_with.begin()->first && set.largest == first_with.rbegin()->first && set.gaps == gaps &&
         set.first_gap == first_gap;
}

TEST(aliasing, agrees_with_a_set_of_offsets) {
  auto const law = [](layout_value const& a) { return agrees({{}, constant_leaf(3), a}); };
  expect_for_all(every_layout(), law);
  expect_for_all(signed_layouts(), law);
}

TEST(aliasing, agrees_under_swizzles) {
  for (swizzle_value const s : {swizzle_value{2, 0, 3}, {1, 1, -2}, {3, 0, 3}})
    expect_for_all(left_operands(), [&](layout_value const& a) { return agrees({s, constant_leaf(2), a}); });
}

TEST(aliasing, says_by_which_argument) {
  auto const verdict = [](std::string_view a) { return find_aliasing(parse_layout(a)).value().verdict; };
  EXPECT_EQ(verdict("(1000000,1000000):(1,1000000)"), aliasing_verdict::injective_by_strides);
  EXPECT_EQ(verdict("(4,4):(-4,1)"), aliasing_verdict::injective_by_strides);
  EXPECT_EQ(verdict("(2,2):(3,2)"), aliasing_verdict::injective_by_strides);
  EXPECT_EQ(verdict("(3,2):(2,3)"), aliasing_verdict::injective_by_enumeration);
  EXPECT_EQ(verdict("(4,1000000000):(0,1)"), aliasing_verdict::aliased);  // found early, however large
  EXPECT_THROW((void)find_aliasing(parse_layout("(100000,100000,2):(200001,2,3)")), std::length_error);
}

TEST(aliasing, names_the_two_coordinates) {
  aliasing const a = find_aliasing(parse_layout("(4,(2,2)):(1,(2,8))")).value();
  EXPECT_EQ(a.verdict, aliasing_verdict::aliased);
  EXPECT_EQ(format_tuple(a.first), "(2,(0,0))");
  EXPECT_EQ(format_tuple(a.second), "(0,(1,0))");
  EXPECT_EQ(a.offset, 2);
}

TEST(aliasing, refuses_what_it_cannot_read) {
  composed_value far = plain("(4,4):(1,4)");
  far.offset = constant_leaf(int64_max - 2);
  EXPECT_EQ(find_aliasing(far).error().code, errc::overflow);
  EXPECT_EQ(find_aliasing(swizzled({1, 0, 1}, "4:-1")).error().code, errc::negative_stride);
  EXPECT_EQ(find_aliasing(swizzled({3, 0, 1}, "4:1")).error().code, errc::bad_swizzle);
}

}  // namespace
}  // namespace tilewright::tests
