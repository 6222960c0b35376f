// Types as values: what the typed face hands to the algebra. A type's tree is read once; its run-time leaves become
// numbered inputs, with what is known of them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/base/invalid.hpp"
#include "tilewright/ints/unnamed_constants.hpp"
#include "tilewright/layout/layout.hpp"
#include "tilewright/layout/layout_tree.hpp"

namespace tilewright {

namespace lift {

struct input_fact {
  number_type type;
  int divisor;
};

/// A type as a value: its tree, and what its run-time leaves are. Their ids count from 0. It has room for what the type has at
/// most, because compilers keep what a constant is made with.
template <int Nodes, int Inputs>
struct typed_value {
  static constexpr int leaf_room = Nodes < int_tree::leaf_capacity ? Nodes : int_tree::leaf_capacity;
  static constexpr int node_room = Nodes < int_tree::node_capacity ? Nodes : int_tree::node_capacity;
  static constexpr int input_room = Inputs;
  stored_tree<leaf_room, node_room> tree{};
  int inputs = 0;
  int surplus_strides = 0;  // of a layout type whose strides do not match its extents
  error fault{};            // of a type that has no value
  input_fact facts[static_cast<std::size_t>(Inputs)]{};
};

/// Writes a typed value; the same type for values of every size. What does not fit is counted only.
struct value_writer {
  leaf* shape;
  leaf* stride;
  node_kind* profile;
  input_fact* facts;
  int leaf_room, node_room, input_room;
  int leaves = 0, nodes = 0, inputs = 0, surplus_strides = 0;
  error fault{};

  TILEWRIGHT_CONSTEXPR leaf next_input(input_fact fact) {
    if (inputs < input_room) facts[inputs] = fact;
    return dynamic_leaf(inputs++, fact.type);
  }
  TILEWRIGHT_CONSTEXPR void add_node(node_kind kind) {
    if (nodes < node_room) profile[nodes] = kind;
    ++nodes;
  }
  TILEWRIGHT_CONSTEXPR void add_leaf(leaf extent) {
    if (leaves < leaf_room) shape[leaves] = extent;
    ++leaves;
    add_node(leaf_node);
  }
  TILEWRIGHT_CONSTEXPR void set_stride(int at, leaf step) {
    if (at < leaf_room) stride[at] = step;
  }
};

/// Marks an argument that is read as a tiler: integers n mean n:1, layouts keep their strides.
template <class T>
struct as_tiler {};

/// At least the nodes that a type's tree has.
template <class T>
inline constexpr int node_bound = 1;
template <class... T>
inline constexpr int node_bound<tuple<T...>> = (1 + ... + node_bound<T>);
template <class... T>
inline constexpr int node_bound<ArithmeticTuple<T...>> = node_bound<tuple<T...>>;
template <class S, class D>
inline constexpr int node_bound<Layout<S, D>> = 1 + node_bound<S>;  // a tiler marks a layout by a node
template <class T>
inline constexpr int node_bound<as_tiler<T>> = node_bound<T>;

/// The run-time leaves of a type, for each of which a value has an input.
template <class T>
inline constexpr int input_count = detail::dynamic_leaves<T>;
template <class S, class D>
inline constexpr int input_count<Layout<S, D>> = input_count<S> + input_count<D>;
template <class... T>
inline constexpr int input_count<tuple<T...>> = (0 + ... + input_count<T>);
template <class T>
inline constexpr int input_count<as_tiler<T>> = input_count<T>;

/// Rounded up, so that few kinds of value are stored.
TILEWRIGHT_CONSTEXPR int stored_room(int count) { return (count + 3) / 4 * 4; }

/// The error of a basis element that names no mode.
template <int... I>
TILEWRIGHT_CONSTEXPR error fault_of_basis() {
  if (sizeof...(I) > basis_path::max_depth) return {errc::basis_depth, sizeof...(I), basis_path::max_depth};
  error out{};
  ((I < 0 || I > basis_path::max_index ? void(out = {errc::basis_depth, I, basis_path::max_index}) : void()), ...);
  return out;
}

template <auto v>
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<C<v>>, value_writer&) {
  return constant_leaf(static_cast<long long>(v));
}
template <int N>
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<unnamed<N>>, value_writer&) {
  return constant_leaf(N);
}
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<invalid_layout>, value_writer&) { return constant_leaf(1); }
template <class T>
requires(std::is_integral_v<T> || detail::is_own_number<T>) TILEWRIGHT_CONSTEXPR leaf
    read_leaf(type_tag<T>, value_writer& out) {
  return out.next_input({detail::number_type_of<T>, 1});
}
template <int D, class T>
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<multiple<D, T>>, value_writer& out) {
  return out.next_input({detail::number_type_of<T>, D});
}
template <class T, int... I>
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<ScaledBasis<T, I...>>, value_writer& out) {
  basis_path path{};
  constexpr error fault = fault_of_basis<I...>();
  if constexpr (fault.code == errc::ok) ((path = path.then(I)), ...);
  else out.fault = fault;
  leaf const scale = read_leaf(type_tag<T>{}, out);
  return scale.is(0) ? scale : with_basis(scale, path);
}

