// Tensors, tiles and shared layouts for TMA copies, and the kernels that move them: run by the host tests and, compiled by
// nvcc, on a GPU, against the same expectation: element c of a tile is element c of the tensor, or zero beyond it.
#pragma once

#include "tilewright/algorithm/prefetch.hpp"
#include "tilewright/exec/shared_layout.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

#include <cstdint>

namespace tilewright::tma_test {

/// The tile of a block: blocks count through the tiles of a tensor, first mode fastest.
template <class Tensor, class Extents, class Tiler>
TILEWRIGHT_HOST_DEVICE auto tile_of_block(Tensor const& tensor, Extents const& extents, Tiler const& tiler, int block) {
  return local_tile(tensor, tiler, idx2crd(block, ceil_div(extents, tiler)));
}

/// Each block loads its tile and writes it out, element after element.
template <class T>
struct load_tiles {
  template <class Block, class Tma, class Extents, class Tiler, class Smem>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Tma const& tma, Extents const& extents, Tiler const& tiler,
                                         Smem const& smem_layout, T* out) const {
    auto const tile = shared<T>(block, smem_layout);
    auto const barrier = shared<std::uint64_t>(block, Shape<_1>{});
    int const index = static_cast<int>(block.index().x);
    if (block.thread() == 0) {
      initialize_barrier(barrier(0), 1);
      fence_barrier_init();
    }
    block.sync();
    if (block.thread() == 0) {
      auto const mine = tma.get_slice(0);
      auto const from = mine.partition_S(tile_of_block(tma.get_tma_tensor(extents), extents, tiler, index));
      prefetch_tma_descriptor(tma.get_tma_descriptor());
      prefetch(tma, from);
      set_barrier_transaction_bytes(barrier(0), static_cast<std::uint32_t>(size(tile) * sizeof_bits_v<T> / 8));
      copy(tma.with(barrier(0)), from, mine.partition_D(tile));
    }
    wait_barrier(barrier(0), 0);
    for (int i = block.thread(); i < size(tile); i += block.threads())
      out[static_cast<long long>(index) * size(tile) + i] = tile(i);
  }
};

/// Each block fills a tile from a list of elements and stores it: what lies beyond the tensor must not be written.
template <class T>
struct store_tiles {
  template <class Block, class Tma, class Extents, class Tiler, class Smem>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Tma const& tma, Extents const& extents, Tiler const& tiler,
                                         Smem const& smem_layout, T const* in) const {
    auto const tile = shared<T>(block, smem_layout);
    int const index = static_cast<int>(block.index().x);
    int const writers = is_subbyte_v<T> ? 1 : block.threads();  // elements of one byte are written by one thread
    for (int i = block.thread(); i < size(tile) && block.thread() < writers; i += writers)
      tile(i) = in[static_cast<long long>(index) * size(tile) + i];
    tma_store_fence();
    block.sync();
    if (block.thread() == 0) {
      auto const mine = tma.get_slice(0);
      auto const to = mine.partition_D(tile_of_block(tma.get_tma_tensor(extents), extents, tiler, index));
      copy(tma, mine.partition_S(tile), to);
      tma_store_arrive();
      tma_store_wait<0>();
    }
  }
};

