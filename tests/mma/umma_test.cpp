// Blackwell's matrix products on the CPU, next to a triple loop: kinds, extents, major modes, swizzles, signs, A in tensor memory,
// pairs of blocks; products happen when a barrier is waited for; misuse is reported.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/atom/tmem_allocator.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/mma/sm100_names.hpp"
#include "tilewright/tiled/make_tmem_copy.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

template <class T>
double as_double(T const& x) {
  if constexpr (std::is_integral_v<T>) return static_cast<double>(x);
  else return static_cast<double>(static_cast<float>(x));
}
template <class T>
std::vector<T> random_elements(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> out(static_cast<std::size_t>(n));
  for (T& x : out) {
    if constexpr (std::is_integral_v<T>) x = static_cast<T>(random());
    else x = static_cast<T>(static_cast<float>(static_cast<int>(random() % 33) - 16) / 8.0f);
  }
  return out;
}

/// Copies between registers and tensor memory of products with as many rows in a block.
template <int Rows, int Blocks>
struct rows_of_a_block {
  using load = SM100_TMEM_LOAD_32dp32b8x;
  using store = SM100_TMEM_STORE_32dp32b8x;
};
template <>
struct rows_of_a_block<64, 1> {
  using load = SM100_TMEM_LOAD_16dp256b1x;
  using store = SM100_TMEM_STORE_16dp256b1x;
};

enum class wrong { nothing, no_wait, no_free };

/// C = A·B + C, or A·B, by one tiled operation on tiles of shared memory; the sums and A of operations _TS by way of registers.
template <class Op, class AtomA, class AtomB, int RestM, int RestN, int RestK, bool IsReplaced, wrong Wrong>
struct umma_kernel {
  using Traits = MMA_Traits<Op>;
  static constexpr int blocks = Op::blocks, columns = 512;
  using Mma = decltype(make_tiled_mma(Op{}));
  using Rows = C<Op::rows * RestM>;
  using Columns = C<Op::columns * RestN>;
  using Depth = C<Op::k_extent * RestK>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Block, class GA, class GB, class GC>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, GA a, GB b, GC c) const {
    Mma mma;
    auto const thr = mma.get_slice(block.cluster_rank() % blocks);
    auto const tCgA = thr.partition_A(a);
    auto const tCgB = thr.partition_B(b);
    auto const tCgC = thr.partition_C(c);
    using LayoutA = decltype(UMMA::tile_to_mma_shape(AtomA{}, partition_shape_A(mma, Shape<Rows, Depth>{})));
    using LayoutB = decltype(UMMA::tile_to_mma_shape(AtomB{}, partition_shape_B(mma, Shape<Columns, Depth>{})));
    auto sA = shared<typename Traits::ValTypeA>(block, LayoutA{});
    auto sB = shared<typename Traits::ValTypeB>(block, LayoutB{});
    auto barriers = shared<std::uint64_t>(block, Shape<_1>{});
    auto bases = shared<std::uint32_t>(block, Shape<_1>{});
    std::uint64_t* const barrier = detail::barrier_word(barriers.data());
    bool const first_warp = block.thread() / 32 == 0;
    detail::tmem_allocator<blocks> const allocator;
    if (first_warp) {
      std::uint32_t base = 0;
      allocator.allocate(columns, &base);
      if (block.thread() == 0) {
        bases(0) = base;
        initialize_barrier(barriers.data(), 1);
        fence_barrier_init();
      }
    }
    for (int i = block.thread(); i < static_cast<int>(size(sA)); i += block.threads()) sA(i) = tCgA(i);
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = tCgB(i);
    block.sync();
    auto tCtC = thr.make_fragment_C(tCgC);
    tCtC.data() = static_cast<std::uint32_t>(bases(0));

    using places = rows_of_a_block<Op::rows / blocks, blocks>;
    auto const to_registers = make_tmem_copy(typename places::load{}, tCtC);
    auto const from_registers = make_tmem_copy(typename places::store{}, tCtC);
    if constexpr (!IsReplaced) {
      auto const mine = from_registers.get_slice(block.thread());
      auto const tSgC = mine.partition_S(tCgC);
      auto tSrC = make_fragment_like(tSgC);
      copy(tSgC, tSrC);
      copy(from_registers, tSrC, mine.partition_D(tCtC));
      fence_view_async_tmem_store();
    }
    tcgen05_before_thread_sync();
    block.cluster_sync();
    tcgen05_after_thread_sync();
    auto const multiply = [&](auto const& tCrA) {
      auto const tCrB = thr.make_fragment_B(sB);
      mma.accumulate_ = IsReplaced ? UMMA::ScaleOut::Zero : UMMA::ScaleOut::One;
      for (int k = 0; k < RestK; ++k) {
        gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCtC);
        mma.accumulate_ = UMMA::ScaleOut::One;
      }
      umma_arrive_multicast<blocks>(barrier, static_cast<std::uint16_t>(blocks == 1 ? 1 : 3));
    };
    if constexpr (Op::reads_a) {
      if (first_warp && block.cluster_rank() % blocks == 0) multiply(thr.make_fragment_A(sA));
    } else {
      auto tCtA = thr.make_fragment_A(tCgA);
      tCtA.data() = static_cast<std::uint32_t>(bases(0)) + columns / 2;
      auto const into = make_tmem_copy(SM100_TMEM_STORE_32dp32b1x{}, tCtA);
      auto const mine = into.get_slice(block.thread());
      auto const tSgA = mine.partition_S(tCgA);
      auto tSrA = make_fragment_like(tSgA);
      copy(tSgA, tSrA);
      copy(into, tSrA, mine.partition_D(tCtA));
      block.cluster_sync();
      if (first_warp && block.cluster_rank() % blocks == 0) multiply(tCtA);
    }
    if constexpr (Wrong != wrong::no_wait) wait_barrier(barrier, 0);
    auto const mine = to_registers.get_slice(block.thread());
    auto const tDgC = mine.partition_D(tCgC);
    auto tDrC = make_fragment_like(tDgC);
    copy(to_registers, mine.partition_S(tCtC), tDrC);
    fence_view_async_tmem_load();
    copy(tDrC, tDgC);
    block.cluster_sync();
    if constexpr (Wrong == wrong::no_wait) wait_barrier(barrier, 0);
    if (first_warp && Wrong != wrong::no_free) {
      allocator.release_allocation_lock();
      allocator.free(static_cast<std::uint32_t>(bases(0)), columns);
    }
  }
};

