// Inverses. The right inverse finds, for offsets 0, 1, 2, … as far as they are contiguous, the index that holds them;
// the left inverse undoes an injective layout; the nullspace collects the modes that do not move the offset. The
// contiguous vector that two layouts have in common, which decides how wide a copy may be, follows from them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/composition.hpp"

namespace tilewright::algebra {

/// Indices of a list's static plain strides in ascending order, ties in place.
struct stride_order {
  int count = 0;
  int index[int_tree::leaf_capacity]{};
};

TILEWRIGHT_CONSTEXPR stride_order ascending(mode_list const& f) {
  stride_order order{};
  for (int i = 0; i < f.count; ++i) {
    if (!f.stride[i].is_static() || !f.stride[i].basis().empty()) continue;
    int at = order.count++;
    for (; at > 0 && f.stride[order.index[at - 1]].number > f.stride[i].number; --at)
      order.index[at] = order.index[at - 1];
    order.index[at] = i;
  }
  return order;
}

/// The column-major position of each mode: products of the extents before it.
TILEWRIGHT_CONSTEXPR mode_list with_positions(arithmetic& c, mode_list const& f) {
  mode_list out{};
  leaf position = constant_leaf(1);
  for (int i = 0; i < f.count; ++i) {
    out.push(f.shape[i], position);
    position = c.mul(position, f.shape[i]);
  }
  return out;
}

/// post: A(R(i)) == i for every i in [0, size(R)); R is the longest such run from 0 that A's modes give; at least 1:0
/// cost: O(leaves^2)
TILEWRIGHT_CONSTEXPR int_tree right_inverse(arithmetic& c, int_tree const& a, subtree u) {
  mode_list const f = coalesced(c, a, u), position = with_positions(c, f);
  stride_order const order = ascending(f);
  mode_list out{};
  leaf next = constant_leaf(1);
  for (int q = 0; q < order.count; ++q) {
    int const i = order.index[q];
    if (next.is_static() && next.number == f.stride[i].number) {
      out.push(f.shape[i], position.stride[i]);
      next = c.mul(f.shape[i], f.stride[i]);
    }
  }
  if (out.count == 0) out.push(constant_leaf(1), constant_leaf(0));
  return coalesce(c, to_layout(out));
}
TILEWRIGHT_CONSTEXPR int_tree right_inverse(arithmetic& c, int_tree const& a) { return right_inverse(c, a, a.root()); }

/// What a left inverse undoes: every coordinate, or every offset to one coordinate that has it (modes of stride 0 then
/// stay at 0, and one mode alone may have a negative stride).
enum class undone { coordinates, offsets };

/// post: L(A(i)) == i for every i in [0, size(A)); for undone::offsets A(L(A(i))) == A(i)
/// pre:  A injective, with static, non-negative strides, each a multiple of the smaller ones
/// error: no_left_inverse, stride_is_dynamic, negative_stride
/// cost: O(leaves^2)
TILEWRIGHT_CONSTEXPR int_tree left_inverse(arithmetic& c, int_tree const& a, undone what = undone::coordinates) {
  mode_list const f = coalesced(c, a, a.root()), position = with_positions(c, f);
  stride_order const order = ascending(f);
  if (order.count < f.count) {
    c.fail(errc::stride_is_dynamic, order.count, f.count);
    return leaf_tree(constant_leaf(1));
  }
  mode_list out{};
  leaf span = constant_leaf(1), below = constant_leaf(1), step = constant_leaf(0);
  if (what == undone::offsets && f.count == 1 && f.stride[0].number <= 0) {
    long long const d = -f.stride[0].number;
    if (d == 0) return leaf_tree(f.shape[0], constant_leaf(0));
    if (d > 1) out.push(constant_leaf(d), constant_leaf(0));
    out.push(f.shape[0], constant_leaf(-1));
    return to_layout(out);
  }
  for (int q = 0; q < f.count; ++q) {
    int const i = order.index[q];
    long long const d = f.stride[i].number;
    if (d < 0) {
      c.fail(errc::negative_stride, d, f.shape[i].number);
      break;
    }
    if (d == 0 && (f.shape[i].is(1) || what == undone::offsets)) continue;
    bool const divides = d != 0 && span.is_static() && span.number != 0 && d % span.number == 0;
    if (!divides) {
      c.fail(errc::no_left_inverse, d, span.is_static() ? span.number : 0);
      break;
    }
    leaf const gap = c.div(f.stride[i], span);
    // The extent of the mode below must fit into the gap, or two of its elements would share an offset.
    c.require_at_most(below, gap, errc::no_left_inverse);
    if (c.failed() || out.count + 1 >= int_tree::leaf_capacity) {
      c.fail(errc::too_many_leaves, out.count + 2, int_tree::leaf_capacity);
      break;
    }
    out.push(gap, step);
    span = c.mul(span, gap);
    below = f.shape[i];
    step = position.stride[i];
  }
  if (c.failed()) return leaf_tree(constant_leaf(1));
  out.push(below, step);
  return coalesce(c, to_layout(out));
}

/// post: A(N(i)) == 0 for every i; N visits every index at which only stride-0 modes differ from 0.
TILEWRIGHT_CONSTEXPR int_tree nullspace(arithmetic& c, int_tree const& a) {
  mode_list all{};
  for (int i = 0; i < a.leaves; ++i) all.push(a.shape[i], a.stride[i]);
  mode_list const position = with_positions(c, all);
  mode_list out{};
  for (int i = 0; i < a.leaves; ++i)
    if (a.stride[i].is(0) && !a.shape[i].is(1)) out.push(a.shape[i], position.stride[i]);
  if (out.count == 0) out.push(constant_leaf(1), constant_leaf(0));
  return coalesce(c, to_layout(out));
}

/// The longest run of indices V with A(V(i)) == B(V(i)) == i: what both layouts hold contiguously in the same order.
/// post: 1:0 when they share no more than their first element.
/// r:    with reach::apart A goes on beyond its last element: 6:1 and 16:1 share 16:1
/// cost: as composition, once for each mode of B's inverse at most
TILEWRIGHT_CONSTEXPR int_tree max_common_layout(arithmetic& c, int_tree const& a, int_tree const& b,
                                                reach r = reach::inside) {
  int_tree const one = leaf_tree(constant_leaf(1));
  mode_list inverse{};
  {
    int_tree const inv = right_inverse(c, b);
    for (int i = 0; i < inv.leaves; ++i) inverse.push(inv.shape[i], inv.stride[i]);
  }
  for (; inverse.count > 0 && !c.failed(); --inverse.count) {  // a shorter run when A cannot follow the whole
    int_tree const candidate = to_layout(inverse);
    int const size_before = c.size, obligations_before = c.obligations;
    int_tree const common = coalesce(c, composition(c, a, candidate, r));
    bool const failed = c.failed();
    subtree const first = failed ? subtree{} : common.first_mode(common.root());
    bool const shares = !failed && common.shape[first.leaf].is_static() && common.stride[first.leaf].is(1);
    c.error = {};  // forget the attempt with all that it would have rested on
    c.size = size_before;
    c.obligations = obligations_before;
    if (failed) continue;
    if (!shares) return one;
    int_tree const run = composition(c, candidate, copy_of(common, first));
    composition(c, a, run, r);  // what the run rests on
    return run;
  }
  return one;
}

TILEWRIGHT_CONSTEXPR leaf max_common_vector(arithmetic& c, int_tree const& a, int_tree const& b,
                                            reach r = reach::inside) {
  return size(c, max_common_layout(c, a, b, r));
}

}  // namespace tilewright::algebra
