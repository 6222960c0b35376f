// archs: 90a
// sanitizer: memcheck
// The matrix operations of a warpgroup on the device against their host bodies, on random matrices in shared memory: element types,
// N, major modes, swizzles, signs, A in registers. Sums of these numbers are exact in float and int32.
#include "support/device.hpp"
#include "support/host_team.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/mma/gmma_layouts.hpp"
#include "tilewright/mma/sm90_gmma_extended_names.hpp"

#include <cmath>
#include <random>

using namespace tilewright;
using namespace tilewright::cuda_test;

/// C = A·B + C by one tiled operation on whole tiles of shared memory.
template <class Op, class LayoutA, class LayoutB>
struct one_product {
  using Traits = MMA_Traits<Op>;
  static constexpr bool reads_a = std::is_same_v<typename Op::ARegisters, std::uint64_t[1]>;
  static constexpr bytes shared_bytes{96 * 1024};

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Block, class GA, class GB, class GC>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, GA a, GB b, GC c) const {
    auto sA = shared<typename Traits::ValTypeA>(block, LayoutA{});  // (M, K)
    auto sB = shared<typename Traits::ValTypeB>(block, LayoutB{});  // (N, K)
    for (int i = block.thread(); i < static_cast<int>(size(sA)); i += block.threads()) sA(i) = a(i);
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = b(i);
    fence_view_async_shared();
    block.sync();
    auto const mma = make_tiled_mma(Op{});
    auto const thr = mma.get_slice(block.thread());
    auto const tCsA = thr.partition_A(sA);     // (V, RestM, RestK)
    auto tCrA = thr.make_fragment_A(tCsA);     // (1, RestM, RestK) of descriptors, or as tCsA
    auto tCrB = thr.partition_fragment_B(sB);  // (1, RestN, RestK)
    auto tCgC = thr.partition_C(c);            // (V, RestM, RestN)
    auto tCrC = thr.make_fragment_C(tCgC);     // (V, RestM, RestN)
    if constexpr (!reads_a) copy(tCsA, tCrA);
    copy(tCgC, tCrC);
    warpgroup_fence_operand(tCrC);
    warpgroup_arrive();
    gemm(mma, tCrA, tCrB, tCrC);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    warpgroup_fence_operand(tCrC);
    copy(tCrC, tCgC);
  }
};

template <class T>
std::vector<T> random_elements(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> out(n);
  for (T& x : out) {
    if constexpr (std::is_integral_v<T>) x = static_cast<T>(random());
    else x = static_cast<T>(static_cast<float>(static_cast<int>(random() % 33) - 16) / 8.0f);
  }
  return out;
}

template <class Op, class LayoutA, class LayoutB>
void test_product(char const* name) {
  using T = MMA_Traits<Op>;
  using D = typename T::ValTypeD;
  constexpr int M = decltype(size<0>(LayoutA{}))::value, N = decltype(size<0>(LayoutB{}))::value,
                K = decltype(size<1>(LayoutA{}))::value;
  auto const a = random_elements<typename T::ValTypeA>(M * K, 1);
  auto const b = random_elements<typename T::ValTypeB>(N * K, 2);
  auto const c = random_elements<D>(M * N, 3);
  auto expected = c;
  auto const of = [](auto* p, auto rows, auto columns) {
    return make_tensor(make_gmem_ptr(p), make_layout(make_shape(rows, columns)));
  };
  one_product<Op, LayoutA, LayoutB> const kernel;
  run_on_host(1, 128, kernel, of(a.data(), C<M>{}, C<K>{}), of(b.data(), C<N>{}, C<K>{}),
              of(expected.data(), C<M>{}, C<N>{}));
  device_array<typename T::ValTypeA> const on_a(a);
  device_array<typename T::ValTypeB> const on_b(b);
  device_array<D> const on_c(c);
  using PA = typename T::ValTypeA const*;
  using PB = typename T::ValTypeB const*;
  launch_cuda_and_wait({.grid = 1, .block = 128}, kernel, of(static_cast<PA>(on_a.data()), C<M>{}, C<K>{}),
                       of(static_cast<PB>(on_b.data()), C<N>{}, C<K>{}), of(on_c.data(), C<M>{}, C<N>{}));
  auto const given = on_c.host();
  double worst = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if constexpr (std::is_integral_v<D>) {
      expect(given[i] == expected[i], name, static_cast<long long>(i));
    } else {
      double const x = static_cast<float>(given[i]), y = static_cast<float>(expected[i]);
      double const difference = std::abs(x - y) / (1 + std::abs(y));
      worst = difference > worst ? difference : worst;
      expect(difference <= (std::is_same_v<D, half_t> ? 4e-3 : 1e-5), name, static_cast<long long>(i));
    }
  }
  std::printf("%s: largest relative difference %.2g\n", name, worst);
}

