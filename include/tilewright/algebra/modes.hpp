// Rearranging modes without touching the function they describe piece by piece: select, take, group, append, prepend,
// replace, flatten, unflatten; and slicing, which fixes some modes and keeps the others.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/layout/layout_tree.hpp"

namespace tilewright::algebra {

/// pre: begin <= end <= rank; post: the modes [begin, end) as a tuple.
TILEWRIGHT_CONSTEXPR int_tree take(arithmetic& c, int_tree const& a, int begin, int end) {
  if (begin < 0 || begin > end || end > a.rank()) {
    c.fail(errc::mode_out_of_range, begin < 0 || begin > end ? begin : end, a.rank());
    return a;
  }
  int_tree out{};
  out.open(end - begin);
  for (int i = begin; i < end; ++i) out.add(a, a.mode(i));
  return out;
}

/// post: the named modes, in that order, perhaps repeated, as a tuple.
TILEWRIGHT_CONSTEXPR int_tree select(arithmetic& c, int_tree const& a, int const* modes, int count) {
  int_tree out{};
  out.open(count);
  for (int i = 0; i < count; ++i) {
    if (modes[i] < 0 || modes[i] >= a.rank()) {
      c.fail(errc::mode_out_of_range, modes[i], a.rank());
      return a;
    }
    out.add(a, a.mode(modes[i]));
  }
  return checked(c, out);
}

/// post: modes [begin, end) become one mode that holds them.
TILEWRIGHT_CONSTEXPR int_tree group(arithmetic& c, int_tree const& a, int begin, int end) {
  int const rank = a.rank();
  if (end < 0) end = rank;
  if (begin < 0 || begin > end || end > rank) {
    c.fail(errc::mode_out_of_range, begin < 0 || begin > end ? begin : end, rank);
    return a;
  }
  int_tree out{};
  out.open(rank - (end - begin) + 1);
  for (int i = 0; i <= rank; ++i) {
    if (i == begin) out.open(end - begin);
    if (i < rank) out.add(a, a.mode(i));
  }
  return checked(c, out);
}

/// post: modes of a, then b as one more mode.
TILEWRIGHT_CONSTEXPR int_tree append(arithmetic& c, int_tree const& a, int_tree const& b) {
  int_tree out{};
  out.open(a.rank() + 1);
  for (int i = 0; i < a.rank(); ++i) out.add(a, a.mode(i));
  out.add(b);
  return checked(c, out);
}

/// post: b as one mode, then the modes of a.
TILEWRIGHT_CONSTEXPR int_tree prepend(arithmetic& c, int_tree const& a, int_tree const& b) {
  int_tree out{};
  out.open(a.rank() + 1);
  out.add(b);
  for (int i = 0; i < a.rank(); ++i) out.add(a, a.mode(i));
  return checked(c, out);
}

TILEWRIGHT_CONSTEXPR int_tree replace(arithmetic& c, int_tree const& a, int mode, int_tree const& b) {
  if (mode < 0 || mode >= a.rank()) {
    c.fail(errc::mode_out_of_range, mode, a.rank());
    return a;
  }
  if (!a.is_tuple(a.root())) return b;
  int_tree out{};
  out.open(a.rank());
  for (int i = 0; i < a.rank(); ++i) {
    if (i == mode) out.add(b);
    else out.add(a, a.mode(i));
  }
  return checked(c, out);
}

/// post: all leaves in one flat tuple; a leaf stays a leaf.
TILEWRIGHT_CONSTEXPR int_tree flatten(int_tree const& a) {
  if (!a.is_tuple(a.root())) return a;
  int_tree out{};
  out.open(a.leaves);
  for (int i = 0; i < a.leaves; ++i) out.add_leaf(a.shape[i], a.stride[i]);
  return out;
}

/// post: the leaves of a in the profile's nesting;  pre: as many leaves.
TILEWRIGHT_CONSTEXPR int_tree unflatten(arithmetic& c, int_tree const& a, int_tree const& profile) {
  if (a.leaves != profile.leaves) {
    c.fail(errc::not_congruent, a.leaves, profile.leaves);
    return a;
  }
  int_tree out = profile;
  for (int i = 0; i < a.leaves; ++i) {
    out.shape[i] = a.shape[i];
    out.stride[i] = a.stride[i];
  }
  return out;
}

/// Appends the modes that a coordinate keeps (slice: where it has `_`) or fixes (dice: where it has an integer).
/// post: how many modes were appended.
TILEWRIGHT_CONSTEXPR int slice_into(arithmetic& c, int_tree& out, int_tree const& x, subtree w, int_tree const& a,
                                    subtree u, bool keep) {
  if (!x.is_tuple(w)) {
    if (x.is_kept(w) != keep) return 0;
    out.add(a, u);
    return 1;
  }
  if (!a.is_tuple(u) || a.rank(u) != x.rank(w)) {
    c.fail(errc::rank_mismatch, a.rank(u), x.rank(w));
    return 0;
  }
  int kept = 0;
  subtree p = x.first_mode(w), q = a.first_mode(u);
  for (int i = 0; i < a.rank(u) && !c.failed(); ++i, p = x.next(p), q = a.next(q))
    kept += slice_into(c, out, x, p, a, q, keep);
  return kept;
}

TILEWRIGHT_CONSTEXPR int_tree slice_or_dice(arithmetic& c, int_tree const& x, int_tree const& a, bool keep) {
  if (!x.is_tuple(x.root()) && x.is_kept(x.root()) == keep) return a;
  int_tree out{};
  int const root = out.open();
  out.set_children(root, slice_into(c, out, x, x.root(), a, a.root(), keep));
  return checked(c, out);
}

/// The modes at `_`, as one flat list of modes; `_` alone keeps the whole.
TILEWRIGHT_CONSTEXPR int_tree slice(arithmetic& c, int_tree const& x, int_tree const& a) {
  return slice_or_dice(c, x, a, true);
}
/// The modes at integers.
TILEWRIGHT_CONSTEXPR int_tree dice(arithmetic& c, int_tree const& x, int_tree const& a) {
  return slice_or_dice(c, x, a, false);
}

}  // namespace tilewright::algebra
