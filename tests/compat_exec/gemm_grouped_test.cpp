// Kernels of groups and of batches by addresses on the CPU, each problem against a triple loop: extents of 0, ragged ones, more groups than
// maps of a block, factors of each group, clusters, cooperative and ping-pong.
#include "gemm_cases.hpp"

#include <cutlass/gemm/group_array_problem_shape.hpp>

using namespace cute;
using namespace gemm_cases;

namespace {

namespace gemm = cutlass::gemm;
namespace epilogue = cutlass::epilogue;

template <class A, class LayoutA, class B, class LayoutB, class D, class LayoutD, class Tile, class Cluster,
          class Schedule, class EpilogueSchedule, class Problem, class Fusion = fusion::LinearCombination<D, float>>
struct array_kernel {
  using Epilogue =
      typename epilogue::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile,
                                                       Cluster, epilogue::collective::EpilogueTileAuto, float, float, D,
                                                       LayoutD, 128 / sizeof_bits_v<D>, D, LayoutD,
                                                       128 / sizeof_bits_v<D>, EpilogueSchedule, Fusion>::CollectiveOp;
  using Mainloop = typename gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, A, LayoutA, 128 / sizeof_bits_v<A>, B, LayoutB,
      128 / sizeof_bits_v<B>, float, Tile, Cluster, gemm::collective::StageCount<2>, Schedule>::CollectiveOp;
  using Kernel = gemm::kernel::GemmUniversal<Problem, Mainloop, Epilogue>;
};
using each_shape = Shape<int, int, int>;
using groups_of_shapes = gemm::GroupProblemShape<each_shape>;

template <class Kernel>
void run(typename Kernel::Arguments const& args) {
  ASSERT_TRUE(Kernel::can_implement(args));
  auto const bytes = Kernel::get_workspace_size(args);
  std::vector<gemm::collective::detail::published_map> workspace(bytes /
                                                                 sizeof(gemm::collective::detail::published_map));
  ASSERT_EQ(Kernel::initialize_workspace(args, workspace.data()), cutlass::Status::kSuccess);
  auto const params = Kernel::to_underlying_arguments(args, workspace.data());
  using Cluster = typename Kernel::ClusterShape;
  auto const cluster =
      tilewright::dim3(static_cast<unsigned>(size<0>(Cluster{})), static_cast<unsigned>(size<1>(Cluster{})), 1);
  tilewright::launch(
      tilewright::launch_config{
          .grid = Kernel::get_grid_shape(params), .block = Kernel::get_block_shape(), .cluster = cluster},
      of_block<Kernel>{}, params);
}

/// The matrices of a problem, of small integers.
template <class Kernel>
struct problem_data {
  using A = typename Kernel::ElementA;
  using B = typename Kernel::ElementB;
  using D = typename Kernel::ElementD;
  int m, n, k;
  typename Kernel::InternalStrideA dA;
  typename Kernel::InternalStrideB dB;
  typename Kernel::InternalStrideC dC;
  typename Kernel::InternalStrideD dD;
  std::vector<A> a;
  std::vector<B> b;
  std::vector<D> c, d;

  problem_data(each_shape const& shape, std::mt19937& random)
      : m(get<0>(shape)),
        n(get<1>(shape)),
        k(get<2>(shape)),
        dA(cutlass::make_cute_packed_stride(decltype(dA){}, {m, k, 1})),
        dB(cutlass::make_cute_packed_stride(decltype(dB){}, {n, k, 1})),
        dC(cutlass::make_cute_packed_stride(decltype(dC){}, {m, n, 1})),
        dD(cutlass::make_cute_packed_stride(decltype(dD){}, {m, n, 1})) {
    auto const fill = [&](auto& out, int count) {
      for (int i = 0; i < count; ++i) out.emplace_back(static_cast<float>(static_cast<int>(random() % 5) - 2));
    };
    fill(a, m * k), fill(b, n * k), fill(c, m * n);
    d.assign(c.size(), D(99.0f));
  }
  void expect(float alpha, float beta, int problem) const {
    auto const A_ = make_tensor(a.data(), make_shape(m, k, 1), dA);
    auto const B_ = make_tensor(b.data(), make_shape(n, k, 1), dB);
    auto const C_ = make_tensor(c.data(), make_shape(m, n, 1), dC);
    auto const D_ = make_tensor(d.data(), make_shape(m, n, 1), dD);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int p = 0; p < k; ++p) sum += static_cast<float>(A_(i, p, 0)) * static_cast<float>(B_(j, p, 0));
        ASSERT_EQ(static_cast<float>(D_(i, j, 0)),
                  static_cast<float>(D(alpha * sum + beta * static_cast<float>(C_(i, j, 0)))))
            << i << ", " << j << " of problem " << problem << ", " << m << " x " << n << " x " << k;
      }
  }
};

