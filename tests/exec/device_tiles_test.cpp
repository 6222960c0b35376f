// Tiles of the GPU engine that are more than index arithmetic, run on the CPU: a block's threads are threads here, its
// barrier is one, and sanitizers watch its addresses. Against element by element, for every width of element, and for
// begins that are nowhere aligned.
#include "tilewright/base/config.hpp"

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr int block_threads = 64;

struct emulated_block {
  std::barrier<> barrier{block_threads};
  unsigned words[block_threads] = {};
};
emulated_block* the_block = nullptr;

thread_local struct { unsigned x; } threadIdx;

struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
[[maybe_unused]] inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

inline void __syncthreads() { the_block->barrier.arrive_and_wait(); }

inline unsigned __shfl_down_sync(unsigned, unsigned value, unsigned by) {
  unsigned const me = threadIdx.x;
  the_block->words[me] = value;
  __syncthreads();
  unsigned const out = me % 32 + by < 32 ? the_block->words[me + by] : value;
  __syncthreads();
  return out;
}

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) >> (by % 32)) & 0xffffffffu);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) << (by % 32)) >> 32);
}

inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  std::uint64_t const all = std::uint64_t{b} << 32 | a;
  unsigned out = 0;
  for (int i = 0; i < 4; ++i) out |= static_cast<unsigned>(all >> ((selector >> (4 * i) & 7u) * 8) & 0xffu) << (8 * i);
  return out;
}
template <class T>
unsigned atomicAnd(T* at, unsigned value) {
  return *at &= value;
}
template <class T>
unsigned atomicOr(T* at, unsigned value) {
  return *at |= value;
}

}  // namespace

#define __CUDACC_RTC__  // the header's device code, over what a device provides, written out above
#include "tilewright/exec/cuda/interleave.hpp"
#include "tilewright/exec/cuda/realign.hpp"
#undef __CUDACC_RTC__

#include <gtest/gtest.h>

namespace tilewright {
namespace {

/// Rows of `extent_j` elements, `src_i` apart, become columns `dst_j` apart.
template <int Element, int TileI, int TileJ, int ExtentI, int ExtentJ, int SrcI, int DstJ>
struct shape {
  static constexpr int element = Element, threads = block_threads, tile_i = TileI, tile_j = TileJ, sector = 32;
  static constexpr bool evict_source_last = false;
  static constexpr int per_word = Element < 4 ? 4 / Element : 1;
  static constexpr int source_pitch = TileJ * Element + 16, target_pitch = TileI * Element + sector;
  static constexpr int target_group = target_pitch * (TileJ / per_word) + 4 * (per_word > 1);
  static constexpr int read_at_once = 2, unroll = 2;
  static constexpr long long extent_i = ExtentI, extent_j = ExtentJ, src_i = SrcI, dst_j = DstJ;
};

/// Runs `kernel(shared memory)` in every thread of a block.
template <class Kernel>
void in_a_block(int shared_bytes, Kernel const& kernel) {
  emulated_block block;
  the_block = &block;
  struct alignas(16) vector16 {
    unsigned char bytes[16];
  };
  std::vector<vector16> shared(static_cast<std::size_t>((shared_bytes + 15) / 16));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < block_threads; ++t)
    threads.emplace_back([&, t] {
      threadIdx.x = t;
      kernel(shared.front().bytes);
    });
  for (std::thread& t : threads) t.join();
}

template <class S>
void run(unsigned char const* src, unsigned char* dst, unsigned char const* low, unsigned char const* high) {
  constexpr int rows = S::tile_i + S::sector / S::element;
  constexpr int shared_bytes = (rows * S::source_pitch + S::target_group * S::per_word + 15) / 16 * 16 + 4 * rows;
  constexpr long long tiles_i = (S::extent_i + S::sector / S::element - 1 + S::tile_i - 1) / S::tile_i;
  constexpr long long tiles_j = (S::extent_j + S::tile_j - 1) / S::tile_j;
  in_a_block(shared_bytes, [&](unsigned char* shared) {
    for (long long b = 0; b < tiles_i * tiles_j; ++b) {
      realigned_tile<S>(src, dst, b % tiles_i * S::tile_i, b / tiles_i * S::tile_j, low, high, shared).copy();
      __syncthreads();
    }
  });
}

/// The source's memory ends where its last element does, and the destination's too: what lies beyond is the sanitizer's.
template <class S>
void check(int src_shift, int dst_shift) {
  constexpr long long e = S::element, first_row = S::src_i < 0 ? (S::extent_i - 1) * -S::src_i : 0;
  std::size_t const src_bytes = static_cast<std::size_t>(
      ((S::extent_i - 1) * (S::src_i < 0 ? -S::src_i : S::src_i) + S::extent_j) * e + src_shift * e);
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
  run<S>(low + first_row * e, target.get() + dst_shift * e, low, source.get() + src_bytes);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target.get()))
      << "elements of " << e << " bytes, shifts " << src_shift << " and " << dst_shift;
}

