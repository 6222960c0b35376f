// Epilogues of CUTLASS's builder that go through shared memory and TMA: elements of 8, 16 and 32 bits of both majors, C of another type,
// a bias with an activation, a tree of functions, ragged extents, several tiles of a block, against sums on the host.
// arch: sm_90a
// ptx: cp\.async\.bulk\.tensor\.[23]d\.global\.shared::cta
// ptx: stmatrix\.sync\.aligned\.m8n8\.x4\.trans\.
// ptx: stmatrix\.sync\.aligned\.m8n8\.x4\.shared
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/util/device_memory.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cute/tensor.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/epilogue/fusion/sm90_visitor_tma_warpspecialized.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>
#include <vector>

using namespace cute;
namespace fusion = cutlass::epilogue::fusion;
using cutlass::layout::ColumnMajor;
using cutlass::layout::RowMajor;
using cooperative = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
using ping_pong = cutlass::gemm::KernelTmaWarpSpecializedPingpong;

template <class D, class LayoutD, class C, class LayoutC, class Schedule, class Fusion>
struct gemm_of {
  static constexpr bool is_cooperative = std::is_same_v<Schedule, cooperative>;
  using TileShape = Shape<Int<is_cooperative ? 128 : 64>, _96, _64>;
  using CollectiveEpilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, TileShape, Shape<_2, _1, _1>,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, C, LayoutC, 16 / sizeof(C), D, LayoutD,
      16 / sizeof(D),
      std::conditional_t<is_cooperative, cutlass::epilogue::TmaWarpSpecializedCooperative,
                         cutlass::epilogue::TmaWarpSpecialized>,
      Fusion>::CollectiveOp;
  using CollectiveMainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, half_t, RowMajor, 8, half_t, ColumnMajor, 8, float,
      TileShape, Shape<_2, _1, _1>, cutlass::gemm::collective::StageCountAutoCarveoutEpi<CollectiveEpilogue>,
      Schedule>::CollectiveOp;
  using Kernel =
      cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, CollectiveMainloop, CollectiveEpilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
};

template <class T>
std::vector<T> numbers(int count, int step) {
  std::vector<T> out(count);
  for (int i = 0; i < count; ++i) out[i] = T(static_cast<float>((i * step + i / 37) % 5 - 2));
  return out;
}
template <class T>
T* on_device(cutlass::DeviceAllocation<T>& memory, std::vector<T> const& host) {
  memory.reset(host.size());
  memory.copy_from_host(host.data());
  return memory.get();
}

/// set(arguments of the function, address of biases); expected(sum, source, bias of m, bias of n)
template <class D, class LayoutD, class C, class LayoutC, class Schedule, class Fusion, class Set, class Expected>
bool run(char const* name, int m, int n, int k, int batches, Set const& set, Expected const& expected) {
  using Of = gemm_of<D, LayoutD, C, LayoutC, Schedule, Fusion>;
  using Gemm = typename Of::Gemm;
  using Kernel = typename Of::Kernel;
  auto const a = numbers<half_t>(m * k * batches, 7), b = numbers<half_t>(n * k * batches, 3);
  auto const c = numbers<C>(m * n * batches, 11);
  auto const bias = numbers<float>(m + n, 13);
  std::vector<D> d(m * n * batches, D(0.0f));
  cutlass::DeviceAllocation<half_t> dev_a, dev_b;
  cutlass::DeviceAllocation<C> dev_c;
  cutlass::DeviceAllocation<D> dev_d;
  cutlass::DeviceAllocation<float> dev_bias;
  auto const dA = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, make_shape(m, k, batches));
  auto const dB = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, make_shape(n, k, batches));
  auto const dC = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, make_shape(m, n, batches));
  auto const dD = cutlass::make_cute_packed_stride(typename Kernel::StrideD{}, make_shape(m, n, batches));
  typename Gemm::Arguments arguments{cutlass::gemm::GemmUniversalMode::kGemm,
                                     {m, n, k, batches},
                                     {on_device(dev_a, a), dA, on_device(dev_b, b), dB},
                                     {{}, on_device(dev_c, c), dC, on_device(dev_d, d), dD},
                                     cutlass::KernelHardwareInfo::make_kernel_hardware_info<Kernel>(0)};
  set(arguments.epilogue.thread, static_cast<float const*>(on_device(dev_bias, bias)));
  arguments.hw_info.sm_count = 4;  // each block takes several tiles
  Gemm gemm;
  bool right = gemm.can_implement(arguments) == cutlass::Status::kSuccess &&
               gemm.run(arguments) == cutlass::Status::kSuccess && cudaDeviceSynchronize() == cudaSuccess;
  if (right) dev_d.copy_to_host(d.data());
  auto const A = make_tensor(a.data(), make_shape(m, k, batches), dA);
  auto const B = make_tensor(b.data(), make_shape(n, k, batches), dB);
  auto const from = make_tensor(c.data(), make_shape(m, n, batches), dC);
  auto const result = make_tensor(d.data(), make_shape(m, n, batches), dD);
  for (int l = 0; right && l < batches; ++l)
    for (int i = 0; right && i < m; ++i)
      for (int j = 0; right && j < n; ++j) {
        float sum = 0;
        for (int p = 0; p < k; ++p) sum += static_cast<float>(A(i, p, l)) * static_cast<float>(B(j, p, l));
        D const x(expected(sum, static_cast<float>(from(i, j, l)), bias[i], bias[m + j]));
        right = static_cast<float>(x) == static_cast<float>(result(i, j, l));
        if (!right) std::printf("%s: element (%d, %d) of %d is wrong\n", name, i, j, l);
      }
  return right;
}