template <class Op, class AtomA, class AtomB, int RestM = 1, int RestN = 1, int RestK = 2, bool IsReplaced = false,
          wrong Wrong = wrong::nothing>
std::vector<typename MMA_Traits<Op>::ValTypeD> product_on_host() {
  using T = MMA_Traits<Op>;
  constexpr int M = Op::rows * RestM, N = Op::columns * RestN, K = Op::k_extent * RestK;
  auto const a = random_elements<typename T::ValTypeA>(M * K, 1);
  auto const b = random_elements<typename T::ValTypeB>(N * K, 2);
  auto d = random_elements<typename T::ValTypeC>(M * N, 3);
  auto const run = [&](auto const& kernel) {
    auto const ga = make_tensor(make_gmem_ptr(a.data()), Shape<C<M>, C<K>>{});
    auto const gb = make_tensor(make_gmem_ptr(b.data()), Shape<C<N>, C<K>>{});
    auto const gc = make_tensor(make_gmem_ptr(d.data()), Shape<C<M>, C<N>>{});
    // Clusters are not watched.
    if constexpr (Op::blocks == 1) launch_checked(1, 128, kernel, ga, gb, gc);
    else launch(launch_config{.grid = 2, .block = 128, .cluster = 2}, kernel, ga, gb, gc);
  };
  run(umma_kernel<Op, AtomA, AtomB, RestM, RestN, RestK, IsReplaced, Wrong>{});
  return d;
}

/// Against a triple loop.
template <class Op, class AtomA, class AtomB, int RestM = 1, int RestN = 1, int RestK = 2, bool IsReplaced = false>
void expect_product(char const* what, double tolerance = 0) {
  using T = MMA_Traits<Op>;
  constexpr int M = Op::rows * RestM, N = Op::columns * RestN, K = Op::k_extent * RestK;
  auto const a = random_elements<typename T::ValTypeA>(M * K, 1);
  auto const b = random_elements<typename T::ValTypeB>(N * K, 2);
  auto const c = random_elements<typename T::ValTypeC>(M * N, 3);
  auto const d = product_on_host<Op, AtomA, AtomB, RestM, RestN, RestK, IsReplaced>();
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      double sum = IsReplaced ? 0 : as_double(c[static_cast<std::size_t>(m + M * n)]);
      for (int k = 0; k < K; ++k) {
        if (k % Op::k_extent == 0 && (k > 0 || !IsReplaced)) sum /= 1 << Op::divides_d_by;
        sum += (Op::negative ? -1 : 1) * as_double(a[static_cast<std::size_t>(m + M * k)]) *
               as_double(b[static_cast<std::size_t>(n + N * k)]);
        if (Op::saturates && k % Op::k_extent == Op::k_extent - 1)
          sum = std::min(std::max(sum, -2147483648.0), 2147483647.0);
      }
      if (std::is_integral_v<typename T::ValTypeD>)
        sum = static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(sum) & 0xffffffff));
      ASSERT_NEAR(as_double(d[static_cast<std::size_t>(m + M * n)]), sum, tolerance * (1 + std::abs(sum)))
          << what << " at " << m << "," << n;
    }
}

