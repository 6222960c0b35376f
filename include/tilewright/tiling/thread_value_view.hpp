// The mathematics of tiled copies on values: the view of a tensor as (thread, value, rest). Each is one function, so that
// the typed face runs it once per combination.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/divide.hpp"
#include "tilewright/algebra/recast.hpp"
#include "tilewright/tiling/thread_value_map.hpp"

namespace tilewright::tiling {

/// Composes one mode of a layout, keeping the others.
TILEWRIGHT_CONSTEXPR int_tree compose_first(arithmetic& c, int_tree const& a, int_tree const& with,
                                            algebra::reach r = algebra::reach::beyond) {
  int_tree const first = copy_of(a, a.mode(0));
  int_tree const composed = algebra::composition(c, first, with, r);
  if (c.failed()) return a;
  int_tree out{};
  out.open(a.rank());
  out.add(composed);
  for (int i = 1; i < a.rank(); ++i) out.add(a, a.mode(i));
  return checked(c, out);
}

/// ((a,b),(c,d)) -> ((a,c),(b,d))
TILEWRIGHT_CONSTEXPR int_tree zip_pairs(int_tree const& a) {
  int_tree out{};
  out.open(2);
  for (int i = 0; i < 2; ++i) {
    out.open(2);
    out.add(a, a.mode(a.mode(0), i));
    out.add(a, a.mode(a.mode(1), i));
  }
  return out;
}

/// ((tile…),(rest…)) seen as (thread, value, (rest…)) of one side of a copy.
/// tv:  (thr, val) -> tile index;  ref: the atom's reference map;  side: its source or destination map
/// post: (thread, (atom values, rest values), (rest…));  with reach::apart each mode goes by itself
TILEWRIGHT_CONSTEXPR int_tree thread_value_view(arithmetic& c, int_tree const& tiled, int_tree const& tv,
                                                int_tree const& ref, int_tree const& side,
                                                algebra::reach r = algebra::reach::beyond) {
  int_tree const to_side = algebra::composition(c, algebra::right_inverse(c, ref), side,
                                                r == algebra::reach::apart ? r : algebra::reach::inside);
  int_tree atom_shape{};
  atom_shape.open(2);
  atom_shape.add_leaf(algebra::size(c, ref, ref.mode(0)), constant_leaf(1));
  atom_shape.add_leaf(algebra::size(c, ref, ref.mode(1)), constant_leaf(1));
  int_tree const atoms =
      algebra::zipped_divide(c, tv, atom_shape, r);  // ((atom_thr,atom_val),(rest_thr,rest_val)) -> tile
  if (c.failed()) return tiled;
  int_tree const zipped = zip_pairs(compose_first(c, atoms, to_side, r));  // ((thr,rest_thr),(val,rest_val)) -> tile
  int_tree map{};
  map.open(2);
  map.add(algebra::coalesce(c, zipped, zipped.mode(0)));
  map.open(2);
  map.add(algebra::coalesce(c, zipped, zipped.mode(zipped.mode(1), 0)));
  map.add(algebra::coalesce(c, zipped, zipped.mode(zipped.mode(1), 1)));
  int_tree const viewed = compose_first(c, tiled, checked(c, map), r);
  if (c.failed()) return tiled;
  int_tree out{};
  out.open(3);
  out.add(viewed, viewed.mode(viewed.mode(0), 0));
  out.add(viewed, viewed.mode(viewed.mode(0), 1));
  out.add(viewed, viewed.mode(1));
  return checked(c, out);
}

/// Requires that each tiled mode of the layout is a whole number of tiles; only integers in the tiler are looked at.
/// error: tiler_does_not_fit
TILEWRIGHT_CONSTEXPR void require_whole_tiles(arithmetic& c, int_tree const& a, int_tree const& tiler) {
  if (!tiler.is_tuple(tiler.root())) return;
  if (tiler.rank() > a.rank()) return c.fail(errc::rank_mismatch, a.rank(), tiler.rank());
  for (int i = 0; i < tiler.rank(); ++i)
    if (subtree const t = tiler.mode(i); tiler.is_leaf(t))
      c.require_divides(tiler.shape[t.leaf], algebra::size(c, a, a.mode(i)), errc::tiler_does_not_fit);
}

/// Has a mode of a layout the tiler's extents, mode by mode?
TILEWRIGHT_CONSTEXPR bool has_extents(arithmetic& c, int_tree const& a, subtree u, int_tree const& tiler, subtree t) {
  if (!tiler.is_tuple(t)) return tiler.is_leaf(t) && algebra::size(c, a, u) == tiler.shape[t.leaf];
  if (!a.is_tuple(u) || a.rank(u) != tiler.rank(t)) return false;
  for (int i = 0; i < tiler.rank(t); ++i)
    if (!has_extents(c, a, a.mode(u, i), tiler, tiler.mode(t, i))) return false;
  return true;
}
/// Only integers, in tuples?
TILEWRIGHT_CONSTEXPR bool is_of_integers(int_tree const& tiler, subtree t) {
  for (int i = t.node; i < t.node_end; ++i)
    if (tiler.profile[i] < leaf_node) return false;
  return true;
}
/// The tiler with one integer for each mode of the layout that is one tile of another profile. A tile in shared memory has the
/// extents of the tile, mode by mode, but seldom its profile: the tiler ((16,8),(32,2)) of a layout (128,64) is (128,64).
TILEWRIGHT_CONSTEXPR int_tree tiler_of_whole_modes(arithmetic& c, int_tree const& a, int_tree const& tiler) {
  if (!tiler.is_tuple(tiler.root()) || tiler.rank() > a.rank()) return tiler;
  int_tree out{};
  out.open(tiler.rank());
  for (int i = 0; i < tiler.rank(); ++i) {
    subtree const t = tiler.mode(i), u = a.mode(i);
    bool const integers = tiler.is_tuple(t) && is_of_integers(tiler, t);
    leaf const tile = integers ? algebra::size(c, tiler, t) : leaf{};
    if (integers && tile.is_static() && algebra::size(c, a, u) == tile && !has_extents(c, a, u, tiler, t))
      out.add_leaf(tile);
    else out.add(tiler, t);
  }
  return checked(c, out);
}

/// A tensor's layout as (thread, value, (rest…)).
/// pre: the tensor's modes are whole numbers of the tile's, unless `taken` is algebra::tiles::beyond
TILEWRIGHT_CONSTEXPR int_tree partition_view(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                             int_tree const& tv, int_tree const& ref, int_tree const& side,
                                             algebra::tiles taken = algebra::tiles::whole) {
  if (taken == algebra::tiles::whole) require_whole_tiles(c, a, tiler);
  algebra::reach const r = algebra::reach_of(taken);
  int_tree const tiled = algebra::zipped_divide(c, a, tiler_of_whole_modes(c, a, tiler), r);
  return c.failed() ? a : thread_value_view(c, tiled, tv, ref, side, r);
}

/// The same of the tile itself: (thread, value) -> index in the tile.
TILEWRIGHT_CONSTEXPR int_tree side_tv_layout(arithmetic& c, int_tree const& tiler, int_tree const& tv,
                                             int_tree const& ref, int_tree const& side) {
  int_tree extents{};
  extents.open(tiler.rank());
  for (int i = 0; i < tiler.rank(); ++i) {
    subtree const t = tiler.mode(i);
    extents.add_leaf(algebra::size(c, tiler, tiler.is_layout(t) ? tiler.behind_marker(t) : t));
  }
  int_tree tile{};
  tile.open(2);
  tile.add(algebra::compact_left(c, extents));
  tile.add_leaf(constant_leaf(1), constant_leaf(0));
  int_tree const view = thread_value_view(c, tile, tv, ref, side);
  if (c.failed()) return tile;
  int_tree out{};
  out.open(2);
  out.add(view, view.mode(0));
  out.add(view, view.mode(1));
  return checked(c, out);
}

/// A fragment (V, rest…) partitioned by another copy or operation, seen in this copy's atoms: its first size(V) values
/// are taken to be the first values of the thread-value layout.
/// post: ((atom values, rest values), rest…)
TILEWRIGHT_CONSTEXPR int_tree retiled(arithmetic& c, int_tree const& fragment, int_tree const& tiler,
                                      int_tree const& tv, leaf atom_values) {
  leaf const values = algebra::size(c, fragment, fragment.mode(0));
  leaf const threads = algebra::size(c, tv, tv.mode(0));
  int_tree extents{};
  extents.open(tiler.rank());
  for (int i = 0; i < tiler.rank(); ++i) {
    subtree const t = tiler.mode(i);
    extents.add_leaf(algebra::size(c, tiler, tiler.is_layout(t) ? tiler.behind_marker(t) : t));
  }
  int_tree const value_of_tile =
      algebra::upcast(c, algebra::with_shape(c, algebra::right_inverse(c, tv), extents), c.mul(threads, values));
  if (c.failed()) return fragment;
  int_tree const run = algebra::vector_of(values);
  int_tree const inverse = algebra::right_inverse(c, value_of_tile);
  int_tree const product = algebra::product_subtree(c, run, run.root(), inverse, inverse.root());
  int_tree const vector = algebra::vector_of(atom_values);
  int_tree one{};
  one.add_layout_marker();
  one.add(vector);
  int_tree const atoms = algebra::zipped_divide(c, product, one);  // (atom_vals, rest_vals) -> (v, m, n)
  if (c.failed()) return fragment;
  int_tree const tile_extents = algebra::product_each(c, value_of_tile);
  int_tree cut{};
  cut.open(1 + tile_extents.leaves);
  cut.add_leaf(values, constant_leaf(1));
  for (int i = 0; i < tile_extents.leaves; ++i) cut.add_leaf(tile_extents.shape[i], constant_leaf(1));
  int_tree const tiled = algebra::zipped_divide(c, fragment, cut);  // ((v,m,n),(1,rest_m,rest_n))
  if (c.failed()) return fragment;
  int_tree const viewed = compose_first(c, tiled, atoms);
  if (c.failed()) return fragment;
  int_tree out{};
  int const rank = viewed.rank(viewed.mode(1));
  out.open(rank);
  out.add(viewed, viewed.mode(0));
  for (int i = 1; i < rank; ++i) out.add(viewed, viewed.mode(viewed.mode(1), i));
  return checked(c, out);
}

}  // namespace tilewright::tiling
