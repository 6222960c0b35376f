// Images, filters and shared layouts for TMA copies in im2col mode, and the kernels that move their tiles: run by the host
// tests and, compiled by nvcc, on a GPU, against the same expectation: a convolution unfolded by its definition.
#pragma once

#include "tilewright/algorithm/prefetch.hpp"
#include "tilewright/exec/shared_layout.hpp"
#include "tilewright/tiled/make_im2col_tma_copy.hpp"

#include <cstdint>

namespace tilewright::im2col_test {

/// A filter along one of W, H, D.
struct filter_mode {
  int size = 1, padding = 0, stride = 1, dilation = 1;
  im2col_window window() const { return filter_positions(size, padding, stride, dilation); }
  /// Of the outputs along an extent, by the definition of a convolution.
  int outputs(int extent) const {
    int n = 0;
    for (int at = -padding; at + (size - 1) * dilation < extent + padding; at += stride) ++n;
    return n;
  }
};
/// Along W, H, D; those that images lack are 1 element.
struct filters {
  filter_mode along[3];
  TILEWRIGHT_HOST_DEVICE int taps() const { return along[0].size * along[1].size * along[2].size; }
};

/// How many tiles of each kind a matrix has: along its pixels, its channels, and for the filter's elements.
struct tiles {
  int pixels, channels, taps;
  TILEWRIGHT_HOST_DEVICE int all() const { return pixels * channels * taps; }
};

template <class Tma>
TILEWRIGHT_HOST_DEVICE auto tile_of_tap(Tma const& tma, int pixel, int channel, C<1>, int const (&offset)[3]) {
  return tma.tile(pixel, channel, offset[0]);
}
template <class Tma>
TILEWRIGHT_HOST_DEVICE auto tile_of_tap(Tma const& tma, int pixel, int channel, C<2>, int const (&offset)[3]) {
  return tma.tile(pixel, channel, offset[0], offset[1]);
}
template <class Tma>
TILEWRIGHT_HOST_DEVICE auto tile_of_tap(Tma const& tma, int pixel, int channel, C<3>, int const (&offset)[3]) {
  return tma.tile(pixel, channel, offset[0], offset[1], offset[2]);
}

/// Each block loads one tile for one element of the filter, and writes it out.
template <class T, int Windows>
struct load_pixels {
  template <class Block, class Tma, class Smem>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Tma const& tma, Smem const& smem_layout, filters const& f,
                                         tiles const& n, T* out) const {
    auto const tile = shared<T>(block, smem_layout);
    auto const barrier = shared<std::uint64_t>(block, Shape<_1>{});
    int const index = static_cast<int>(block.index().x);
    if (block.thread() == 0) {
      initialize_barrier(barrier(0), 1);
      fence_barrier_init();
    }
    block.sync();
    if (block.thread() == 0) {
      int offset[3], rest = index / (n.pixels * n.channels);
      for (int i = 0; i < 3; ++i, rest /= f.along[i - 1].size) offset[i] = rest % f.along[i].size * f.along[i].dilation;
      auto const from =
          tile_of_tap(tma, index % n.pixels * static_cast<int>(size<0>(smem_layout)),
                      index / n.pixels % n.channels * static_cast<int>(size<1>(smem_layout)), C<Windows>{}, offset);
      prefetch_tma_descriptor(tma.get_tma_descriptor());
      prefetch(tma, from);
      set_barrier_transaction_bytes(barrier(0), static_cast<std::uint32_t>(size(tile) * sizeof(T)));
      copy(tma.with(barrier(0)), from, tile);
    }
    wait_barrier(barrier(0), 0);
    for (int i = block.thread(); i < size(tile); i += block.threads())
      out[static_cast<long long>(index) * size(tile) + i] = tile(i);
  }
};

/// Each block fills a tile from a list of elements and stores it.
template <class T>
struct store_pixels {
  template <class Block, class Tma, class Smem>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Tma const& tma, Smem const& smem_layout, tiles const& n,
                                         T const* in) const {
    auto const tile = shared<T>(block, smem_layout);
    int const index = static_cast<int>(block.index().x);
    for (int i = block.thread(); i < size(tile); i += block.threads())
      tile(i) = in[static_cast<long long>(index) * size(tile) + i];
    tma_store_fence();
    block.sync();
    if (block.thread() == 0) {
      copy(tma, tile,
           tma.tile(index % n.pixels * static_cast<int>(size<0>(smem_layout)),
                    index / n.pixels * static_cast<int>(size<1>(smem_layout))));
      tma_store_arrive();
      tma_store_wait<0>();
    }
  }
};

