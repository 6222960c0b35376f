// Operations on run-time leaves: for random layouts with some extents and strides made inputs, what the operation
// promises, worked out with the inputs' numbers, is the function that the same operation on constants gives, wherever
// the operation succeeds and its obligations hold.
#include <functional>

#include "generators.hpp"
#include "laws.hpp"
#include "symbolic.hpp"
#include "tilewright/base/error_text.hpp"

namespace tilewright::tests {
namespace {

std::vector<int> const some_extents{1, 2, 3, 4, 6, 8};
std::vector<int> const some_strides{1, 2, 3, 4, 6, 8, 12, 24};

/// Makes some leaves run-time inputs, of any type and perhaps with a true fact about their divisor.
layout_value with_inputs(symbolic_run& run, layout_value a, bool strides) {
  auto const made = [&](leaf x) {
    if (x.number < 1 || *rc::gen::inRange(0, 3) != 0) return x;
    std::vector<long long> divisors;
    for (long long d = 1; d <= x.number; ++d)
      if (x.number % d == 0) divisors.push_back(d);
    auto const type = static_cast<number_type>(*rc::gen::inRange(0, 4));
    return run.input(x.number, type, *rc::gen::elementOf(divisors));
  };
  for (int i = 0; i < a.leaves; ++i) {
    a.shape[i] = made(a.shape[i]);
    if (strides) a.stride[i] = made(a.stride[i]);
  }
  return a;
}

using operation = std::function<int_tree(arithmetic&, int_tree const&, int_tree const&)>;
using judge = std::function<bool(layout_value const&, layout_value const&, layout_value const&)>;

/// Runs with inputs and judges what comes out: judge(result, a, b) with all leaves worked out.
void check(layout_value const& a, layout_value const& b, bool strides_of_a, bool strides_of_b, operation const& run_on,
           judge const& is_right) {
  symbolic_run run;
  int_tree const symbolic_a = with_inputs(run, a, strides_of_a), symbolic_b = with_inputs(run, b, strides_of_b);
  int_tree const r = run_on(run.c, symbolic_a, symbolic_b);
  auto const got = run.worked_out(r);
  RC_CLASSIFY(got.has_value(), "answered");
  if (!got) return;
  text_style style;
  style.pool = &run.c;
  RC_LOG() << "A = " << a << " as " << format_layout(symbolic_a, style) << ", B = " << b << " as "
           << format_layout(symbolic_b, style) << ", R = " << format_layout(r, style) << " = " << *got << '\n';
  RC_ASSERT(is_right(layout_value(*got), a, b));
}

layout_value some_layout(int leaves) { return any_layout(leaves, some_extents, some_strides); }

/// The result must be the function that the constant run gives.
judge equals(operation const& run_on) {
  return [run_on](layout_value const& r, layout_value const& a, layout_value const& b) {
    arithmetic c{};
    layout_value const expected(run_on(c, a, b));
    if (c.failed()) RC_LOG() << "constants: " << to_string(c.error) << '\n';
    else RC_LOG() << "constants: " << expected << '\n';
    return !c.failed() && same_function(r, expected);
  };
}

TEST(symbolic, coalesce) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const&) { return algebra::coalesce(c, a); };
    check(some_layout(4), {}, true, false, run, equals(run));
  });
}

TEST(symbolic, composition) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const& b) {
      return algebra::composition(c, a, b);
    };
    check(some_layout(3), some_layout(2), true, true, run, [](auto const& r, auto const& a, auto const& b) {
      for (long long i = 0; i < extent(b); ++i)
        if (r(i) != a(b(i))) return false;
      return extent(r) == extent(b);
    });
  });
}

TEST(symbolic, composition_of_compact_layouts) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const& b) {
      return algebra::composition(c, a, b);
    };
    check(any_compact_layout(3, {2, 4, 8}), any_compact_layout(2, {2, 4}), true, true, run, equals(run));
  });
}

/// Is the larger stride of two leaves a multiple of the span of the other, extents of 1 included?
bool strides_divide(layout_value const& a) {
  int const low = a.stride[0].number <= a.stride[1].number ? 0 : 1;
  return a.stride[1 - low].number % (a.stride[low].number * a.shape[low].number) == 0;
}