/// The blocks of a cluster each load their share of one tile for all of them; each writes out what it has, by the
/// partitions of the copy or by tma_partition.
template <class T, int Blocks, bool ByTmaPartition>
struct share_tiles {
  template <class Block, class Tma, class Extents, class Tiler, class Smem>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Tma const& tma, Extents const& extents, Tiler const& tiler,
                                         Smem const& smem_layout, T* out) const {
    auto const tile = shared<T>(block, smem_layout);
    auto const barrier = shared<std::uint64_t>(block, Shape<_1>{});
    int const index = static_cast<int>(block.index().x);
    int const rank = static_cast<int>(block_rank_in_cluster());
    if (block.thread() == 0) {
      initialize_barrier(barrier(0), 1);
      fence_barrier_init();
    }
    cluster_sync();  // no block's barrier counts before it is initialised
    if (block.thread() == 0) {
      auto const from = tile_of_block(tma.get_tma_tensor(extents), extents, tiler, index / Blocks);
      set_barrier_transaction_bytes(barrier(0), static_cast<std::uint32_t>(size(tile) * sizeof(T)));
      auto const load = tma.with(barrier(0), static_cast<std::uint16_t>((1 << Blocks) - 1));
      if constexpr (ByTmaPartition) {
        auto const shares = tma_partition(tma, rank, Layout<Shape<C<Blocks>>>{}, group_modes<0, rank_v<Smem>>(tile),
                                          group_modes<0, rank_v<Smem>>(from));
        copy(load, get<0>(shares), get<1>(shares));
      } else {
        auto const mine = tma.get_slice(rank);
        copy(load, mine.partition_S(from), mine.partition_D(tile));
      }
    }
    wait_barrier(barrier(0), 0);
    for (int i = block.thread(); i < size(tile); i += block.threads())
      out[static_cast<long long>(index) * size(tile) + i] = tile(i);
    cluster_sync();  // no block leaves while others write to it
  }
};

/// f(name, T{}, the tensor's layout, the tile's extents, the shared layout)
template <class F>
void for_each_case(F const& f) {
  auto const row_major = [](auto m, auto n, int pitch) {
    return make_layout(make_shape(m, n), make_stride(pitch, _1{}));
  };
  auto const column_major = [](auto m, auto n, int pitch) {
    return make_layout(make_shape(m, n), make_stride(_1{}, pitch));
  };
  auto const rows_of = [](auto m, auto n) { return make_layout(make_shape(m, n), LayoutRight{}); };
  auto const columns_of = [](auto m, auto n) { return make_layout(make_shape(m, n)); };

  f("float row-major", float{}, row_major(128, 64, 64), Shape<_64, _32>{}, rows_of(_64{}, _32{}));
  f("float ragged", float{}, row_major(100, 61, 64), Shape<_64, _32>{}, rows_of(_64{}, _32{}));
  f("float column-major", float{}, column_major(100, 60, 104), Shape<_32, _64>{}, columns_of(_32{}, _64{}));
  f("double ragged", double{}, column_major(33, 17, 34), Shape<_16, _8>{}, columns_of(_16{}, _8{}));
  f("bytes ragged", std::uint8_t{}, row_major(50, 77, 80), Shape<_32, _32>{}, rows_of(_32{}, _32{}));
  f("static extents", float{}, Layout<Shape<_128, _64>, Stride<_64, _1>>{}, Shape<_32, _16>{}, rows_of(_32{}, _16{}));

  f("float swizzled by 32", float{}, row_major(100, 60, 60), Shape<_64, _8>{},
    composition(Swizzle<1, 2, 3>{}, rows_of(_64{}, _8{})));
  f("float swizzled by 64", float{}, row_major(100, 60, 60), Shape<_64, _16>{},
    composition(Swizzle<2, 2, 3>{}, rows_of(_64{}, _16{})));
  f("float swizzled by 128", float{}, row_major(100, 60, 60), Shape<_64, _32>{},
    composition(Swizzle<3, 2, 3>{}, rows_of(_64{}, _32{})));
  f("16 bits swizzled by 32", std::uint16_t{}, row_major(70, 72, 72), Shape<_64, _16>{},
    composition(Swizzle<1, 3, 3>{}, rows_of(_64{}, _16{})));
  f("16 bits swizzled by 64", std::uint16_t{}, row_major(70, 72, 72), Shape<_64, _32>{},
    composition(Swizzle<2, 3, 3>{}, rows_of(_64{}, _32{})));
  f("16 bits swizzled by 128", std::uint16_t{}, row_major(70, 72, 72), Shape<_64, _64>{},
    composition(Swizzle<3, 3, 3>{}, rows_of(_64{}, _64{})));
  f("bytes swizzled by 128", std::uint8_t{}, column_major(200, 20, 208), Shape<_128, _16>{},
    composition(Swizzle<3, 4, 3>{}, columns_of(_128{}, _16{})));
  f("doubles swizzled by 128", std::uint64_t{}, column_major(40, 20, 42), Shape<_16, _16>{},
    composition(Swizzle<3, 1, 3>{}, columns_of(_16{}, _16{})));

  // Tiles of several boxes: wider than the swizzle, taller than a box.
  auto const k_atom = composition(Swizzle<3, 3, 3>{}, rows_of(_8{}, _64{}));
  f("16 bits, two boxes along the rows", std::uint16_t{}, row_major(70, 200, 200), Shape<_64, _128>{},
    tile_to_shape(k_atom, Shape<_64, _128>{}));
  auto const m_atom = composition(Swizzle<3, 3, 3>{}, columns_of(_64{}, _8{}));
  f("16 bits, two boxes along the columns", std::uint16_t{}, column_major(150, 40, 152), Shape<_128, _32>{},
    tile_to_shape(m_atom, Shape<_128, _32>{}));
  f("more than 256 rows", float{}, row_major(600, 20, 20), Shape<_512, _8>{}, rows_of(_512{}, _8{}));

  // Other ranks.
  f("a vector", float{}, make_layout(make_shape(1000), make_stride(_1{})), Shape<_256>{}, Layout<Shape<_256>>{});
  f("rank 3", float{}, make_layout(make_shape(40, 9, 5), make_stride(_1{}, 40, 400)), Shape<_32, _4, _2>{},
    Layout<Shape<_32, _4, _2>>{});
  f("rank 3, modes in another order", std::uint16_t{}, make_layout(make_shape(9, 40, 5), make_stride(40, _1{}, 400)),
    Shape<_4, _32, _2>{}, make_layout(Shape<_4, _32, _2>{}, Stride<_64, _1, _32>{}));
  f("rank 3, one matrix a tile", float{}, make_layout(make_shape(40, 12, 3), make_stride(_1{}, 40, 480)),
    Shape<_16, _8, _1>{}, Layout<Shape<_16, _8, _1>>{});
  f("rank 4", float{}, make_layout(make_shape(20, 6, 5, 3), make_stride(_1{}, 20, 120, 600)), Shape<_16, _4, _2, _2>{},
    Layout<Shape<_16, _4, _2, _2>>{});
  f("rank 5", float{}, make_layout(make_shape(12, 3, 4, 3, 2), make_stride(_1{}, 12, 36, 144, 432)),
    Shape<_8, _2, _2, _2, _2>{}, Layout<Shape<_8, _2, _2, _2, _2>>{});
}

