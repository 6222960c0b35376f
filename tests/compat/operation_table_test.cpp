// Namespace cute has every operation of algebra/operations.def that is not one of values alone, and where the library has a result
// for layouts drawn at random, plain or swizzled, cute's is the same function.
#include <gtest/gtest.h>

#include <cute/layout.hpp>
#include <cute/tensor.hpp>

#include "drawn_layouts.hpp"

namespace {

using tilewright::tests::drawn_layout;
using tilewright::tests::drawn_tiler_of;
namespace lift = tilewright::lift;

namespace names {
#define TILEWRIGHT_X_LIFTED(NAME, ...) using cute::NAME;
#define TILEWRIGHT_X_OWN(NAME, ...) using cute::NAME;
#include "tilewright/algebra/operations.def"
}  // namespace names

int compared = 0;

template <class A, class B>
void expect_same_function(char const* name, A const& is, B const& want) {
  ASSERT_EQ(static_cast<long long>(size(is)), static_cast<long long>(size(want))) << name;
  ASSERT_EQ(static_cast<int>(rank(is)), static_cast<int>(rank(want))) << name;
  for (int i = 0; i < static_cast<int>(size(want)); ++i)
    ASSERT_EQ(static_cast<long long>(is(i)), static_cast<long long>(want(i))) << name << " at index " << i;
  ++compared;
}

/// Both functions of the operands and, `below` a swizzle, of the first one swizzled, where the library's run of Op has a result.
template <bool Below, class Op, class... In, class Ours, class Cutes, class A, class... More>
void compare(char const* name, Ours const& ours, Cutes const& cutes, A const& a, More const&... more) {
  if constexpr (lift::Run<Op, In...>::value.error.code == tilewright::errc::ok) {
    expect_same_function(name, cutes(a, more...), ours(a, more...));
    if constexpr (Below) {
      auto const swizzled = tilewright::composition(cute::Swizzle<2, 1, 3>{}, a);
      expect_same_function(name, cutes(swizzled, more...), ours(swizzled, more...));
    }
  }
}

constexpr auto of_one_layout = []<class Op>(char const* name, Op, auto const& ours, auto const& cutes, auto seed) {
  using A = drawn_layout<decltype(seed)::value>;
  compare<false, Op, A>(name, ours, cutes, A{});
};
constexpr auto of_two_layouts = []<class Op>(char const* name, Op, auto const& ours, auto const& cutes, auto seed) {
  using A = drawn_layout<decltype(seed)::value, 1, false>;
  using B = drawn_layout<1000 + decltype(seed)::value, 1, false>;
  compare<true, Op, A, B>(name, ours, cutes, A{}, B{});
};
constexpr auto of_a_layout_and_tiler = []<class Op>(char const* name, Op, auto const& ours, auto const& cutes,
                                                    auto seed) {
  constexpr auto n = decltype(seed)::value;
  using A = drawn_layout<n, 2, false>;
  using T = std::conditional_t<n % 5 == 0, drawn_layout<2000 + n, 1, false>, drawn_tiler_of<n, A>>;
  compare<true, Op, A, lift::as_tiler<T>>(name, ours, cutes, A{}, T{});
};

template <class Case, class Op, class Ours, class Cutes, int... N>
void for_seeds(Case const& one, char const* name, Op op, Ours const& ours, Cutes const& cutes, tilewright::seq<N...>) {
  compared = 0;
  (one(name, op, ours, cutes, tilewright::C<N>{}), ...);
  EXPECT_GT(compared, 4) << name;
}
using seeds = tilewright::make_seq<16>;

#define TILEWRIGHT_X_SIMPLIFY(NAME, ...)                                           \
  TEST(operation_table, NAME) {                                                    \
    constexpr auto ours = [](auto const& a) { return tilewright::NAME(a); };       \
    constexpr auto cutes = [](auto const& a) { return cute::NAME(a); };            \
    for_seeds(of_one_layout, #NAME, tilewright::op::NAME{}, ours, cutes, seeds{}); \
  }
#define TILEWRIGHT_X_INVERT TILEWRIGHT_X_SIMPLIFY
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                       \
  TEST(operation_table, NAME) {                                                                \
    constexpr auto ours = [](auto const& a, auto const& t) { return tilewright::NAME(a, t); }; \
    constexpr auto cutes = [](auto const& a, auto const& t) { return cute::NAME(a, t); };      \
    for_seeds(of_a_layout_and_tiler, #NAME, tilewright::op::NAME{}, ours, cutes, seeds{});     \
  }
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                                      \
  TEST(operation_table, NAME) {                                                                \
    constexpr auto ours = [](auto const& a, auto const& b) { return tilewright::NAME(a, b); }; \
    constexpr auto cutes = [](auto const& a, auto const& b) { return cute::NAME(a, b); };      \
    for_seeds(of_two_layouts, #NAME, tilewright::op::NAME{}, ours, cutes, seeds{});            \
  }
#include "tilewright/algebra/operations.def"

#define TILEWRIGHT_X_DIVIDE(NAME, ...)                                                                  \
  TEST(operation_table_of_tensors, NAME) {                                                              \
    int numbers[24]{};                                                                                  \
    using L = cute::Layout<cute::Shape<cute::_4, cute::_6>, cute::Stride<cute::_6, cute::_1>>;          \
    auto const tiler = cute::Shape<cute::_2, cute::_3>{};                                               \
    auto const whole = cute::make_tensor(&numbers[0], L{});                                             \
    expect_same_function(#NAME, cute::NAME(whole, tiler).layout(), tilewright::NAME(L{}, tiler));       \
    expect_same_function(#NAME, tilewright::NAME(whole, tiler).layout(), tilewright::NAME(L{}, tiler)); \
  }
#include "tilewright/algebra/operations.def"

TEST(operation_table, products_of_swizzled_layouts_go_on_beyond_the_gaps_as_cute_has_it) {
  using A = cute::Layout<cute::Shape<cute::_4, cute::_6>, cute::Stride<cute::_1, cute::_8>>;
  using T = cute::Layout<cute::_4>;  // gaps for two repetitions, then whole layouts
  auto const swizzled = cute::composition(cute::Swizzle<2, 1, 3>{}, A{});
  auto const product = cute::logical_product(swizzled, T{});
  expect_same_function("logical_product", product.layout_b(), cute::logical_product(A{}, T{}));
  expect_same_function("blocked_product", cute::blocked_product(swizzled, T{}).layout_b(),
                       cute::blocked_product(A{}, T{}));
}

}  // namespace
