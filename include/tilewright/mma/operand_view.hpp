// The mathematics of tiled matrix operations on values: one operand seen as (thread, value) of atoms that threads and
// repetitions lay over it. Each is one function, so that the typed face runs it once for a combination.
//
// For C of two by two 8 × 8 atoms (8 threads, 8 values) on a tensor of 32 × 32: ((8,(2,2)),(8,(2,2))).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/divide.hpp"
#include "tilewright/algebra/inverse.hpp"

namespace tilewright::algebra {

/// The extent of a tiler's entry; `given` where it is `_`.
TILEWRIGHT_CONSTEXPR leaf extent_of_entry(arithmetic& c, int_tree const& tiler, subtree entry, leaf given) {
  if (tiler.is_kept(entry)) return given;
  return size(c, tiler, tiler.is_layout(entry) ? tiler.behind_marker(entry) : entry);
}

/// The permutation with the extent that the atoms side by side cover in place of `_`: a mode is divided by it all the same, which
/// shows where extents known at run time split it.
TILEWRIGHT_CONSTEXPR int_tree with_extents(arithmetic& c, int_tree const& permutation, int_tree const& atom,
                                           int_tree const& threads) {
  int_tree out{};
  out.open(2);
  for (int i = 0; i < 2; ++i) {
    subtree const entry = permutation.mode(i);
    if (permutation.is_kept(entry)) out.add_leaf(c.mul(atom.shape[i], threads.shape[i]), constant_leaf(1));
    else out.add(permutation, entry);
  }
  return checked(c, out);
}

/// An operand (I, J, rest…) as ((ThrV, (ThrI, ThrJ)), (V, (RestI, RestJ, rest…))).
/// permutation:  a tiler for I and J: the order in which atoms take the coordinates of each, `_` for their own
/// atom:         the atom's extents of I and J;  tv: its map (thread, value) -> i + I * j
/// threads:      the numbers of atoms along I and J
/// taken:  tiles::whole refuses, tiles::beyond goes on beyond the last element
/// error: tiler_does_not_fit where I or J are no whole number of tiles, or a tile no whole number of atoms
TILEWRIGHT_CONSTEXPR int_tree operand_view(arithmetic& c, int_tree const& a, int_tree const& permutation,
                                           int_tree const& atom, int_tree const& tv, int_tree const& threads,
                                           tiles taken = tiles::whole) {
  if (a.rank() < 2) {
    c.fail(errc::rank_mismatch, a.rank(), 2);
    return a;
  }
  for (int i = 0; i < 2 && taken == tiles::whole; ++i) {
    leaf const covered = c.mul(atom.shape[i], threads.shape[i]);
    leaf const tile = extent_of_entry(c, permutation, permutation.mode(i), covered);
    c.require_divides(covered, tile, errc::tiler_does_not_fit);
    c.require_divides(tile, size(c, a, a.mode(i)), errc::tiler_does_not_fit);
  }
  if (c.failed()) return a;
  reach const r = reach_of(taken);
  int_tree const tile = taken == tiles::beyond ? with_extents(c, permutation, atom, threads) : permutation;
  int_tree const permuted = logical_divide(c, a, tile, r);
  if (c.failed()) return a;
  int_tree const atoms = zipped_divide(c, permuted, atom, r);  // ((I, J), (RestI, RestJ, rest…))
  if (c.failed()) return a;
  int_tree const by_thread = composition(c, copy_of(atoms, atoms.mode(0)), tv, r);  // (ThrV, V)
  subtree const rest = atoms.mode(1);
  int_tree parts[2] = {};
  for (int i = 0; i < 2 && !c.failed(); ++i) {
    int_tree const count = vector_of(threads.shape[i]);
    parts[i] = divide_within(c, atoms, atoms.mode(rest, i), count, count.root(), r);  // (Thr, Rest)
  }
  if (c.failed()) return a;
  int_tree out{};
  out.open(2);
  for (int side = 0; side < 2; ++side) {
    out.open(2);
    out.add(by_thread, by_thread.mode(side));
    out.open(side == 0 ? 2 : atoms.rank(rest));
    for (int i = 0; i < 2; ++i) out.add(parts[i], parts[i].mode(side));
    for (int i = 2; side == 1 && i < atoms.rank(rest); ++i) out.add(atoms, atoms.mode(rest, i));
  }
  return checked(c, out);
}

/// The same of the tile itself by thread index: (thr_idx, (V, (RestI, RestJ))) -> i + I * j.
/// thr_vmnk:  (ThrV, ThrM, ThrN, ThrK) -> thr_idx;  I, J: which of M, N, K (1, 2, 3) the operand has
TILEWRIGHT_CONSTEXPR int_tree operand_tv_layout(arithmetic& c, int_tree const& permutation, int_tree const& atom,
                                                int_tree const& tv, int_tree const& threads, int_tree const& thr_vmnk,
                                                int I, int J, tiles taken = tiles::whole) {
  int_tree extents{};
  extents.open(2);
  for (int i = 0; i < 2; ++i)
    extents.add_leaf(extent_of_entry(c, permutation, permutation.mode(i), c.mul(atom.shape[i], threads.shape[i])));
  int_tree const tile = compact_left(c, extents);
  int_tree const view = operand_view(c, tile, permutation, atom, tv, threads, taken);
  if (c.failed()) return tile;
  subtree const thread = view.mode(0);
  // Thread indices between those of the operation (of a lone quad pair: 4 to 15) repeat its threads.
  int_tree const between = complement(c, thr_vmnk);
  if (c.failed()) return tile;
  int_tree by_vmnk{}, index{};
  by_vmnk.open(5);
  by_vmnk.add(view, view.mode(thread, 0));
  for (int m = 1; m < 4; ++m) {
    if (m == I) by_vmnk.add(view, view.mode(view.mode(thread, 1), 0));
    else if (m == J) by_vmnk.add(view, view.mode(view.mode(thread, 1), 1));
    else by_vmnk.add_leaf(size(c, thr_vmnk, thr_vmnk.mode(m)), constant_leaf(0));
  }
  by_vmnk.add_leaf(size(c, between), constant_leaf(0));
  index.open(2);
  index.add(thr_vmnk);
  index.add(between);
  int_tree const of_index = right_inverse(c, checked(c, index));
  if (c.failed()) return tile;
  int_tree const by_index = composition(c, checked(c, by_vmnk), of_index, reach::beyond);
  if (c.failed()) return tile;
  int_tree out{};
  out.open(2);
  out.add(by_index);
  out.add(view, view.mode(1));
  return checked(c, out);
}

}  // namespace tilewright::algebra