/// host_knows: are the extents given to the host as well?
template <class Made>
void expect_groups(std::vector<each_shape> shapes, int multiprocessors, bool host_knows, bool own_factors,
                   int swizzle = 1) {
  using Kernel = typename Made::Kernel;
  static_assert(sizeof(typename Kernel::InternalStrideA) == 8);  // programs keep leading dimensions as int64_t
  std::mt19937 random(11);
  std::vector<problem_data<Kernel>> problems;
  for (auto const& shape : shapes) problems.emplace_back(shape, random);
  std::vector<typename Kernel::ElementA const*> a;
  std::vector<typename Kernel::ElementB const*> b;
  std::vector<typename Kernel::ElementD const*> c;
  std::vector<typename Kernel::ElementD*> d;
  std::vector<typename Kernel::InternalStrideA> dA;
  std::vector<typename Kernel::InternalStrideB> dB;
  std::vector<typename Kernel::InternalStrideC> dC;
  std::vector<typename Kernel::InternalStrideD> dD;
  std::vector<float> alpha, beta;
  for (auto& p : problems) {
    a.push_back(p.a.data()), b.push_back(p.b.data()), c.push_back(p.c.data()), d.push_back(p.d.data());
    dA.push_back(p.dA), dB.push_back(p.dB), dC.push_back(p.dC), dD.push_back(p.dD);
    alpha.push_back(static_cast<float>(1 + alpha.size() % 3)), beta.push_back(static_cast<float>(beta.size() % 3));
  }
  std::vector<float const*> alphas, betas;
  for (std::size_t i = 0; i < alpha.size(); ++i) alphas.push_back(&alpha[i]), betas.push_back(&beta[i]);
  typename Kernel::Arguments args{
      gemm::GemmUniversalMode::kGrouped,
      {static_cast<int>(shapes.size()), shapes.data(), host_knows ? shapes.data() : nullptr},
      {a.data(), dA.data(), b.data(), dB.data()},
      {{}, c.data(), dC.data(), d.data(), dD.data()}};
  args.epilogue.thread.alpha = 2;
  args.epilogue.thread.beta = -1;
  if (own_factors) {
    args.epilogue.thread.alpha_ptr_array = alphas.data();
    args.epilogue.thread.beta_ptr_array = betas.data();
  }
  args.hw_info.sm_count = multiprocessors;
  args.scheduler.max_swizzle_size = swizzle;
  run<Kernel>(args);
  for (std::size_t i = 0; i < problems.size(); ++i)
    problems[i].expect(own_factors ? alpha[i] : 2, own_factors ? beta[i] : -1, static_cast<int>(i));
}

TEST(gemm_grouped, cooperative_and_pingpong) {
  std::vector<each_shape> const shapes = {{128, 64, 64}, {200, 136, 72}, {0, 64, 64},    {64, 40, 0},
                                          {72, 64, 200}, {8, 8, 8},      {136, 200, 64}, {64, 64, 72}};
  using cooperative = array_kernel<half_t, RowMajor*, half_t, ColumnMajor*, float, RowMajor*, Shape<_128, _64, _64>,
                                   Shape<_1, _1, _1>, gemm::KernelPtrArrayTmaWarpSpecializedCooperative,
                                   epilogue::PtrArrayTmaWarpSpecializedCooperative, groups_of_shapes>;
  expect_groups<cooperative>(shapes, 3, true, false);
  expect_groups<cooperative>(shapes, 2, false, true, 4);
  using pingpong = array_kernel<bfloat16_t, RowMajor*, bfloat16_t, RowMajor*, half_t, ColumnMajor*,
                                Shape<_64, _64, _64>, Shape<_1, _1, _1>, gemm::KernelPtrArrayTmaWarpSpecializedPingpong,
                                epilogue::PtrArrayTmaWarpSpecializedPingpong, groups_of_shapes>;
  expect_groups<pingpong>(shapes, 2, false, true);
  expect_groups<pingpong>(shapes, 100, true, false);
}

TEST(gemm_grouped, clusters_share_loads) {
  std::vector<each_shape> const shapes = {{304, 136, 136}, {64, 64, 64}, {8, 200, 72}, {200, 8, 64}, {64, 72, 64}};
  expect_groups<array_kernel<half_t, ColumnMajor*, half_t, ColumnMajor*, float, RowMajor*, Shape<_64, _32, _64>,
                             Shape<_2, _1, _1>, gemm::KernelPtrArrayTmaWarpSpecializedPingpong,
                             epilogue::PtrArrayNoSmemWarpSpecialized, groups_of_shapes>>(shapes, 4, true, true, 2);
  expect_groups<
      array_kernel<float_e4m3_t, RowMajor*, float_e5m2_t, ColumnMajor*, half_t, RowMajor*, Shape<_128, _32, _128>,
                   Shape<_1, _2, _1>, gemm::KernelPtrArrayTmaWarpSpecializedCooperativeFP8FastAccum,
                   epilogue::PtrArrayTmaWarpSpecializedCooperative, groups_of_shapes>>(
      {{144, 80, 272}, {16, 16, 16}, {32, 160, 128}}, 4, false, true);
}

