// The public door of the value face: how an operation of the algebra becomes a function on plain values. Operands are
// checked once (well-formed, constant, extents not negative), the operation runs on an arithmetic of its own, and the
// first error of either becomes the result's error. Constant evaluation and run time take the same path.
#pragma once

#include "tilewright/base/config.hpp"

#include <initializer_list>

#include "tilewright/layout/layout_value.hpp"

namespace tilewright {

/// A slice and the offset at which it starts.
struct sliced_value {
  layout_value layout{};
  long long offset = 0;
};

namespace detail {

/// What an operand may hold: extents >= 0 at every leaf; any integers; integers and `_`; a tiler's entries.
enum class role { layout, tuple, coordinate, tiler };

struct operand {
  role kind;
  int_tree const* tree;
};

constexpr operand a_layout(int_tree const& t) { return {role::layout, &t}; }
constexpr operand a_tuple(int_tree const& t) { return {role::tuple, &t}; }
constexpr operand a_stride(int_tree const& t) { return {role::tuple, &t}; }
constexpr operand a_coordinate(int_tree const& t) { return {role::coordinate, &t}; }
constexpr operand a_tiler(tiler_value const& t) { return {role::tiler, &t.tree}; }

/// error: too_many_leaves, not_congruent (the profile's arrays contradict one another), kept_mode, not_static,
///        bad_extent, overflow
/// cost: O(nodes)
constexpr void check(arithmetic& c, operand const& x) {
  int_tree const& t = *x.tree;
  (void)checked(c, t);
  if (c.failed()) return;
  subtree const whole = t.at(0, 0);
  if (whole.node_end != t.nodes || whole.leaf_end != t.leaves)
    return c.fail(errc::not_congruent, whole.leaf_end, t.leaves);
  for (int i = 0; i < t.nodes; ++i) {
    bool const kept = t.profile[i] == kept_node, layout = t.profile[i] == layout_node;
    bool const wrong =
        (kept && x.kind != role::coordinate && x.kind != role::tiler) || (layout && x.kind != role::tiler);
    if (wrong || t.profile[i] < layout_node) return c.fail(errc::kept_mode, i, t.nodes);
  }
  bool const extents = x.kind == role::layout || x.kind == role::tiler;
  for (int i = 0; i < t.leaves; ++i) {
    leaf const s = t.shape[i], d = t.stride[i];
    if (!s.is_static() || !d.is_static() || !s.basis().empty()) return c.fail(errc::not_static, i, t.leaves);
    if (extents && s.number < 0) return c.fail(errc::bad_extent, s.number, 0);
    if (s.number == int64_min || d.number == int64_min) return c.fail(errc::overflow, int64_min, 0);
  }
}

/// f(arithmetic&) as a result<T>; T is what f returns where it is not named.
template <class T = void, class F>
constexpr auto evaluate(std::initializer_list<operand> operands, F const& f) {
  arithmetic c{};
  using value_type = std::conditional_t<std::is_void_v<T>, decltype(f(c)), T>;
  using answer = result<value_type>;
  for (operand const& x : operands) check(c, x);
  if (c.failed()) return answer(c.error);
  auto const value = f(c);
  return c.failed() ? answer(c.error) : answer(value_type(value));
}

/// Every integer of a coordinate must be in [0, size of the mode it indexes).
constexpr void check_range(arithmetic& c, int_tree const& x, subtree w, int_tree const& a, subtree u) {
  if (x.is_kept(w) || c.failed()) return;
  if (x.is_leaf(w)) {
    leaf const extent = algebra::size(c, a, u);
    long long const at = x.shape[w.leaf].number;
    if (at < 0 || at >= extent.number) c.fail(errc::coordinate_out_of_range, at, extent.number);
    return;
  }
  if (!a.is_tuple(u) || a.rank(u) != x.rank(w)) return c.fail(errc::rank_mismatch, a.rank(u), x.rank(w));
  subtree p = x.first_mode(w), q = a.first_mode(u);
  for (int i = 0; i < a.rank(u); ++i, p = x.next(p), q = a.next(q)) check_range(c, x, p, a, q);
}

/// The one number of an offset.
constexpr long long only_number(arithmetic& c, int_tree const& offset) {
  if (offset.nodes != 1) c.fail(errc::basis_mismatch, 0, offset.nodes);
  return c.failed() ? 0 : offset.shape[0].number;
}

}  // namespace detail

}  // namespace tilewright