constexpr auto K_ = UMMA::Major::K, MN_ = UMMA::Major::MN;
constexpr auto plus = UMMA::ScaleIn::One, minus = UMMA::ScaleIn::Neg;

template <class T, class Op>
void expect_every_k_swizzle(double tolerance) {
  using namespace UMMA;
  expect_product<Op, Layout_K_INTER_Atom<T>, Layout_K_INTER_Atom<T>, 1, 1, 4>("INTER", tolerance);
  expect_product<Op, Layout_K_SW32_Atom<T>, Layout_K_SW64_Atom<T>, 1, 1, 4>("SW32, SW64", tolerance);
  expect_product<Op, Layout_K_SW128_Atom<T>, Layout_K_SW128_Atom<T>, 2, 2, 4>("SW128", tolerance);
}

TEST(umma, k_major_operands_with_every_swizzle) {
  expect_every_k_swizzle<half_t, SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 16, K_, K_>>(0);
  expect_every_k_swizzle<bfloat16_t, SM100_MMA_F16BF16_SS<bfloat16_t, bfloat16_t, float, 128, 48, K_, K_>>(0);
  expect_every_k_swizzle<tfloat32_t, SM100_MMA_TF32_SS<tfloat32_t, tfloat32_t, float, 128, 32, K_, K_>>(0);
  expect_every_k_swizzle<float_e4m3_t, SM100_MMA_F8F6F4_SS<float_e4m3_t, float_e5m2_t, float, 128, 16, K_, K_>>(2e-3);
  expect_every_k_swizzle<std::int8_t, SM100_MMA_S8_SS<std::int8_t, std::uint8_t, std::int32_t, 128, 32, K_, K_>>(0);
}

TEST(umma, mn_major_operands_with_every_swizzle) {
  using namespace UMMA;
  using Op = SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 64, MN_, MN_>;
  expect_product<Op, Layout_MN_INTER_Atom<half_t>, Layout_MN_INTER_Atom<half_t>>("INTER");
  expect_product<Op, Layout_MN_SW32_Atom<half_t>, Layout_MN_SW64_Atom<half_t>>("SW32, SW64");
  expect_product<Op, Layout_MN_SW128_Atom<half_t>, Layout_MN_SW128_Atom<half_t>, 1, 2, 3>("SW128");
  using Mixed = SM100_MMA_F16BF16_SS<bfloat16_t, bfloat16_t, float, 128, 32, K_, MN_>;
  expect_product<Mixed, Layout_K_SW64_Atom<bfloat16_t>, Layout_MN_SW64_Atom<bfloat16_t>>("A K-major, B MN-major");
  using Bytes = SM100_MMA_S8_SS<std::uint8_t, std::int8_t, std::int32_t, 128, 128, MN_, MN_>;
  expect_product<Bytes, Layout_MN_SW128_Atom<std::uint8_t>, Layout_MN_SW128_Atom<std::int8_t>>("bytes, SW128");
  expect_product<Bytes, Layout_MN_SW32_Atom<std::uint8_t>, Layout_MN_INTER_Atom<std::int8_t>>("bytes, SW32");
  using Words = SM100_MMA_TF32_SS<tfloat32_t, tfloat32_t, float, 128, 32, MN_, MN_>;
  expect_product<Words, Layout_MN_SW128_32B_Atom<tfloat32_t>, Layout_MN_SW128_32B_Atom<tfloat32_t>>("words of 32 bits");
}

TEST(umma, products_of_64_rows) {
  using namespace UMMA;
  using Atom = Layout_K_SW128_Atom<half_t>;
  expect_product<SM100_MMA_F16BF16_SS<half_t, half_t, float, 64, 8, K_, K_>, Atom, Atom, 1, 1, 4>("64 x 8");
  expect_product<SM100_MMA_F16BF16_SS<half_t, half_t, float, 64, 64, K_, K_>, Atom, Atom, 2, 2, 4>("64 x 64");
}