TEST(symbolic, complement) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const& b) {
      return algebra::complement(c, a, b);
    };
    // A run-time extent of 1 is not known to be one: its stride still shapes the answer, which is another complement.
    judge const law = [](layout_value const& r, layout_value const& a, layout_value const& target) {
      table const all = sums(*filter(a), r);
      bool covers = all.distinct() && table_of(r).rising();
      bool const divide = a.leaves == 1 || strides_divide(a);
      for (long long i = 0; i < extent(target) && divide; ++i) covers = covers && all.contains(i);
      return covers;
    };
    std::vector<int> const few{1, 2, 3, 4};
    check(any_layout(2, few, some_strides), any_layout(2, few, {1}), false, false, run, law);
    check(any_layout(1, few, some_strides), any_layout(1, some_extents, {1}), true, false, run, law);
  });
}

TEST(symbolic, right_inverse) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const&) {
      return algebra::right_inverse(c, a);
    };
    // A run-time extent ends the run of offsets that are known to follow one another, so the inverse may be shorter.
    check(any_compact_layout(3, {1, 2, 4}), {}, true, false, run, [](auto const& r, auto const& a, auto const&) {
      for (long long i = 0; i < extent(r); ++i)
        if (a(r(i)) != i) return false;
      return true;
    });
  });
}

TEST(symbolic, left_inverse) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const&) { return algebra::left_inverse(c, a); };
    check(some_layout(3), {}, false, false, run, [](auto const& r, auto const& a, auto const&) {
      for (long long i = 0; i < extent(a); ++i)
        if (r(a(i)) != i) return false;
      return true;
    });
  });
}

TEST(symbolic, nullspace) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const&) { return algebra::nullspace(c, a); };
    check(any_layout(4, some_extents, {0, 0, 1, 4}), {}, false, false, run, equals(run));
  });
}

TEST(symbolic, logical_divide) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const& b) {
      return algebra::logical_divide(c, a, tiler_value::of(layout_value(b)).tree);
    };
    judge const law = [](layout_value const& r, layout_value const& a, layout_value const& t) {
      if (r.rank() != 2 || extent(mode_of(r, 0)) != extent(t)) return false;
      for (long long i = 0; i < extent(t); ++i)
        if (r(i) != a(t(i))) return false;
      table const met = table_of(r);  // A is a bijection: each offset below its size once, beyond it what overhangs
      for (long long i = 0; i < extent(a); ++i)
        if (!met.contains(i)) return false;
      return extent(r) != extent(a) || met.distinct();
    };
    check(any_compact_layout(2, {2, 4, 8, 12}), any_layout(1, {1, 2, 3, 4}, {1, 2, 3, 4}), true, false, run, law);
    check(any_compact_layout(3, {2, 4, 8}), any_compact_layout(2, {2, 4}), true, false, run, law);
  });
}

TEST(symbolic, divide_by_mode) {
  property([] {
    layout_value const a = *select(parse_layout("(1,1)"), {0, 1});
    layout_value both = a;
    both.shape[0] = constant_leaf(*rc::gen::inRange(1, 20));
    both.shape[1] = constant_leaf(*rc::gen::inRange(1, 20));
    both.stride[0] = constant_leaf(*rc::gen::elementOf(some_strides));
    both.stride[1] = constant_leaf(*rc::gen::elementOf(some_strides));
    layout_value const tile(tuple_of({*rc::gen::inRange(1, 8), *rc::gen::inRange(1, 8)}));
    operation const run = [](arithmetic& c, int_tree const& x, int_tree const& t) {
      return algebra::zipped_divide(c, x, t);
    };
    check(both, tile, true, false, run, equals(run));
  });
}