template <class... E>
auto images_of(E... extent) {
  return make_layout(make_shape(extent...));
}
/// Of the same extents, with gaps of 16 bytes and more in memory.
template <class T>
auto apart(int c, int w, int h, int n) {
  int const pixel = c + 32 / static_cast<int>(sizeof(T)), row = pixel * (w + 1);
  return make_layout(make_shape(c, w, h, n), make_stride(_1{}, pixel, row, row * (h + 2)));
}

/// f(name, T{}, the images' layout (C, W, H, D, N), the shared layout (pixels, channels), the filter)
template <class F>
void for_each_case(F const& f) {
  auto const rows_of = [](auto p, auto c) { return make_layout(make_shape(p, c), LayoutRight{}); };
  f("W, 3 padded", float{}, images_of(32, 17, 3), rows_of(_16{}, _16{}), filters{{{3, 1}}});
  f("W, ragged channels", float{}, images_of(20, 9, 4), rows_of(_8{}, _16{}), filters{{{4, 2, 3}}});
  f("W, far apart", std::uint16_t{}, images_of(64, 50, 2), composition(Swizzle<3, 3, 3>{}, rows_of(_32{}, _64{})),
    filters{{{5, 8, 2, 4}}});
  f("W, H, 1 element", float{}, images_of(32, 5, 4, 3), rows_of(_16{}, _32{}), filters{});
  f("W, H, 3 by 3 padded", float{}, images_of(32, 7, 6, 3), rows_of(_32{}, _16{}), filters{{{3, 1}, {3, 1}}});
  f("W, H, another filter along each", float{}, images_of(16, 11, 7, 2), rows_of(_16{}, _16{}),
    filters{{{5, 2, 2, 1}, {3, 0, 1, 2}}});
  f("W, H, strides", std::uint16_t{}, images_of(40, 12, 9, 2), rows_of(_16{}, _16{}),
    filters{{{3, 1, 3, 1}, {2, 1, 2, 3}}});
  f("W, H, gaps in memory", float{}, apart<float>(20, 6, 5, 3), rows_of(_16{}, _32{}), filters{{{3, 1}, {2, 0}}});
  f("W, H, swizzled by 32", std::uint16_t{}, images_of(48, 6, 6, 2),
    composition(Swizzle<1, 3, 3>{}, rows_of(_64{}, _16{})), filters{{{3, 1}, {3, 1}}});
  f("W, H, swizzled by 64", float{}, images_of(48, 6, 6, 2), composition(Swizzle<2, 2, 3>{}, rows_of(_32{}, _16{})),
    filters{{{2, 0}, {3, 1}}});
  f("W, H, swizzled by 128", float{}, images_of(32, 6, 6, 2), composition(Swizzle<3, 2, 3>{}, rows_of(_32{}, _32{})),
    filters{{{2, 1}, {3, 1}}});
  f("W, H, two boxes of channels", std::uint16_t{}, images_of(200, 7, 5, 3),
    tile_to_shape(composition(Swizzle<3, 3, 3>{}, rows_of(_8{}, _64{})), Shape<_64, _128>{}),
    filters{{{3, 1}, {1, 0}}});
  f("W, H, bytes", std::uint8_t{}, images_of(80, 9, 5, 2), rows_of(_64{}, _32{}), filters{{{3, 2}, {2, 1}}});
  f("W, H, 8 bytes", std::uint64_t{}, images_of(6, 9, 5, 2), rows_of(_32{}, _4{}), filters{{{2, 0, 2}, {2, 0, 2}}});
  f("W, H, 512 pixels", float{}, images_of(8, 20, 12, 3), rows_of(_512{}, _8{}), filters{{{3, 1}, {2, 0}}});
  f("W, H, D", float{}, images_of(16, 6, 5, 4, 2), rows_of(_32{}, _16{}), filters{{{3, 1}, {2, 0, 2}, {2, 1, 1, 2}}});
  f("W, H, D, another filter along each", std::uint16_t{}, images_of(24, 5, 7, 3, 3),
    composition(Swizzle<1, 3, 3>{}, rows_of(_16{}, _16{})), filters{{{1, 0, 2}, {4, 2, 3, 1}, {2, 0, 1, 1}}});
}

