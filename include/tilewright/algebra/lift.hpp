// The one bridge between the two faces. An operation on types converts its operands' types to a value (once a type),
// runs the constexpr algorithm on the values (once a combination), and expands the result back to a type through one
// index sequence per tuple. Run-time leaves enter as inputs of the arithmetic; what is left of the expression pool is a
// straight-line program over flat slots, evaluated by one fold: no loops, no arrays in device code.
#pragma once

#include "tilewright/algebra/diagnose.hpp"
#include "tilewright/layout/layout.hpp"
#include "tilewright/layout/layout_value.hpp"

#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED
#include <stdexcept>
#endif

namespace tilewright {

/// Absorbs everything, so that one mistake prints one sentence.
struct invalid_layout {
  static constexpr int rank = 1;
  template <class... T> TILEWRIGHT_FN constexpr invalid_layout operator()(T const&...) const { return {}; }
  template <class... T> TILEWRIGHT_FN constexpr invalid_layout compose(T const&...) const { return {}; }
  template <class... T> TILEWRIGHT_FN constexpr invalid_layout with_shape(T const&...) const { return {}; }
  TILEWRIGHT_FN constexpr invalid_layout shape() const { return {}; }
  TILEWRIGHT_FN constexpr invalid_layout stride() const { return {}; }
  TILEWRIGHT_FN constexpr operator long long() const { return 0; }
};

namespace lift {

// --- type -> value ---------------------------------------------------------------------------------------------------
struct input_fact {
  number_type type = number_type::int32;
  int divisor = 1;
};

/// A type as a value: its tree, and what its run-time leaves are. Their ids count from 0.
struct typed_value {
  int_tree tree{};
  int inputs = 0;
  input_fact facts[2 * int_tree::leaf_capacity]{};

