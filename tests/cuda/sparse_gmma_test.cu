// archs: 90a
// sanitizer: memcheck
// The matrix operations of a warpgroup with a sparse A on the device against their host bodies, on random stored elements and random
// metadata: element types, A in shared memory and in registers, major modes, sparsity selectors.
#include "support/device.hpp"
#include "support/host_team.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/mma/gmma_layouts.hpp"
#include "tilewright/mma/sm90_sparse_gmma_extended_names.hpp"

#include <cmath>
#include <random>

using namespace tilewright;
using namespace tilewright::cuda_test;
using namespace tilewright::SM90::GMMA;
using namespace tilewright::SM90::GMMA::SPARSE;

/// C = A·B + C by operations along K. A: stored elements (64, K / 2); E: a thread's metadata of each operation
template <class Op, class LayoutA, class LayoutB>
struct sparse_products {
  using Traits = MMA_Traits<Op>;
  static constexpr bytes shared_bytes{48 * 1024};

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Block, class GA, class GB, class GE, class GC>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, GA a, GB b, GE e, GC c) const {
    using Stored = typename Traits::ValTypeA;
    auto const memory = shared<Stored>(block, LayoutA{});
    auto sA = make_tensor(make_sparse_ptr<2>(memory.data()), LayoutA{});  // (64, K)
    auto sB = shared<typename Traits::ValTypeB>(block, LayoutB{});        // (N, K)
    for (int i = block.thread(); i < static_cast<int>(size(a)); i += block.threads())
      sA(i % 64, i / 64 * 2) = Stored(a(i));
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = b(i);
    fence_view_async_shared();
    block.sync();
    auto const mma = make_tiled_mma(Op{});
    auto const thr = mma.get_slice(block.thread());
    auto const tCsA = thr.partition_A(sA);
    auto tCrA = thr.make_fragment_A(tCsA);
    auto tCrB = thr.partition_fragment_B(sB);
    auto tCgC = thr.partition_C(c);
    auto tCrC = thr.make_fragment_C(tCgC);
    auto metadata = make_tensor<std::uint32_t>(Shape<_1, decltype(size<2>(tCrA))>{});
    for (int k = 0; k < static_cast<int>(size<2>(tCrA)); ++k) metadata(0, k) = e(block.thread(), k);
    if constexpr (!std::is_same_v<typename Op::ARegisters, std::uint64_t[1]>) copy(tCsA, tCrA);
    copy(tCgC, tCrC);
    warpgroup_fence_operand(tCrC);
    warpgroup_arrive();
    TILEWRIGHT_UNROLL
    for (int k = 0; k < static_cast<int>(size<2>(tCrA)); ++k)
      mma_sparse(static_cast<Traits const&>(mma), tCrC(_, 0, 0), tCrA(_, 0, k), metadata(_, k), tCrB(_, 0, k),
                 tCrC(_, 0, 0));
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
/// Words whose every four bits name two of 4 elements in order, or one of 2 of 32 bits.
inline std::vector<std::uint32_t> random_metadata(std::size_t n, bool of_words) {
  constexpr std::uint32_t pairs[6] = {0 + 4 * 1, 0 + 4 * 2, 0 + 4 * 3, 1 + 4 * 2, 1 + 4 * 3, 2 + 4 * 3};
  std::mt19937 random(9);
  std::vector<std::uint32_t> out(n);
  for (std::uint32_t& word : out)
    for (int i = 0; i < 8; ++i) word |= (of_words ? (random() % 2 == 0 ? 4u : 14u) : pairs[random() % 6]) << (4 * i);
  return out;
}

template <class Op, class LayoutA, class LayoutB>
void test_product(char const* name) {
  using T = MMA_Traits<Op>;
  using A = typename T::ValTypeA::raw_type;
  using B = typename T::ValTypeB;
  using D = typename T::ValTypeD;
  constexpr int N = decltype(size<0>(LayoutB{}))::value, K = decltype(size<1>(LayoutB{}))::value,
                steps = K / Op::k_extent;
  auto const a = random_elements<A>(64 * K / 2, 1);
  auto const b = random_elements<B>(N * K, 2);
  auto const c = random_elements<D>(64 * N, 3);
  auto const e = random_metadata(128 * steps, sizeof(A) == 4);
  auto expected = c;
  auto const of = [](auto* p, auto rows, auto columns) {
    return make_tensor(make_gmem_ptr(p), make_layout(make_shape(rows, columns)));
  };
  sparse_products<Op, LayoutA, LayoutB> const kernel;
  run_on_host(1, 128, kernel, of(a.data(), C<64>{}, C<K / 2>{}), of(b.data(), C<N>{}, C<K>{}),
              of(e.data(), C<128>{}, C<steps>{}), of(expected.data(), C<64>{}, C<N>{}));
  device_array<A> const on_a(a);
  device_array<B> const on_b(b);
  device_array<std::uint32_t> const on_e(e);
  device_array<D> const on_c(c);
  launch_cuda_and_wait({.grid = 1, .block = 128}, kernel, of(static_cast<A const*>(on_a.data()), C<64>{}, C<K / 2>{}),
                       of(static_cast<B const*>(on_b.data()), C<N>{}, C<K>{}),
                       of(static_cast<std::uint32_t const*>(on_e.data()), C<128>{}, C<steps>{}),
                       of(on_c.data(), C<64>{}, C<N>{}));
  auto const given = on_c.host();
  for (std::size_t i = 0; i < given.size(); ++i) {
    double const x = static_cast<double>(static_cast<float>(given[i])),
                 y = static_cast<double>(static_cast<float>(expected[i]));
    double const limit = std::is_integral_v<D> ? 0 : std::is_same_v<D, half_t> ? 4e-3 : 1e-5;
    expect(std::abs(x - y) <= limit * (1 + std::abs(y)), name, static_cast<long long>(i));
  }
}

template <class Atom, int MN, int K>
using tile_of = decltype(tile_to_shape(Atom{}, Shape<C<MN>, C<K>>{}));
constexpr auto K_ = Major::K, MN_ = Major::MN;

int main() {
  return run("sparse gmma", [] {
    test_product<GMMA_64x72x32_F32F16F16_SS<K_, K_>, tile_of<Layout_K_SW128_SpAtom<half_t, 2>, 64, 128>,
                 tile_of<Layout_K_SW64_Atom<half_t>, 72, 128>>("f16");
    test_product<GMMA_64x64x32_F16F16F16_SS<MN_, MN_, ScaleIn::Neg, ScaleIn::One, SparseSel::One>,
                 tile_of<Layout_MN_SW128_SpAtom<half_t, 2>, 64, 64>, tile_of<Layout_MN_SW32_Atom<half_t>, 64, 64>>(
        "MN, selector 1");
    test_product<GMMA_64x16x32_F32BF16BF16_RS<K_, K_, ScaleIn::One, ScaleIn::One, SparseSel::One>,
                 tile_of<Layout_K_INTER_SpAtom<bfloat16_t, 2>, 64, 64>,
                 tile_of<Layout_K_INTER_Atom<bfloat16_t>, 16, 64>>("bf16 in registers");
    test_product<GMMA_64x16x16_F32TF32TF32_SS_TN<>, tile_of<Layout_K_SW32_SpAtom<tfloat32_t, 2>, 64, 32>,
                 tile_of<Layout_K_SW128_Atom<tfloat32_t>, 16, 32>>("tf32");
    test_product<GMMA_64x24x64_F32E4M3E5M2_RS_TN<>, tile_of<Layout_K_SW64_SpAtom<float_e4m3_t, 2>, 64, 128>,
                 tile_of<Layout_K_SW128_Atom<float_e5m2_t>, 24, 128>>("fp8 in registers");
    test_product<GMMA_64x16x64_S32S8U8_SS_TN<>, tile_of<Layout_K_SW32_SpAtom<std::int8_t, 2>, 64, 64>,
                 tile_of<Layout_K_SW64_Atom<std::uint8_t>, 16, 64>>("s8.u8");
  });
}
