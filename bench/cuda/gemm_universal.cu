// archs: 90a
// Products of matrices by CUTLASS's builders, kernel and adapter (compat/), bf16 with float sums, next to cuBLAS's in the same run, on
// random data: TFLOP/s of both and their ratio, for schedules and epilogues: D through shared memory by TMA, with C and without, and by
// threads. cuBLAS is opened at run time (libcublas.so.13 or .12); without it there are no ratios. The results are compared at random
// elements with sums in double.
#include "bench/cuda/cublas.hpp"

#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/util/device_memory.h>

#include <cmath>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>
#include <random>

using namespace cute;
using tilewright::bench::cublas;
using tilewright::bench::seconds;

namespace {

namespace epilogue = cutlass::epilogue;
namespace gemm = cutlass::gemm;
using Element = cutlass::bfloat16_t;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

template <class Tile, class Cluster, class Schedule, class EpilogueSchedule, class ElementC>
struct multiplication {
  using Epilogue = typename epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Cluster, epilogue::collective::EpilogueTileAuto, float,
      float, ElementC, Row, 8, Element, Row, 8, EpilogueSchedule>::CollectiveOp;
  using Mainloop = typename gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Element, Row, 8, Element, Column, 8, float, Tile, Cluster,
      gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epilogue::SharedStorage))>,
      Schedule>::CollectiveOp;
  using Kernel = gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue>;
  using Gemm = gemm::device::GemmUniversalAdapter<Kernel>;
};

/// Random matrices on the device, and cuBLAS's time for them.
struct matrices {
  int m, n, k;
  std::vector<Element> a, b, c;
  cutlass::DeviceAllocation<Element> dev_a, dev_b, dev_c, dev_d;
  double cublas_seconds = 0;

  matrices(cublas const& other, int m_, int n_, int k_)
      : m(m_),
        n(n_),
        k(k_),
        a(count(m, k)),
        b(count(n, k)),
        c(count(m, n)),
        dev_a(a.size()),
        dev_b(b.size()),
        dev_c(c.size()),
        dev_d(c.size()) {
    std::mt19937 random(3);
    std::vector<Element> values(1 << 20);
    for (Element& x : values) x = Element(static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 2000.0f);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = values[(i * 7 + i / 1009) % values.size()];
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = values[(i * 5 + i / 2003 + 11) % values.size()];
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = values[(i * 3 + i / 3001 + 7) % values.size()];
    dev_a.copy_from_host(a.data());
    dev_b.copy_from_host(b.data());
    dev_c.copy_from_host(c.data());
    if (other.is_there()) cublas_seconds = seconds([&] { other.run(m, n, k, dev_a.get(), dev_b.get(), dev_d.get()); });
  }
  static std::size_t count(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
  /// Of 4096 elements of alpha · A · Bᵀ + beta · C.
  int wrong(float beta) {
    std::vector<Element> d(c.size());
    dev_d.copy_to_host(d.data());
    std::mt19937 random(5);
    int found = 0;
    for (int i = 0; i < 4096; ++i) {
      std::size_t const x = random() % static_cast<unsigned>(m), y = random() % static_cast<unsigned>(n);
      std::size_t const columns = static_cast<std::size_t>(n), depth = static_cast<std::size_t>(k);
      double sum = static_cast<double>(beta * static_cast<float>(c[x * columns + y]));
      for (std::size_t l = 0; l < depth; ++l)
        sum += static_cast<double>(static_cast<float>(a[x * depth + l])) *
               static_cast<double>(static_cast<float>(b[y * depth + l]));
      double const given = static_cast<double>(static_cast<float>(d[x * columns + y]));
      found += std::abs(given - sum) > 0.005 * (1 + std::abs(sum)) + 1e-3 * std::sqrt(k) ? 1 : 0;
    }
    return found;
  }
};

template <class Multiplication>
void compare(char const* name, matrices& on, float beta) {
  using Kernel = typename Multiplication::Kernel;
  auto const stride_a = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, make_shape(on.m, on.k, 1));
  auto const stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, make_shape(on.n, on.k, 1));
  auto const stride_d = cutlass::make_cute_packed_stride(typename Kernel::StrideD{}, make_shape(on.m, on.n, 1));
  typename Multiplication::Gemm::Arguments arguments{gemm::GemmUniversalMode::kGemm,
                                                     {on.m, on.n, on.k, 1},
                                                     {on.dev_a.get(), stride_a, on.dev_b.get(), stride_b},
                                                     {{1.0f, beta}, on.dev_c.get(), stride_d, on.dev_d.get(), stride_d},
                                                     cutlass::KernelHardwareInfo::make_kernel_hardware_info<Kernel>(0)};
  arguments.scheduler.max_swizzle_size = 8;
  typename Multiplication::Gemm gemm;
  if (gemm.can_implement(arguments) != cutlass::Status::kSuccess ||
      gemm.initialize(arguments) != cutlass::Status::kSuccess) {
    std::printf("%s: the kernel refuses %d x %d x %d; give extents whose rows are multiples of 16 bytes\n", name, on.m,
                on.n, on.k);
    return;
  }
  double const t = seconds([&] { gemm.run(); });
  tilewright::check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  double const work = 2e-12 * on.m * on.n * static_cast<double>(on.k);
  std::printf("%5d x %5d x %5d, %-44s %6.1f TFLOP/s, %d of 4096 elements wrong", on.m, on.n, on.k, name, work / t,
              on.wrong(beta));
  if (on.cublas_seconds > 0) std::printf("; cuBLAS %6.1f, ratio %.3f", work / on.cublas_seconds, on.cublas_seconds / t);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main() {
  using cooperative = gemm::KernelTmaWarpSpecializedCooperative;
  using ping_pong = gemm::KernelTmaWarpSpecializedPingpong;
  using by_tma = epilogue::TmaWarpSpecializedCooperative;
  using two = Shape<_2, _1, _1>;
  cublas const other;
  if (!other.is_there()) std::printf("cuBLAS is not there\n");
  for (int size : {4096, 8192}) {
    matrices on(other, size, size, size);
    compare<multiplication<Shape<_128, _256, _64>, two, cooperative, by_tma, void>>("cooperative 128x256, D by TMA", on,
                                                                                    0);
    compare<multiplication<Shape<_128, _256, _64>, two, cooperative, by_tma, Element>>("… with C", on, 0.5f);
    compare<multiplication<Shape<_128, _256, _64>, two, cooperative, epilogue::NoSmemWarpSpecialized, void>>(
        "… by threads", on, 0);
    compare<multiplication<Shape<_128, _128, _64>, two, cooperative, by_tma, void>>("cooperative 128x128, D by TMA", on,
                                                                                    0);
    compare<multiplication<Shape<_64, _256, _64>, two, ping_pong, epilogue::TmaWarpSpecialized, void>>(
        "ping-pong 64x256, D by TMA", on, 0);
    compare<multiplication<Shape<_64, _128, _64>, two, ping_pong, epilogue::TmaWarpSpecialized, Element>>(
        "ping-pong 64x128, D and C by TMA", on, 0.5f);
  }
  return 0;
}
