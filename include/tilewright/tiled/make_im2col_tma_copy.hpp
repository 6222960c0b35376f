// Declares a TMA copy in im2col mode: of images C, W, H, D, N in global memory, the positions of a filter along W, H and D,
// and the layout of a tile (pixels, channels) in shared memory.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/tma_im2col.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

namespace tilewright {
namespace detail {

template <class T, class Tile>
struct im2col_tile_fits {
  static constexpr bool whole_boxes() {
    if constexpr (std::is_void_v<Tile>) return false;
    else return Tile::boxes == 1 || Tile::step * static_cast<int>(sizeof(T)) % 128 == 0;
  }
  static constexpr bool value = whole_boxes();
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_im2col_tma_copy: the shared layout is not a tile of pixels; give it static modes (pixels, channels) "
        "with the channels of a pixel contiguous and pixels next to each other, or build it of such atoms by "
        "tile_to_shape (docs/errors.md#im2col_tile)");
    return invalid_layout{};
  }
};
template <int Rank, int Windows>
struct im2col_modes_agree {
  static constexpr bool value = Rank >= 3 && Rank <= 5 && Windows == Rank - 2;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_im2col_tma_copy: the tensor has 3 to 5 modes C, W, H, D, N, with a window for each of W, H and D "
        "that it has; give it those modes, and a window for each but the first and last "
        "(docs/errors.md#im2col_rank)");
    return invalid_layout{};
  }
};
template <class T>
struct im2col_element_has_a_width {
  static constexpr bool value = !is_subbyte_v<T>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_im2col_tma_copy: an element has 8, 16, 32 or 64 bits; recast the tensor to bytes "
                  "(docs/errors.md#tma_element)");
    return invalid_layout{};
  }
};

#if TILEWRIGHT_HOSTED

/// error: layout_error with the rule of the driver that images or windows break
template <class T, class Tile, class It, class S, class D, int... N, class... Window>
tma_im2col_descriptor make_im2col_descriptor(It const& data, S const& shape, D const& stride, bool writes, seq<N...>,
                                             Window const&... window) {
  tma_im2col_descriptor map{};
  tma_tensor& t = map.images.tensor;
  t.rank = static_cast<int>(sizeof...(N));
  ((t.extent[N] = static_cast<long long>(get<N>(shape)), t.stride[N] = static_cast<long long>(get<N>(stride))), ...);
  if (t.stride[0] != 1) raise({errc::tma_not_contiguous, 0, t.stride[0]});
  for (int i = 0; i < t.rank; ++i) {
    t.stride[i] = bytes_of_mode<T>(i, t.stride[i]);
    t.box[i] = i == 0 ? Tile::channels : 1;
  }
  t.address = address_of_tensor(data);
  t.element = bits_before_unpacking<T> != 0 ? tma_element::uint8 : tma_element_of<T>;  // im2col unpacks nothing
  t.element_bytes = sizeof_bits_v<T> / 8;
  t.swizzle = Tile::swizzle;
  map.images.pixels = Tile::pixels;
  int i = 0;
  ((map.images.window[i++] = window), ...);
  if (error const e = writes ? broken_rule_of_store(map.images) : broken_rule(map.images)) raise(e);
  ptx::encode(map);
  return map;
}

#endif

}  // namespace detail

#if TILEWRIGHT_HOSTED

/// A TMA copy between images in global memory and tiles of their unfolded matrix (pixels, channels) in shared memory.
/// tensor: modes C (of stride 1), W, H, D, N; H and D, or D, may be missing
/// smem_layout: the tile (pixels, channels) in shared memory: static; plain, or swizzled by 32, 64 or 128 bytes
/// window: the positions of the filter along each of W, H and D, in elements (filter_positions)
/// post: a Copy_Atom whose tile(pixel, channel, offsets…) is what copy takes, for whole tiles
/// error: at compile time, or layout_error, with the rule that tile or images break (docs/errors.md#im2col_rank …)
/// cost: host only; the map is encoded by the driver once
template <class Operation, TensorType G, AnyLayout SL, class... Window>
requires(std::is_same_v<Window, im2col_window>&&...) auto make_im2col_tma_copy(Operation const&, G const& tensor,
                                                                               SL const&, Window const&... window) {
  using T = typename G::value_type;
  using Tile = decltype(detail::im2col_tile_of<SL>());
  auto const extents = wrap(flatten(shape(tensor.layout())));
  constexpr int rank = rank_v<std::remove_const_t<decltype(extents)>>;
  using check = all_hold<detail::tma_tensor_is_in_global_memory<std::remove_cvref_t<decltype(tensor.data())>>,
                         detail::tma_element_has_a_width<T>, detail::im2col_element_has_a_width<T>,
                         detail::tma_engine_swizzles<T, SL>, detail::im2col_tile_fits<T, Tile>,
                         detail::im2col_modes_agree<rank, static_cast<int>(sizeof...(Window))>>;
  if constexpr (!check::value) {
    return check::sentence();
  } else {
    Copy_Atom<detail::im2col_copy<Operation, rank, Tile>, T> atom{};
    atom.map = detail::make_im2col_descriptor<T, Tile>(untagged(tensor.data()), extents,
                                                       wrap(flatten(stride(tensor.layout()))), !is_tma_load<Operation>,
                                                       make_seq<rank>{}, window...);
    return atom;
  }
}

#endif

}  // namespace tilewright
