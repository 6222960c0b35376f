// Blackwell's block-scaled products on the CPU, next to a triple loop: kinds, types, major modes, signs, pairs of blocks, factors in
// every byte of a column. The factors come by tcgen05.cp from blocks of 128 x 4 in shared memory, as kernels bring them.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/atom/tmem_allocator.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/mma/sm100_block_scaled.hpp"
#include "tilewright/mma/umma_copy.hpp"
#include "tilewright/tiled/make_tmem_copy.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

// --- numbers ----------------------------------------------------------------------------------------------------------
template <class T>
struct number_of {
  using type = T;
};
template <class T>
struct number_of<UMMA::in_a_byte<T>> {
  using type = T;
};
/// Bits of elements, all of them but those of NaN and infinity.
template <class T>
std::vector<std::uint8_t> random_bits(int n, unsigned seed) {
  using number = typename number_of<T>::type;
  std::mt19937 random(seed);
  std::vector<std::uint8_t> out(static_cast<std::size_t>(n));
  for (std::uint8_t& x : out) do {
      x = static_cast<std::uint8_t>(random() & ((1u << sizeof_bits_v<number>)-1));
    } while (!(std::abs(static_cast<float>(number::bitcast(x))) < 1e3f));
  return out;
}
template <class T>
double value_of(std::uint8_t bits) {
  return static_cast<double>(static_cast<float>(number_of<T>::type::bitcast(bits)));
}
/// Factors between 1/8 and 8.
template <class F>
std::vector<std::uint8_t> random_factors(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> out(static_cast<std::size_t>(n));
  for (std::uint8_t& x : out)
    x = F(std::ldexp(1.0f + static_cast<float>(random() % 2) / 2, static_cast<int>(random() % 7) - 3)).storage;
  return out;
}

// --- the kernel -------------------------------------------------------------------------------------------------------
/// Writes element (row, k) of a tile where the layout says: bytes, four bits, or sixteen packed at the start of 16 bytes.
template <class T, class Tile>
void put(Tile& tile, int row, int k, std::uint8_t bits) {
  using number = typename number_of<T>::type;
  if constexpr (std::is_same_v<T, number> && sizeof_bits_v<T> == 8) {
    tile(row, k) = T::bitcast(bits);
  } else if constexpr (std::is_same_v<T, number>) {
    tile(row, k) = number::bitcast(bits);
  } else {
    constexpr int width = sizeof_bits_v<number>;
    for (int bit = 0; bit < width; ++bit) {
      int const at = k % 16 * width + bit;
      std::uint8_t& byte = tile(row, k / 16 * 16 + at / 8).storage;
      byte = static_cast<std::uint8_t>((byte & ~(1 << at % 8)) | (bits >> bit & 1) << at % 8);
    }
  }
}

template <class Op, class AtomA, class AtomB>
struct scaled_kernel {
  using Traits = MMA_Traits<Op>;
  static constexpr int blocks = Op::blocks, rest_k = 2;
  using Mma = decltype(make_tiled_mma(Op{}));
  static constexpr int m = Op::rows, n = Op::columns, depth = Op::k_extent * rest_k;
  static constexpr int rows = m / blocks, columns = n / blocks;    // of A and B in a block
  static constexpr int vectors = depth / Op::scale_vector;         // factors of a row
  static constexpr int in_step = Op::k_extent / Op::scale_vector;  // of one product
  static constexpr int column_blocks = (n + 127) / 128, groups = (vectors + 3) / 4;
  static constexpr int factors_a_at = 256, factors_b_at = 320;  // columns

  std::uint8_t const *a, *b, *fa, *fb;  // (m, k), (n, k), (m, vector), (n, vector), the first mode fastest
  float* d;
  bool replaces;