  constexpr leaf next_input(input_fact fact) {
    if (inputs < 2 * int_tree::leaf_capacity) facts[inputs] = fact;
    return dynamic_leaf(inputs++, fact.type);
  }
};

/// Marks an argument that is read as a tiler: integers n stand for n:1, layouts keep their strides.
template <class T>
struct as_tiler {};

template <auto v>
constexpr leaf read_leaf(type_tag<C<v>>, typed_value&) { return constant_leaf(static_cast<long long>(v)); }
template <class T>
  requires std::is_integral_v<T>
constexpr leaf read_leaf(type_tag<T>, typed_value& out) { return out.next_input({detail::number_type_of<T>, 1}); }
template <int D, class T>
constexpr leaf read_leaf(type_tag<multiple<D, T>>, typed_value& out) {
  return out.next_input({detail::number_type_of<T>, D});
}
template <class T, int... I>
constexpr leaf read_leaf(type_tag<ScaledBasis<T, I...>>, typed_value& out) {
  static_assert(sizeof...(I) <= basis_path::max_depth && ((I >= 0 && I <= basis_path::max_index) && ...),
                "ScaledBasis: at most 4 levels of indices from 0 to 62; flatten the layout first");
  basis_path path{};
  ((path = path.then(I)), ...);
  leaf const scale = read_leaf(type_tag<T>{}, out);
  return scale.is(0) ? scale : with_basis(scale, path);
}

template <class... T>
constexpr void read_shape(type_tag<ArithmeticTuple<T...>>, typed_value& out);
template <class T>
constexpr void read_shape(type_tag<T>, typed_value& out) { out.tree.add_leaf(read_leaf(type_tag<T>{}, out)); }
constexpr void read_shape(type_tag<Underscore>, typed_value& out) { out.tree.add_kept(); }
constexpr void read_shape(type_tag<invalid_layout>, typed_value& out) { out.tree.add_leaf(constant_leaf(1)); }
template <class... T>
constexpr void read_shape(type_tag<tuple<T...>>, typed_value& out) {
  out.tree.open(static_cast<int>(sizeof...(T)));
  (read_shape(type_tag<T>{}, out), ...);
}
template <class... T>
constexpr void read_shape(type_tag<ArithmeticTuple<T...>>, typed_value& out) {
  read_shape(type_tag<tuple<T...>>{}, out);
}

template <class T>
constexpr void read_stride(type_tag<T>, typed_value& out, int& at) {
  leaf const d = read_leaf(type_tag<T>{}, out);
  if (at < int_tree::leaf_capacity) out.tree.stride[at] = d;
  ++at;
}
template <class... T>
constexpr void read_stride(type_tag<tuple<T...>>, typed_value& out, int& at) {
  (read_stride(type_tag<T>{}, out, at), ...);
}

template <class S, class D>
constexpr void read_layout(type_tag<Layout<S, D>>, typed_value& out) {
  int at = out.tree.leaves;
  read_shape(type_tag<S>{}, out);
  read_stride(type_tag<D>{}, out, at);
}

template <class T>
constexpr void read_tiler(type_tag<T>, typed_value& out) {
  int const at = out.tree.leaves;
  read_shape(type_tag<T>{}, out);
  if (out.tree.leaves > at && at < int_tree::leaf_capacity) out.tree.stride[at] = constant_leaf(1);
}
template <class S, class D>
constexpr void read_tiler(type_tag<Layout<S, D>>, typed_value& out) {
  out.tree.add_layout_marker();
  read_layout(type_tag<Layout<S, D>>{}, out);
}
template <class... T>
constexpr void read_tiler(type_tag<tuple<T...>>, typed_value& out) {
  out.tree.open(static_cast<int>(sizeof...(T)));
  (read_tiler(type_tag<T>{}, out), ...);
}

template <class T>
struct converter {
  static constexpr typed_value make() {
    typed_value out{};
    read_shape(type_tag<T>{}, out);
    return out;
  }
};
template <class S, class D>
struct converter<Layout<S, D>> {
  static constexpr typed_value make() {
    typed_value out{};
    read_layout(type_tag<Layout<S, D>>{}, out);
    return out;
  }
};
template <class T>
struct converter<as_tiler<T>> {
  static constexpr typed_value make() {
    typed_value out{};
    read_tiler(type_tag<T>{}, out);
    return out;
  }
};
template <class T>
inline constexpr typed_value value_of = converter<T>::make();

// --- one run of an algorithm -----------------------------------------------------------------------------------------
/// What the result of an operation is: a layout, a tuple (or integer), or an offset (an integer or a coordinate).
enum class result_kind { layout, tuple, offset };

/// The result of one run: the tree, and the program for its run-time leaves in evaluation order. Nodes [0, inputs) are
/// the operands' leaves, [inputs, inputs + steps) lead to the result, the rest only to what `required` checks.
struct outcome {
  tilewright::error error{};
  int inputs = 0;
  int steps = 0;
  int checks = 0;
  int leaves = 0;
  int required_count = 0;
  int_tree tree{};
  expression nodes[arithmetic::capacity]{};
  obligation required[arithmetic::max_obligations]{};
  short slots[2 * int_tree::leaf_capacity]{};  // the node of each run-time leaf: those of the shape, then of the stride
};

/// The tree with its run-time leaves registered as inputs behind those of earlier operands.
constexpr int_tree enter(arithmetic& c, typed_value const& from) {
  int_tree out = checked(c, from.tree);
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

  constexpr void mark(leaf a) {
    if (!a.is_static()) live[a.number] = true;
  }
  /// Extends liveness to operands; what a later node needs is marked before it is visited.
  constexpr void mark_operands(arithmetic const& c) {
    for (int i = c.size - 1; i >= 0; --i)
      if (live[i] && c.nodes[i].op != op_code::input) {
        mark(c.nodes[i].a);
        mark(c.nodes[i].b);
      }
  }
  constexpr void rename(leaf& a) const {
    if (!a.is_static()) a.number = id[a.number];
  }
};

/// Appends the live nodes that are not yet in the outcome.
constexpr int append_live(outcome& out, arithmetic const& c, renumbering& names, bool (&placed)[arithmetic::capacity],
                          int at) {
  for (int i = 0; i < c.size; ++i) {
    if (!names.live[i] || placed[i]) continue;
    expression e = c.nodes[i];
    names.rename(e.a);
    names.rename(e.b);
    placed[i] = true;
    names.id[i] = at;
    out.nodes[at++] = e;
  }
  return at;
}

constexpr outcome finish(arithmetic& c, int_tree const& result, bool with_strides) {
  outcome out{};
  out.tree = checked(c, result);
  out.error = c.error;
  if (c.failed() || c.size == 0) return out;
  renumbering names{};
  bool placed[arithmetic::capacity]{};
  for (int i = 0; i < c.size; ++i)
    if (c.nodes[i].op == op_code::input) {
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
  for (int i = 0; i < c.obligations; ++i) out.required[i] = {names.id[c.required[i].id], c.required[i].what};
  out.required_count = c.obligations;
  for (int i = 0; i < out.tree.leaves; ++i) {
    names.rename(out.tree.shape[i]);
    if (!out.tree.shape[i].is_static()) out.slots[out.leaves++] = static_cast<short>(out.tree.shape[i].number);
  }
  for (int i = 0; i < out.tree.leaves && with_strides; ++i) {
    names.rename(out.tree.stride[i]);
    if (!out.tree.stride[i].is_static()) out.slots[out.leaves++] = static_cast<short>(out.tree.stride[i].number);
  }
  return out;
}

/// Op on the types In…: evaluated once a combination. Op has `kind` and `apply(arithmetic&, tree const&…)`.
template <class Op, class... In>
struct Run {
  static constexpr outcome make() {
    arithmetic c{};
    if constexpr ((0 + ... + value_of<In>.inputs) == 0 && (!value_of<In>.tree.overflowed() && ...)) {
      int_tree const result = Op::apply(c, value_of<In>.tree...);
      return finish(c, result, Op::kind == result_kind::layout);
    } else {
      struct entered {
        int_tree tree;
      } const operands[]{{enter(c, value_of<In>)}...};  // a braced list is evaluated from left to right
      return apply(c, operands, make_seq<static_cast<int>(sizeof...(In))>{});
    }
  }
  template <class Operands, int... N>
  static constexpr outcome apply(arithmetic& c, Operands const& operands, seq<N...>) {
    int_tree result = leaf_tree(constant_leaf(1));
    if (!c.failed()) result = Op::apply(c, operands[N].tree...);
    return finish(c, result, Op::kind == result_kind::layout);
  }
  static constexpr outcome value = make();
};

// --- value -> type ---------------------------------------------------------------------------------------------------
/// The C++ type of a leaf: which of the forms below, and with which numbers.
struct leaf_form {
  bool is_static = true;
  number_type type = number_type::int32;
  long long number = 0;   // the constant
  int divisor = 1;        // of a tracked run-time leaf
  basis_path basis{};
};

template <class R>
constexpr leaf_form form_of(leaf a) {
  leaf_form out{a.is_static(), a.type(), 0, 1, a.basis()};
  if (a.is_static())
    out.number = a.number;
  else if (expression const& e = R::value.nodes[a.number]; e.tracked && e.divisor <= int32_max)
    out.divisor = static_cast<int>(e.divisor);
  return out;
}

template <bool IsStatic, bool HasDivisor>
struct plain_leaf {
  template <number_type t, long long n, int d>
  using type = normal_constant<n>;
};
template <>
struct plain_leaf<false, false> {
  template <number_type t, long long n, int d>
  using type = detail::number_of_t<t>;
};
template <>
struct plain_leaf<false, true> {
  template <number_type t, long long n, int d>
  using type = multiple<d, detail::number_of_t<t>>;
};
template <class T, int Code, int Depth>
struct scaled_leaf;
template <class T, int Code>
struct scaled_leaf<T, Code, 0> { using type = T; };
template <class T, int Code>
struct scaled_leaf<T, Code, 1> { using type = ScaledBasis<T, basis_path{Code}.index(0)>; };
template <class T, int Code>
struct scaled_leaf<T, Code, 2> { using type = ScaledBasis<T, basis_path{Code}.index(0), basis_path{Code}.index(1)>; };
template <class T, int Code>
struct scaled_leaf<T, Code, 3> {
  using type = ScaledBasis<T, basis_path{Code}.index(0), basis_path{Code}.index(1), basis_path{Code}.index(2)>;
};
template <class T, int Code>
struct scaled_leaf<T, Code, 4> {
  using type = ScaledBasis<T, basis_path{Code}.index(0), basis_path{Code}.index(1), basis_path{Code}.index(2),
                           basis_path{Code}.index(3)>;
};

template <bool IsStatic, bool HasDivisor, number_type t, long long n, int d, int Code>
using leaf_type_of =
    typename scaled_leaf<typename plain_leaf<IsStatic, HasDivisor>::template type<t, n, d>, Code,
                         basis_path{Code}.depth()>::type;

template <class R, bool Strides, int L>
struct leaf_at {
  static constexpr leaf_form f = form_of<R>(Strides ? R::value.tree.stride[L] : R::value.tree.shape[L]);
  using type = leaf_type_of<f.is_static, (f.divisor > 1), f.type, f.number, f.divisor, f.basis.code>;
};

/// Where each child of a tuple node starts.
struct child_positions {
  short node[int_tree::leaf_capacity]{};
  short leaf[int_tree::leaf_capacity]{};
};
constexpr child_positions children_of(int_tree const& t, int node, int first_leaf) {
  child_positions out{};
  subtree u{node + 1, node + 1, first_leaf, first_leaf};
  for (int i = 0; i < t.profile[node]; ++i) {
    out.node[i] = static_cast<short>(u.node_end);
    out.leaf[i] = static_cast<short>(u.leaf_end);
    u = t.at(u.node_end, u.leaf_end);
  }
  return out;
}

template <class R, int Node, int Leaf, class S>
struct tuple_at;
template <node_kind Kind>
struct pick_node {
  template <class R, int Node, int Leaf> using shape = typename tuple_at<R, Node, Leaf, make_seq<Kind>>::shape;
  template <class R, int Node, int Leaf> using stride = typename tuple_at<R, Node, Leaf, make_seq<Kind>>::stride;
};
template <>
struct pick_node<leaf_node> {
  template <class R, int Node, int Leaf> using shape = typename leaf_at<R, false, Leaf>::type;
  template <class R, int Node, int Leaf> using stride = typename leaf_at<R, true, Leaf>::type;
};
template <>
struct pick_node<kept_node> {
  template <class R, int Node, int Leaf> using shape = Underscore;
  template <class R, int Node, int Leaf> using stride = Underscore;
};
template <class R, int Node, int Leaf, int... N>
struct tuple_at<R, Node, Leaf, seq<N...>> {
  static constexpr child_positions at = children_of(R::value.tree, Node, Leaf);
  using shape = tuple<typename pick_node<R::value.tree.profile[at.node[N]]>::template shape<R, at.node[N], at.leaf[N]>...>;
  using stride =
      tuple<typename pick_node<R::value.tree.profile[at.node[N]]>::template stride<R, at.node[N], at.leaf[N]>...>;
};

template <class R>
using shape_of_run = typename pick_node<R::value.tree.profile[0]>::template shape<R, 0, 0>;
template <class R>
using stride_of_run = typename pick_node<R::value.tree.profile[0]>::template stride<R, 0, 0>;

template <class T>
struct to_arithmetic_tuple { using type = T; };
template <class... T>
struct to_arithmetic_tuple<tuple<T...>> { using type = ArithmeticTuple<typename to_arithmetic_tuple<T>::type...>; };

template <class R, result_kind Kind>
struct type_of_run { using type = shape_of_run<R>; };
template <class R>
struct type_of_run<R, result_kind::layout> { using type = Layout<shape_of_run<R>, stride_of_run<R>>; };
template <class R>
struct type_of_run<R, result_kind::offset> { using type = typename to_arithmetic_tuple<shape_of_run<R>>::type; };

// --- running the program ---------------------------------------------------------------------------------------------
template <class R, class S>
struct program_slots_of;
template <class R, int... N>
struct program_slots_of<R, seq<N...>> {
  using type = detail::slots_of<seq<N...>, detail::type_list<detail::number_of_t<R::value.nodes[N].type>...>>;
};
template <class R, int Count>
using program_slots = typename program_slots_of<R, make_seq<Count>>::type;

#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
inline constexpr bool verifies = true;
[[noreturn]] inline void raise(errc code, long long first, long long second) { throw layout_error({code, first, second}); }
#else
inline constexpr bool verifies = false;
TILEWRIGHT_FN void raise(errc, long long, long long) {}
#endif

template <op_code op>
struct step {
  template <class T>
  TILEWRIGHT_FN static constexpr T run(T a, T b) {
    if constexpr (op == op_code::add) return checked_sum(a, b);
    else if constexpr (op == op_code::sub) return a - b;
    else if constexpr (op == op_code::mul) return checked_product(a, b);
    else if constexpr (op == op_code::div || op == op_code::mod || op == op_code::ceil_div) return quotient(a, b);
    else if constexpr (op == op_code::min) return a < b ? a : b;
    else if constexpr (op == op_code::max) return a < b ? b : a;
    else if constexpr (op == op_code::abs) return a < T(0) ? -a : a;
    else return static_cast<T>((a > T(0)) - (a < T(0)));
  }

 private:
  template <class T>
  TILEWRIGHT_FN static constexpr T checked_sum(T a, T b) {
    if constexpr (verifies && std::is_signed_v<T>) {
      long long r = 0;
      if (!math::add(a, b, r) || r != static_cast<T>(r)) raise(errc::overflow, a, b);
    }
    return a + b;
  }
  template <class T>
  TILEWRIGHT_FN static constexpr T checked_product(T a, T b) {
    if constexpr (verifies && std::is_signed_v<T>) {
      long long r = 0;
      if (!math::multiply(a, b, r) || r != static_cast<T>(r)) raise(errc::overflow, a, b);
    }
    return a * b;
  }
  template <class T>
  TILEWRIGHT_FN static constexpr T quotient(T a, T b) {
    if constexpr (verifies)
      if (b == T(0)) raise(errc::division_by_zero, static_cast<long long>(a), 0);
    if constexpr (op == op_code::div) return a / b;
    else if constexpr (op == op_code::mod) return a % b;
    else return static_cast<T>(a / b + (a % b != T(0) && (a > T(0)) == (b > T(0))));
  }
};

template <bool IsDynamic, long long number>
struct operand {
  template <class T>
  TILEWRIGHT_FN static constexpr T get(detail::slot<static_cast<int>(number), T> const& s) { return s.value; }
};
template <long long number>
struct operand<false, number> {
  TILEWRIGHT_FN static constexpr auto get(detail::slots_base const&) { return normal_constant<number>::value; }
};

template <class R, int Begin, class Slots, int... N>
TILEWRIGHT_FN constexpr void run_steps(Slots& s, seq<N...>) {
  ((detail::slot_at<Begin + N>(s) = step<R::value.nodes[Begin + N].op>::template run<detail::number_of_t<R::value.nodes[Begin + N].type>>(
        operand<!R::value.nodes[Begin + N].a.is_static(), R::value.nodes[Begin + N].a.number>::get(s),
        operand<!R::value.nodes[Begin + N].b.is_static(), R::value.nodes[Begin + N].b.number>::get(s))),
   ...);
}

/// Loads the operands' run-time leaves into the first slots, in the order `value_of` numbers them.
template <class Slots, class... A, int... N>
TILEWRIGHT_FN constexpr void load_all(Slots& s, seq<N...>, A const&... operands) {
  (detail::store<detail::leaves_before<A...>(N)>(s, operands), ...);
}

template <class R, class Out, class Slots, int... N>
TILEWRIGHT_FN constexpr Out collect(Slots const& s, seq<N...>) {
  Out out{};
  ((detail::slot_at<N>(out) = detail::slot_at<R::value.slots[N]>(s)), ...);
  return out;
}
template <class R, class S>
struct leaf_slots_of;
template <class R, int... N>
struct leaf_slots_of<R, seq<N...>> {
  using type =
      detail::slots_of<seq<N...>, detail::type_list<detail::number_of_t<R::value.nodes[R::value.slots[N]].type>...>>;
};

#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
template <class R, class Slots, int... N>
constexpr void verify(Slots const& s, seq<N...>) {
  ((detail::slot_at<R::value.required[N].id>(s) == 0
        ? void()
        : raise(R::value.required[N].what,
                static_cast<long long>(operand<!R::value.nodes[R::value.required[N].id].a.is_static(),
                                               R::value.nodes[R::value.required[N].id].a.number>::get(s)),
                static_cast<long long>(operand<!R::value.nodes[R::value.required[N].id].b.is_static(),
                                               R::value.nodes[R::value.required[N].id].b.number>::get(s)))),
   ...);
}
#endif

template <class R, result_kind Kind, class... A>
TILEWRIGHT_FN constexpr auto evaluate(A const&... operands) {
  constexpr int live = R::value.inputs + R::value.steps;
  using Result = typename type_of_run<R, Kind>::type;
  program_slots<R, live + (verifies ? R::value.checks : 0)> s{};
  load_all(s, make_seq<static_cast<int>(sizeof...(A))>{}, operands...);
#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  if constexpr (R::value.required_count > 0) {
    run_steps<R, R::value.inputs>(s, make_seq<R::value.steps + R::value.checks>{});
    verify<R>(s, make_seq<R::value.required_count>{});
  } else
#endif
    run_steps<R, R::value.inputs>(s, make_seq<R::value.steps>{});
  if constexpr (Kind == result_kind::layout) {
    return collect<R, Result>(s, make_seq<R::value.leaves>{});
  } else {
    using Leaves = typename leaf_slots_of<R, make_seq<R::value.leaves>>::type;
    return detail::gather<Result, 0>(collect<R, Leaves>(s, make_seq<R::value.leaves>{}));
  }
}

template <class T>
inline constexpr bool is_invalid = std::is_same_v<T, invalid_layout>;
template <class... T>
inline constexpr bool is_invalid<tuple<T...>> = (is_invalid<T> || ...);

/// Runs Op on the operands, whose types are read as In… (a type itself, as_tiler<type>).
/// post: the typed result; after an error, one static_assert sentence and invalid_layout
template <class Op, class... In, class... A>
TILEWRIGHT_FN constexpr auto call(A const&... operands) {
  if constexpr ((is_invalid<A> || ...)) {
    return invalid_layout{};
  } else {
    using R = Run<Op, In...>;
    if constexpr (R::value.error.code != errc::ok) {
      static_assert(operation_failed<R::value.error.code, R::value.error.first, R::value.error.second>::shown);
      return invalid_layout{};
    } else if constexpr (R::value.leaves != 0 || (verifies && R::value.required_count != 0)) {
      return evaluate<R, Op::kind>(operands...);
    } else {
      return typename type_of_run<R, Op::kind>::type{};
    }
  }
}

}  // namespace lift
}  // namespace tilewright