/// f(name, T{}, the images' layout, the shared layout, the windows along W, H, D) for stores
template <class F>
void for_each_store(F const& f) {
  auto const rows_of = [](auto p, auto c) { return make_layout(make_shape(p, c), LayoutRight{}); };
  struct windows {
    im2col_window along[3];
  };
  f("W", float{}, images_of(20, 17, 3), rows_of(_16{}, _16{}), windows{});
  f("W, H", float{}, images_of(32, 7, 5, 3), rows_of(_16{}, _32{}), windows{});
  f("W, H, gaps in memory", std::uint16_t{}, apart<std::uint16_t>(40, 7, 5, 3), rows_of(_16{}, _32{}), windows{});
  f("W, H, every second pixel but for the rim", float{}, images_of(16, 9, 8, 2), rows_of(_8{}, _16{}),
    windows{{{1, -1, 2}, {2, -1, 2}}});
  f("W, H, swizzled, two boxes", std::uint16_t{}, images_of(200, 7, 5, 3),
    tile_to_shape(composition(Swizzle<3, 3, 3>{}, rows_of(_8{}, _64{})), Shape<_64, _128>{}), windows{});
  f("W, H, D", float{}, images_of(16, 5, 4, 3, 2), rows_of(_32{}, _16{}), windows{{{0, -1}, {1, 0}, {0, 0, 2}}});
}

/// make(windows…) for as many as images of that rank have.
template <class Make, class Windows, int... I>
auto with_windows(Make const& make, Windows const& windows, seq<I...>) {
  return make(windows(I)...);
}

/// Extents C, W, H, D, N of a layout, and where a pixel's channel lies.
template <class L>
struct images {
  static constexpr int rank = rank_v<L>;
  L layout;
  int extent(int mode) const {
    int out = 0, i = 0;
    for_each_extent([&](auto const& e) { out = i++ == mode ? static_cast<int>(e) : out; });
    return out;
  }
  /// at: C, W, …, N
  bool contains(int const (&at)[5]) const {
    for (int i = 0; i < rank; ++i)
      if (at[i] < 0 || at[i] >= extent(i)) return false;
    return true;
  }
  long long offset(int const (&at)[5]) const { return offset_of(at, make_seq<rank>{}); }

 private:
  template <class F>
  void for_each_extent(F const& f) const {
    each(f, make_seq<rank>{});
  }
  template <class F, int... I>
  void each(F const& f, seq<I...>) const {
    (f(get<I>(layout.shape())), ...);
  }
  template <int... I>
  long long offset_of(int const (&at)[5], seq<I...>) const {
    return static_cast<long long>(layout(make_coord(at[I]...)));
  }
};
template <class L>
images(L const&) -> images<L>;

/// Element (pixel, channel) of the unfolded matrix for an element of the filter, by the definition: g(offset) in the images,
/// outside() beyond them.
template <class L, class G>
auto element_of_matrix(images<L> const& x, filters const& f, int tap, int pixel, int channel, G const& g) {
  int at[5]{channel};
  for (int i = 0; i < x.rank - 2; ++i) {
    filter_mode const& along = f.along[i];
    int const n = along.outputs(x.extent(i + 1));
    at[i + 1] = pixel % n * along.stride - along.padding + tap % along.size * along.dilation;
    pixel /= n;
    tap /= along.size;
  }
  at[x.rank - 1] = pixel;
  return x.contains(at) ? g(true, x.offset(at)) : g(false, 0LL);
}

/// What stores of all tiles write: f(offset in the images, index in the list of the tiles' elements).
template <class L, class Windows, class Smem, class F>
void for_each_stored(images<L> const& x, Windows const& w, tiles const& n, Smem const& smem, F const& f) {
  int const each = static_cast<int>(size(smem)), rows = static_cast<int>(size<0>(smem));
  for (int k = 0; k < n.all() * each; ++k) {
    int const b = k / each, i = k % each;
    int at[5]{b / n.pixels * static_cast<int>(size<1>(smem)) + i / rows}, rest = b % n.pixels * rows + i % rows;
    for (int d = 0; d < x.rank - 2; ++d) {
      im2col_window const& along = w.along[d];
      int positions = 0;
      for (int p = along.lower; p < x.extent(d + 1) + along.upper; p += along.step) ++positions;
      at[d + 1] = along.lower + rest % positions * along.step;
      rest /= positions;
    }
    at[x.rank - 1] = rest;
    if (x.contains(at)) f(static_cast<std::size_t>(x.offset(at)), static_cast<std::size_t>(k));
  }
}

/// Tiles that cover all pixels and channels, and one more of pixels beyond the last image.
template <class L, class Smem>
tiles tiles_of(images<L> const& x, filters const& f, Smem const& smem) {
  int pixels = x.extent(x.rank - 1);
  for (int i = 0; i < x.rank - 2; ++i) pixels *= f.along[i].outputs(x.extent(i + 1));
  int const tile_pixels = static_cast<int>(size<0>(smem)), tile_channels = static_cast<int>(size<1>(smem));
  return {(pixels + tile_pixels - 1) / tile_pixels + 1, (x.extent(0) + tile_channels - 1) / tile_channels, f.taps()};
}

}  // namespace tilewright::im2col_test