TEST(symbolic, products) {
  property([] {
    operation const logical = [](arithmetic& c, int_tree const& a, int_tree const& b) {
      return algebra::logical_product(c, a, tiler_value::of(layout_value(b)).tree);
    };
    judge const law = [](layout_value const& r, layout_value const& a, layout_value const& t) {
      if (r.rank() != 2 || !same_function(mode_of(r, 0), a) || extent(mode_of(r, 1)) != extent(t)) return false;
      table const over = table_of(mode_of(r, 1)), order = table_of(t);
      for (int i = 0; i < over.count; ++i)
        for (int k = 0; k < over.count; ++k)
          if ((over.value[i] < over.value[k]) != (order.value[i] < order.value[k])) return false;
      return !table_of(a).distinct() || !order.distinct() || table_of(r).distinct();
    };
    std::vector<int> const few{1, 2, 3, 4};
    check(any_layout(2, few, some_strides), any_layout(2, few, some_strides), false, true, logical, law);
    for (bool raked : {false, true}) {
      operation const run = [raked](arithmetic& c, int_tree const& a, int_tree const& b) {
        return algebra::product_by_rank(c, a, b, raked);
      };
      check(any_compact_layout(2, {1, 2, 4}), any_compact_layout(2, {1, 2, 3}), false, true, run, equals(run));
    }
  });
}

TEST(symbolic, tile_to_shape) {
  property([] {
    operation const run = [](arithmetic& c, int_tree const& a, int_tree const& b) {
      return algebra::tile_to_shape(c, a, b);
    };
    check(any_compact_layout(2, {1, 2, 4}), any_layout(2, {4, 6, 8, 9}, {0}), false, false, run,
          [&](auto const& r, auto const& a, auto const& b) {
            arithmetic c{};
            layout_value const expected(algebra::tile_to_shape(c, a, b));
            return c.error.code == errc::unordered_target || (!c.failed() && same_function(r, expected));
          });
  });
}

TEST(symbolic, recasting) {
  property([] {
    long long const factor = *rc::gen::elementOf(std::vector<int>{1, 2, 4, 8});
    operation const up = [=](arithmetic& c, int_tree const& a, int_tree const&) {
      return algebra::upcast(c, a, constant_leaf(factor));
    };
    operation const down = [=](arithmetic& c, int_tree const& a, int_tree const&) {
      return algebra::downcast(c, a, constant_leaf(factor));
    };
    check(some_layout(3), {}, true, false, up, equals(up));
    check(some_layout(3), {}, false, false, down, equals(down));
  });
}

TEST(symbolic, compact_strides) {
  property([] {
    operation const left = [](arithmetic& c, int_tree const& a, int_tree const&) {
      return algebra::compact_left(c, a);
    };
    operation const right = [](arithmetic& c, int_tree const& a, int_tree const&) {
      return algebra::compact_right(c, a);
    };
    check(some_layout(4), {}, false, false, left, equals(left));
    check(some_layout(4), {}, false, false, right, equals(right));
  });
}

TEST(symbolic, offsets_and_coordinates) {
  property([] {
    layout_value const a = some_layout(4);
    long long const index = *rc::gen::inRange<long long>(0, extent(a));
    symbolic_run run;
    int_tree const symbolic_a = with_inputs(run, a, true);
    leaf const x = run.input(index);
    auto const offset = run.worked_out(algebra::crd2idx(run.c, leaf_tree(x), symbolic_a));
    RC_ASSERT(offset && offset->shape[0].number == a(index));
    auto const coordinate = run.worked_out(algebra::idx2crd(run.c, x, symbolic_a));
    RC_ASSERT(coordinate && *coordinate == *idx2crd(index, shape_of(a)));
    auto const count = run.worked_out(leaf_tree(algebra::size(run.c, symbolic_a)));
    RC_ASSERT(count && count->shape[0].number == extent(a));
    auto const span = run.worked_out(leaf_tree(algebra::cosize(run.c, symbolic_a)));
    RC_ASSERT(span && span->shape[0].number == *cosize(a));
  });
}

TEST(symbolic, max_common_vector_never_promises_more) {
  property([] {
    layout_value const a = any_compact_layout(3, {1, 2, 4}), b = any_compact_layout(3, {1, 2, 4});
    symbolic_run run;
    int_tree const symbolic_a = with_inputs(run, a, true), symbolic_b = with_inputs(run, b, true);
    auto const found = run.worked_out(algebra::max_common_layout(run.c, symbolic_a, symbolic_b));
    if (!found) return;
    layout_value const r(*found);
    RC_LOG() << "A = " << a << ", B = " << b << ", R = " << r << '\n';
    for (long long i = 0; i < extent(r); ++i) RC_ASSERT(a(r(i)) == i && b(r(i)) == i);
  });
}

}  // namespace
}  // namespace tilewright::tests
