// Every operation of algebra/operations.def is callable on types and on values, with one result or one error: the lifted ones on
// layouts drawn at random, those with functions of their own on examples, without which this file does not compile.
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "drawn_layouts.hpp"
#include "tilewright/algebra/to_value.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/layout/text.hpp"

namespace tilewright {
namespace {

using tests::drawn_layout;
using tests::drawn_tiler_of;

/// How often the operation under test gave a result, and how often an error.
int given = 0, refused = 0;

struct counted {
  char const* name;
  explicit counted(char const* n) : name(n) { given = refused = 0; }
  counted(counted const&) = delete;
  ~counted() { EXPECT_GT(given, 8) << name << " gave few results; it refused " << refused; }
};

std::string text_of(layout_value const& a) { return format_layout(a); }
std::string text_of(composed_value const& a) {
  return std::to_string(a.swizzle.bits) + ',' + std::to_string(a.swizzle.base) + ',' + std::to_string(a.swizzle.shift) +
         " o " + std::to_string(a.offset.number) + " o " + format_layout(a.layout);
}
template <class T>
std::string text_of(result<T> const& r) {
  return r ? text_of(*r) : to_string(r.error());
}

/// f of the typed operands, which is asked for only where the run of Op has a result, and its result on values.
template <class Op, class... In, class F, class Value, class... Operands>
void expect_one_answer(char const* name, F const& f, Value const& value, Operands const&... operands) {
  using run = lift::Run<Op, In...>;
  if constexpr (run::value.error.code == errc::ok) {
    EXPECT_EQ(text_of(to_value(f(operands...))), text_of(value)) << name;
    ++given;
  } else {
    ASSERT_FALSE(value) << name << ": types refuse what values give as " << text_of(value);
    EXPECT_EQ(run::value.error.code, value.error().code) << name << ": " << to_string(value.error());
    ++refused;
  }
}

// --- one case of each section: seeds, then operands ------------------------------------------------------------------
constexpr auto of_one_layout = []<class Op>(char const* name, Op, auto const& f, auto seed) {
  using L = drawn_layout<decltype(seed)::value>;
  expect_one_answer<Op, L>(name, f, f(to_value(L{})), L{});
};
constexpr auto of_two_layouts = []<class Op>(char const* name, Op, auto const& f, auto seed) {
  using A = drawn_layout<decltype(seed)::value>;
  using B = drawn_layout<1000 + decltype(seed)::value, 1, false>;
  expect_one_answer<Op, A, B>(name, f, f(to_value(A{}), to_value(B{})), A{}, B{});
};
constexpr auto of_a_layout_and_tiler = []<class Op>(char const* name, Op, auto const& f, auto seed) {
  constexpr auto n = decltype(seed)::value;
  using A = drawn_layout<n, 2, n % 4 == 0>;
  using T = std::conditional_t<n % 5 == 0, drawn_layout<2000 + n, 1, false>, drawn_tiler_of<n, A>>;
  tiler_value const tiler{lift::value_of<lift::as_tiler<T>>.tree};
  expect_one_answer<Op, A, lift::as_tiler<T>>(name, f, f(to_value(A{}), tiler), A{}, T{});
};
/// The case below a swizzle: of the same layouts, so that the same operands are refused.
constexpr auto swizzled = [](auto const& a) { return composition(Swizzle<2, 1, 3>{}, a); };
constexpr swizzle_value swizzle_of_values{2, 1, 3};

template <class Case, class Op, class F, int... N>
void for_seeds(Case const& one, char const* name, Op op, F const& f, seq<N...>) {
  counted const check(name);
  (one(name, op, f, C<N>{}), ...);
}
using seeds = make_seq<24>;

// --- operations that each face has by hand ---------------------------------------------------------------------------
/// f of some layouts of two or three modes as types and as values.
template <class F, int... N>
void on_drawn(F const& f, seq<N...>) {
  (f(drawn_layout<N, 2, false>{}, to_value(drawn_layout<N, 2, false>{})), ...);
}
template <class F>
void on_drawn(F const& f) {
  on_drawn(f, make_seq<8>{});
}
template <class Typed>
void expect_layout(Typed const& typed, result<layout_value> const& value) {
  EXPECT_EQ(text_of(to_value(typed)), text_of(value));
}
template <class Typed>
void expect_number(Typed const& typed, result<long long> const& value) {
  ASSERT_TRUE(value) << to_string(value.error());
  EXPECT_EQ(static_cast<long long>(typed), *value);
}
template <class Tuple>
void expect_tuple(Tuple const&, int_tree const& value) {
  EXPECT_EQ(format_tuple(lift::value_of<Tuple>.tree), format_tuple(value));
}
using rows = Layout<Shape<_4, _6>, Stride<_6, _1>>;
using cube = Layout<Shape<_2, _3, _5>, Stride<_15, _5, _1>>;

/// A function for each row of the section OWN, of its name.
namespace own {
void size() {
  on_drawn([](auto const& a, layout_value const& v) { expect_number(tilewright::size(a), tilewright::size(v)); });
}
void cosize() {
  on_drawn([](auto const& a, layout_value const& v) { expect_number(tilewright::cosize(a), tilewright::cosize(v)); });
}
void rank() {
  on_drawn([](auto const& a, layout_value const& v) { expect_number(tilewright::rank(a), tilewright::rank(v)); });
}
void depth() {
  on_drawn([](auto const& a, layout_value const& v) { expect_number(tilewright::depth(a), tilewright::depth(v)); });
}
void shape() {
  on_drawn([](auto const& a, layout_value const& v) { expect_tuple(tilewright::shape(a), shape_of(v)); });
}
void stride() {
  on_drawn([](auto const& a, layout_value const& v) { expect_tuple(tilewright::stride(a), stride_of(v)); });
}
void crd2idx() {
  on_drawn([](auto const& a, layout_value const& v) {
    for (int i = 0; i < static_cast<int>(tilewright::size(a)); ++i)
      expect_number(tilewright::crd2idx(i, a), tilewright::crd2idx(i, v));
  });
}
void idx2crd() {
  on_drawn([](auto const& a, layout_value const& v) {
    for (int i = 0; i < static_cast<int>(tilewright::size(a)); ++i)
      expect_number(tilewright::crd2idx(tilewright::idx2crd(i, tilewright::shape(a)), a),
                    tilewright::crd2idx(*tilewright::idx2crd(i, shape_of(v)), v));
  });
}
void slice() {
  expect_layout(tilewright::slice(make_coord(1, _), rows{}), tilewright::slice(parse_tuple("(1,_)"), to_value(rows{})));
}
void dice() {
  expect_layout(tilewright::dice(make_coord(1, _), rows{}), tilewright::dice(parse_tuple("(1,_)"), to_value(rows{})));
}
void slice_and_offset() {
  auto const typed = tilewright::slice_and_offset(make_coord(1, _), rows{});
  auto const value = tilewright::slice_and_offset(parse_tuple("(1,_)"), to_value(rows{}));
  expect_layout(get<0>(typed), value->layout);
  expect_number(get<1>(typed), value->offset);
}
void congruent() {
  on_drawn([](auto const& a, layout_value const& v) {
    EXPECT_EQ(static_cast<bool>(tilewright::congruent(tilewright::shape(a), Shape<_1, _1>{})),
              tilewright::congruent(v, parse_tuple("(1,1)")));
  });
}
void compatible() {
  on_drawn([](auto const& a, layout_value const& v) {
    EXPECT_EQ(static_cast<bool>(tilewright::compatible(Int<24>{}, tilewright::shape(a))),
              tilewright::compatible(parse_tuple("24"), v));
    EXPECT_TRUE(static_cast<bool>(tilewright::compatible(tilewright::size(a), tilewright::shape(a))));
  });
}
void weakly_compatible() {
  on_drawn([](auto const& a, layout_value const& v) {
    EXPECT_EQ(static_cast<bool>(tilewright::weakly_compatible(_4{}, tilewright::shape(a))),
              tilewright::weakly_compatible(parse_tuple("4"), v));
  });
}
void with_shape() {
  expect_layout(tilewright::with_shape(rows{}, Shape<_2, _12>{}),
                tilewright::with_shape(to_value(rows{}), parse_tuple("(2,12)")));
}
void max_common_layout() {
  constexpr auto f = [](auto const& a, auto const& b) { return tilewright::max_common_layout(a, b); };
  for_seeds(of_two_layouts, "max_common_layout", op::max_common_layout{}, f, seeds{});
}
void max_common_vector() {
  on_drawn([](auto const& a, layout_value const& v) {
    expect_number(tilewright::max_common_vector(a, Layout<_8>{}),
                  tilewright::max_common_vector(v, to_value(Layout<_8>{})));
  });
}
void tile_to_shape() {
  layout_value const v = to_value(rows{});
  expect_layout(tilewright::tile_to_shape(rows{}, Shape<_8, Int<18>>{}),
                tilewright::tile_to_shape(v, parse_tuple("(8,18)")));
  expect_layout(tilewright::tile_to_shape(rows{}, Shape<_8, Int<18>>{}, Step<_1, _0>{}),
                tilewright::tile_to_shape(v, parse_tuple("(8,18)"), parse_tuple("(1,0)")));
}
void upcast() { expect_layout(tilewright::upcast<2>(rows{}), tilewright::upcast(to_value(rows{}), 2)); }
void downcast() { expect_layout(tilewright::downcast<2>(rows{}), tilewright::downcast(to_value(rows{}), 2)); }
void domain_distribute() {
  expect_layout(tilewright::domain_distribute(Shape<_4, _6>{}, _8{}),
                tilewright::domain_distribute(parse_tuple("(4,6)"), 8));
}
void group() { expect_layout(tilewright::group<0, 2>(cube{}), tilewright::group(to_value(cube{}), 0, 2)); }
void select() { expect_layout(tilewright::select<2, 0>(cube{}), tilewright::select(to_value(cube{}), {2, 0})); }
void take() { expect_layout(tilewright::take<1, 3>(cube{}), tilewright::take(to_value(cube{}), 1, 3)); }
void append() {
  expect_layout(tilewright::append(rows{}, cube{}), tilewright::append(to_value(rows{}), to_value(cube{})));
}
void prepend() {
  expect_layout(tilewright::prepend(rows{}, cube{}), tilewright::prepend(to_value(rows{}), to_value(cube{})));
}
void replace() {
  expect_layout(tilewright::replace<1>(cube{}, rows{}), tilewright::replace(to_value(cube{}), 1, to_value(rows{})));
}
void flatten() {
  on_drawn([](auto const& a, layout_value const& v) { expect_layout(tilewright::flatten(a), tilewright::flatten(v)); });
}
void unflatten() {
  expect_layout(tilewright::unflatten(cube{}, Shape<Shape<_1, _1>, _1>{}),
                tilewright::unflatten(to_value(cube{}), parse_tuple("((1,1),1)")));
}
}  // namespace own
#define TILEWRIGHT_X_OWN(NAME, ...) \
  TEST(operation_table, NAME) { own::NAME(); }

#define TILEWRIGHT_X_SIMPLIFY(NAME, ...)                                                                              \
  TEST(operation_table, NAME) {                                                                                       \
    constexpr auto f = [](auto const& a) { return tilewright::NAME(a); };                                             \
    for_seeds(of_one_layout, #NAME, op::NAME{}, f, seeds{});                                                          \
    using A = drawn_layout<3, 2, false>;                                                                              \
    EXPECT_EQ(text_of(to_value(NAME(swizzled(A{})))), text_of(NAME(*composition(swizzle_of_values, to_value(A{}))))); \
  }
#define TILEWRIGHT_X_INVERT(NAME, ...)                                    \
  TEST(operation_table, NAME) {                                           \
    constexpr auto f = [](auto const& a) { return tilewright::NAME(a); }; \
    for_seeds(of_one_layout, #NAME, op::NAME{}, f, seeds{});              \
  }
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                                         \
  TEST(operation_table, NAME) {                                                                                  \
    constexpr auto f = [](auto const& a, auto const& t) { return tilewright::NAME(a, t); };                      \
    for_seeds(of_a_layout_and_tiler, #NAME, op::NAME{}, f, seeds{});                                             \
    using A = Layout<Shape<_4, _6>, Stride<_6, _1>>;                                                             \
    EXPECT_EQ(text_of(to_value(NAME(swizzled(A{}), Shape<_2, _3>{}))),                                           \
              text_of(NAME(*composition(swizzle_of_values, to_value(A{})), tiler_value{parse_tuple("(2,3)")}))); \
  }
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                                    \
  TEST(operation_table, NAME) {                                                              \
    constexpr auto f = [](auto const& a, auto const& b) { return tilewright::NAME(a, b); };  \
    for_seeds(of_two_layouts, #NAME, op::NAME{}, f, seeds{});                                \
    using A = Layout<Shape<_4, _6>, Stride<_6, _1>>;                                         \
    using B = Layout<Shape<_2, _3>>;                                                         \
    EXPECT_EQ(text_of(to_value(NAME(swizzled(A{}), B{}))),                                   \
              text_of(NAME(*composition(swizzle_of_values, to_value(A{})), to_value(B{})))); \
  }
#include "tilewright/algebra/operations.def"

}  // namespace
}  // namespace tilewright
