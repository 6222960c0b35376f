// Runs of the algebra on types: an outcome is as large as its program, and long programs have large ones.
#include <gtest/gtest.h>

#include "tilewright/algebra/operations.hpp"

#include <utility>

namespace tilewright {
namespace {

/// (n, n + 1, …):(1, n, n (n + 1), …), so many modes.
template <int... I>
auto modes(int n, std::integer_sequence<int, I...>) {
  return make_layout(make_shape((n + I % 2)...));
}

template <class Op, class... In>
constexpr int capacity = std::remove_cvref_t<decltype(lift::Run<Op, In...>::value)>::capacity;

TEST(lift, outcomes_are_as_large_as_their_programs) {
  using Fixed = Shape<_4, Shape<_2, _8>>;
  using Short = Shape<int, _4, int>;
  using Long = decltype(modes(2, std::make_integer_sequence<int, 30>{}).shape());
  EXPECT_EQ((capacity<op::size_of<>, Fixed>), lift::static_outcome::capacity);
  EXPECT_EQ((capacity<op::size_of<>, Short>), lift::small_outcome::capacity);
  EXPECT_EQ((capacity<op::size_of<>, std::remove_cvref_t<Long>>), lift::large_outcome::capacity);
}

TEST(lift, long_programs_give_what_short_ones_do) {
  auto const layout = modes(2, std::make_integer_sequence<int, 24>{});  // 24 extents, 23 strides, none of them constant
  long long expected = 1;
  for (int i = 0; i < 24; ++i) expected *= 2 + i % 2;
  EXPECT_EQ(size(layout), expected);
  EXPECT_EQ(cosize(layout), expected);
  EXPECT_EQ(layout(expected - 1), expected - 1);
  EXPECT_EQ((size<23>(layout)), 3);
  EXPECT_EQ((stride<23>(layout)), expected / 3);
}

}  // namespace
}  // namespace tilewright
