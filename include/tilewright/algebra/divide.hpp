// Division: a layout split into tiles. logical_divide gives (tile, rest) for the whole or for each mode; zipped_divide
// gathers all tiles into mode 0 and all rests into mode 1, tiled_divide unpacks the rests, flat_divide both. A tile that
// overhangs the last mode is rounded up (ceil): the tail is then the caller's to bound.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/complement.hpp"
#include "tilewright/algebra/composition.hpp"

namespace tilewright::algebra {

/// Which tensors a partition takes: those that are a whole number of tiles, or smaller and ragged ones as well, whose last tile
/// goes on beyond the tensor, with each mode of a tile by itself: 8:1 in tiles of 16 is one tile 16:1.
enum class tiles { whole, beyond };
TILEWRIGHT_CONSTEXPR reach reach_of(tiles taken) { return taken == tiles::beyond ? reach::apart : reach::beyond; }

TILEWRIGHT_CONSTEXPR int_tree pair_of(int_tree const& a, subtree u, int_tree const& b) {
  int_tree out{};
  out.open(2);
  out.add(a, u);
  out.add(b);
  return out;
}

/// A ∘ (T, complement of T in A): mode 0 is A within a tile, mode 1 walks the tiles.
/// pre: T's strides divide one another and A's extents, unless each mode goes apart; error: those of composition and complement.
///      Apart, a T without elements is no error: there are no tiles of it.
TILEWRIGHT_CONSTEXPR int_tree divide_within(arithmetic& c, int_tree const& a, subtree u, int_tree const& t, subtree w,
                                            reach r) {
  for (int i = w.leaf; i < w.leaf_end; ++i)
    if (t.shape[i].is(0)) {
      if (r == reach::apart) return pair_of(t, w, vector_of(constant_leaf(0)));
      c.fail(errc::division_by_zero, size(c, a, u).number, 0);
    }
  mode_list const whole = coalesced(c, a, u);
  covering const cover = r == reach::apart ? covering::apart : covering::exact;
  int_tree const both = checked(c, pair_of(t, w, complement(c, t, w, whole, cover)));
  if (c.failed()) return leaf_tree(constant_leaf(1));
  int_tree const source = copy_of(a, u);
  return composition(c, source, both, r);
}

/// Walks a layout by a tiler: `_` keeps a mode, a layout or an integer n (as n:1) goes to `f` with its mode, a tuple goes
/// mode by mode and keeps the modes beyond its rank. A layout without a tuple on top is its own only mode.
template <class F>
TILEWRIGHT_CONSTEXPR void apply_by_tiler(arithmetic& c, int_tree& out, int_tree const& a, subtree u, int_tree const& t,
                                         subtree w, F const& f) {
  if (t.is_kept(w)) return out.add(a, u);
  if (t.is_layout(w)) return out.add(f(c, a, u, t, t.behind_marker(w)));
  if (t.is_leaf(w)) {
    int_tree const tile = vector_of(t.shape[w.leaf]);
    return out.add(f(c, a, u, tile, tile.root()));
  }
  int const rank = a.rank(u), given = t.rank(w);
  if (given > rank) return c.fail(errc::rank_mismatch, rank, given);
  out.open(rank);
  subtree m = a.first_mode(u), g = t.first_mode(w);
  for (int i = 0; i < rank; ++i, m = a.next(m)) {
    if (i < given) {
      apply_by_tiler(c, out, a, m, t, g, f);
      g = t.next(g);
    } else {
      out.add(a, m);
    }
  }
}

/// post: for a layout T: (A ∘ T, A ∘ rest); for a tuple: each mode divided, modes beyond the tiler kept.
TILEWRIGHT_CONSTEXPR int_tree logical_divide(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                             reach r = reach::beyond) {
  int_tree out{};
  auto const divide = [r](arithmetic& k, int_tree const& layout, subtree u, int_tree const& tile, subtree w) {
    return divide_within(k, layout, u, tile, w, r);
  };
  apply_by_tiler(c, out, a, a.root(), tiler, tiler.root(), divide);
  return checked(c, out);
}

/// ((A,a),((B,b),(C,c)),d) by the profile (X,(X,X)) -> ((A,(B,C)),(a,(b,c),d)): tiles in mode 0, rests in mode 1.
/// A mode that the tiler keeps is its own tile, its rest is 1:0; with reach::apart one of two modes is a tile and its rest.
TILEWRIGHT_CONSTEXPR int_tree zip_by(arithmetic& c, int_tree const& a, subtree u, int_tree const& guide, subtree w,
                                     reach r = reach::beyond) {
  bool const is_pair = r == reach::apart && a.is_tuple(u) && a.rank(u) == 2;
  if (guide.is_kept(w) && !is_pair) return pair_of(a, u, leaf_tree(constant_leaf(1)));
  if (!guide.is_tuple(w)) {
    if (!a.is_tuple(u) || a.rank(u) != 2) c.fail(errc::rank_mismatch, 2, a.rank(u));
    return copy_of(a, u);
  }
  int const rank = a.rank(u), given = guide.rank(w);
  int_tree tiles{}, rests{};
  tiles.open(given);
  rests.open(rank);
  subtree m = a.first_mode(u), g = guide.first_mode(w);
  for (int i = 0; i < rank && !c.failed(); ++i, m = a.next(m)) {
    if (i >= given) {
      rests.add(a, m);
      continue;
    }
    int_tree const zipped = checked(c, zip_by(c, a, m, guide, g, r));
    if (c.failed()) break;
    tiles.add(zipped, zipped.mode(0));
    rests.add(zipped, zipped.mode(1));
    g = guide.next(g);
  }
  if (c.failed()) return leaf_tree(constant_leaf(1));
  return checked(c, pair_of(tiles, tiles.root(), rests));
}

/// post: ((tiles…), (rests…))
TILEWRIGHT_CONSTEXPR int_tree zipped_divide(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                            reach r = reach::beyond) {
  int_tree const divided = logical_divide(c, a, tiler, r);
  return c.failed() ? divided : checked(c, zip_by(c, divided, divided.root(), tiler, tiler.root(), r));
}

/// Opens mode 0 and/or mode 1 of a pair into its modes; a mode of rank 1 stays as it is.
/// pre: a pair
TILEWRIGHT_CONSTEXPR int_tree unpack(int_tree const& pair, bool open_first, bool open_second) {
  subtree const parts[2] = {pair.mode(0), pair.mode(1)};
  bool const opened[2] = {open_first && pair.rank(parts[0]) > 1, open_second && pair.rank(parts[1]) > 1};
  int_tree out{};
  out.open((opened[0] ? pair.rank(parts[0]) : 1) + (opened[1] ? pair.rank(parts[1]) : 1));
  for (int k = 0; k < 2; ++k) {
    if (!opened[k]) {
      out.add(pair, parts[k]);
      continue;
    }
    subtree m = pair.first_mode(parts[k]);
    for (int i = 0; i < pair.rank(parts[k]); ++i, m = pair.next(m)) out.add(pair, m);
  }
  return out;
}

/// post: ((tiles…), rest, rest, …)
TILEWRIGHT_CONSTEXPR int_tree tiled_divide(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                           reach r = reach::beyond) {
  int_tree const zipped = zipped_divide(c, a, tiler, r);
  return c.failed() ? zipped : checked(c, unpack(zipped, false, true));
}

/// post: (tile, tile, …, rest, rest, …)
TILEWRIGHT_CONSTEXPR int_tree flat_divide(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                          reach r = reach::beyond) {
  int_tree const zipped = zipped_divide(c, a, tiler, r);
  return c.failed() ? zipped : checked(c, unpack(zipped, true, true));
}

}  // namespace tilewright::algebra