  template <class Block>
  void operator()(Block& block) const {
    Mma mma;
    auto const rank = static_cast<int>(block.cluster_rank());
    auto const thr = mma.get_slice(rank % blocks);
    auto const whole = make_tensor(make_gmem_ptr(d), Shape<C<m>, C<n>>{});
    auto const tCgC = thr.partition_C(whole);
    using LayoutA = decltype(UMMA::tile_to_mma_shape(AtomA{}, partition_shape_A(mma, Shape<C<m>, C<depth>>{})));
    using LayoutB = decltype(UMMA::tile_to_mma_shape(AtomB{}, partition_shape_B(mma, Shape<C<n>, C<depth>>{})));
    auto sA = shared<typename Traits::ValTypeA>(block, LayoutA{});
    auto sB = shared<typename Traits::ValTypeB>(block, LayoutB{});
    auto factors = shared<std::uint32_t>(block, Shape<C<128 * groups*(1 + column_blocks)>>{});
    auto barriers = shared<std::uint64_t>(block, Shape<_1>{});
    bool const first_warp = block.thread() / 32 == 0;
    detail::tmem_allocator<blocks> const allocator;
    std::uint32_t base = 0;
    if (first_warp) allocator.allocate(512, &base);
    if (block.thread() == 0) fill(sA, sB, factors, rank);
    if (block.thread() == 0) {
      initialize_barrier(barriers.data(), 1);
      fence_barrier_init();
    }
    auto tCtC = thr.make_fragment_C(tCgC);
    tCtC.data() = 0u;
    move(block, tCtC, tCgC, true);
    block.cluster_sync();
    if (first_warp && rank % blocks == 0) multiply(block, mma, thr, sA, sB, factors, tCtC, barriers);
    wait_barrier(barriers.data(), 0);
    move(block, tCtC, tCgC, false);
    block.cluster_sync();
    if (first_warp) {
      allocator.release_allocation_lock();
      allocator.free(0, 512);
    }
  }