/// Planes of `Places` elements, and their interleaved form.
template <int Element, int Planes, int Places, int Vector>
struct planes_shape {
  static constexpr int element = Element, planes = Planes, threads = block_threads, vector = Vector;
  static constexpr bool evict_source_last = false;
  static constexpr long long places = Places, plane_stride = (Places + 15) / 16 * 16;
};

/// Memory of exactly so many bytes, on a multiple of 16.
class aligned_bytes {
 public:
  explicit aligned_bytes(std::size_t size) : size_(size), all_(new (std::align_val_t{16}) unsigned char[size]) {}
  ~aligned_bytes() { operator delete[](all_, std::align_val_t{16}); }
  aligned_bytes(aligned_bytes const&) = delete;
  unsigned char* begin() const { return all_; }
  unsigned char* end() const { return all_ + size_; }

 private:
  std::size_t size_;
  unsigned char* all_;
};

template <class S>
void check_planes(bool joins) {
  constexpr std::size_t e = S::element;
  aligned_bytes const planar(static_cast<std::size_t>((S::planes - 1) * S::plane_stride + S::places) * e);
  aligned_bytes const joined(static_cast<std::size_t>(S::planes * S::places) * e);
  std::mt19937 random(5);
  for (aligned_bytes const* side : {&planar, &joined})
    for (unsigned char& byte : *side) byte = static_cast<unsigned char>(random());
  std::vector<unsigned char> expected((joins ? joined : planar).begin(), (joins ? joined : planar).end());
  for (std::size_t p = 0; p < S::places; ++p)
    for (std::size_t c = 0; c < S::planes; ++c) {
      std::size_t const in_plane = (c * S::plane_stride + p) * e, side_by_side = (p * S::planes + c) * e;
      std::memcpy(&expected[joins ? side_by_side : in_plane],
                  joins ? planar.begin() + in_plane : joined.begin() + side_by_side, e);
    }
  constexpr long long tile = block_threads * 16 / S::element;
  in_a_block(block_threads * 16 * S::planes, [&](unsigned char* shared) {
    for (long long p0 = 0; p0 < S::places; p0 += tile) {
      interleaved_tile<S> const it(p0, shared);
      if (joins) it.join(planar.begin(), joined.begin());
      else it.split(joined.begin(), planar.begin());
      __syncthreads();
    }
  });
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), (joins ? joined : planar).begin()))
      << S::planes << " planes of " << e << " bytes";
}

TEST(interleave, planes_of_bytes_and_of_pairs) {
  for (bool const joins : {true, false}) {
    check_planes<planes_shape<1, 3, 2048, 16>>(joins);
    check_planes<planes_shape<1, 3, 3005, 16>>(joins);
    check_planes<planes_shape<1, 7, 1030, 8>>(joins);
    check_planes<planes_shape<2, 3, 1111, 4>>(joins);
    check_planes<planes_shape<2, 5, 7, 16>>(joins);
  }
}

TEST(realign, bytes_from_rows_that_begin_anywhere) {
  for (int const shift : {0, 1, 5, 15}) check<shape<1, 64, 64, 201, 173, 173, 201>>(shift, 31 - shift);
}
TEST(realign, elements_of_two_bytes) {
  for (int const shift : {0, 3, 7}) check<shape<2, 64, 32, 151, 101, 103, 155>>(shift, 9 - shift);
}
TEST(realign, words) {
  for (int const shift : {0, 1, 3}) check<shape<4, 32, 32, 99, 101, 101, 99>>(shift, 7 - shift);
}
TEST(realign, elements_of_eight_bytes) {
  for (int const shift : {0, 1}) check<shape<8, 32, 16, 75, 37, 37, 75>>(shift, 3 - shift);
}
TEST(realign, rows_that_go_backwards) {
  check<shape<1, 64, 64, 130, 90, -91, 131>>(3, 5);
  check<shape<2, 32, 32, 70, 66, -66, 70>>(1, 0);
}
TEST(realign, more_threads_than_words) { check<shape<1, 64, 16, 130, 40, 40, 130>>(2, 3); }
TEST(realign, last_columns_that_do_not_exist) {
  for (int const shift : {0, 3, 13}) {
    check<shape<1, 64, 64, 301, 61, 61, 301>>(shift, shift + 1);
    check<shape<1, 64, 64, 301, 50, 50, 301>>(shift, shift);
    check<shape<1, 64, 64, 301, 115, 117, 303>>(shift, shift + 2);
    check<shape<2, 32, 32, 151, 27, 27, 151>>(shift, shift + 1);
    check<shape<4, 32, 16, 99, 15, 17, 99>>(shift, shift);
  }
}
TEST(realign, extents_of_one_tile) { check<shape<1, 32, 16, 32, 16, 16, 32>>(0, 0); }

}  // namespace
}  // namespace tilewright
