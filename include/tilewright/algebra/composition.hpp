// Composition R = A ∘ B, R(c) == A(B(c)): the layout that visits A in B's order. Partitioning, tiling and reshaping are
// all compositions. Each mode of B is a walk of constant step through A's coalesced modes; it is composable when that
// walk is again described by extents and strides, and refused otherwise: no wrong layout comes out.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/walk.hpp"

namespace tilewright::algebra {

/// Compares R's leaves from `first` on with A ∘ B at every index.
/// post: false when they differ, or there are more than `fit_limit` indices
TILEWRIGHT_CONSTEXPR bool adds_up(mode_list const& f, int_tree const& b, subtree w, int_tree const& r, int first) {
  mode_list whole{}, inner{};
  long long count = 1;
  for (int i = w.leaf; i < w.leaf_end; ++i) {
    if (!math::multiply(count, b.shape[i].number, count) || count > fit_limit) return false;
    inner.push(b.shape[i], b.stride[i]);
  }
  for (int i = first; i < r.leaves; ++i) whole.push(r.shape[i], r.stride[i]);
  for (long long i = 0; i < count; ++i) {
    long long x = 0, expected = 0, offset = 0;
    if (!offset_of(inner, i, x) || !offset_of(f, x, expected) || !offset_of(whole, i, offset)) return false;
    if (offset != expected) return false;
  }
  return true;
}

/// Do the walks carry from one mode of A into the next?  post: `reached` and `extent` are those of the mode that may
TILEWRIGHT_CONSTEXPR bool carries_over(arithmetic& c, walked_sum const& sum, mode_list const& f, leaf& reached,
                                       leaf& extent) {
  bool carries = !sum.by_rule || (sum.upwards && sum.downwards);
  for (int i = 0; i + 1 < f.count && !carries; ++i) {
    if (sum.walks[i] < 2) continue;
    reached = sum.reached[i];
    extent = f.shape[i];
    carries = reached.is_static() && extent.is_static() && reached.number > extent.number;
    if (!carries) c.require_at_most(reached, extent, errc::modes_carry);
  }
  return carries;
}

/// Refuses R when the walks carry and do not happen to add up all the same.
TILEWRIGHT_CONSTEXPR void check_sum(arithmetic& c, walked_sum const& sum, mode_list const& f, int_tree const& b,
                                    subtree w, int_tree const& r, int first) {
  leaf reached = constant_leaf(0), extent = constant_leaf(1);
  if (!carries_over(c, sum, f, reached, extent) || c.failed()) return;
  bool known = is_plain_and_static(f) && !r.overflowed();
  for (int i = w.leaf; i < w.leaf_end; ++i) known = known && b.shape[i].is_static() && b.stride[i].is_static();
  if (!known || !adds_up(f, b, w, r, first)) c.fail(errc::modes_carry, reached.number, extent.number);
}

/// The modes of B that walk along one path (no basis, or one basis element), those with steps to make.
TILEWRIGHT_CONSTEXPR int walks_along(int_tree const& b, subtree w, basis_path path) {
  int n = 0;
  for (int i = w.leaf; i < w.leaf_end; ++i)
    n += b.stride[i].basis() == path && !b.stride[i].is(0) && !b.shape[i].is(1) && !b.shape[i].is(0);
  return n;
}

/// The part of A that a basis element names.
TILEWRIGHT_CONSTEXPR subtree along(arithmetic& c, int_tree const& a, subtree u, basis_path path) {
  for (basis_path p = path; !p.empty(); p = p.rest()) {
    if (p.index(0) >= a.rank(u)) {
      c.fail(errc::basis_mismatch, p.index(0), a.rank(u));
      return u;
    }
    u = a.is_tuple(u) ? a.mode(u, p.index(0)) : u;
  }
  return u;
}

/// As check_sum, for the modes of B along one basis element, which is that of leaf `first`; carries are refused.
TILEWRIGHT_CONSTEXPR void check_path(arithmetic& c, int_tree const& a, subtree u, int_tree const& b, subtree w,
                                     int first) {
  basis_path const path = b.stride[first].basis();
  for (int i = w.leaf; i < first; ++i)
    if (b.stride[i].basis() == path) return;
  mode_list const part = coalesced(c, a, along(c, a, u, path), true);
  if (part.count == 1 || walks_along(b, w, path) < 2) return;
  walked_sum sum{};
  for (int i = first; i < w.leaf_end; ++i) {
    leaf const step = without_basis(b.stride[i]);
    if (!(b.stride[i].basis() == path) || b.shape[i].is(1)) continue;
    if (step.is_static()) (step.number < 0 ? sum.downwards : sum.upwards) = true;
    (void)compose_mode(c, part, b.shape[i], step, reach::beyond, &sum);
  }
  leaf reached = constant_leaf(0), extent = constant_leaf(1);
  if (carries_over(c, sum, part, reached, extent)) c.fail(errc::modes_carry, reached.number, extent.number);
}

/// B's image must be in A's domain, along each path.
TILEWRIGHT_CONSTEXPR void check_domain(arithmetic& c, int_tree const& a, subtree u, int_tree const& b, subtree w) {
  for (int i = w.leaf; i < w.leaf_end; ++i)
    if (b.shape[i].is(0)) return;
  if (w.leaves() == 0) c.require_at_most(constant_leaf(1), size(c, a, u), errc::out_of_domain);
  for (int first = w.leaf; first < w.leaf_end && !c.failed(); ++first) {
    basis_path const path = b.stride[first].basis();
    bool seen = false;
    for (int i = w.leaf; i < first; ++i) seen = seen || b.stride[i].basis() == path;
    if (seen) continue;
    leaf span = constant_leaf(1);
    for (int i = first; i < w.leaf_end; ++i) {
      if (!(b.stride[i].basis() == path) || b.stride[i].is(0)) continue;
      span = c.add(span, c.mul(c.sub(b.shape[i], constant_leaf(1)), c.abs(without_basis(b.stride[i]))));
    }
    leaf const domain = size(c, a, along(c, a, u, path));
    if (c.failed()) return;
    c.require_at_most(span, domain, errc::out_of_domain);
  }
}

/// Appends A' ∘ B' for subtrees A' of a and B' of b, with B's profile refined where a mode splits.
TILEWRIGHT_CONSTEXPR void compose_into(arithmetic& c, int_tree& out, int_tree const& a, subtree u, int_tree const& b,
                                       subtree w, reach r) {
  if (r == reach::inside) check_domain(c, a, u, b, w);
  mode_list const f = coalesced(c, a, u, true);
  int const first = out.leaves;
  bool empty = false;  // no coordinate to map: any stride will do
  for (int i = w.leaf; i < w.leaf_end; ++i) empty = empty || b.shape[i].is(0);
  auto const compose_all = [&](walked_sum* sum) {
    int at = w.leaf;
    for (int i = w.node; i < w.node_end && !c.failed(); ++i) {
      if (b.profile[i] >= 0) {
        out.open(b.profile[i]);
        continue;
      }
      leaf const extent = b.shape[at], step = b.stride[at];
      ++at;
      if (empty) {
        out.add_leaf(extent, step);
      } else if (step.basis().empty()) {
        if (sum != nullptr && step.is_static() && !extent.is(1))
          (step.number < 0 ? sum->downwards : sum->upwards) |= step.number != 0;
        out.add(to_layout(compose_mode(c, f, extent, step, r, sum)));
      } else {  // a step along a basis element walks the part of A that the element names
        mode_list const part = coalesced(c, a, along(c, a, u, step.basis()), true);
        out.add(to_layout(compose_mode(c, part, extent, without_basis(step), r)));
        if (r != reach::apart) check_path(c, a, u, b, w, at - 1);
      }
    }
  };
  if (r == reach::apart || f.count == 1 || walks_along(b, w, {}) < 2) return compose_all(nullptr);
  walked_sum sum{};
  compose_all(&sum);
  if (!c.failed()) check_sum(c, sum, f, b, w, out, first);
}

/// R = A ∘ B.
/// pre:  B's image is in A's domain, each mode of B visits A so that the visit is a layout, and the visits add up
/// post: R(i) == A(B(i)) for every i in [0, size(B)), with A(-x) = -A(x); R's profile refines B's
/// error: out_of_domain, stride_does_not_divide, shape_does_not_divide, modes_carry, basis_mismatch
/// cost: O(leaves(A) * leaves(B)), no allocation; what the rule of divisibility does not decide costs O(size(B)) more,
///       and is refused beyond `fit_limit` elements
TILEWRIGHT_CONSTEXPR int_tree composition(arithmetic& c, int_tree const& a, int_tree const& b,
                                          reach r = reach::inside) {
  int_tree out{};
  compose_into(c, out, a, a.root(), b, b.root(), r);
  return checked(c, out);
}

/// make_layout(n): 1:0 for one element, n:1 otherwise.
TILEWRIGHT_CONSTEXPR int_tree vector_of(leaf n) { return leaf_tree(n, constant_leaf(n.is(1) ? 0 : 1)); }

/// Composition by a tiler: a layout composes the whole, an integer n is n:1 (the constant 1 is 1:0 unless modes go apart), `_` keeps,
/// a tuple goes mode by mode and drops the modes of A beyond its rank.
TILEWRIGHT_CONSTEXPR void compose_by_tiler(arithmetic& c, int_tree& out, int_tree const& a, subtree u,
                                           int_tree const& t, subtree w, reach r) {
  if (t.is_kept(w)) return out.add(a, u);
  if (t.is_layout(w)) return compose_into(c, out, a, u, t, t.behind_marker(w), r);
  if (t.is_leaf(w)) {
    leaf const n = t.shape[w.leaf];
    int_tree const run = r == reach::apart ? leaf_tree(n, constant_leaf(1)) : vector_of(n);
    return compose_into(c, out, a, u, run, run.root(), r);
  }
  int const rank = t.rank(w);
  if (rank > a.rank(u)) return c.fail(errc::rank_mismatch, a.rank(u), rank);
  out.open(rank);
  subtree m = a.first_mode(u), g = t.first_mode(w);
  for (int i = 0; i < rank; ++i, m = a.next(m), g = t.next(g)) compose_by_tiler(c, out, a, m, t, g, r);
}

TILEWRIGHT_CONSTEXPR int_tree composition_by_tiler(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                                   reach r = reach::inside) {
  int_tree out{};
  compose_by_tiler(c, out, a, a.root(), tiler, tiler.root(), r);
  return checked(c, out);
}

/// The layout seen with another shape of the same size, first mode fastest.
TILEWRIGHT_CONSTEXPR int_tree with_shape(arithmetic& c, int_tree const& a, int_tree const& shape) {
  return composition(c, a, compact_left(c, shape));
}

}  // namespace tilewright::algebra