 private:
  template <class TA, class TB, class F>
  void fill(TA& sA, TB& sB, F& factors, int rank) const {
    auto const all_a = make_tensor(sA.data(), sA.layout()), all_b = make_tensor(sB.data(), sB.layout());
    auto const row_of = [](auto const& t, int r, int k) -> decltype(auto) {
      return t(make_coord(make_coord(r, k % Op::k_extent), 0, k / Op::k_extent));
    };
    auto at_a = [&](int r, int k) -> decltype(auto) { return row_of(all_a, r, k); };
    auto at_b = [&](int r, int k) -> decltype(auto) { return row_of(all_b, r, k); };
    for (int k = 0; k < depth; ++k) {
      for (int r = 0; r < rows; ++r) put<typename Op::a_type>(at_a, r, k, a[rank * rows + r + m * k]);
      for (int r = 0; r < columns; ++r) put<typename Op::b_type>(at_b, r, k, b[rank * columns + r + n * k]);
    }
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&factors(0));
    auto const put_factor = [&](int first, int r, int v, std::uint8_t f) {  // blocks of 128 rows by 4 vectors
      bytes[(first + r / 128) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + v % 4] = f;
    };
    for (int v = 0; v < vectors; ++v) {
      for (int r = 0; r < rows; ++r) put_factor(v / 4, r, v, fa[rank * rows + r + m * v]);
      for (int r = 0; r < n; ++r) put_factor(groups + v / 4 * column_blocks, r, v, fb[r + n * v]);
    }
  }

  template <class Block, class TMma, class Thr, class TA, class TB, class F, class TC, class Barrier>
  void multiply(Block& block, TMma& mma, Thr const& thr, TA const& sA, TB const& sB, F& factors, TC& tCtC,
                Barrier& barriers) const {
    using copy = detail::tmem_copy_operation<ptx::tmem_copy_shape::l32x128b_x4, blocks>;
    if (block.thread() == 0)
      for (int i = 0; i < groups * (1 + column_blocks); ++i) {
        std::uint64_t const start =
            std::uint64_t{detail::gmma_address(factors.data())} + static_cast<unsigned>(i) * 512;
        std::uint64_t const descriptor = start >> 4 | std::uint64_t{8} << 32 | std::uint64_t{1} << 46;
        int const to = i < groups ? factors_a_at + 4 * i : factors_b_at + 4 * (i - groups);
        copy::copy(descriptor, static_cast<std::uint32_t>(to));
      }
    auto const tCrA = thr.make_fragment_A(sA), tCrB = thr.make_fragment_B(sB);
    mma.accumulate_ = replaces ? UMMA::ScaleOut::Zero : UMMA::ScaleOut::One;
    for (int k = 0; k < rest_k; ++k) {
      auto const byte = static_cast<std::uint32_t>(k * in_step % 4) << 30;
      auto const group = static_cast<std::uint32_t>(k * in_step / 4);
      auto const sfa = make_tensor(make_tmem_ptr<std::uint8_t>(byte + factors_a_at + 4 * group), Layout<_1>{});
      auto const sfb =
          make_tensor(make_tmem_ptr<std::uint8_t>(byte + factors_b_at + 4 * column_blocks * group), Layout<_1>{});
      gemm(mma.with(mma.accumulate_, sfa, sfb), tCrA(_, _, k), tCrB(_, _, k), tCtC);
      mma.accumulate_ = UMMA::ScaleOut::One;
    }
    umma_arrive_multicast<blocks>(detail::barrier_word(barriers.data()),
                                  static_cast<std::uint16_t>(blocks == 1 ? 1 : 3));
  }

  template <class Block, class TC, class GC>
  void move(Block& block, TC const& tCtC, GC const& tCgC, bool in) const {
    auto const from = make_tmem_copy(SM100_TMEM_LOAD_32dp32b8x{}, tCtC);
    auto const to = make_tmem_copy(SM100_TMEM_STORE_32dp32b8x{}, tCtC);
    if (in) {
      auto const mine = to.get_slice(block.thread());
      auto registers = make_fragment_like(mine.partition_S(tCgC));
      copy(mine.partition_S(tCgC), registers);
      copy(to, registers, mine.partition_D(tCtC));
      fence_view_async_tmem_store();
    } else {
      auto const mine = from.get_slice(block.thread());
      auto registers = make_fragment_like(mine.partition_D(tCgC));
      copy(from, mine.partition_S(tCtC), registers);
      fence_view_async_tmem_load();
      copy(registers, mine.partition_D(tCgC));
    }
  }
};

template <class Op, class AtomA, class AtomB>
void expect_scaled(char const* what, bool replaces = false) {
  using kernel = scaled_kernel<Op, AtomA, AtomB>;
  using A = typename Op::a_type;
  using B = typename Op::b_type;
  using F = typename Op::factor_type;
  constexpr int m = kernel::m, n = kernel::n, depth = kernel::depth, vectors = kernel::vectors;
  auto const a = random_bits<A>(m * depth, 1), b = random_bits<B>(n * depth, 2);
  auto const fa = random_factors<F>(m * vectors, 3), fb = random_factors<F>(n * vectors, 4);
  std::vector<float> d(static_cast<std::size_t>(m * n));
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = static_cast<float>(i % 17) - 8;
  std::vector<float> const c = d;
  kernel const run{a.data(), b.data(), fa.data(), fb.data(), d.data(), replaces};
  launch(launch_config{.grid = Op::blocks, .block = 128, .cluster = Op::blocks}, run);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      auto const at = static_cast<std::size_t>(i + m * j);
      double sum = replaces ? 0 : static_cast<double>(c[at]), magnitude = 1;
      for (int k = 0; k < depth; ++k) {
        auto const v = k / Op::scale_vector;
        double const x = value_of<A>(a[static_cast<std::size_t>(i + m * k)]) *
                         value_of<B>(b[static_cast<std::size_t>(j + n * k)]) *
                         static_cast<double>(static_cast<float>(F::bitcast(fa[static_cast<std::size_t>(i + m * v)]))) *
                         static_cast<double>(static_cast<float>(F::bitcast(fb[static_cast<std::size_t>(j + n * v)])));
        sum += Op::negative ? -x : x;
        magnitude += std::abs(x);
      }
      ASSERT_NEAR(static_cast<double>(d[at]), sum, 1e-5 * magnitude) << what << " at " << i << "," << j;
    }
}

