// TMA copies in im2col mode (sm_90): tiles of the matrix that a convolution multiplies with its filter, (positions of the
// filter in all images) × (channels), for each element of the filter; the images stay as they are in memory. The copy is
// made on the host by make_im2col_tma_copy (tiled/make_im2col_tma_copy.hpp); kernels take it by reference.
//   load:   copy(tma.with(barrier), tma.tile(pixel, channel, offsets…), shared)   completes on the mbarrier
//   store:  copy(tma, shared, tma.tile(pixel, channel))                           completes with tma_store_arrive, …_wait
// The shared tile is (pixels, channels) and moves whole, by one instruction for each box of channels. What is beyond the
// images is read as zero and not written. The host bodies do what the engine does, as late as it may.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/ptx/tma_im2col.hpp"
#include "tilewright/atom/tma.hpp"

namespace tilewright {

/// Global to shared memory.
struct SM90_TMA_LOAD_IM2COL {};
/// Shared to global memory; the window is within the images.
struct SM90_TMA_STORE_IM2COL {};

template <>
inline constexpr bool is_tma_load<SM90_TMA_LOAD_IM2COL> = true;

namespace detail {

/// A tile in shared memory: `Boxes` boxes, `Step` elements apart, of `Channels` channels of all pixels each.
template <int Pixels, int Channels, int Boxes, int Step, int SwizzleBits>
struct im2col_tile {
  static constexpr int pixels = Pixels, channels = Channels, boxes = Boxes, step = Step;
  static constexpr tma_swizzle swizzle = static_cast<tma_swizzle>(SwizzleBits);
};

template <class L>
struct im2col_shared {
  using plain = L;
  static constexpr int swizzle_bits = 0;
};
template <int B, int M, int S, class O, class L>
struct im2col_shared<ComposedLayout<Swizzle<B, M, S>, O, L>> {
  using plain = L;
  static constexpr int swizzle_bits = B;
};

/// The tile that a layout (pixels, channels) is, or void.
template <class L>
TILEWRIGHT_CONSTEXPR auto im2col_tile_of() {
  using Plain = typename im2col_shared<L>::plain;
  if constexpr (!is_static_v<Plain> || rank_v<Plain> != 2) {
    return;
  } else {
    using Merged = std::remove_const_t<decltype(coalesce(Plain{}, Shape<_1, _1>{}))>;
    constexpr auto const& pixel = lift::value_of<std::remove_cvref_t<decltype(layout<0>(Merged{}))>>.tree;
    constexpr auto const& channel = lift::value_of<std::remove_cvref_t<decltype(layout<1>(Merged{}))>>.tree;
    constexpr int pixels = static_cast<int>(pixel.shape[0].number), run = static_cast<int>(channel.shape[0].number);
    constexpr bool one_box = channel.leaves == 1;
    if constexpr (pixel.leaves != 1 || channel.leaves > 2 || !(channel.stride[0].is(1) || run == 1) ||
                  !(pixel.stride[0].is(run) || pixels == 1)) {
      return;
    } else {
      return im2col_tile < pixels, run, one_box ? 1 : static_cast<int>(channel.shape[1].number),
             one_box ? 0 : static_cast<int>(channel.stride[1].number), im2col_shared<L>::swizzle_bits > {};
    }
  }
}
template <class Tile, class Shared>
struct im2col_tile_is_as_made {
  static constexpr bool value = std::is_same_v<decltype(im2col_tile_of<typename Shared::layout_type>()), Tile>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "TMA im2col: the shared tensor has another layout than the copy was made for; copy whole tiles of "
                  "the layout given to make_im2col_tma_copy (docs/errors.md#im2col_tile)");
    return invalid_layout{};
  }
};

template <class Operation, int Rank, class Tile>
struct im2col_copy {};
template <int Rank, class Tile>
struct im2col_load_on {};
template <class Operation, int Rank, class Tile>
inline constexpr bool copies_whole_tensors<im2col_copy<Operation, Rank, Tile>> = true;
template <int Rank, class Tile>
inline constexpr bool copies_whole_tensors<im2col_load_on<Rank, Tile>> = true;

/// One instruction's place, as it takes it.
template <int Rank>
struct im2col_operands {
  array_of<int, Rank> at;
  array_of<std::uint16_t, Rank - 2> offset{};

