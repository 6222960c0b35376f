// The realigned kernel's own body, run on the CPU: blocks of every width, for every width of element, from and to begins that are nowhere
// aligned, in memory that ends where the copies do, against element by element.
#include "engine/kernels/cuda/realigned/body.hpp"
#include "tilewright/exec/launch.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace tilewright {
namespace {

/// Rows of `extent_j` elements, `src_i` apart, become columns `dst_j` apart.
template <int Element, int Warps, int TileJ, int ExtentI, int ExtentJ, int SrcI, int DstJ, int Sector = 32>
struct realigned_shape {
  static constexpr int element = Element, threads = 32 * Warps, sector = Sector;
  static constexpr int tile_i = (32 * std::max(4, Element) - Sector) / Element, tile_j = TileJ;
  static constexpr int pitch = ((TileJ * Element + 15) / 16 | 1) * 16;
  static constexpr int read_at_once = 1;
  static constexpr bool evict_source_last = false;
  static constexpr long long extent_i = ExtentI, extent_j = ExtentJ, src_i = SrcI, dst_j = DstJ;
};

/// The memory of a copy: the elements of a side and nothing else.
struct sides {
  unsigned char const *src, *low, *high;
  unsigned char* dst;
};

/// A block for each tile.
template <class S>
struct realigned_kernel {
  static constexpr long long tiles_i = (S::extent_i + S::sector / S::element - 1 + S::tile_i - 1) / S::tile_i;
  static constexpr long long tiles_j = (S::extent_j + S::tile_j - 1) / S::tile_j;

  template <class Block>
  void operator()(Block& block, sides const& at) const {
    using tile = kernels::realigned_tile<S>;
    unsigned char* const shared = block.template shared_array<unsigned char>(tile::shared_bytes);
    long long const b = block.index().x;
    tile(at.src, at.dst, b % tiles_i * S::tile_i, b / tiles_i * S::tile_j, at.low, at.high, shared, block.thread())
        .copy(block);
  }
};

template <class S>
void check(int src_shift, int dst_shift) {
  constexpr long long e = S::element, first_row = S::src_i < 0 ? (S::extent_i - 1) * -S::src_i : 0;
  std::size_t const src_bytes = static_cast<std::size_t>(
      ((S::extent_i - 1) * (S::src_i < 0 ? -S::src_i : S::src_i) + S::extent_j + src_shift) * e);
  std::size_t const dst_bytes = static_cast<std::size_t>(((S::extent_j - 1) * S::dst_j + S::extent_i + dst_shift) * e);
  auto const source = std::make_unique<unsigned char[]>(src_bytes);
  auto const target = std::make_unique<unsigned char[]>(dst_bytes);
  std::mt19937 random(static_cast<unsigned>(src_shift * 31 + dst_shift));
  for (std::size_t k = 0; k < src_bytes; ++k) source[k] = static_cast<unsigned char>(random());
  std::memset(target.get(), 0xa5, dst_bytes);
  std::vector<unsigned char> expected(target.get(), target.get() + dst_bytes);
  unsigned char const* const low = source.get() + src_shift * e;
  for (long long i = 0; i < S::extent_i; ++i)
    for (long long j = 0; j < S::extent_j; ++j)
      std::memcpy(expected.data() + (dst_shift + i + j * S::dst_j) * e, low + (first_row + i * S::src_i + j) * e, e);
  using kernel = realigned_kernel<S>;
  launch_cpu(dim3{static_cast<unsigned>(kernel::tiles_i * kernel::tiles_j)}, dim3{S::threads}, kernel{},
             sides{low + first_row * e, low, source.get() + src_bytes, target.get() + dst_shift * e});
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target.get()))
      << "elements of " << e << " bytes, shifts " << src_shift << " and " << dst_shift;
}

TEST(realigned_kernel, bytes_from_rows_that_begin_anywhere) {
  for (int const shift : {0, 1, 2, 5, 7, 15}) check<realigned_shape<1, 8, 112, 201, 173, 173, 201>>(shift, 31 - shift);
  check<realigned_shape<1, 16, 240, 301, 270, 271, 303>>(3, 1);
  check<realigned_shape<1, 8, 48, 113, 90, 91, 116>>(1, 2);
}
TEST(realigned_kernel, elements_of_two_bytes) {
  for (int const shift : {0, 1, 3, 6}) check<realigned_shape<2, 8, 56, 151, 101, 103, 155>>(shift, 9 - shift);
  check<realigned_shape<2, 4, 120, 101, 130, 131, 102>>(1, 1);
}
TEST(realigned_kernel, words) {
  for (int const shift : {0, 1, 3}) check<realigned_shape<4, 8, 28, 99, 101, 101, 99>>(shift, 7 - shift);
  check<realigned_shape<4, 2, 60, 50, 70, 71, 53>>(1, 2);
}
TEST(realigned_kernel, elements_of_eight_bytes) {
  for (int const shift : {0, 1}) check<realigned_shape<8, 8, 14, 75, 37, 37, 75>>(shift, 3 - shift);
  check<realigned_shape<8, 1, 30, 75, 37, 37, 75>>(1, 1);
}
TEST(realigned_kernel, rows_that_go_backwards) {
  check<realigned_shape<1, 8, 64, 130, 90, -91, 131>>(3, 5);
  check<realigned_shape<2, 8, 32, 70, 66, -66, 70>>(1, 0);
}
TEST(realigned_kernel, columns_of_the_last_tile_that_do_not_exist) {
  for (int const shift : {0, 3, 13}) {
    check<realigned_shape<1, 8, 64, 301, 61, 61, 301>>(shift, shift + 1);
    check<realigned_shape<1, 8, 64, 301, 50, 50, 301>>(shift, shift);
    check<realigned_shape<1, 8, 112, 301, 115, 117, 303>>(shift, shift + 2);
    check<realigned_shape<2, 8, 32, 151, 27, 27, 151>>(shift, shift + 1);
    check<realigned_shape<4, 8, 16, 99, 15, 17, 99>>(shift, shift);
  }
}
TEST(realigned_kernel, rows_that_are_no_whole_vectors) {
  check<realigned_shape<1, 8, 106, 250, 106, 106, 250>>(0, 0);
  check<realigned_shape<1, 8, 53, 250, 106, 106, 250>>(1, 1);
  check<realigned_shape<2, 8, 123, 130, 123, 123, 131>>(1, 0);
  check<realigned_shape<4, 8, 31, 70, 62, 63, 70>>(1, 2);
}
TEST(realigned_kernel, extents_of_one_tile) { check<realigned_shape<1, 8, 48, 96, 48, 48, 96>>(0, 0); }
TEST(realigned_kernel, sectors_of_a_vector) {
  check<realigned_shape<1, 8, 48, 250, 61, 61, 253, 16>>(1, 3);
  check<realigned_shape<2, 8, 24, 250, 61, 61, 253, 4>>(1, 3);
}

}  // namespace
}  // namespace tilewright
