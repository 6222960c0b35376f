// The headers of CUTLASS's kernels, epilogues and collectives, which programs on CuTe include for parts of them: names of
// schedules, linear combinations, extents of groups, distributions, views on a stream.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/layout/matrix.h>
#include <cutlass/util/distribution.h>
#include <cutlass/util/tensor_view_io.h>
#include <gtest/gtest.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/epilogue/collective/default_epilogue.hpp>
#include <cutlass/epilogue/collective/detail.hpp>
#include <cutlass/epilogue/dispatch_policy.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/dispatch_policy.hpp>
#include <cutlass/gemm/group_array_problem_shape.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>

#include <iomanip>
#include <sstream>
#include <string>
#include <type_traits>

using namespace cute;

namespace {

namespace gemm = cutlass::gemm;
namespace thread = cutlass::epilogue::thread;

template <class T>
std::string streamed(T const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

TEST(KernelHeaders, BringTheirPartsAlong) {
  static_assert(sizeof(cutlass::arch::ClusterTransactionBarrier) == 8);
  static_assert(cutlass::PipelineState<3>::Stages == 3);
  using selected = decltype(gemm::collective::detail::ss_smem_selector<GMMA::Major::K, half_t, _128, _64>());
  static_assert(is_static<selected>::value);
  static_assert(gemm::collective::StageCount<3>::value == 3 && gemm::collective::StageCountAuto::bytes == 0);
  static_assert(std::is_empty_v<gemm::collective::KernelScheduleAuto>);
  static_assert(std::is_empty_v<cutlass::epilogue::collective::EpilogueTileAuto>);
}

TEST(KernelHeaders, SchedulesOfKernels) {
  using loop = gemm::MainloopSm90TmaGmmaWarpSpecialized<4, Shape<_2, _1, _1>, gemm::KernelTmaWarpSpecializedPingpong>;
  static_assert(loop::Stages == 4 && std::is_same_v<loop::ArchTag, cutlass::arch::Sm90>);
  static_assert(std::is_same_v<loop::Schedule, gemm::KernelTmaWarpSpecializedPingpong>);
  static_assert(size(loop::ClusterShape{}) == 2);
  static_assert(
      std::is_base_of_v<loop, gemm::MainloopSm90TmaGmmaWarpSpecializedFP8<4, Shape<_2, _1, _1>,
                                                                          gemm::KernelTmaWarpSpecializedPingpong>>);
  static_assert(std::is_same_v<gemm::MainloopSm80CpAsync<3>::ArchTag, cutlass::arch::Sm80>);
  static_assert(std::is_same_v<gemm::MainloopSm80CpAsync<3, Shape<_2, _1, _1>>::ArchTag, cutlass::arch::Sm90>);
  using stores = cutlass::epilogue::Sm90TmaWarpSpecialized<2, 3, 8, true, false>;
  static_assert(stores::StagesC == 2 && stores::StagesD == 3 && stores::ReuseSmemC && !stores::DelayTmaStore);
}

TEST(KernelHeaders, LinearCombination) {
  using both = thread::LinearCombination<half_t, 4, float, float>;
  both const f(both::Params(2.0f, 3.0f));
  EXPECT_TRUE(f.is_source_needed());
  EXPECT_EQ(float(f(1.5f, half_t(2.0f))), 9.0f);
  EXPECT_EQ(float(f(1.5f)), 3.0f);
  both::FragmentAccumulator sums{};
  both::FragmentSource source{};
  for (std::size_t i = 0; i < 4; ++i) {
    sums[i] = float(i);
    source[i] = half_t(float(10 * i));
  }
  both::FragmentOutput const out = f(sums, source), scaled = f(sums);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(float(out[i]), 32.0f * float(i));
    EXPECT_EQ(float(scaled[i]), 2.0f * float(i));
  }
}
TEST(KernelHeaders, FactorsByAddress) {
  using both = thread::LinearCombination<float, 1, float, float>;
  float const factors[2] = {5.0f, 0.0f};
  both const f(both::Params(&factors[0], &factors[1]));
  EXPECT_FALSE(f.is_source_needed());
  EXPECT_EQ(f(2.0f, 7.0f), 10.0f);
  float const* const groups[2] = {&factors[1], &factors[0]};
  EXPECT_EQ(both(both::Params(groups), 1)(2.0f), 10.0f);
  using plain = thread::LinearCombination<int, 1, float, float, thread::ScaleType::Nothing>;
  EXPECT_EQ(plain(plain::Params())(3.0f), 3);
  using added = thread::LinearCombination<float, 1, float, float, thread::ScaleType::NoBetaScaling>;
  EXPECT_EQ(added(added::Params(2.0f))(3.0f, 4.0f), 10.0f);
}

TEST(KernelHeaders, ExtentsOfGroups) {
  using extents = Shape<int, int, int>;
  extents shapes[2] = {{1, 2, 3}, {4, 5, 6}};
  gemm::GroupProblemShape<extents> const groups{2, shapes, nullptr};
  EXPECT_EQ(groups.groups(), 2);
  EXPECT_EQ(get<1>(groups.get_problem_shape(1)), 5);
  EXPECT_FALSE(groups.is_host_problem_shape_available());
  gemm::ArrayProblemShape<extents> const all(extents{7, 8, 9});
  EXPECT_EQ(get<2>(all.get_host_problem_shape()), 9);
  EXPECT_EQ(all.groups(), 1);
}

TEST(KernelHeaders, DistributionsAndViewsOnAStream) {
  cutlass::Distribution d;
  EXPECT_EQ(d.kind, cutlass::Distribution::Invalid);
  d.set_uniform(-1, 2, 3);
  EXPECT_EQ(d.uniform.max, 2.0);
  EXPECT_EQ(streamed(d), "uniform, min: -1, max: 2, int_scale: 3");
  d.set_gaussian(0, 4);
  EXPECT_EQ(d.gaussian.pnzB, 1.0);
  EXPECT_EQ(streamed(d.set_identity()), "identity");

  int elements[6] = {1, 2, 3, 4, 5, 6};
  cutlass::layout::RowMajor const rows(3);
  cutlass::TensorView<int, cutlass::layout::RowMajor> const view(elements, rows, cutlass::MatrixCoord(2, 3));
  EXPECT_EQ(streamed(view), "1, 2, 3,\n4, 5, 6");
  std::ostringstream wide;
  wide << std::setw(3) << view;
  EXPECT_EQ(wide.str(), "  1,   2,   3,\n  4,   5,   6");
  std::int8_t bytes[2] = {65, -1};
  cutlass::TensorView<std::int8_t, cutlass::layout::RowMajor> const small(bytes, cutlass::layout::RowMajor(2),
                                                                          cutlass::MatrixCoord(1, 2));
  EXPECT_EQ(streamed(small), "65, -1");
}

}  // namespace
