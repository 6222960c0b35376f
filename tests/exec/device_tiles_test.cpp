// Tiles of the GPU engine that are more than index arithmetic, run on the CPU: a block's threads are threads here, its
// barrier is one, and sanitizers watch its addresses. Against element by element.
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
#undef __CUDACC_RTC__

#include <gtest/gtest.h>

namespace tilewright {
namespace {

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

}  // namespace
}  // namespace tilewright