template <class Atom, int MN, int K>
using tile_of = decltype(tile_to_shape(Atom{}, Shape<C<MN>, C<K>>{}));
constexpr auto K_ = GMMA::Major::K, MN_ = GMMA::Major::MN;
using namespace SM90::GMMA;

/// Both operands K-major, two swizzles; A from shared memory and from registers.
template <class A, class B, int N, int K, class SS, class RS>
void test_k_major(char const* name) {
  test_product<SS, tile_of<Layout_K_SW128_Atom<A>, 128, K>, tile_of<Layout_K_SW64_Atom<B>, 2 * N, K>>(name);
  test_product<SS, tile_of<Layout_K_SW32_Atom<A>, 64, K>, tile_of<Layout_K_INTER_Atom<B>, N, K>>(name);
  test_product<RS, tile_of<Layout_K_SW128_Atom<A>, 64, K>, tile_of<Layout_K_SW128_Atom<B>, N, K>>(name);
}

int main() {
  return run("gmma", [] {
    test_k_major<half_t, half_t, 8, 64, SM90_64x8x16_F16F16F16_SS<K_, K_>, SM90_64x8x16_F16F16F16_RS<K_, K_>>("f16");
    test_k_major<half_t, half_t, 72, 64, SM90_64x72x16_F32F16F16_SS<K_, K_>, SM90_64x72x16_F32F16F16_RS<K_, K_>>(
        "f32.f16");
    test_k_major<bfloat16_t, bfloat16_t, 64, 64, SM90_64x64x16_F32BF16BF16_SS<K_, K_>,
                 SM90_64x64x16_F32BF16BF16_RS<K_, K_>>("bf16");
    test_k_major<tfloat32_t, tfloat32_t, 24, 32, SM90_64x24x8_F32TF32TF32_SS_TN<>, SM90_64x24x8_F32TF32TF32_RS_TN<>>(
        "tf32");
    test_k_major<float_e4m3_t, float_e5m2_t, 40, 128, SM90_64x40x32_F32E4M3E5M2_SS_TN<>,
                 SM90_64x40x32_F32E4M3E5M2_RS_TN<>>("fp8");
    test_k_major<float_e5m2_t, float_e4m3_t, 16, 128, SM90_64x16x32_F16E5M2E4M3_SS_TN<>,
                 SM90_64x16x32_F16E5M2E4M3_RS_TN<>>("f16.fp8");
    test_k_major<std::int8_t, std::uint8_t, 48, 128, SM90_64x48x32_S32S8U8_SS_TN, SM90_64x48x32_S32S8U8_RS_TN>("s8.u8");
    test_k_major<std::uint8_t, std::uint8_t, 24, 128, SM90_64x24x32_S32U8U8_SS_TN_SATURATE,
                 SM90_64x24x32_S32U8U8_RS_TN_SATURATE>("u8 saturating");

    using MN = SM90_64x64x16_F32F16F16_SS<MN_, MN_, ScaleIn::Neg>;
    test_product<MN, tile_of<Layout_MN_INTER_Atom<half_t>, 64, 32>, tile_of<Layout_MN_INTER_Atom<half_t>, 128, 32>>(
        "MN INTER");
    test_product<MN, tile_of<Layout_MN_SW32_Atom<half_t>, 64, 32>, tile_of<Layout_MN_SW64_Atom<half_t>, 64, 32>>(
        "MN SW32 SW64");
    test_product<MN, tile_of<Layout_MN_SW128_Atom<half_t>, 128, 32>, tile_of<Layout_MN_SW128_Atom<half_t>, 128, 32>>(
        "MN SW128");
    using K_first = decltype(tile_to_shape(Layout_MN_SW32_Atom<half_t>{}, Shape<_64, _32>{}, Step<_2, _1>{}));
    test_product<MN, K_first, K_first>("MN SW32, K first");
    using Wide = SM90_64x256x16_F32BF16BF16_RS<K_, MN_, ScaleIn::One, ScaleIn::Neg>;
    test_product<Wide, tile_of<Layout_K_SW64_Atom<bfloat16_t>, 64, 32>,
                 tile_of<Layout_MN_SW128_Atom<bfloat16_t>, 256, 32>>("N 256");
  });
}
