// TMA copies that unpack floats of 4 and 6 bits, on the CPU: 16 packed elements at the start of each 16 bytes of shared memory, where a
// swizzle moves them; zeros beyond the tensor; the bytes that the barrier counts; what is said where a rule is broken.
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

struct alignas(32) line {
  unsigned char bytes[32];
};
std::vector<line> random_bytes(std::size_t n) {
  std::mt19937 random(4);
  std::vector<line> out(n / 32);
  for (line& l : out)
    for (unsigned char& b : l.bytes) b = static_cast<unsigned char>(random());
  return out;
}

/// A tile of bytes as the copy leaves it, in the order of shared memory.
template <int CountedBytes>
struct load_tile {
  template <class Block, class Tma, class Shape, class Tiler, class Smem>
  void operator()(Block& block, Tma const& tma, Shape const& shape, Tiler const& tiler, Smem const& smem,
                  unsigned char* out) const {
    auto tile = shared<std::uint8_t>(block, smem);
    auto barrier = shared<std::uint64_t>(block, tilewright::Shape<_1>{});
    int const b = static_cast<int>(block.index().x);
    auto const from = local_tile(tma.get_tma_tensor(shape), tiler, make_coord(b % 2, b / 2));
    for (int i = block.thread(); i < static_cast<int>(size(tile)); i += block.threads()) tile(i) = 0xee;
    if (block.thread() == 0) {
      initialize_barrier(barrier(0), 1);
      fence_barrier_init();
      set_barrier_transaction_bytes(barrier(0), CountedBytes);
    }
    block.sync();
    if (block.thread() == 0) {
      auto const mine = tma.get_slice(0);
      copy(tma.with(barrier(0)), mine.partition_S(from), mine.partition_D(tile));
    }
    wait_barrier(barrier(0), 0);
    for (int i = block.thread(); i < static_cast<int>(size(tile)); i += block.threads())
      out[b * static_cast<int>(size(tile)) + i] = tile(i);
  }
};

/// rows × columns elements of T in tiles of tile_rows × tile_columns.
template <class T, int Rows, int TileRows, int TileColumns, class Smem>
void expect_unpacked(Smem const& smem) {
  constexpr int columns = 2 * TileColumns, bits = bits_before_unpacking<T>, row_bytes = columns * bits / 8;
  auto memory = random_bytes(Rows * row_bytes);
  auto const* const packed = memory[0].bytes;
  auto const tensor = make_tensor(make_gmem_ptr(reinterpret_cast<T*>(memory[0].bytes)),
                                  make_layout(make_shape(Rows, columns), make_stride(columns, _1{})));
  Shape<C<TileRows>, C<TileColumns>> const tiler;
  auto const tma = make_tma_copy(SM90_TMA_LOAD{}, tensor, smem, tiler);
  constexpr int tiles_m = 2, tile = TileRows * TileColumns;
  std::vector<unsigned char> out(static_cast<std::size_t>(4 * tile));
  launch_checked(4, 32, load_tile<tile * bits / 8>{}, tma, shape(tensor), tiler, smem, out.data());
  for (int b = 0; b < 4; ++b)
    for (int i = 0; i < tile; ++i) {
      int const m = b % tiles_m * TileRows + i % TileRows, k = b / tiles_m * TileColumns + i / TileRows;
      int const in_16 = k % 16, at = m * row_bytes + k / 16 * 16 * bits / 8 + in_16;
      int const expected = in_16 * 8 >= 16 * bits ? 0xee : m >= Rows ? 0 : packed[at];
      ASSERT_EQ(static_cast<int>(out[static_cast<std::size_t>(b * tile + i)]), expected) << b << ": " << m << "," << k;
    }
}

TEST(tma_unpack, sixteen_elements_have_sixteen_bytes) {
  auto const swizzled = composition(Swizzle<3, 4, 3>{}, make_layout(Shape<_16, _128>{}, LayoutRight{}));
  expect_unpacked<in_a_byte<float_e2m1_t>, 32, 16, 128>(swizzled);
  expect_unpacked<in_a_byte<float_e3m2_t>, 27, 16, 128>(swizzled);  // the last tile reaches beyond the rows
  // Two instructions side by side.
  expect_unpacked<in_a_byte<float_e2m3_t>, 16, 8, 256>(
      make_layout(Shape<_8, Shape<_128, _2>>{}, Stride<_128, Stride<_1, C<1024>>>{}));
}

template <class Make>
std::string refusal_of(Make const& make) {
  try {
    make();
  } catch (std::exception const& e) {
    return e.what();
  }
  return {};
}

TEST(tma_unpack, what_the_engine_cannot_unpack_is_refused) {
  using T = in_a_byte<float_e2m1_t>;
  auto memory = random_bytes(64 * 256);
  auto const smem = make_layout(Shape<_8, _128>{}, LayoutRight{});
  auto const made = [&](int offset, int columns, int stride) {
    return refusal_of([&] {
      (void)make_tma_copy(SM90_TMA_LOAD{},
                          make_tensor(make_gmem_ptr(reinterpret_cast<T*>(memory[0].bytes + offset)),
                                      make_layout(make_shape(16, columns), make_stride(stride, _1{}))),
                          smem);
    });
  };
  EXPECT_EQ(made(0, 256, 256), "");
  EXPECT_NE(made(16, 256, 256).find("an address and strides that are multiples of 32 bytes"), std::string::npos);
  EXPECT_NE(made(0, 256, 288).find("an address and strides that are multiples of 32 bytes (bytes 144"),
            std::string::npos);
  EXPECT_NE(made(0, 192, 256).find("in rows of 128 (elements 192"), std::string::npos);
}

}  // namespace
