// One run of an algorithm on the values of its operand types, once for each combination. What is left of the expression
// pool is pruned to a straight-line program: first what leads to the result, then what only its checks need.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/lift_value.hpp"

namespace tilewright::lift {

/// What the result of an operation is: a layout, a tuple (or integer), or an offset (an integer or a coordinate).
enum class result_kind { layout, tuple, offset };

/// The result of one run: the tree, and the program for its run-time leaves in evaluation order. Nodes [0, inputs) are
/// the operands' leaves, [inputs, inputs + steps) lead to the result, the rest only to what `required` checks.
/// Compilers store every element of the arrays of a constant, so an outcome is as large as a run needs: nvcc's front end
/// uses 3 MB less for each run without run-time leaves, 6 MB less for most others.
template <std::size_t Nodes, std::size_t Obligations, std::size_t Leaves, class Tree>
struct outcome {
  static constexpr int capacity = static_cast<int>(Nodes);  // of live nodes: the pool holds more, most of them dead
  static constexpr int max_obligations = static_cast<int>(Obligations);
  static constexpr int max_leaves = static_cast<int>(Leaves);
  tilewright::error error{};
  bool fits = true;  // false: a larger outcome holds the result
  int inputs = 0;
  int steps = 0;
  int checks = 0;
  int leaves = 0;
  int required_count = 0;
  Tree tree{};
  expression nodes[Nodes]{};
  obligation required[Obligations]{};
  short slots[Leaves]{};  // the node of each run-time leaf: those of the shape, then of the stride
};
/// Without run-time leaves there are no expressions.
using small_tree = stored_tree<12, 20>;
using large_tree = stored_tree<int_tree::leaf_capacity, int_tree::node_capacity>;
using static_outcome = outcome<1, 1, 1, small_tree>;
using large_static_outcome = outcome<1, 1, 1, large_tree>;
using small_outcome = outcome<40, 8, 24, small_tree>;
using large_outcome = outcome<192, arithmetic::max_obligations, 2 * int_tree::leaf_capacity, large_tree>;
using largest_outcome =
    outcome<arithmetic::capacity, arithmetic::max_obligations, 2 * int_tree::leaf_capacity, large_tree>;

/// The tree with its run-time leaves registered as inputs behind those of earlier operands.
template <class Value>
TILEWRIGHT_CONSTEXPR int_tree enter(arithmetic& c, Value const& from) {
  int_tree out = checked(c, from.tree);
  if (from.fault) c.fail(from.fault.code, from.fault.first, from.fault.second);
  if (from.surplus_strides != 0) c.fail(errc::not_congruent, out.leaves, out.leaves + from.surplus_strides);
  int const base = c.size;
  for (int i = 0; i < from.inputs; ++i) c.input(from.facts[i].type, from.facts[i].divisor);
  if (base == 0 || c.failed()) return out;
  for (int i = 0; i < out.leaves; ++i) {
    if (!out.shape[i].is_static()) out.shape[i].number += base;
    if (!out.stride[i].is_static()) out.stride[i].number += base;
  }
  return out;
}

struct renumbering {
  int id[arithmetic::capacity]{};
  bool live[arithmetic::capacity]{};