/// Elements narrower than a byte: packed in the tensor and in shared memory; the kernels' lists have a byte for each.
template <class F>
void for_each_subbyte_case(F const& f) {
  auto const row_major = [](auto m, auto n, int pitch) {
    return make_layout(make_shape(m, n), make_stride(pitch, _1{}));
  };
  auto const column_major = [](auto m, auto n, int pitch) {
    return make_layout(make_shape(m, n), make_stride(_1{}, pitch));
  };
  auto const rows_of = [](auto m, auto n) { return make_layout(make_shape(m, n), LayoutRight{}); };
  auto const columns_of = [](auto m, auto n) { return make_layout(make_shape(m, n)); };

  f("4 bits, rows", int4b_t{}, row_major(40, 192, 192), Shape<_16, _64>{}, rows_of(_16{}, _64{}));
  f("4 bits, ragged", int4b_t{}, row_major(37, 150, 160), Shape<_16, _32>{}, rows_of(_16{}, _32{}));
  f("4 bits, columns", uint4b_t{}, column_major(224, 9, 256), Shape<_128, _4>{}, columns_of(_128{}, _4{}));
  f("4 bits, rows of 256 bytes", uint4b_t{}, row_major(5, 1024, 1056), Shape<_2, _1024>{}, rows_of(_2{}, _1024{}));
  f("4 bits, static extents", int4b_t{}, Layout<Shape<_32, _128>, Stride<_128, _1>>{}, Shape<_16, _64>{},
    rows_of(_16{}, _64{}));
  f("4 bits swizzled by 32", int4b_t{}, row_major(20, 224, 224), Shape<_16, _64>{},
    composition(Swizzle<1, 5, 3>{}, rows_of(_16{}, _64{})));
  f("4 bits swizzled by 64", int4b_t{}, row_major(20, 224, 224), Shape<_16, _128>{},
    composition(Swizzle<2, 5, 3>{}, rows_of(_16{}, _128{})));
  f("4 bits swizzled by 128", int4b_t{}, column_major(480, 20, 512), Shape<_256, _16>{},
    composition(Swizzle<3, 5, 3>{}, columns_of(_256{}, _16{})));
  f("4 bits, two boxes along the rows", int4b_t{}, row_major(20, 800, 832), Shape<_16, _512>{},
    tile_to_shape(composition(Swizzle<3, 5, 3>{}, rows_of(_8{}, _256{})), Shape<_16, _512>{}));
  f("4 bits, rank 3", uint4b_t{}, make_layout(make_shape(96, 5, 3), make_stride(_1{}, 96, 480)), Shape<_32, _2, _2>{},
    Layout<Shape<_32, _2, _2>>{});
  f("2 bits", uint2b_t{}, row_major(10, 320, 320), Shape<_8, _64>{}, rows_of(_8{}, _64{}));
  f("1 bit", uint1b_t{}, row_major(10, 640, 640), Shape<_8, _256>{}, rows_of(_8{}, _256{}));
  f("6 bits", int6b_t{}, row_major(10, 192, 256), Shape<_8, _64>{}, rows_of(_8{}, _64{}));
}