TEST(gemm_grouped, sums_of_small_floats_are_promoted) {
  expect_groups<array_kernel<float_e4m3_t, RowMajor*, float_e4m3_t, ColumnMajor*, half_t, RowMajor*,
                             Shape<_64, _32, _128>, Shape<_1, _1, _1>, gemm::KernelPtrArrayTmaWarpSpecializedPingpong,
                             epilogue::PtrArrayTmaWarpSpecializedPingpong, groups_of_shapes>>(
      {{80, 48, 272}, {16, 32, 128}}, 3, true, false);
}

TEST(gemm_grouped, activations_of_groups) {
  using Made =
      array_kernel<half_t, RowMajor*, half_t, ColumnMajor*, float, RowMajor*, Shape<_64, _32, _64>, Shape<_1, _1, _1>,
                   gemm::KernelPtrArrayTmaWarpSpecializedPingpong, epilogue::PtrArrayTmaWarpSpecializedPingpong,
                   groups_of_shapes, fusion::LinCombEltAct<epilogue::thread::ReLu, float, float>>;
  using Kernel = Made::Kernel;
  std::mt19937 random(3);
  std::vector<each_shape> shapes = {{64, 32, 64}, {72, 40, 8}};
  std::vector<problem_data<Kernel>> problems;
  for (auto const& shape : shapes) problems.emplace_back(shape, random);
  std::vector<half_t const*> a = {problems[0].a.data(), problems[1].a.data()};
  std::vector<half_t const*> b = {problems[0].b.data(), problems[1].b.data()};
  std::vector<float*> d = {problems[0].d.data(), problems[1].d.data()};
  std::vector<Kernel::InternalStrideA> dA = {problems[0].dA, problems[1].dA};
  std::vector<Kernel::InternalStrideB> dB = {problems[0].dB, problems[1].dB};
  std::vector<Kernel::InternalStrideD> dD = {problems[0].dD, problems[1].dD};
  Kernel::Arguments args{gemm::GemmUniversalMode::kGrouped,
                         {2, shapes.data(), nullptr},
                         {a.data(), dA.data(), b.data(), dB.data()},
                         {{}, nullptr, nullptr, d.data(), dD.data()}};
  args.hw_info.sm_count = 2;
  run<Kernel>(args);
  for (auto const& p : problems)
    for (int i = 0; i < p.m; ++i)
      for (int j = 0; j < p.n; ++j) {
        float sum = 0;
        for (int l = 0; l < p.k; ++l)
          sum += static_cast<float>(p.a[static_cast<std::size_t>(i * p.k + l)]) *
                 static_cast<float>(p.b[static_cast<std::size_t>(j * p.k + l)]);
        ASSERT_EQ(p.d[static_cast<std::size_t>(i * p.n + j)], sum > 0 ? sum : 0.0f);
      }
}

TEST(gemm_grouped, batches_by_addresses) {
  using Kernel =
      array_kernel<half_t, RowMajor, half_t, ColumnMajor, float, ColumnMajor, Shape<_128, _64, _64>, Shape<_2, _1, _1>,
                   gemm::KernelPtrArrayTmaWarpSpecializedCooperative, epilogue::PtrArrayTmaWarpSpecializedCooperative,
                   gemm::ArrayProblemShape<Shape<int, int, int, int>>>::Kernel;
  std::mt19937 random(5);
  constexpr int batches = 4;
  std::vector<problem_data<Kernel>> problems;
  std::vector<half_t const*> a, b;
  std::vector<float const*> c;
  std::vector<float*> d;
  for (int i = 0; i < batches; ++i) problems.emplace_back(each_shape{200, 72, 136}, random);
  for (auto& p : problems)
    a.push_back(p.a.data()), b.push_back(p.b.data()), c.push_back(p.c.data()), d.push_back(p.d.data());
  auto const& one = problems[0];
  Kernel::Arguments args{gemm::GemmUniversalMode::kArray,
                         {{200, 72, 136, batches}},
                         {a.data(), one.dA, b.data(), one.dB},
                         {{3, 2}, c.data(), one.dC, d.data(), one.dD}};
  args.hw_info.sm_count = 4;
  run<Kernel>(args);
  for (int i = 0; i < batches; ++i) problems[static_cast<std::size_t>(i)].expect(3, 2, i);
}

TEST(gemm_grouped, rows_of_other_than_16_bytes_are_refused_where_the_host_knows_them) {
  using Kernel = array_kernel<half_t, RowMajor*, half_t, ColumnMajor*, float, RowMajor*, Shape<_64, _32, _64>,
                              Shape<_1, _1, _1>, gemm::KernelPtrArrayTmaWarpSpecializedPingpong,
                              epilogue::PtrArrayTmaWarpSpecializedPingpong, groups_of_shapes>::Kernel;
  std::vector<each_shape> shapes = {{64, 32, 64}, {64, 32, 63}};
  Kernel::Arguments args{};
  args.mode = gemm::GemmUniversalMode::kGrouped;
  args.problem_shape = {2, shapes.data(), shapes.data()};
  EXPECT_FALSE(Kernel::can_implement(args));
  args.problem_shape = {1, shapes.data(), shapes.data()};
  EXPECT_TRUE(Kernel::can_implement(args));
  args.mode = gemm::GemmUniversalMode::kGemm;
  EXPECT_FALSE(Kernel::can_implement(args));
}

}  // namespace
