// Threads and values placed on a tile: what a tiled copy, its pictures and its analyses derive from the two layouts of a
// declaration, here once for all of them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/inverse.hpp"
#include "tilewright/algebra/product.hpp"

namespace tilewright::tiling {

/// The value layout in values. Its size counts values when it is a multiple of what the atom carries; otherwise it
/// counts atoms, and the atom's values extend mode 0: (1,1) for an atom of 4 is (4,1).
TILEWRIGHT_CONSTEXPR int_tree values_of_atoms(arithmetic& c, int_tree const& val, leaf atom_values) {
  leaf const count = algebra::size(c, val);
  if (!count.is_static() || !atom_values.is_static()) {
    c.fail(errc::not_static, 0, 1);
    return val;
  }
  if (atom_values.number == 0 || count.number % atom_values.number == 0) return val;
  int_tree out = val;
  subtree const first = val.first_mode(val.root());
  for (int i = 0; i < out.leaves; ++i) out.stride[i] = c.mul(out.stride[i], atom_values);
  int_tree const inner = copy_of(out, first);
  int_tree pair{};
  pair.open(2);
  pair.add_leaf(atom_values, constant_leaf(1));
  pair.add(inner);
  int_tree const mode0 = algebra::coalesce(c, pair);
  if (!val.is_tuple(val.root())) return mode0;
  int_tree all{};
  all.open(val.rank());
  all.add(mode0);
  for (int i = 1; i < val.rank(); ++i) all.add(out, out.mode(i));
  return checked(c, all);
}

/// (m,n,…) -> thr_idx + size(thr) * val_idx: each thread's values raked over the tile.
/// pre: thr and val compact (each index once), static
/// error: thr_layout_not_compact
TILEWRIGHT_CONSTEXPR int_tree thread_value_inverse(arithmetic& c, int_tree const& thr, int_tree const& val) {
  int_tree const* const both[] = {&thr, &val};
  for (int_tree const* l : both) {
    leaf const n = algebra::size(c, *l), reached = algebra::size(c, algebra::right_inverse(c, *l));
    if (!n.is_static() || !reached.is_static()) {
      c.fail(errc::not_static, 0, 1);
      return thr;
    }
    if (n.number != reached.number) {
      leaf const span = algebra::cosize(c, *l);
      c.fail(errc::thr_layout_not_compact, n.number, span.number);
      return thr;
    }
  }
  return algebra::raked_product(c, thr, val);
}

/// (thr_idx, val_idx) -> (m,n,…), the inverse of the above with its two modes.
TILEWRIGHT_CONSTEXPR int_tree thread_value_layout(arithmetic& c, int_tree const& thr, int_tree const& val) {
  int_tree const layout_mn = thread_value_inverse(c, thr, val);
  if (c.failed()) return layout_mn;
  int_tree shape{};
  shape.open(2);
  shape.add_leaf(algebra::size(c, thr));
  shape.add_leaf(algebra::size(c, val));
  return algebra::with_shape(c, algebra::right_inverse(c, layout_mn), shape);
}

/// The tile that threads and values cover: an extent for each mode.
TILEWRIGHT_CONSTEXPR int_tree covered_tile(arithmetic& c, int_tree const& thr, int_tree const& val) {
  int_tree const layout_mn = thread_value_inverse(c, thr, val);
  return c.failed() ? layout_mn : algebra::product_each(c, layout_mn);
}

}  // namespace tilewright::tiling
