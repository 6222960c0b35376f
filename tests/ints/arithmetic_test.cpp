// The arithmetic of leaves: constants fold, CuTe's static-dynamic rules hold, stated facts propagate and fold more, and
// overflow, division by zero and a full pool are errors after which every answer is harmless.
#include "tilewright/ints/arithmetic.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>

#include "symbolic.hpp"

namespace tilewright {
namespace {

constexpr leaf k(long long n) { return constant_leaf(n); }

TEST(arithmetic, folds_constants) {
  arithmetic c{};
  EXPECT_TRUE(c.add(k(3), k(4)).is(7));
  EXPECT_TRUE(c.sub(k(3), k(4)).is(-1));
  EXPECT_TRUE(c.mul(k(3), k(-4)).is(-12));
  EXPECT_TRUE(c.div(k(-7), k(2)).is(-3));
  EXPECT_TRUE(c.mod(k(-7), k(2)).is(-1));
  EXPECT_TRUE(c.ceil_div(k(7), k(2)).is(4));
  EXPECT_TRUE(c.ceil_div(k(7), k(-2)).is(-3));
  EXPECT_TRUE(c.min(k(3), k(4)).is(3));
  EXPECT_TRUE(c.max(k(3), k(4)).is(4));
  EXPECT_TRUE(c.abs(k(-3)).is(3));
  EXPECT_TRUE(c.sign(k(-3)).is(-1));
  EXPECT_EQ(c.size, 0);
  EXPECT_FALSE(c.failed());
}

TEST(arithmetic, folds_static_with_dynamic) {
  arithmetic c{};
  leaf const n = c.input(number_type::int32);
  EXPECT_EQ(c.add(k(0), n), n);
  EXPECT_EQ(c.add(n, k(0)), n);
  EXPECT_EQ(c.sub(n, k(0)), n);
  EXPECT_TRUE(c.mul(k(0), n).is(0));
  EXPECT_TRUE(c.mul(n, k(0)).is(0));
  EXPECT_EQ(c.mul(k(1), n), n);
  EXPECT_TRUE(c.div(k(0), n).is(0));
  EXPECT_EQ(c.div(n, k(1)), n);
  EXPECT_EQ(c.ceil_div(n, k(1)), n);
  EXPECT_TRUE(c.mod(n, k(1)).is(0));
  EXPECT_TRUE(c.mod(k(0), n).is(0));
  EXPECT_EQ(c.size, 1);
  leaf const product = c.mul(n, k(4));
  EXPECT_FALSE(product.is_static());
  EXPECT_EQ(c.mul(n, k(4)), product) << "equal expressions are one node";
  EXPECT_FALSE(c.mod(product, k(4)).is_static()) << "no fact was stated, so nothing folds";
}

TEST(arithmetic, facts_propagate) {
  arithmetic c{};
  leaf const n = c.input(number_type::int32, 8), m = c.input(number_type::int32);
  EXPECT_TRUE(c.mod(n, k(4)).is(0));
  EXPECT_TRUE(c.divides(8, n));
  EXPECT_FALSE(c.divides(16, n));
  EXPECT_FALSE(c.divides(2, m));
  EXPECT_TRUE(c.divides(24, c.mul(n, k(3))));
  EXPECT_TRUE(c.divides(4, c.add(n, k(12))));
  EXPECT_TRUE(c.divides(2, c.div(n, k(4))));
  EXPECT_TRUE(c.divides(2, c.ceil_div(n, k(4))));
  EXPECT_TRUE(c.divides(8, c.mul(n, m)));
  EXPECT_FALSE(c.divides(8, c.div(n, m)));
  EXPECT_TRUE(c.min(n, k(8)).is(8)) << "n is a positive multiple of 8";
  EXPECT_TRUE(c.min(k(4), n).is(4));
}

TEST(arithmetic, a_multiple_that_may_be_zero_is_no_bound) {
  arithmetic c{};
  leaf const n = c.input(number_type::int32, 8), m = c.input(number_type::int32, 8);
  EXPECT_FALSE(c.min(c.sub(n, m), k(8)).is_static());
  EXPECT_FALSE(c.min(c.div(n, k(16)), k(1)).is_static());
  EXPECT_FALSE(c.min(k(1), c.mod(n, m)).is_static());
  EXPECT_TRUE(c.min(c.mul(n, m), k(64)).is(64));
}

TEST(arithmetic, overflow_is_an_error_and_answers_stay_harmless) {
  for (auto const& broken :
       {+[](arithmetic& c) { return c.add(k(int64_max), k(1)); },
        +[](arithmetic& c) { return c.sub(k(-int64_max), k(2)); },
        +[](arithmetic& c) { return c.mul(k(1LL << 40), k(1LL << 40)); },
        +[](arithmetic& c) { return c.abs(k(int64_min)); }, +[](arithmetic& c) { return c.div(k(int64_min), k(-1)); },
        +[](arithmetic& c) { return c.mod(k(int64_min), k(-1)); }}) {
    arithmetic c{};
    EXPECT_TRUE(broken(c).is_static());
    EXPECT_EQ(c.error.code, errc::overflow);
    (void)c.div(k(1), c.mul(k(0), k(1)));
    EXPECT_EQ(c.error.code, errc::overflow) << "the first error is kept";
  }
}

TEST(arithmetic, division_by_zero_is_an_error) {
  for (op_code op : {op_code::div, op_code::mod, op_code::ceil_div}) {
    arithmetic c{};
    leaf const n = c.input(number_type::int32);
    leaf const r = op == op_code::div ? c.div(n, k(0)) : op == op_code::mod ? c.mod(k(5), k(0)) : c.ceil_div(n, k(0));
    EXPECT_TRUE(r.is(0));
    EXPECT_EQ(c.error.code, errc::division_by_zero);
  }
}

TEST(arithmetic, a_full_pool_is_an_error) {
  arithmetic c{};
  leaf x = c.input(number_type::int64);
  for (int i = 0; i < 2 * arithmetic::capacity; ++i) x = c.add(c.mul(x, k(i + 2)), k(1));
  EXPECT_EQ(c.error.code, errc::too_many_expressions);
  EXPECT_EQ(c.size, arithmetic::capacity);
}

TEST(arithmetic, basis_elements_scale_and_do_not_mix) {
  arithmetic c{};
  leaf const e = with_basis(k(2), basis_path{}.then(1));
  EXPECT_EQ(c.mul(k(3), e), with_basis(k(6), basis_path{}.then(1)));
  EXPECT_TRUE(c.mul(k(0), e).is(0));
  EXPECT_FALSE(c.failed());
  (void)c.mul(e, e);
  EXPECT_EQ(c.error.code, errc::basis_mismatch);
  arithmetic d{};
  (void)d.add(k(1), e);
  EXPECT_EQ(d.error.code, errc::basis_mismatch);
}

TEST(arithmetic, states_obligations_once) {
  arithmetic c{};
  leaf const n = c.input(number_type::int32), m = c.input(number_type::int32, 8);
  c.require_divides(k(4), n, errc::cannot_upcast);
  c.require_divides(k(4), n, errc::cannot_upcast);
  c.require_divides(k(4), m, errc::cannot_upcast);
  c.require_divides(k(4), k(12), errc::cannot_upcast);
  c.require_at_most(n, n, errc::out_of_domain);
  c.require_at_most(k(8), m, errc::out_of_domain);
  EXPECT_EQ(c.obligations, 1);
  c.require_at_most(k(9), m, errc::out_of_domain);
  EXPECT_EQ(c.obligations, 2);
  EXPECT_FALSE(c.failed());
  c.require_at_most(k(9), k(8), errc::out_of_domain);
  EXPECT_EQ(c.error, (error{errc::out_of_domain, 9, 8}));
}

TEST(arithmetic, more_obligations_than_it_holds_are_an_error) {
  arithmetic c{};
  leaf const n = c.input(number_type::int32);
  for (int i = 0; i <= arithmetic::max_obligations; ++i) c.require_divides(k(i + 2), n, errc::cannot_upcast);
  EXPECT_EQ(c.error.code, errc::too_many_expressions);
}

TEST(arithmetic, types_hold_their_values) {
  arithmetic c{};
  leaf const i = c.input(number_type::int32), u = c.input(number_type::uint32), l = c.input(number_type::int64);
  EXPECT_EQ(c.mul(i, k(3)).type(), number_type::int64) << "a product may leave 32 bits";
  EXPECT_EQ(c.div(i, k(3)).type(), number_type::int32);
  EXPECT_EQ(c.sub(u, u).type(), number_type::int64) << "a difference of unsigned values may be negative";
  EXPECT_EQ(c.add(i, u).type(), number_type::int64);
  EXPECT_EQ(c.add(i, l).type(), number_type::int64);
  EXPECT_EQ(c.sign(l).type(), number_type::int64);
}

/// Any chain of operations on inputs with true facts: what folds, and every divisor the pool claims, is true.
RC_GTEST_PROP(arithmetic, claims_only_what_holds, ()) {
  tests::symbolic_run run;
  std::vector<leaf> known;
  for (int i = 0; i < 3; ++i) {
    long long const divisor = *rc::gen::inRange(1, 9), number = divisor * *rc::gen::inRange(1, 5);
    known.push_back(run.input(number, number_type::int32, divisor));
  }
  for (long long n : {0, 1, 2, 4, 8, -2}) known.push_back(k(n));
  tests::symbolic_run exact;  // the same on constants
  std::vector<leaf> twins;
  for (std::size_t i = 0; i < known.size(); ++i)
    twins.push_back(known[i].is_static() ? known[i] : k(run.numbers[static_cast<std::size_t>(known[i].number)]));
  for (int step = 0; step < 12; ++step) {
    std::size_t const x = *rc::gen::inRange<std::size_t>(0, known.size()),
                      y = *rc::gen::inRange<std::size_t>(0, known.size());
    int const op = *rc::gen::inRange(0, 9);
    if (op >= 3 && op <= 5 && twins[y].number == 0) continue;
    auto const apply = [op](arithmetic& c, leaf a, leaf b) {
      switch (op) {
        case 0: return c.add(a, b);
        case 1: return c.sub(a, b);
        case 2: return c.mul(a, b);
        case 3: return c.div(a, b);
        case 4: return c.mod(a, b);
        case 5: return c.ceil_div(a, b);
        case 6: return c.min(a, b);
        case 7: return c.max(a, b);
        default: return c.abs(a);
      }
    };
    known.push_back(apply(run.c, known[x], known[y]));
    twins.push_back(apply(exact.c, twins[x], twins[y]));
    if (exact.c.failed()) return;
  }
  auto const values = run.values();
  RC_ASSERT(values.has_value());
  for (std::size_t i = 0; i < known.size(); ++i) {
    leaf const a = known[i];
    long long const value = a.is_static() ? a.number : (*values)[static_cast<std::size_t>(a.number)];
    RC_ASSERT(value == twins[i].number);
    long long const divisor = run.c.divisor(a);
    bool const true_claim = divisor == 0 ? value == 0 : value % divisor == 0;
    RC_ASSERT(true_claim);
  }
}

}  // namespace
}  // namespace tilewright