  /// numbers: of tile(), the place and then the offsets; channels: of the box from the tile's first
  template <std::size_t N>
  TILEWRIGHT_FN constexpr im2col_operands(int const (&numbers)[N], int channels) {
    for (int i = 0; i < Rank; ++i) at[i] = numbers[i];
    at[0] += channels;
    for (int i = Rank; i < static_cast<int>(N); ++i) offset[i - Rank] = static_cast<std::uint16_t>(numbers[i]);
  }
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  im2col_place place() const {
    im2col_place out{};
    for (int i = 0; i < Rank; ++i) out.at[i] = at[i];
    for (int i = 0; i < Rank - 2; ++i) out.offset[i] = offset[i];
    return out;
  }
#endif
};

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

template <class To>
void load_pixels_on(std::uint64_t* barrier, tma_im2col const& images, im2col_place const& place, To const& to) {
  auto const bytes = static_cast<std::uint32_t>(images.bytes());
  complete_on_barrier(barrier, bytes, [images, place, to, bytes] {
    unsigned char* const smem = bytes_to_write(to, bytes);
    check_box_address(smem);
    for_each_of_im2col(images, place, smem, [&](unsigned char const* from, unsigned char* there) {
      move_bytes(there, from, images.tensor.element_bytes);
    });
  });
}
template <class From>
void store_pixels(tma_im2col const& images, im2col_place const& place, From const& from) {
  bulk_copies_of_this_thread().start([images, place, from] {
    unsigned char* const smem = bytes_to_read(from, static_cast<std::size_t>(images.bytes()));
    check_box_address(smem);
    for_each_of_im2col(images, place, smem, [&](unsigned char* to, unsigned char const* here) {
      if (to != nullptr) move_bytes(to, here, images.tensor.element_bytes);
    });
  });
}

#endif

struct im2col_maps {
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, _1>, Stride<_0, _0>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

}  // namespace detail

/// One instruction, for a tile that is one box.
/// place: the channel, position and image it starts at (C, W, …, N), then the offsets along W, H, D
template <int Rank, class To>
TILEWRIGHT_FN void tma_load_im2col(tma_im2col_descriptor const* map, detail::im2col_operands<Rank> const& place,
                                   To const& to, std::uint64_t* barrier, [[maybe_unused]] std::uint64_t hint) {
#if TILEWRIGHT_ON_DEVICE
  ptx::tma_load_im2col(map->encoded, place.at, place.offset, to, barrier, hint);
#elif TILEWRIGHT_HOSTED
  detail::load_pixels_on(barrier, map->images, place.place(), to);
#endif
}
/// The same to global memory.
template <int Rank, class From>
TILEWRIGHT_FN void tma_store_im2col(tma_im2col_descriptor const* map, detail::im2col_operands<Rank> const& place,
                                    From const& from) {
#if TILEWRIGHT_ON_DEVICE
  ptx::tma_store_im2col(map->encoded, place.at, from);
#elif TILEWRIGHT_HOSTED
  detail::store_pixels(map->images, place.place(), from);
#endif
}

template <int Rank, class Tile>
struct Copy_Traits<detail::im2col_load_on<Rank, Tile>> : detail::im2col_maps {
  tma_im2col_descriptor const* map;
  std::uint64_t* barrier;
  std::uint64_t hint;

  TILEWRIGHT_FN Copy_Traits(tma_im2col_descriptor const* m, std::uint64_t* b, std::uint64_t h)
      : map(m),
        barrier(b),
        hint(h) {}

  template <class Src, class Dst>
  using operands_check = all_hold<detail::tma_operands<typename Src::iterator, typename Dst::iterator>,
                                  detail::im2col_tile_is_as_made<Tile, Dst>>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN void copy(Src const& src, Dst&& dst) const {
    array_of<int, 2 * Rank - 2> numbers;
    detail::box_coordinate<8, 2 * Rank - 2>(numbers, src);
    auto const to = detail::start_of_boxes(dst);
    for (int box = 0; box < Tile::boxes; ++box)
      tma_load_im2col<Rank>(map, {numbers, box * Tile::channels}, to + box * Tile::step, barrier, hint);
  }
};

template <class Operation, int Rank, class Tile>
struct Copy_Traits<detail::im2col_copy<Operation, Rank, Tile>> : detail::im2col_maps {
  tma_im2col_descriptor map;

  TILEWRIGHT_FN constexpr tma_im2col_descriptor const* get_tma_descriptor() const { return &map; }
  /// How many positions the filter has along mode I of the window: 0 is W, then H and D.
  template <int I>
  TILEWRIGHT_FN constexpr int positions() const {
    return map.images.positions(I);
  }