template <class... T>
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<ArithmeticTuple<T...>>, value_writer& out);
template <class T>
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<T>, value_writer& out) {
  out.add_leaf(read_leaf(type_tag<T>{}, out));
}
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<Underscore>, value_writer& out) { out.add_node(kept_node); }
template <class... T>
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<tuple<T...>>, value_writer& out) {
  out.add_node(static_cast<node_kind>(sizeof...(T)));
  (read_shape(type_tag<T>{}, out), ...);
}
template <class... T>
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<ArithmeticTuple<T...>>, value_writer& out) {
  read_shape(type_tag<tuple<T...>>{}, out);
}

template <class T>
TILEWRIGHT_CONSTEXPR void read_stride(type_tag<T>, value_writer& out, int& at) {
  leaf const d = read_leaf(type_tag<T>{}, out);
  out.set_stride(at++, d);
}
template <class... T>
TILEWRIGHT_CONSTEXPR void read_stride(type_tag<tuple<T...>>, value_writer& out, int& at) {
  (read_stride(type_tag<T>{}, out, at), ...);
}

template <class S, class D>
TILEWRIGHT_CONSTEXPR void read_layout(type_tag<Layout<S, D>>, value_writer& out) {
  int at = out.leaves;
  read_shape(type_tag<S>{}, out);
  read_stride(type_tag<D>{}, out, at);
  if (at != out.leaves) out.surplus_strides = at - out.leaves;
}

template <class T>
TILEWRIGHT_CONSTEXPR void read_tiler(type_tag<T>, value_writer& out) {
  int const at = out.leaves;
  read_shape(type_tag<T>{}, out);
  if (out.leaves > at) out.set_stride(at, constant_leaf(1));
}
template <class S, class D>
TILEWRIGHT_CONSTEXPR void read_tiler(type_tag<Layout<S, D>>, value_writer& out) {
  out.add_node(layout_node);
  read_layout(type_tag<Layout<S, D>>{}, out);
}
template <class... T>
TILEWRIGHT_CONSTEXPR void read_tiler(type_tag<tuple<T...>>, value_writer& out) {
  out.add_node(static_cast<node_kind>(sizeof...(T)));
  (read_tiler(type_tag<T>{}, out), ...);
}

template <class T>
struct converter {
  static TILEWRIGHT_CONSTEXPR void read(value_writer& out) { read_shape(type_tag<T>{}, out); }
};
template <class S, class D>
struct converter<Layout<S, D>> {
  static TILEWRIGHT_CONSTEXPR void read(value_writer& out) { read_layout(type_tag<Layout<S, D>>{}, out); }
};
template <class T>
struct converter<as_tiler<T>> {
  static TILEWRIGHT_CONSTEXPR void read(value_writer& out) { read_tiler(type_tag<T>{}, out); }
};
template <class Value>
TILEWRIGHT_CONSTEXPR Value written(void (*read)(value_writer&)) {
  Value out{};
  value_writer w{out.tree.shape,   out.tree.stride,  out.tree.profile, out.facts,
                 Value::leaf_room, Value::node_room, Value::input_room};
  read(w);
  out.tree.leaves = w.leaves;
  out.tree.nodes = w.nodes;
  out.inputs = w.inputs;
  out.surplus_strides = w.surplus_strides;
  out.fault = w.fault;
  return out;
}
template <class T>
inline constexpr auto value_of =
    written<typed_value<stored_room(node_bound<T>), stored_room(input_count<T> + 1)>>(converter<T>::read);

}  // namespace lift
}  // namespace tilewright
