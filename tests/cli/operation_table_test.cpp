// eval has every operation of algebra/operations.def, with the value face's results and errors: the lifted ones on layouts drawn at
// random, those with functions of their own on examples, without which this file does not compile.
#include "generators.hpp"

#include "apps/cli/conditions.hpp"
#include "apps/cli/operations.hpp"

#include <set>

namespace tilewright::test {
namespace {

using namespace tilewright::cli;

/// eval's result as text, or the sentence of its error without the place in the text.
std::string evaluated(std::string const& text) {
  symbols names{facts{}};
  try {
    return format(expression_reader(text, names).read(), names.style(false));
  } catch (text_error const& e) {
    return names.pool().failed() ? std::string(to_string(names.pool().error)) : std::string(e.what());
  }
}

std::string text_of(int_tree const& a) { return format_tuple(a); }
std::string text_of(tiler_value const& a) { return format_tuple(a); }
std::string text_of(layout_value const& a) { return format_layout(a); }
std::string text_of(composed_value const& a) { return format_composed(a); }
std::string text_of(long long n) { return std::to_string(n); }
std::string text_of(bool yes) { return yes ? "true" : "false"; }
template <class T>
std::string text_of(result<T> const& r) {
  return r ? text_of(*r) : std::string(to_string(r.error()));
}

layout_value drawn() {
  if (*rc::gen::arbitrary<bool>()) return tests::any_layout(3, {1, 2, 3, 4, 6, 8}, {0, 1, 2, 3, 4, 8, 12});
  return tests::any_compact_layout(3, {1, 2, 3, 4, 6, 8});
}
tiler_value drawn_tiler(layout_value const& a) {
  if (*rc::gen::inRange(0, 3) == 0) return tiler_value::of(tests::any_compact_layout(2, {1, 2, 3, 4}));
  int_tree out{};
  int const modes = *rc::gen::inRange(1, a.rank() + 1);
  out.open(modes);
  for (int i = 0; i < modes; ++i) out.add_leaf(constant_leaf(*rc::gen::elementOf(std::vector<int>{1, 2, 3, 4})));
  return {out};
}
composed_value swizzled(layout_value const& a) { return {{1, 0, 2}, constant_leaf(0), a}; }

/// eval of NAME(operands…) on many draws of operands, plain and below a swizzle.
template <class F>
void expect_results(std::string const& name, F const& f, bool below) {
  tests::property([&] {
    f([&](auto const& of, layout_value const& a, auto const&... more) {
      std::string const rest = (std::string() + ... + (", " + text_of(more))) + ")";
      RC_ASSERT(evaluated(name + "(" + text_of(a) + rest) == text_of(of(a, more...)));
      if (!below) return;
      if constexpr (requires { of(swizzled(a), more...); })
        RC_ASSERT(evaluated(name + "(" + text_of(swizzled(a)) + rest) == text_of(of(swizzled(a), more...)));
    });
  });
}

#define TILEWRIGHT_X_SIMPLIFY(NAME, ...)                                   \
  TEST(operation_table, NAME) {                                            \
    constexpr auto of = [](auto const& a) { return tilewright::NAME(a); }; \
    expect_results(                                                        \
        #NAME, [&](auto const& expect) { expect(of, drawn()); }, true);    \
  }
#define TILEWRIGHT_X_INVERT(NAME, ...)                                             \
  TEST(operation_table, NAME) {                                                    \
    constexpr auto of = [](layout_value const& a) { return tilewright::NAME(a); }; \
    expect_results(                                                                \
        #NAME, [&](auto const& expect) { expect(of, drawn()); }, false);           \
  }
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                     \
  TEST(operation_table, NAME) {                                                              \
    constexpr auto of = [](auto const& a, auto const& t) { return tilewright::NAME(a, t); }; \
    auto const draw = [&](auto const& expect) {                                              \
      layout_value const a = drawn();                                                        \
      expect(of, a, drawn_tiler(a));                                                         \
    };                                                                                       \
    expect_results(#NAME, draw, true);                                                       \
  }
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                                            \
  TEST(operation_table, NAME) {                                                                      \
    constexpr auto of = [](auto const& a, layout_value const& b) { return tilewright::NAME(a, b); }; \
    expect_results(                                                                                  \
        #NAME,                                                                                       \
        [&](auto const& expect) {                                                                    \
          expect(of, drawn(), tests::any_compact_layout(2, {1, 2, 3}));                              \
        },                                                                                           \
        true);                                                                                       \
  }
#include "tilewright/algebra/operations.def"

/// A pair for each row of the sections that are written by hand: an expression, and its result on the value face.
struct answer {
  std::string expression, value;
};
namespace by_hand {
layout_value const rows = parse_layout("(4,6):(6,1)"), cube = parse_layout("(2,3,5):(15,5,1)");
answer size() { return {"size((4,6):(6,1))", text_of(tilewright::size(rows))}; }
answer cosize() { return {"cosize((4,6):(6,1))", text_of(tilewright::cosize(rows))}; }
answer rank() { return {"rank((4,6):(6,1))", text_of(tilewright::rank(rows) + 0LL)}; }
answer depth() { return {"depth((4,6):(6,1))", text_of(tilewright::depth(rows) + 0LL)}; }
answer shape() { return {"shape((4,6):(6,1))", text_of(int_tree(shape_of(rows)))}; }
answer stride() { return {"stride((4,6):(6,1))", text_of(int_tree(stride_of(rows)))}; }
answer mode() { return {"mode((4,6):(6,1), 1)", text_of(tilewright::mode(rows, 1))}; }
answer crd2idx() { return {"crd2idx((2,3), (4,6):(6,1))", text_of(tilewright::crd2idx(parse_tuple("(2,3)"), rows))}; }
answer idx2crd() { return {"idx2crd(13, (4,6))", text_of(int_tree(*tilewright::idx2crd(13, shape_of(rows))))}; }
answer offset2crd() { return {"offset2crd(13, (4,6):(6,1))", text_of(int_tree(*tilewright::offset2crd(13, rows)))}; }
answer slice() { return {"slice((1,_), (4,6):(6,1))", text_of(tilewright::slice(parse_tuple("(1,_)"), rows))}; }
answer dice() { return {"dice((1,_), (4,6):(6,1))", text_of(tilewright::dice(parse_tuple("(1,_)"), rows))}; }
answer slice_and_offset() {
  auto const both = tilewright::slice_and_offset(parse_tuple("(1,_)"), rows).value();
  return {"slice_and_offset((1,_), (4,6):(6,1))", "(" + text_of(both.layout) + "," + text_of(both.offset) + ")"};
}
answer congruent() { return {"congruent((4,6), (1,2))", text_of(tilewright::congruent(rows, parse_tuple("(1,2)")))}; }
answer compatible() { return {"compatible(24, (4,6))", text_of(tilewright::compatible(parse_tuple("24"), rows))}; }
answer weakly_compatible() {
  return {"weakly_compatible(12, (4,6))", text_of(tilewright::weakly_compatible(parse_tuple("12"), rows))};
}
answer compact_left() { return {"compact_left((4,6))", text_of(tilewright::compact_left(shape_of(rows)))}; }
answer compact_right() { return {"compact_right((4,6))", text_of(tilewright::compact_right(shape_of(rows)))}; }
answer compact_order() {
  return {"compact_order((2,3,5), (1,2,0))",
          text_of(tilewright::compact_order(shape_of(cube), parse_tuple("(1,2,0)")))};
}
answer identity_layout() { return {"identity_layout((4,6))", text_of(tilewright::identity_layout(shape_of(rows)))}; }
answer with_shape() {
  return {"with_shape((4,6):(6,1), (2,12))", text_of(tilewright::with_shape(rows, parse_tuple("(2,12)")))};
}
answer max_common_layout() {
  return {"max_common_layout((2,3,5):(15,5,1), 30)",
          text_of(tilewright::max_common_layout(cube, parse_layout("30:1")))};
}
answer max_common_vector() {
  return {"max_common_vector((4,6):(1,4), 8)",
          text_of(tilewright::max_common_vector(parse_layout("(4,6):(1,4)"), parse_layout("8:1")))};
}
answer tile_to_shape() {
  return {"tile_to_shape((4,6):(6,1), (8,18), (1,0))",
          text_of(tilewright::tile_to_shape(rows, parse_tuple("(8,18)"), parse_tuple("(1,0)")))};
}
answer upcast() { return {"upcast((4,6):(6,1), 2)", text_of(tilewright::upcast(rows, 2))}; }
answer downcast() { return {"downcast((4,6):(6,1), 2)", text_of(tilewright::downcast(rows, 2))}; }
answer recast() { return {"recast((4,6):(6,1), 16, 32)", text_of(tilewright::recast(rows, bits{16}, bits{32}))}; }
answer domain_distribute() {
  return {"domain_distribute((4,6), 8)", text_of(tilewright::domain_distribute(shape_of(rows), 8))};
}
answer group() { return {"group((2,3,5):(15,5,1), 0, 2)", text_of(tilewright::group(cube, 0, 2))}; }
answer select() { return {"select((2,3,5):(15,5,1), 2, 0)", text_of(tilewright::select(cube, {2, 0}))}; }
answer take() { return {"take((2,3,5):(15,5,1), 1, 3)", text_of(tilewright::take(cube, 1, 3))}; }
answer append() { return {"append((4,6):(6,1), 5:24)", text_of(tilewright::append(rows, parse_layout("5:24")))}; }
answer prepend() { return {"prepend((4,6):(6,1), 5:24)", text_of(tilewright::prepend(rows, parse_layout("5:24")))}; }
answer replace() {
  return {"replace((4,6):(6,1), 1, 5:24)", text_of(tilewright::replace(rows, 1, parse_layout("5:24")))};
}
answer flatten() { return {"flatten(((4,6)):((6,1)))", text_of(tilewright::flatten(parse_layout("((4,6)):((6,1))")))}; }
answer unflatten() {
  return {"unflatten((2,3,5):(15,5,1), ((1,1),1))", text_of(tilewright::unflatten(cube, parse_tuple("((1,1),1)")))};
}
answer ceil_div() { return {"ceil_div(9, 4)", text_of(math::ceil_div(9LL, 4LL))}; }
answer min() { return {"min(9, -4)", text_of(std::min(9LL, -4LL))}; }
answer max() { return {"max(9, -4)", text_of(std::max(9LL, -4LL))}; }
answer abs() { return {"abs(-9)", text_of(math::abs(-9LL))}; }
answer sign() { return {"sign(-9)", text_of(math::sign(-9LL) + 0LL)}; }
}  // namespace by_hand

TEST(operation_table, operations_written_by_hand) {
#define TILEWRIGHT_X_LIFTED(...)
#define TILEWRIGHT_X(NAME, ...) by_hand::NAME(),
  answer const answers[] = {
#include "tilewright/algebra/operations.def"
  };
  for (auto const& [expression, value] : answers) EXPECT_EQ(evaluated(expression), value) << expression;
}

TEST(operation_table, eval_has_no_other_operations_but_those_of_threads) {
#define TILEWRIGHT_X(NAME, ...) #NAME,
  std::set<std::string_view> const table = {
#include "tilewright/algebra/operations.def"
  };
  std::set<std::string_view> found;
  for (operation_group const& group : operation_groups())
    for (operation const& op : group.operations)
      if (!group.title.starts_with("Threads")) {
        EXPECT_TRUE(found.insert(op.name).second) << op.name;
      }
  EXPECT_EQ(found, table);
}

TEST(operation_table, numbers_of_arguments_follow_from_the_parameters) {
  auto const counts = [](std::string_view parameters) {
    operation const op{"", parameters};
    return std::pair{op.least(), op.most()};
  };
  EXPECT_EQ(counts("A"), std::pair(1, 1));
  EXPECT_EQ(counts("A[, i]"), std::pair(1, 2));
  EXPECT_EQ(counts("A, shape[, order]"), std::pair(2, 3));
  EXPECT_EQ(counts("A, i[, j, ...]"), std::pair(2, operation::max_arguments));
}

}  // namespace
}  // namespace tilewright::test
