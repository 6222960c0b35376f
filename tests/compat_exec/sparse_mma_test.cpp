// Matrix operations with a sparse A as programs for CuTe write them: tiles of sparse elements, fragments of them, and gemm of A zipped
// with its metadata, next to a triple loop over the dense A. What CuTe prints for such tiles and fragments.
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>
#include <cute/arch/mma_sm120_sparse.hpp>
#include <cute/arch/mma_sm90_gmma_sparse_ext.hpp>
#include <cute/atom/mma_traits_sm120_sparse.hpp>
#include <cute/atom/mma_traits_sm90_gmma_sparse_ext.hpp>
#include <cute/tensor.hpp>

#include <random>
#include <string>
#include <vector>

using namespace cute;

namespace {

constexpr auto K_ = GMMA::Major::K;

/// Of each 4 neighbours of a row, two: where they are, the stored values and the dense matrix.
struct sparse_matrix {
  int rows;
  std::vector<float> dense, stored;
  std::vector<int> names;  // 4 bits of each 4 neighbours, m + rows * group

  sparse_matrix(int m, int k) : rows(m), dense(std::size_t(m * k)), stored(std::size_t(m * k / 2)) {
    std::mt19937 random(7);
    for (int g = 0; g < k / 4; ++g)
      for (int row = 0; row < m; ++row) {
        int const first = int(random() % 3), second = first + 1 + int(random() % unsigned(3 - first));
        for (int i = 0; i < 2; ++i) {
          float const x = float(int(random() % 9) - 4);
          stored[std::size_t(row + m * (2 * g + i))] = x;
          dense[std::size_t(row + m * (4 * g + (i == 0 ? first : second)))] = x;
        }
        names.push_back(first + 4 * second);
      }
  }
  /// Fills a fragment (V, RestM, RestK) of a thread's metadata, of tiles of so many rows and columns.
  template <class ELayout, class Fragment>
  void put_metadata(Fragment& e, int thread, int tile_m, int tile_k) const {
    for (int k = 0; k < size<2>(e); ++k)
      for (int m = 0; m < size<1>(e); ++m)
        for (int v = 0; v < size<0>(e); v += 8) {
          int byte = 0;
          for (int i = 0; i < 2; ++i) {
            int const at = int(ELayout{}(thread, v + 4 * i));
            byte |= names[std::size_t(m * tile_m + at % tile_m + rows * ((k * tile_k + at / tile_m) / 4))] << (4 * i);
          }
          e(v, m, k) = typename Fragment::value_type(std::uint8_t(byte));
        }
  }
};

using WarpgroupOp = SM90::GMMA::SPARSE::GMMA_64x16x32_F32F16F16_SS<K_, K_>;
using SharedA = decltype(tile_to_shape(GMMA::Layout_K_SW128_SpAtom<half_t, 2>{}, Shape<_128, _128>{}));
using SharedB = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_16, _128>{}));

struct warpgroup_kernel {
  template <class Block>
  void operator()(Block& block, sparse_matrix const* a, float const* b, float* c) const {
    using Traits = MMA_Traits<WarpgroupOp>;
    auto const memory = block.template shared<half_t>(Layout<_8192>{});
    auto sA = make_tensor(recast_ptr<typename Traits::ValTypeA>(memory.data()), SharedA{});
    auto sB = block.template shared<half_t>(SharedB{});
    for (int i = block.thread(); i < 128 * 64; i += 128)
      sA(i % 128, i / 128 * 2) = typename Traits::ValTypeA(half_t(a->stored[std::size_t(i)]));
    for (int i = block.thread(); i < 16 * 128; i += 128) sB(i) = half_t(b[i]);
    block.sync();
    auto tiled_mma = make_tiled_mma(WarpgroupOp{});
    auto thr_mma = tiled_mma.get_slice(block.thread());
    Tensor tCrA = thr_mma.partition_fragment_A(sA);
    Tensor tCrB = thr_mma.partition_fragment_B(sB);
    Tensor accum = partition_fragment_C(tiled_mma, Shape<_128, _16>{});
    auto tErE = make_tensor<typename Traits::ValTypeE>(Shape<_32, _2, _4>{});
    a->template put_metadata<typename Traits::ELayout>(tErE, block.thread(), 64, 32);
    tiled_mma.accumulate_ = GMMA::ScaleOut::Zero;
    warpgroup_arrive();
    for (int k = 0; k < size<2>(tCrA); ++k) {
      cute::gemm(tiled_mma, make_zip_tensor(tCrA(_, _, k), tErE(_, _, k)), tCrB(_, _, k), accum);
      tiled_mma.accumulate_ = GMMA::ScaleOut::One;
    }
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    Tensor tCgC = thr_mma.partition_C(make_tensor(make_gmem_ptr(c), Shape<_128, _16>{}));
    copy(accum, tCgC);
  }
};

using WarpOp = SM120::SPARSE::SM120_SPARSE_16x8x64_TN<float_e4m3_t, float_e5m2_t, float>;

