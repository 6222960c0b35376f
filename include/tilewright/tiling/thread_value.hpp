// Threads and their values on a tile as values: what the two layouts of a declaration give, and the maps of atoms of several
// threads, with errors as results.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/value_operations.hpp"
#include "tilewright/base/units.hpp"
#include "tilewright/tiling/thread_value_view.hpp"

namespace tilewright {

/// Threads placed on a tile, each with its values.
struct thread_value_map {
  elements atom{1};     // what one thread moves at a time
  layout_value val{};   // (m,n,…) -> val_idx, in values
  shape_value tiler{};  // the tile, an extent for each mode
  layout_value tv{};    // (thr_idx, val_idx) -> index in the tile, first mode fastest

  constexpr long long threads() const { return extent_of(tv, tv.mode(0)); }
  constexpr long long values() const { return extent_of(tv, tv.mode(1)); }  // of one thread in one tile
};

/// The threads are placed by `thr`, (m,n,…) -> thr_idx, each with the values of `val`, (m,n,…) -> val_idx. `val` counts
/// values when its size is a multiple of the atom's values; otherwise it counts atoms, whose values extend mode 0.
/// pre:  thr and val number their threads and values 0, 1, 2, … once each
/// post: the tile is (size<i>(thr) * size<i>(val), …); thread t's value v is at raked_product(thr, val)^-1 (t, v)
/// error: atom_not_divisible, thr_layout_not_compact, too_few_values, those of raked_product
constexpr result<thread_value_map> map_threads(bits atom, bits element, layout_value const& thr,
                                               layout_value const& val) {
  return detail::evaluate({detail::a_layout(thr), detail::a_layout(val)}, [&](arithmetic& c) {
    thread_value_map out{};
    bool const whole = atom.count > 0 && element.count > 0 && atom.count % element.count == 0;
    if (!whole) c.fail(errc::atom_not_divisible, atom.count, element.count);
    if (algebra::size(c, thr).is(0)) c.fail(errc::thr_layout_not_compact, 0, 1);
    if (algebra::size(c, val).is(0)) c.fail(errc::too_few_values, 0, 1);
    if (c.failed()) return out;
    out.atom = to_elements(atom, element);
    out.val = layout_value(tiling::values_of_atoms(c, val, constant_leaf(out.atom.count)));
    if (c.failed()) return out;
    int_tree const tile = tiling::covered_tile(c, thr, out.val);
    if (!tile.is_tuple(tile.root())) out.tiler.open(1);
    out.tiler.add(tile);
    out.tv = layout_value(tiling::thread_value_layout(c, thr, out.val));
    return out;
  });
}

/// The maps of an atom of several threads in elements, (thread, element) -> element, from those in bits that Copy_Traits
/// has: of the side that thread-value layouts are made for, of source and destination.
///   ldmatrix x1, f16: source ((8,4),8):((8,0),1), destination and reference (32,2):(2,1)
struct atom_maps_value {
  layout_value reference{}, source{}, destination{};
};

/// error: cannot_upcast where the bits of an element are not contiguous in the atom; bad_factor
constexpr result<atom_maps_value> in_elements(atom_maps_value const& of_bits, bits element) {
  atom_maps_value out{};
  return detail::evaluate(
      {detail::a_layout(of_bits.reference), detail::a_layout(of_bits.source), detail::a_layout(of_bits.destination)},
      [&](arithmetic& c) {
        if (element.count < 1) c.fail(errc::bad_factor, element.count, 1);
        if (c.failed()) return out;
        auto const recast = [&](layout_value const& of) {
          layout_value const wide(algebra::upcast(c, of, constant_leaf(element.count)));
          // An element of bits from two threads would keep all of a thread's values and halve the threads.
          if (!c.failed() && algebra::size(c, wide, wide.mode(0)) != algebra::size(c, of, of.mode(0)))
            c.fail(errc::cannot_upcast, algebra::size(c, of, of.mode(1)).number, element.count);
          return wide;
        };
        out.reference = recast(of_bits.reference);
        out.source = recast(of_bits.source);
        out.destination = recast(of_bits.destination);
        return out;
      });
}

/// The threads and values of one side of a copy whose atom has several threads; `side` is the atom's map of that side.
/// pre:  both maps are in elements
/// post: (thr_idx, (atom values, other values)) -> index in the tile
/// error: too_few_threads, too_few_values unless the map's threads and values are whole atoms
constexpr result<layout_value> side_of_atom(thread_value_map const& map, layout_value const& reference,
                                            layout_value const& side) {
  return detail::evaluate<layout_value>(
      {detail::a_layout(map.tv), detail::a_layout(map.tiler), detail::a_layout(reference), detail::a_layout(side)},
      [&](arithmetic& c) {
        c.require_divides(algebra::size(c, reference, reference.mode(0)), algebra::size(c, map.tv, map.tv.mode(0)),
                          errc::too_few_threads);
        c.require_divides(algebra::size(c, reference, reference.mode(1)), algebra::size(c, map.tv, map.tv.mode(1)),
                          errc::too_few_values);
        return c.failed() ? int_tree(map.tv) : tiling::side_tv_layout(c, map.tiler, map.tv, reference, side);
      });
}

}  // namespace tilewright