using namespace UMMA;
constexpr auto K_ = Major::K, MN_ = Major::MN;
using e4m3 = float_e4m3_t;
using e5m2 = float_e5m2_t;
using e2m1 = float_e2m1_t;

TEST(block_scaled, bytes_with_a_power_of_two_for_32) {
  expect_scaled<SM100_MMA_MXF8F6F4_SS<e4m3, e5m2, float, float_ue8m0_t, 128, 64, K_, K_>, Layout_K_SW64_Atom<e4m3>,
                Layout_K_SW32_Atom<e5m2>>("K-major");
  expect_scaled<SM100_MMA_MXF8F6F4_SS<e4m3, e4m3, float, float_ue8m0_t, 128, 256, MN_, MN_>, Layout_MN_SW128_Atom<e4m3>,
                Layout_MN_SW128_Atom<e4m3>>("MN-major, 256 columns", true);
  expect_scaled<SM100_MMA_MXF8F6F4_SS<e5m2, e4m3, float, float_ue8m0_t, 128, 8, K_, K_, ScaleIn::Neg, ScaleIn::One>,
                Layout_K_INTER_Atom<e5m2>, Layout_K_INTER_Atom<e4m3>>("a sign");
}

TEST(block_scaled, narrow_floats_as_tma_unpacks_them) {
  using six = in_a_byte<float_e3m2_t>;
  using four = in_a_byte<float_e2m1_t>;
  expect_scaled<SM100_MMA_MXF8F6F4_SS<four, e4m3, float, float_ue8m0_t, 128, 64, K_, K_>, Layout_K_SW64_Atom<four>,
                Layout_K_SW64_Atom<e4m3>>("e2m1");
  expect_scaled<SM100_MMA_MXF8F6F4_SS<six, in_a_byte<float_e2m3_t>, float, float_ue8m0_t, 128, 32, K_, K_>,
                Layout_K_SW32_Atom<six>, Layout_K_INTER_Atom<in_a_byte<float_e2m3_t>>>("e3m2, e2m3");
}

TEST(block_scaled, four_bits_with_factors_for_32_and_for_16) {
  expect_scaled<SM100_MMA_MXF4_SS<e2m1, e2m1, float, float_ue8m0_t, 128, 64, 32, K_, K_>, Layout_K_SW64_Atom<e2m1>,
                Layout_K_SW64_Atom<e2m1>>("mxf4");
  expect_scaled<SM100_MMA_MXF4_SS<e2m1, e2m1, float, float_ue4m3_t, 128, 192, 16, K_, K_>, Layout_K_SW32_Atom<e2m1>,
                Layout_K_INTER_Atom<e2m1>>("nvf4", true);
  expect_scaled<SM100_MMA_MXF4_SS<e2m1, e2m1, float, float_ue8m0_t, 128, 40, 16, K_, K_>, Layout_K_SW64_Atom<e2m1>,
                Layout_K_SW64_Atom<e2m1>>("powers of two for 16");
}

TEST(block_scaled, two_blocks) {
  expect_scaled<SM100_MMA_MXF8F6F4_2x1SM_SS<e4m3, e4m3, float, float_ue8m0_t, 256, 64, K_, K_>,
                Layout_K_SW64_Atom<e4m3>, Layout_K_SW64_Atom<e4m3>>("bytes");
  expect_scaled<SM100_MMA_MXF4_2x1SM_SS<e2m1, e2m1, float, float_ue4m3_t, 256, 256, 16, K_, K_>,
                Layout_K_SW64_Atom<e2m1>, Layout_K_SW64_Atom<e2m1>>("nvf4");
}

}  // namespace