  /// The tile of the unfolded matrix (positions, W fastest, of all images; channels) that starts at a position and a
  /// channel, for the filter's element that is `offset` elements of W, H and D behind its first.
  /// error: layout_error im2col_place; a GPU stops the kernel
  template <class... Offset>
  requires(sizeof...(Offset) == (is_tma_load<Operation> ? Rank - 2 : 0)) TILEWRIGHT_FN
      auto tile(int pixel, int channel, Offset const&... offset) const {
    int numbers[Rank + sizeof...(Offset)]{channel};
    int const most = (1 << tma_im2col::place_bits(Rank)) - 1;
    require_place(pixel >= 0, 0, pixel);
    for (int i = 0, rest = pixel; i < Rank - 2; ++i) {
      int const n = map.images.positions(i);
      numbers[i + 1] = map.images.window[i].lower + map.images.window[i].step * (rest % n);
      numbers[i + 2] = rest /= n;
    }
    int i = 0;
    ((require_place(static_cast<int>(offset) >= 0 && static_cast<int>(offset) <= most, i + 1, static_cast<int>(offset)),
      numbers[Rank + i++] = static_cast<int>(offset)),
     ...);
    return tile_at(numbers, make_seq<static_cast<int>(Rank + sizeof...(Offset))>{});
  }

  /// A load that completes on `barrier`.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Barrier>
  requires(is_tma_load<Operation>) TILEWRIGHT_FN
      auto with(Barrier&& barrier, TMA::CacheHintSm90 hint = TMA::CacheHintSm90::EVICT_NORMAL) const {
    return Copy_Traits<detail::im2col_load_on<Rank, Tile>>(&map, detail::barrier_word(barrier),
                                                           static_cast<std::uint64_t>(hint));
  }

  template <class Src, class Dst>
  using operands_check = all_hold<detail::tma_load_has_a_barrier<Operation>,
                                  detail::tma_operands<typename Dst::iterator, typename Src::iterator>,
                                  detail::im2col_tile_is_as_made<Tile, Src>>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN void copy(Src const& src, Dst&& dst) const {
    array_of<int, Rank> numbers;
    detail::box_coordinate<8, Rank>(numbers, dst);
    auto const from = detail::start_of_boxes(src);
    for (int box = 0; box < Tile::boxes; ++box)
      tma_store_im2col<Rank>(&map, {numbers, box * Tile::channels}, from + box * Tile::step);
  }

  /// The pixels of a tile into L2.
  template <class Src>
  requires(is_tma_load<Operation>) TILEWRIGHT_FN void prefetch([[maybe_unused]] Src const& src) const {
#if TILEWRIGHT_ON_DEVICE
    array_of<int, 2 * Rank - 2> numbers;
    detail::box_coordinate<8, 2 * Rank - 2>(numbers, src);
    for (int box = 0; box < Tile::boxes; ++box) {
      detail::im2col_operands<Rank> const operands(numbers, box * Tile::channels);
      ptx::tma_prefetch_im2col(map.encoded, operands.at, operands.offset);
    }
#endif
  }

 private:
  TILEWRIGHT_FN static void require_place(bool holds, [[maybe_unused]] int mode, [[maybe_unused]] int number) {
    if (holds) return;
#if TILEWRIGHT_ON_DEVICE
    ptx::stop("TMA im2col: a tile's first pixel is negative, or an offset does not fit the instruction\n");
#elif TILEWRIGHT_HOSTED
    raise({errc::im2col_place, mode, number});
#endif
  }
  template <std::size_t N, int... I>
  TILEWRIGHT_FN static auto tile_at(int const (&numbers)[N], seq<I...>) {
    using Place = ArithmeticTuple<std::remove_cvref_t<decltype(numbers[I])>...>;
    using Shape_of_tile = Shape<C<Tile::pixels>, C<Tile::channels * Tile::boxes>>;
    return make_tensor(ArithmeticTupleIterator<Place>{Place(numbers[I]...)}, Layout<Shape_of_tile, Stride<_0, E<0>>>{});
  }
};

/// Brings a map near before the first copy; for one thread.
TILEWRIGHT_FN void prefetch_tma_descriptor([[maybe_unused]] tma_im2col_descriptor const* map) {
#if TILEWRIGHT_ON_DEVICE
  ptx::prefetch_tensor_map(map->encoded);
#endif
}

}  // namespace tilewright
