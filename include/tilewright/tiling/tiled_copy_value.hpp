// A tiled copy as a value: what TiledCopy derives from its types, derived at run time (or in constant evaluation) from
// an atom and two layouts, with errors as results.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tiling/thread_value.hpp"

namespace tilewright {

/// A copy whose atom is one thread that moves contiguous elements, or several with maps of their own: ldmatrix, stmatrix.
struct tiled_copy_value : thread_value_map {
  atom_maps_value maps{};  // of the atom, in elements; both sides are the same for an atom of one thread

  constexpr long long atom_threads() const { return extent_of(maps.reference, maps.reference.mode(0)); }
};

/// The copy whose threads are placed by `thr`, (m,n,…) -> thr_idx, each with the values of `val`, (m,n,…) -> val_idx.
/// `val` counts values when its size is a multiple of the atom's values; otherwise it counts atoms.
/// pre:  thr and val number their threads and values 0, 1, 2, … once each
/// error: atom_not_divisible, thr_layout_not_compact, those of raked_product
constexpr result<tiled_copy_value> make_tiled_copy(bits atom, bits element, layout_value const& thr,
                                                   layout_value const& val) {
  result<thread_value_map> const map = map_threads(atom, element, thr, val);
  if (!map) return map.error();
  layout_value vector{};  // (1, values):(0, 1)
  vector.open(2);
  vector.add_leaf(constant_leaf(1), constant_leaf(0));
  vector.add_leaf(constant_leaf(map->atom.count), constant_leaf(1));
  return tiled_copy_value{*map, {vector, vector, vector}};
}

/// The same of an atom of several threads, by its maps in bits.
/// error: also too_few_threads, too_few_values, those of in_elements
constexpr result<tiled_copy_value> make_tiled_copy(atom_maps_value const& atom, bits element, layout_value const& thr,
                                                   layout_value const& val) {
  result<layout_value> const values = mode(atom.reference, 1);
  if (!values) return values.error();
  result<long long> const held = size(*values);
  if (!held) return held.error();
  result<thread_value_map> const map = map_threads(bits{*held}, element, thr, val);
  if (!map) return map.error();
  result<atom_maps_value> const maps = in_elements(atom, element);
  if (!maps) return maps.error();
  result<layout_value> const side = side_of_atom(*map, maps->reference, maps->source);
  if (!side) return side.error();
  return tiled_copy_value{*map, *maps};
}

/// A tensor's layout as (thread, (atom values, rest values), (rest…)), on the side of a copy whose atom has the map
/// `side`: copy.maps.source or copy.maps.destination.
/// pre:  each tiled mode is a whole number of the tile's
/// error: tiler_does_not_fit, rank_mismatch, those of zipped_divide
constexpr result<layout_value> partition_view(tiled_copy_value const& copy, layout_value const& tensor,
                                              layout_value const& side) {
  return detail::evaluate<layout_value>(
      {detail::a_layout(tensor), detail::a_layout(copy.tv), detail::a_layout(copy.tiler),
       detail::a_layout(copy.maps.reference), detail::a_layout(side)},
      [&](arithmetic& c) {
        int_tree whole{};
        if (!tensor.is_tuple(tensor.root())) whole.open(1);
        whole.add(tensor);
        whole = checked(c, whole);
        return c.failed() ? whole : tiling::partition_view(c, whole, copy.tiler, copy.tv, copy.maps.reference, side);
      });
}
/// Of the source.
constexpr result<layout_value> partition_view(tiled_copy_value const& copy, layout_value const& tensor) {
  return partition_view(copy, tensor, copy.maps.source);
}

/// One thread's share, ((atom values, rest values), rest…), and the offset of its first element.
/// error: thread_out_of_range, those of partition_view
constexpr result<sliced_value> partition(tiled_copy_value const& copy, long long thread, layout_value const& tensor,
                                         layout_value const& side) {
  result<layout_value> const view = partition_view(copy, tensor, side);
  if (!view) return view.error();
  if (thread < 0 || thread >= copy.threads()) return error{errc::thread_out_of_range, thread, copy.threads()};
  int const rank = view->rank(view->mode(2));
  int_tree coordinate{};
  coordinate.open(3);
  coordinate.add_leaf(constant_leaf(thread));
  coordinate.add_kept();
  if (rank > 1) coordinate.open(rank);
  for (int i = 0; i < rank; ++i) coordinate.add_kept();
  return slice_and_offset(coordinate, *view);
}
/// Of the source.
constexpr result<sliced_value> partition(tiled_copy_value const& copy, long long thread, layout_value const& tensor) {
  return partition(copy, thread, tensor, copy.maps.source);
}

}  // namespace tilewright
