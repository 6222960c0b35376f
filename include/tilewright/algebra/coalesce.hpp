// Coalescing: fewer modes, the same function. Neighbours merge when the second goes on where the first ends; extents of
// 1 vanish. Filtering first replaces stride-0 modes by extents of 1.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/layout/layout_tree.hpp"

namespace tilewright::algebra {

/// A flat list of modes, first fastest.  pre: no more modes than an int_tree has leaves, who pushes sees to it
struct mode_list {
  int count = 0;
  leaf shape[int_tree::leaf_capacity]{};
  leaf stride[int_tree::leaf_capacity]{};

  TILEWRIGHT_CONSTEXPR void push(leaf s, leaf d) {
    shape[count] = s;
    stride[count++] = d;
  }
};

/// A scalar for one mode, a flat tuple for several.
TILEWRIGHT_CONSTEXPR int_tree to_layout(mode_list const& modes) {
  int_tree out{};
  if (modes.count != 1) out.open(modes.count);
  for (int i = 0; i < modes.count; ++i) out.add_leaf(modes.shape[i], modes.stride[i]);
  return out;
}

/// Does mode (s2, d2) go on where (s1, d1) ends?  Known for constants only.
TILEWRIGHT_CONSTEXPR bool continues(leaf s1, leaf d1, leaf d2) {
  if (!d1.is_static() || !d2.is_static() || !(d1.basis() == d2.basis())) return false;
  if (d1.number == 0 && d2.number == 0) return true;
  long long next = 0;
  return s1.is_static() && math::multiply(s1.number, d1.number, next) && next == d2.number;
}

/// post: size and function as before, R(i) == A(i) for every index i; flat, no extent 1, no two modes that merge;
///       1:0 for a single element.
/// cost: O(leaves), no allocation.
/// `keep_last` counts a last extent of 1 as an open end (extent 2): composition steps past it with its stride.
TILEWRIGHT_CONSTEXPR mode_list coalesced(arithmetic& c, int_tree const& a, subtree u, bool keep_last = false) {
  mode_list reversed{};
  for (int i = u.leaf_end - 1; i >= u.leaf; --i) {
    leaf const s = a.shape[i], d = a.stride[i];
    if (reversed.count == 0) {
      reversed.push(keep_last && s.is(1) ? constant_leaf(2) : s, d);
      continue;
    }
    if (s.is(1)) continue;
    int const top = reversed.count - 1;
    if (reversed.shape[top].is(1)) {  // only the last extent can still be 1: it vanishes
      reversed.shape[top] = s;
      reversed.stride[top] = d;
      continue;
    }
    if (reversed.shape[top].is_static() && continues(s, d, reversed.stride[top])) {
      reversed.shape[top] = c.mul(s, reversed.shape[top]);
      reversed.stride[top] = d;
      continue;
    }
    reversed.push(s, d);
  }
  mode_list out{};
  for (int i = reversed.count - 1; i >= 0; --i) out.push(reversed.shape[i], reversed.stride[i]);
  if (out.count == 0) out.push(constant_leaf(1), constant_leaf(0));
  if (out.count == 1 && out.shape[0].is(1)) out.stride[0] = constant_leaf(0);
  return out;
}

TILEWRIGHT_CONSTEXPR int_tree coalesce(arithmetic& c, int_tree const& a, subtree u) {
  return to_layout(coalesced(c, a, u));
}
TILEWRIGHT_CONSTEXPR int_tree coalesce(arithmetic& c, int_tree const& a) { return coalesce(c, a, a.root()); }

/// Coalesces below the leaves of a profile, so that the modes the profile names survive.
/// pre: rank of each node of the profile <= rank of the layout's node; modes beyond stay as they are.
TILEWRIGHT_CONSTEXPR void coalesce_by_profile(arithmetic& c, int_tree& out, int_tree const& a, subtree u,
                                              int_tree const& profile, subtree w) {
  if (!profile.is_tuple(w)) {
    out.add(coalesce(c, a, u));
    return;
  }
  int const rank = a.rank(u), guided = profile.rank(w);
  if (guided > rank) {
    c.fail(errc::rank_mismatch, rank, guided);
    return;
  }
  out.open(rank);
  subtree m = a.first_mode(u), g = profile.first_mode(w);
  for (int i = 0; i < rank; ++i, m = a.next(m)) {
    if (i < guided) {
      coalesce_by_profile(c, out, a, m, profile, g);
      g = profile.next(g);
    } else {
      out.add(a, m);
    }
  }
}

TILEWRIGHT_CONSTEXPR int_tree coalesce(arithmetic& c, int_tree const& a, int_tree const& profile) {
  int_tree out{};
  coalesce_by_profile(c, out, a, a.root(), profile, profile.root());
  return checked(c, out);
}

/// post: each mode coalesced on its own; a layout of one mode is that mode.
TILEWRIGHT_CONSTEXPR int_tree coalesce_each(arithmetic& c, int_tree const& a) {
  if (a.rank() == 1) return coalesce(c, a);
  int_tree out{};
  out.open(a.rank());
  subtree m = a.first_mode(a.root());
  for (int i = 0; i < a.rank(); ++i, m = a.next(m)) out.add(coalesce(c, a, m));
  return checked(c, out);
}

/// post: extents of stride-0 leaves are 1: the same image, no element twice on their account.
TILEWRIGHT_CONSTEXPR int_tree filter_zeros(arithmetic const&, int_tree a) {
  for (int i = 0; i < a.leaves; ++i)
    if (a.stride[i].is(0)) a.shape[i] = constant_leaf(1);
  return a;
}

/// post: coalesced, without stride 0: same image, fewest modes.
TILEWRIGHT_CONSTEXPR int_tree filter(arithmetic& c, int_tree const& a) { return coalesce(c, filter_zeros(c, a)); }

}  // namespace tilewright::algebra
