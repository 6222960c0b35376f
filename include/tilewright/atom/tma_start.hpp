// Where the boxes of a TMA copy start in shared memory: the pointer before the tile's swizzle, since the engine swizzles the
// addresses that it counts from there. A tile of Sw<3,4,3> on bytes at 2048 starts at 2048: swizzled or not, that is the address.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/universal.hpp"
#include "tilewright/tensor/pointer_swizzle.hpp"

namespace tilewright::detail {

/// Where a box starts in shared memory, for the instruction.
template <class T>
TILEWRIGHT_FN T* box_address(T* p) {
  return p;
}
/// An iterator of the host's own, for which the device's compiler reads the code but never runs it.
template <class It>
requires(!std::is_pointer_v<It>) TILEWRIGHT_FN auto* box_address(It const&) {
  return static_cast<iter_value_t<It>*>(nullptr);
}
template <class T>
TILEWRIGHT_FN auto* box_address(subbyte_iterator<T> const& i) {
  return recast_ptr<unsigned char>(i);
}

/// The first element of a tile before the swizzle of its layout.
TILEWRIGHT_NO_EXEC_CHECK
template <class Tile>
TILEWRIGHT_FN auto first_element_before_swizzle(Tile const& tile) {
  if constexpr (layout_swizzles<typename Tile::layout_type>)
    return tile.data() + (tile.layout().offset() + tile.layout().layout_b()(C<0>{}));
  else return first_element(tile);
}

#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
/// SwizzleFn counts in units of `Bits` bits.
template <class SwizzleFn, int Bits, class It>
void check_start(It const& before, It const& after) {
  if (before == after) return;
  raise({errc::tma_swizzle_start, Bits * (1LL << (SwizzleFn::num_base + SwizzleFn::num_bits)) / 8,
         Bits * SwizzleFn::period / 8});
}
#endif

/// pre: the swizzle leaves the start of the tile where it is, as it does at multiples of its period
/// error: in a checked host build, layout_error tma_swizzle_start; a GPU takes the start before the swizzle
TILEWRIGHT_NO_EXEC_CHECK
template <class Tile>
TILEWRIGHT_FN auto start_of_boxes(Tile const& tile) {
  auto const start = untagged_before_swizzle(first_element_before_swizzle(tile));
#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  using L = typename Tile::layout_type;
  using It = typename Tile::iterator;
  if constexpr (layout_swizzles<L>)
    check_start<get_swizzle_t<L>, sizeof_bits_v<typename Tile::value_type>>(start, untagged(first_element(tile)));
  else if constexpr (get_swizzle_t<It>::num_bits != 0)
    check_start<get_swizzle_t<It>, 8>(start, untagged(first_element(tile)));
#endif
  return start;
}

}  // namespace tilewright::detail
