// Values as types: the result of a run expands to a tuple or a layout, one index sequence for each tuple node.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/lift_run.hpp"

namespace tilewright::lift {

/// The C++ type of a leaf: which of the forms below, and with which numbers.
struct leaf_form {
  bool is_static = true;
  number_type type = number_type::int32;
  long long number = 0;  // the constant
  int divisor = 1;       // of a tracked run-time leaf
  basis_path basis{};
};

template <class R>
TILEWRIGHT_CONSTEXPR leaf_form form_of(leaf a) {
  leaf_form out{a.is_static(), a.type(), 0, 1, a.basis()};
  if (a.is_static()) out.number = a.number;
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
struct scaled_leaf<T, Code, 0> {
  using type = T;
};
template <class T, int Code>
struct scaled_leaf<T, Code, 1> {
  using type = ScaledBasis<T, basis_path{Code}.index(0)>;
};
template <class T, int Code>
struct scaled_leaf<T, Code, 2> {
  using type = ScaledBasis<T, basis_path{Code}.index(0), basis_path{Code}.index(1)>;
};
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
using leaf_type_of = typename scaled_leaf<typename plain_leaf<IsStatic, HasDivisor>::template type<t, n, d>, Code,
                                          basis_path{Code}.depth()>::type;

template <class R, bool Strides, int L>
struct leaf_at {
  static constexpr leaf_form f = form_of<R>(Strides ? R::value.tree.stride[L] : R::value.tree.shape[L]);
  using type = leaf_type_of<f.is_static, (f.divisor > 1), f.type, f.number, f.divisor, f.basis.code>;
};

/// Most leaves are plain constants, whose type needs no class of its own.
template <bool IsPlainConstant>
struct pick_leaf {
  template <class R, int L>
  using shape = typename leaf_at<R, false, L>::type;
  template <class R, int L>
  using stride = typename leaf_at<R, true, L>::type;
};
template <>
struct pick_leaf<true> {
  template <class R, int L>
  using shape = normal_constant<R::value.tree.shape[L].number>;
  template <class R, int L>
  using stride = normal_constant<R::value.tree.stride[L].number>;
};

/// Where each child of a tuple node starts.
template <int Count>
struct child_positions {
  static constexpr std::size_t room = Count == 0 ? 1 : static_cast<std::size_t>(Count);
  short node[room]{};
  short leaf[room]{};
};
template <int Count, class Tree>
TILEWRIGHT_CONSTEXPR child_positions<Count> children_of(Tree const& t, int node, int first_leaf) {
  child_positions<Count> out{};
  subtree u{node + 1, node + 1, first_leaf, first_leaf};
  for (int i = 0; i < Count; ++i) {
    out.node[i] = static_cast<short>(u.node_end);
    out.leaf[i] = static_cast<short>(u.leaf_end);
    u = subtree_at(t.profile, u.node_end, u.leaf_end);
  }
  return out;
}

template <class R, int Node, int Leaf, class S>
struct tuple_at;
template <node_kind Kind>
struct pick_node {
  template <class R, int Node, int Leaf>
  using shape = typename tuple_at<R, Node, Leaf, make_seq<Kind>>::shape;
  template <class R, int Node, int Leaf>
  using stride = typename tuple_at<R, Node, Leaf, make_seq<Kind>>::stride;
};
template <>
struct pick_node<leaf_node> {
  template <class R, int Node, int Leaf>
  using shape = typename pick_leaf<R::value.tree.shape[Leaf].flags == 0>::template shape<R, Leaf>;
  template <class R, int Node, int Leaf>
  using stride = typename pick_leaf<R::value.tree.stride[Leaf].flags == 0>::template stride<R, Leaf>;
};
template <>
struct pick_node<kept_node> {
  template <class R, int Node, int Leaf>
  using shape = Underscore;
  template <class R, int Node, int Leaf>
  using stride = Underscore;
};
template <class R, int Node, int Leaf, int... N>
struct tuple_at<R, Node, Leaf, seq<N...>> {
  static constexpr auto at = children_of<static_cast<int>(sizeof...(N))>(R::value.tree, Node, Leaf);
  using shape =
      tuple<typename pick_node<R::value.tree.profile[at.node[N]]>::template shape<R, at.node[N], at.leaf[N]>...>;
  using stride =
      tuple<typename pick_node<R::value.tree.profile[at.node[N]]>::template stride<R, at.node[N], at.leaf[N]>...>;
};

template <class R>
using shape_of_run = typename pick_node<R::value.tree.profile[0]>::template shape<R, 0, 0>;
template <class R>
using stride_of_run = typename pick_node<R::value.tree.profile[0]>::template stride<R, 0, 0>;

template <class T>
struct to_arithmetic_tuple {
  using type = T;
};
template <class... T>
struct to_arithmetic_tuple<tuple<T...>> {
  using type = ArithmeticTuple<typename to_arithmetic_tuple<T>::type...>;
};

template <class R, result_kind Kind>
struct type_of_run {
  using type = shape_of_run<R>;
};
template <class R>
struct type_of_run<R, result_kind::layout> {
  using type = Layout<shape_of_run<R>, stride_of_run<R>>;
};
template <class R>
struct type_of_run<R, result_kind::offset> {
  using type = typename to_arithmetic_tuple<shape_of_run<R>>::type;
};

}  // namespace tilewright::lift
