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

/// A type as a value: its tree, and what its run-time leaves are. Their ids count from 0.
struct typed_value {
  int_tree tree{};
  int inputs = 0;
  int surplus_strides = 0;  // of a layout type whose strides do not match its extents
  error fault{};            // of a type that has no value
  input_fact facts[2 * int_tree::leaf_capacity]{};

  TILEWRIGHT_CONSTEXPR leaf next_input(input_fact fact) {
    if (inputs < 2 * int_tree::leaf_capacity) facts[inputs] = fact;
    return dynamic_leaf(inputs++, fact.type);
  }
};

/// Marks an argument that is read as a tiler: integers n mean n:1, layouts keep their strides.
template <class T>
struct as_tiler {};

/// The error of a basis element that names no mode.
template <int... I>
TILEWRIGHT_CONSTEXPR error fault_of_basis() {
  if (sizeof...(I) > basis_path::max_depth) return {errc::basis_depth, sizeof...(I), basis_path::max_depth};
  error out{};
  ((I < 0 || I > basis_path::max_index ? void(out = {errc::basis_depth, I, basis_path::max_index}) : void()), ...);
  return out;
}

template <auto v>
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<C<v>>, typed_value&) {
  return constant_leaf(static_cast<long long>(v));
}
template <int N>
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<unnamed<N>>, typed_value&) {
  return constant_leaf(N);
}
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<invalid_layout>, typed_value&) { return constant_leaf(1); }
template <class T>
requires std::is_integral_v<T> TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<T>, typed_value& out) {
  return out.next_input({detail::number_type_of<T>, 1});
}
template <int D, class T>
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<multiple<D, T>>, typed_value& out) {
  return out.next_input({detail::number_type_of<T>, D});
}
template <class T, int... I>
TILEWRIGHT_CONSTEXPR leaf read_leaf(type_tag<ScaledBasis<T, I...>>, typed_value& out) {
  basis_path path{};
  constexpr error fault = fault_of_basis<I...>();
  if constexpr (fault.code == errc::ok) ((path = path.then(I)), ...);
  else out.fault = fault;
  leaf const scale = read_leaf(type_tag<T>{}, out);
  return scale.is(0) ? scale : with_basis(scale, path);
}

template <class... T>
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<ArithmeticTuple<T...>>, typed_value& out);
template <class T>
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<T>, typed_value& out) {
  out.tree.add_leaf(read_leaf(type_tag<T>{}, out));
}
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<Underscore>, typed_value& out) { out.tree.add_kept(); }
template <class... T>
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<tuple<T...>>, typed_value& out) {
  out.tree.open(static_cast<int>(sizeof...(T)));
  (read_shape(type_tag<T>{}, out), ...);
}
template <class... T>
TILEWRIGHT_CONSTEXPR void read_shape(type_tag<ArithmeticTuple<T...>>, typed_value& out) {
  read_shape(type_tag<tuple<T...>>{}, out);
}

template <class T>
TILEWRIGHT_CONSTEXPR void read_stride(type_tag<T>, typed_value& out, int& at) {
  leaf const d = read_leaf(type_tag<T>{}, out);
  if (at < int_tree::leaf_capacity) out.tree.stride[at] = d;
  ++at;
}
template <class... T>
TILEWRIGHT_CONSTEXPR void read_stride(type_tag<tuple<T...>>, typed_value& out, int& at) {
  (read_stride(type_tag<T>{}, out, at), ...);
}

template <class S, class D>
TILEWRIGHT_CONSTEXPR void read_layout(type_tag<Layout<S, D>>, typed_value& out) {
  int at = out.tree.leaves;
  read_shape(type_tag<S>{}, out);
  read_stride(type_tag<D>{}, out, at);
  if (at != out.tree.leaves) out.surplus_strides = at - out.tree.leaves;
}

template <class T>
TILEWRIGHT_CONSTEXPR void read_tiler(type_tag<T>, typed_value& out) {
  int const at = out.tree.leaves;
  read_shape(type_tag<T>{}, out);
  if (out.tree.leaves > at && at < int_tree::leaf_capacity) out.tree.stride[at] = constant_leaf(1);
}
template <class S, class D>
TILEWRIGHT_CONSTEXPR void read_tiler(type_tag<Layout<S, D>>, typed_value& out) {
  out.tree.add_layout_marker();
  read_layout(type_tag<Layout<S, D>>{}, out);
}
template <class... T>
TILEWRIGHT_CONSTEXPR void read_tiler(type_tag<tuple<T...>>, typed_value& out) {
  out.tree.open(static_cast<int>(sizeof...(T)));
  (read_tiler(type_tag<T>{}, out), ...);
}

template <class T>
struct converter {
  static TILEWRIGHT_CONSTEXPR typed_value make() {
    typed_value out{};
    read_shape(type_tag<T>{}, out);
    return out;
  }
};
template <class S, class D>
struct converter<Layout<S, D>> {
  static TILEWRIGHT_CONSTEXPR typed_value make() {
    typed_value out{};
    read_layout(type_tag<Layout<S, D>>{}, out);
    return out;
  }
};
template <class T>
struct converter<as_tiler<T>> {
  static TILEWRIGHT_CONSTEXPR typed_value make() {
    typed_value out{};
    read_tiler(type_tag<T>{}, out);
    return out;
  }
};
template <class T>
inline constexpr typed_value value_of = converter<T>::make();

}  // namespace lift
}  // namespace tilewright