int main() {
  using fp8 = cutlass::float_e4m3_t;
  using linear_half = fusion::LinearCombination<half_t, float, half_t>;
  auto const factors = [](auto& thread, float const*) {
    thread.alpha = 2;
    thread.beta = -1;
  };
  auto const linear = [](float sum, float source, float, float) { return 2 * sum - source; };
  bool right =
      run<half_t, RowMajor, half_t, RowMajor, cooperative, linear_half>("half", 700, 520, 200, 1, factors, linear);
  right &= run<half_t, ColumnMajor, half_t, RowMajor, ping_pong, linear_half>("half of columns", 520, 328, 72, 2,
                                                                              factors, linear);
  right &= run<float, ColumnMajor, half_t, ColumnMajor, cooperative, fusion::LinearCombination<float, float, half_t>>(
      "float of columns", 264, 200, 72, 2, factors, linear);
  right &= run<fp8, RowMajor, half_t, RowMajor, ping_pong, fusion::LinearCombination<fp8, float, half_t>>(
      "bytes", 200, 208, 72, 1,
      [](auto& thread, float const*) {
        thread.alpha = 0.25f;
        thread.beta = 1;
      },
      [](float sum, float source, float, float) { return 0.25f * sum + source; });
  right &= run<half_t, RowMajor, half_t, RowMajor, cooperative,
               fusion::LinCombPerRowBiasEltAct<cutlass::epilogue::thread::ReLu, half_t, float, float, half_t>>(
      "bias", 200, 136, 72, 1,
      [&](auto& thread, float const* bias) {
        factors(thread, bias);
        thread.bias_ptr = bias;
      },
      [](float sum, float source, float bias, float) {
        float const x = 2 * sum - source + bias;
        return x > 0 ? x : 0.0f;
      });
  constexpr auto nearest = cutlass::FloatRoundStyle::round_to_nearest;
  using tree =
      fusion::Sm90EVT<fusion::Sm90Compute<cutlass::plus, half_t, float, nearest>, fusion::Sm90SrcFetch<half_t>,
                      fusion::Sm90EVT<fusion::Sm90Compute<cutlass::multiplies, float, float, nearest>,
                                      fusion::Sm90RowBroadcast<0, Shape<_64, _96, _64>, float>, fusion::Sm90AccFetch>>;
  int const m = 200, n = 136;
  right &= run<half_t, RowMajor, half_t, RowMajor, ping_pong, tree>(
      "tree", m, n, 72, 1,
      [&](auto& thread, float const* bias) {
        thread = {{}, {{bias + m}, {}, {}}, {}};
      },
      [](float sum, float source, float, float bias) { return bias * sum + source; });
  using magnitudes = fusion::ScaledLinCombPerRowBiasEltActAmaxAux<RowMajor, cutlass::epilogue::thread::ReLU, fp8, float,
                                                                  fp8, float, float, half_t>;
  std::vector<float> largest(2, 0.0f);
  float expected_d = 0, expected_aux = 0;
  cutlass::DeviceAllocation<float> dev_largest;
  cutlass::DeviceAllocation<fp8> aux(m * 144);
  on_device(dev_largest, largest);
  right &= run<fp8, RowMajor, half_t, RowMajor, cooperative, magnitudes>(
      "magnitudes", m, 144, 72, 1,
      [&](auto& thread, float const* bias) {
        thread.scale_a = 0.5f;
        thread.scale_d = thread.scale_aux = 0.25f;
        thread.bias_ptr = bias;
        thread.aux_ptr = aux.get();
        thread.dAux = {144, _1{}, 0};
        thread.amax_D_ptr = dev_largest.get();
        thread.amax_aux_ptr = dev_largest.get() + 1;
      },
      [&](float sum, float, float bias, float) {
        float const z = 0.5f * sum + bias;
        expected_aux = std::max(expected_aux, std::abs(z));
        expected_d = std::max(expected_d, z);
        return z > 0 ? 0.25f * z : 0.0f;
      });
  dev_largest.copy_to_host(largest.data());
  right &= largest[0] == expected_d && largest[1] == expected_aux && expected_d > 0;
  std::printf(right ? "passed\n" : "failed\n");
  return right ? 0 : 1;
}
