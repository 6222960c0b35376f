// Composition R = A ∘ B, R(c) == A(B(c)): the layout that visits A in B's order. Partitioning, tiling and reshaping are
// all compositions. Each mode of B is a walk of constant step through A's coalesced modes; it is composable when that
// walk is again described by extents and strides, and refused otherwise: no wrong layout comes out.
#pragma once

#include "tilewright/algebra/coalesce.hpp"

namespace tilewright::algebra {

/// May the right-hand side reach beyond the last mode of the left (divisions do, for tiles that overhang)?
enum class reach { inside, beyond };

/// The offset of index x in a mode list, the last mode unbounded.  pre: static.
constexpr long long offset_of(mode_list const& f, long long x) {
  long long offset = 0;
  for (int i = 0; i < f.count; ++i) {
    bool const last = i + 1 == f.count;
    long long const digit = last ? x : x % f.shape[i].number;
    offset += digit * f.stride[i].number;
    if (!last) x /= f.shape[i].number;
  }
  return offset;
}

constexpr bool is_plain_and_static(mode_list const& f) {
  for (int i = 0; i < f.count; ++i)
    if (!f.shape[i].is_static() || f.shape[i].number <= 0 || !f.stride[i].is_static() || !f.stride[i].basis().empty())
      return false;
  return true;
}

/// Finds extents and strides for i -> A(i * step), i < extent, by looking at every value; decides the walks that the
/// rule of divisibility refuses although they are layouts, such as the diagonal 4:5 of (4,4):(1,8).
/// post: false when there are none, or the extent exceeds `fit_limit`.
/// cost: O(extent * modes(A))
inline constexpr long long fit_limit = 1024;

constexpr bool fit_walk(mode_list const& f, long long extent, long long step, mode_list& out) {
  if (!is_plain_and_static(f) || extent > fit_limit || extent < 1 || step < 1) return false;
  out = {};
  for (long long done = 1; done < extent;) {
    long long const stride = offset_of(f, done * step);
    long long run = 1;
    while (done * run < extent && offset_of(f, done * run * step) == stride * run) ++run;
    while ((extent / done) % run != 0) --run;  // extents multiply up to the whole
    if (run == 1 || out.count == int_tree::leaf_capacity) return false;
    out.push(constant_leaf(run), constant_leaf(stride));
    done *= run;
    if (extent % done != 0) return false;
  }
  if (out.count == 0) out.push(constant_leaf(1), constant_leaf(0));
  for (long long i = 0; i < extent; ++i) {
    long long rest = i, offset = 0;
    for (int k = 0; k < out.count; ++k) {
      offset += rest % out.shape[k].number * out.stride[k].number;
      rest /= out.shape[k].number;
    }
    if (offset != offset_of(f, i * step)) return false;
  }
  return true;
}

/// One mode of B, extent:step, walked through A's modes by the rule of divisibility.
/// post: the modes of A ∘ (extent:step); an error in `c` when the walk does not divide.
constexpr mode_list walk(arithmetic& c, mode_list const& f, leaf extent, leaf step) {
  mode_list out{};
  for (int i = 0; i + 1 < f.count && !c.failed(); ++i) {
    leaf const have = f.shape[i];
    bool const constants = have.is_static() && step.is_static();
    long long const size = math::abs(step.number);
    bool inside = false;  // the whole walk stays in this mode, whether or not its step divides the extent
    if (constants && have.number > 0 && step.number != 0) {
      long long span = 0;
      inside = extent.is_static() && math::multiply(extent.number - 1, size, span) && span < have.number;
      if (!inside && have.number % size != 0 && size % have.number != 0) {
        c.fail(errc::stride_does_not_divide, step.number, have.number);
        return out;
      }
    }
    leaf const magnitude = c.abs(step);
    leaf const room = c.ceil_div(have, magnitude);
    leaf const next_step = c.mul(c.ceil_div(magnitude, have), c.sign(step));
    if (!room.is(1) && !extent.is(1)) {
      leaf const taken = inside ? extent : c.min(room, extent);
      if (taken.is_static() && extent.is_static() && (taken.number == 0 || extent.number % taken.number != 0)) {
        c.fail(errc::shape_does_not_divide, extent.number, taken.number);
        return out;
      }
      if (!taken.is_static() || !extent.is_static()) c.require_divides(taken, extent, errc::shape_does_not_divide);
      out.push(taken, c.mul(step, f.stride[i]));
      extent = c.div(extent, taken);
    }
    step = next_step;
  }
  if (out.count == 0 || !extent.is(1)) {
    if (out.count == int_tree::leaf_capacity)
      c.fail(errc::too_many_leaves, out.count + 1, int_tree::leaf_capacity);
    else
      out.push(extent, c.mul(step, f.stride[f.count - 1]));
  }
  return out;
}

/// A ∘ (extent:step) as modes, by divisibility first and by looking at each value where that refuses.
constexpr mode_list compose_mode(arithmetic& c, mode_list const& f, leaf extent, leaf step) {
  mode_list out{};
  if (step.is(0)) {
    out.push(extent, step);
    return out;
  }
  if (f.count == 1) {
    out.push(extent, c.mul(step, f.stride[0]));
    return out;
  }
  if (!extent.is_static() || !step.is_static()) return walk(c, f, extent, step);
  error const before = c.error;
  out = walk(c, f, extent, step);
  if (!before && c.failed() && fit_walk(f, extent.number, step.number, out)) c.error = {};
  return out;
}

/// Appends A' ∘ B' for subtrees A' of a and B' of b, with B's profile refined where a mode splits.
constexpr void compose_into(arithmetic& c, layout_value& out, layout_value const& a, subtree u, int_tree const& b,
                            subtree w, reach r) {
  mode_list const f = coalesced(c, a, u, true);
  leaf const domain = size(c, a, u), span = cosize(c, b, w);
  bool const measured = domain.is_static() && span.is_static() && !c.failed();
  if (r == reach::inside && measured && span.number > domain.number && size(c, b, w).number > 0) {
    c.fail(errc::out_of_domain, span.number, domain.number);
    return;
  }
  int at = w.leaf;
  for (int i = w.node; i < w.node_end && !c.failed(); ++i) {
    if (b.profile[i] >= 0) {
      out.open(b.profile[i]);
      continue;
    }
    leaf const extent = b.shape[at], step = b.stride[at];
    ++at;
    if (!step.basis().empty()) {  // a step along a basis element walks the mode that the element names
      subtree m = u;
      for (basis_path p = step.basis(); !p.empty(); p = p.rest()) {
        if (p.index(0) >= a.rank(m)) {
          c.fail(errc::basis_mismatch, p.index(0), a.rank(m));
          return;
        }
        m = a.mode(m, p.index(0));
      }
      out.add(to_layout(compose_mode(c, coalesced(c, a, m, true), extent, without_basis(step))));
      continue;
    }
    out.add(to_layout(compose_mode(c, f, extent, step)));
  }
}

/// R = A ∘ B.
/// pre:  B's image lies in A's domain, and each mode of B walks A so that the walk is a layout again
/// post: R(i) == A(B(i)) for every i in [0, size(B)); R's profile refines B's
/// error: out_of_domain, stride_does_not_divide, shape_does_not_divide, basis_mismatch
/// cost: O(leaves(A) * leaves(B)), no allocation; a mode that does not divide costs O(extent) more
constexpr layout_value composition(arithmetic& c, layout_value const& a, layout_value const& b,
                                   reach r = reach::inside) {
  layout_value out{};
  compose_into(c, out, a, a.root(), b, b.root(), r);
  return checked(c, out);
}

/// Composition by a tiler: a layout composes the whole, an integer n is n:1, `_` keeps, a tuple goes mode by mode and
/// drops the modes of A beyond its rank.
constexpr void compose_by_tiler(arithmetic& c, layout_value& out, layout_value const& a, subtree u, int_tree const& t,
                                subtree w, reach r) {
  if (t.is_kept(w)) return out.add(a, u);
  if (t.is_layout(w)) return compose_into(c, out, a, u, t, t.behind_marker(w), r);
  if (t.is_leaf(w)) return compose_into(c, out, a, u, t, w, r);
  int const rank = t.rank(w);
  if (rank > a.rank(u)) return c.fail(errc::rank_mismatch, a.rank(u), rank);
  out.open(rank);
  subtree m = a.first_mode(u), g = t.first_mode(w);
  for (int i = 0; i < rank; ++i, m = a.next(m), g = t.next(g)) compose_by_tiler(c, out, a, m, t, g, r);
}

constexpr layout_value composition_by_tiler(arithmetic& c, layout_value const& a, int_tree const& tiler) {
  layout_value out{};
  compose_by_tiler(c, out, a, a.root(), tiler, tiler.root(), reach::inside);
  return checked(c, out);
}

/// The layout seen with another shape of the same size, first mode fastest.
constexpr layout_value with_shape(arithmetic& c, layout_value const& a, int_tree const& shape) {
  return composition(c, a, compact_left(c, shape));
}

}  // namespace tilewright::algebra