  TILEWRIGHT_CONSTEXPR void mark(leaf a) {
    if (!a.is_static()) live[a.number] = true;
  }
  /// Extends liveness to operands; what a later node needs is marked before it is visited.
  TILEWRIGHT_CONSTEXPR void mark_operands(arithmetic const& c) {
    for (int i = c.size - 1; i >= 0; --i)
      if (live[i] && c.nodes[i].op != op_code::input) {
        mark(c.nodes[i].a);
        mark(c.nodes[i].b);
      }
  }
  TILEWRIGHT_CONSTEXPR void rename(leaf& a) const {
    if (!a.is_static()) a.number = id[a.number];
  }
};

/// Appends the live nodes that are not yet in the outcome.
template <class Outcome>
TILEWRIGHT_CONSTEXPR int append_live(Outcome& out, arithmetic const& c, renumbering& names,
                                     bool (&placed)[arithmetic::capacity], int at) {
  for (int i = 0; i < c.size; ++i) {
    if (!names.live[i] || placed[i]) continue;
    if (at == Outcome::capacity) {
      out.fits = false;
      out.error = {errc::too_many_expressions, at + 1, Outcome::capacity};
      return at;
    }
    expression e = c.nodes[i];
    names.rename(e.a);
    names.rename(e.b);
    placed[i] = true;
    names.id[i] = at;
    out.nodes[at++] = e;
  }
  return at;
}

/// Renames a run-time leaf to its node, which the program's result takes next.
template <class Outcome>
TILEWRIGHT_CONSTEXPR void take_leaf(Outcome& out, renumbering const& names, leaf& a) {
  names.rename(a);
  if (a.is_static()) return;
  if (out.leaves == Outcome::max_leaves) out.fits = false;
  else out.slots[out.leaves++] = static_cast<short>(a.number);
}

/// The outcome of a run without run-time leaves.
template <class Outcome>
TILEWRIGHT_CONSTEXPR Outcome result_of(arithmetic& c, int_tree const& result) {
  Outcome out{};
  out.tree = decltype(out.tree)(checked(c, result));
  out.error = c.error;
  out.fits = out.tree.fits;
  return out;
}

template <class Outcome>
TILEWRIGHT_CONSTEXPR Outcome finish(arithmetic& c, int_tree const& result, bool with_strides) {
  Outcome out = result_of<Outcome>(c, result);
  if (c.failed() || c.size == 0 || !out.fits) return out;
  renumbering names{};
  bool placed[arithmetic::capacity]{};
  for (int i = 0; i < c.size; ++i)
    if (c.nodes[i].op == op_code::input) {
      if (out.inputs == Outcome::capacity) {
        out.fits = false;
        out.error = {errc::too_many_expressions, c.size, Outcome::capacity};
        return out;
      }
      out.nodes[out.inputs] = c.nodes[i];
      placed[i] = true;
      names.id[i] = out.inputs++;
    }
  for (int i = 0; i < out.tree.leaves; ++i) {
    names.mark(out.tree.shape[i]);
    if (with_strides) names.mark(out.tree.stride[i]);
  }
  names.mark_operands(c);
  int end = append_live(out, c, names, placed, out.inputs);
  out.steps = end - out.inputs;
  for (int i = 0; i < c.obligations; ++i) names.live[c.required[i].id] = true;
  names.mark_operands(c);
  out.checks = append_live(out, c, names, placed, end) - end;
  if (c.obligations > Outcome::max_obligations) out.fits = false;
  if (out.error || !out.fits) return out;
  for (int i = 0; i < c.obligations; ++i) out.required[i] = {names.id[c.required[i].id], c.required[i].what};
  out.required_count = c.obligations;
  for (int i = 0; i < out.tree.leaves; ++i) take_leaf(out, names, out.tree.shape[i]);
  for (int i = 0; i < out.tree.leaves && with_strides; ++i) take_leaf(out, names, out.tree.stride[i]);
  return out;
}

#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
inline constexpr bool verifies = true;
[[noreturn]] inline void raise(errc code, long long first, long long second) {
  tilewright::raise(error{code, first, second});
}
#else
inline constexpr bool verifies = false;
TILEWRIGHT_FN void raise(errc, long long, long long) {}
#endif

/// In lift_type.hpp and lift.hpp.
template <class R, result_kind Kind>
struct type_of_run;
template <class R, result_kind Kind, class... A>
TILEWRIGHT_FN constexpr auto evaluate(A const&... operands);

/// What Op gives for the types In…. Op has `kind` and `apply(arithmetic&, tree const&…)`.
template <class Outcome, class Op, class... In>
struct evaluated {
  static TILEWRIGHT_CONSTEXPR Outcome make() {
    arithmetic c{};
    if constexpr (((value_of<In>.inputs == 0 && value_of<In>.surplus_strides == 0 && !value_of<In>.fault &&
                    !value_of<In>.tree.overflowed()) &&
                   ...)) {
      return result_of<Outcome>(c, Op::apply(c, value_of<In>.tree...));
    } else {
      struct entered {
        int_tree tree;
      } const operands[]{{enter(c, value_of<In>)}...};  // a braced list is evaluated from left to right
      return apply(c, operands, make_seq<static_cast<int>(sizeof...(In))>{});
    }
  }
  template <class Operands, int... N>
  static TILEWRIGHT_CONSTEXPR Outcome apply(arithmetic& c, Operands const& operands, seq<N...>) {
    int_tree result = leaf_tree(constant_leaf(1));
    if (!c.failed()) result = Op::apply(c, operands[N].tree...);
    return finish<Outcome>(c, result, Op::kind == result_kind::layout);
  }
  static constexpr Outcome value = make();
};
template <bool Fits, class First, class Second>
struct pick_fitting {
  using type = First;
};
template <class First, class Second>
struct pick_fitting<false, First, Second> {
  using type = Second;
};
/// Few runs need more than the large outcome, so that it is tried first.
template <bool IsSmall>
struct pick_large {
  template <class Op, class... In>
  using type = evaluated<small_outcome, Op, In...>;
};
template <>
struct pick_large<false> {
  template <class Op, class... In>
  using type = typename pick_fitting<evaluated<large_outcome, Op, In...>::value.fits,
                                     evaluated<large_outcome, Op, In...>, evaluated<largest_outcome, Op, In...>>::type;
};
template <bool HasInputs>
struct pick_outcome {
  template <class Op, class... In>
  using type =
      typename pick_fitting<evaluated<static_outcome, Op, In...>::value.fits, evaluated<static_outcome, Op, In...>,
                            evaluated<large_static_outcome, Op, In...>>::type;
};
template <>
struct pick_outcome<true> {
  template <class Op, class... In>
  using type = typename pick_large<evaluated<small_outcome, Op, In...>::value.fits>::template type<Op, In...>;
};

/// Op on the types In…: evaluated once a combination, twice where the program is long.
template <class Op, class... In>
struct Run : pick_outcome<(... || (value_of<In>.inputs != 0))>::template type<Op, In...> {
  using pick_outcome<(... || (value_of<In>.inputs != 0))>::template type<Op, In...>::value;

  /// The typed result, on operands of the types that In… describe.  pre: no error
  template <class... A>
  TILEWRIGHT_FN static constexpr auto on(A const&... operands) {
    if constexpr (value.leaves != 0 || (verifies && value.required_count != 0))
      return evaluate<Run, Op::kind>(operands...);
    else return typename type_of_run<Run, Op::kind>::type{};
  }
};

}  // namespace tilewright::lift