TEST(umma, two_blocks) {
  using namespace UMMA;
  using Atom = Layout_K_SW128_Atom<half_t>;
  expect_product<SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 256, 32, K_, K_>, Atom, Atom, 1, 1, 4>("256 x 32");
  expect_product<SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 128, 64, K_, K_>, Atom, Atom, 1, 2, 4>("128 x 64");
  expect_product<SM100_MMA_TF32_2x1SM_SS<tfloat32_t, tfloat32_t, float, 256, 64, K_, K_>,
                 Layout_K_SW32_Atom<tfloat32_t>, Layout_K_SW32_Atom<tfloat32_t>>("tf32");
  expect_product<SM100_MMA_S8_2x1SM_SS<std::int8_t, std::int8_t, std::int32_t, 256, 32, K_, K_>,
                 Layout_K_SW64_Atom<std::int8_t>, Layout_K_SW64_Atom<std::int8_t>>("bytes");
}

TEST(umma, a_in_tensor_memory) {
  using namespace UMMA;
  using Atom = Layout_K_SW128_Atom<half_t>;
  expect_product<SM100_MMA_F16BF16_TS<half_t, half_t, float, 128, 32, K_, K_>, Atom, Atom, 1, 1, 4>("halves");
  expect_product<SM100_MMA_TF32_TS<tfloat32_t, tfloat32_t, float, 128, 16, K_, K_>, Layout_K_SW32_Atom<tfloat32_t>,
                 Layout_K_SW32_Atom<tfloat32_t>, 1, 2>("tf32");
  expect_product<SM100_MMA_S8_TS<std::int8_t, std::int8_t, std::int32_t, 128, 16, K_, K_>,
                 Layout_K_SW32_Atom<std::int8_t>, Layout_K_SW32_Atom<std::int8_t>>("bytes");
  expect_product<SM100_MMA_F16BF16_2x1SM_TS<half_t, half_t, float, 256, 32, K_, K_>, Atom, Atom, 1, 1, 4>("two blocks");
}

TEST(umma, signs_scales_saturation_and_replaced_sums) {
  using namespace UMMA;
  using Atom = Layout_K_SW32_Atom<half_t>;
  expect_product<SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 16, K_, K_, minus, plus>, Atom, Atom>("-A");
  expect_product<SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 16, K_, K_, minus, minus>, Atom, Atom>("-A, -B");
  expect_product<SM100_MMA_F16BF16_SS_SCALED<half_t, half_t, float, 128, 16, K_, K_, 3>, Atom, Atom>("D / 8");
  expect_product<SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 16, K_, K_>, Atom, Atom, 1, 1, 2, true>("replaced");
  using Bytes = SM100_MMA_S8_SS<std::int8_t, std::int8_t, std::int32_t, 128, 16, K_, K_, Saturate::True>;
  expect_product<Bytes, Layout_K_SW32_Atom<std::int8_t>, Layout_K_SW32_Atom<std::int8_t>>("saturating");
}

TEST(umma, half_sums_take_a_column_each) {
  using namespace UMMA;
  using Op = SM100_MMA_F16BF16_SS<half_t, half_t, half_t, 128, 32, K_, K_>;
  auto const fragment = make_tiled_mma(Op{}).get_slice(0).make_fragment_C(
      make_tensor(make_gmem_ptr(static_cast<half_t*>(nullptr)), Shape<Shape<_128, _32>, _1, _2>{}));
  EXPECT_EQ(fragment.layout()(make_coord(1, 0), 0, 0), 1 << 17);
  EXPECT_EQ(fragment.layout()(make_coord(0, 1), 0, 0), 2);
  EXPECT_EQ(fragment.layout()(make_coord(0, 0), 0, 1), 64);
}

TEST(umma, sums_are_old_before_the_barrier) {
  using namespace UMMA;
  using Op = SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 16, K_, K_>;
  using Atom = Layout_K_SW32_Atom<half_t>;
  auto const before = random_elements<float>(128 * 16, 3);
  EXPECT_EQ((product_on_host<Op, Atom, Atom, 1, 1, 2, false, wrong::no_wait>()), before);
}

TEST(umma, columns_that_are_not_freed_are_reported) {
  using namespace UMMA;
  using Op = SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 16, K_, K_>;
  using Atom = Layout_K_SW32_Atom<half_t>;
  try {
    product_on_host<Op, Atom, Atom, 1, 1, 2, false, wrong::no_free>();
    FAIL() << "no report";
  } catch (execution_error const& e) {
    EXPECT_NE(std::string(e.what()).find("512 columns of tensor memory"), std::string::npos) << e.what();
  }
}

}  // namespace