/// Tiles that 2 and 4 blocks can share.
template <class F>
void for_each_shared_case(F const& f) {
  auto const rows_of = [](auto m, auto n) { return make_layout(make_shape(m, n), LayoutRight{}); };
  f("shared rows", float{}, make_layout(make_shape(100, 60), make_stride(60, _1{})), Shape<_64, _32>{},
    rows_of(_64{}, _32{}));
  f("shared swizzled rows", std::uint16_t{}, make_layout(make_shape(150, 200), make_stride(200, _1{})),
    Shape<_64, _128>{}, tile_to_shape(composition(Swizzle<3, 3, 3>{}, rows_of(_8{}, _64{})), Shape<_64, _128>{}));
  f("shared rank 3", float{}, make_layout(make_shape(40, 9, 5), make_stride(_1{}, 40, 400)), Shape<_16, _4, _4>{},
    Layout<Shape<_16, _4, _4>>{});
}

/// Can TMA store to the tensor? Not if its contiguous mode ends inside of 16 bytes.
template <class T, class L>
bool ends_with_whole_chunks(L const& layout) {
  auto const extents = wrap(flatten(shape(layout)));
  auto const steps = wrap(flatten(stride(layout)));
  long long contiguous = 0;
  [&]<int... I>(seq<I...>) {
    ((contiguous += std::is_same_v<std::remove_cvref_t<decltype(get<I>(steps))>, _1> ? get<I>(extents) : 0), ...);
  }
  (make_seq<rank_v<std::remove_const_t<decltype(steps)>>>{});
  return contiguous * sizeof_bits_v<T> % 128 == 0;
}

/// How many tiles a tensor has.
template <class L, class Tiler>
int tiles_of(L const& layout, Tiler const& tiler) {
  return static_cast<int>(size(ceil_div(shape(layout), tiler)));
}

/// The tile's element i as the tensor has it: g(offset) inside, `outside` beyond.
template <class L, class Tiler, class G>
auto element_of_tile(L const& layout, Tiler const& tiler, int block, int i, G const& g) {
  auto const coordinates = tile_of_block(make_identity_tensor(shape(layout)), shape(layout), tiler, block);
  return g(elem_less(coordinates(i), shape(layout)), static_cast<long long>(layout(coordinates(i))));
}

}  // namespace tilewright::tma_test