struct warp_kernel {
  template <class Block>
  void operator()(Block& block, sparse_matrix const* a, float const* b, float* c) const {
    using Traits = MMA_Traits<WarpOp>;
    auto tiled_mma = make_tiled_mma(WarpOp{});
    auto thr_mma = tiled_mma.get_slice(block.thread());
    std::vector<std::uint8_t> bytes_a(32 * 64), bytes_b(16 * 128);
    for (std::size_t i = 0; i < bytes_a.size(); ++i) bytes_a[i] = float_e4m3_t(a->stored[i]).storage;
    for (std::size_t i = 0; i < bytes_b.size(); ++i) bytes_b[i] = float_e5m2_t(b[i]).storage;
    // Stored columns, each two of the dense matrix.
    auto gA = make_tensor(recast_ptr<sparse_elem<2, std::uint8_t>>(bytes_a.data()),
                          Layout<Shape<_32, Shape<_2, _64>>, Stride<_2, Stride<_1, _64>>>{});
    Tensor gB = make_tensor(bytes_b.data(), Shape<_16, _128>{});
    Tensor tCgA = thr_mma.partition_A(gA);
    Tensor tCrA = thr_mma.make_fragment_A(tCgA);
    Tensor tCgB = thr_mma.partition_B(gB);
    Tensor tCrB = thr_mma.make_fragment_B(tCgB);
    auto tCrE = make_tensor<typename Traits::FrgTypeE>(Shape<_32, _2, _2>{});
    a->template put_metadata<typename Traits::ELayout>(tCrE, block.thread(), 16, 64);
    copy(tCgA, tCrA);
    copy(tCgB, tCrB);
    Tensor accum = partition_fragment_C(tiled_mma, Shape<_32, _16>{});
    clear(accum);
    cute::gemm(tiled_mma, make_zip_tensor(tCrA, tCrE), tCrB, accum);
    Tensor tCgC = thr_mma.partition_C(make_tensor(make_gmem_ptr(c), Shape<_32, _16>{}));
    copy(accum, tCgC);
  }
};

template <class Kernel>
void expect_product(Kernel const& kernel, int threads, int m, int n, int k) {
  sparse_matrix const a(m, k);
  std::mt19937 random(3);
  std::vector<float> b(std::size_t(n * k)), c(std::size_t(m * n));
  for (float& x : b) x = float(int(random() % 9) - 4);
  tilewright::launch_checked(1, static_cast<unsigned>(threads), kernel, &a, b.data(), c.data());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a.dense[std::size_t(i + m * l)] * b[std::size_t(j + n * l)];
      ASSERT_EQ(c[std::size_t(i + m * j)], sum) << i << "," << j;
    }
}

TEST(compat_sparse_mma, a_warpgroup_multiplies_a_sparse_tile) { expect_product(warpgroup_kernel{}, 128, 128, 16, 128); }
TEST(compat_sparse_mma, a_warp_multiplies_sparse_fragments) { expect_product(warp_kernel{}, 32, 32, 16, 128); }

/// The factors of floats of 4 bits, and metadata that name pairs: all of one value.
TEST(compat_sparse_mma, sparse_operands_have_factors) {
  using Op =
      SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t, float_e2m1_t, float, float_ue8m0_t, 64>;
  std::vector<float> sums;
  tilewright::launch(1, 32, [&](auto&) {
    using Traits = MMA_Traits<Op>;
    auto const mma = make_tiled_mma(Op{});
    Tensor a = make_tensor<typename Traits::FrgTypeA>(Shape<Shape<_16, _2, _2>>{});
    Tensor b = make_tensor<std::uint8_t>(Shape<_16>{});
    Tensor e = make_tensor<typename Traits::FrgTypeE>(Shape<_64>{});
    for (int i = 0; i < size(a); i += 4) a(i) = typename Traits::FrgTypeA(std::uint8_t(0x22));  // 1, 1
    for (int i = 0; i < size(b); ++i) b(i) = 0x44;                                              // 2, 2
    for (int i = 0; i < size(e); i += 16) e(i) = typename Traits::FrgTypeE(std::uint8_t(0x44));
    float_ue8m0_t const two(2.0f), four(4.0f);
    float_ue8m0_t const twos[2] = {two, two}, fours[2] = {four, four};
    using Factors = Layout<Shape<Shape<_64, _2>>, Stride<Stride<_0, _1>>>;
    Tensor c = make_tensor<float>(Shape<Shape<_2, _2>>{});
    clear(c);
    gemm(mma, make_zip_tensor(a, make_tensor(&twos[0], Factors{}), e),
         make_zip_tensor(recast<uint4_t>(b), make_tensor(&fours[0], Factors{})), c);
    sums.push_back(c(0) + c(3));
  });
  EXPECT_EQ(sums.size(), 32u);
  for (float s : sums) EXPECT_EQ(s, 2 * 64 * (1 * 2) * (2 * 4));
}

TEST(compat_sparse_mma, tiles_and_fragments_are_printed_as_cute_prints_them) {
  testing::internal::CaptureStdout();
  print(GMMA::Layout_K_SW128_SpAtom<half_t, 2>{});
  print("\n");
  print(GMMA::Layout_SW64_SpAtom<half_t, 2, GMMA::Major::MN>{});
  print("\n");
  print(make_gmem_ptr<sparse_elem<16, std::uint8_t>>(static_cast<std::uint8_t*>(nullptr)));
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "Sw<3,4,3> o smem_sparse<2>_ptr[16b](unset) o ((_1,_8),(_2,_64)):((_0,_128),(_1,_2))\n"
            "Sw<2,4,3> o smem_sparse<2>_ptr[16b](unset) o ((_1,_32),(_2,_8)):((_0,_2),(_1,_64))\n"
            "gmem_sparse<16>_ptr[_1/_2b]((nil))");
  using Tile = Layout<Shape<_32, _128>>;
  auto const tile = make_tensor(recast_ptr<sparse_elem<2, std::uint8_t>>(static_cast<std::uint8_t*>(nullptr)), Tile{});
  auto const fragment = make_tiled_mma(WarpOp{}).get_slice(5).partition_fragment_A(tile);
  static_assert(is_same_v<decltype(fragment.layout()),
                          Layout<Shape<Shape<_8, _2, _2>, _2, _2>, Stride<Stride<_1, _8, _16>, _32, _64>>>);
  static_assert(sizeof(fragment) == 64 && is_sparse<typename decltype(fragment)::value_type>::value);
}

}  // namespace
