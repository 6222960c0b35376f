// A product of matrices by CUTLASS's collective builders, kernel and adapter, as programs for Hopper write it, against its reference
// on the device: half_t, K-major operands, a cluster of two blocks, clusters' grids in bands.
// arch: sm_90a
// ptx: wgmma\.mma_async\.sync\.aligned\.m64n128k16\.f32\.f16\.f16
// ptx: cp\.async\.bulk\.tensor\.3d\.shared::cluster\.global.*multicast::cluster
// ptx: setmaxnreg
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/util/device_memory.h>
#include <cutlass/util/reference/device/gemm.h>

#include <cstdio>
#include <cute/tensor.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>
#include <vector>

using namespace cute;

using Element = cutlass::half_t;
using LayoutA = cutlass::layout::RowMajor;
using LayoutB = cutlass::layout::ColumnMajor;
using LayoutC = cutlass::layout::RowMajor;
constexpr int Alignment = 128 / cutlass::sizeof_bits<Element>::value;

template <class Schedule>
bool run(int m, int n, int k) {
  using TileShape =
      Shape<Int<std::is_same_v<Schedule, cutlass::gemm::KernelTmaWarpSpecializedPingpong> ? 64 : 128>, _128, _64>;
  using ClusterShape = Shape<_2, _1, _1>;
  using CollectiveEpilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, TileShape, ClusterShape,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, LayoutC, 4, float, LayoutC, 4,
      cutlass::epilogue::collective::EpilogueScheduleAuto>::CollectiveOp;
  using CollectiveMainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Element, LayoutA, Alignment, Element, LayoutB, Alignment,
      float, TileShape, ClusterShape,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename CollectiveEpilogue::SharedStorage))>,
      Schedule>::CollectiveOp;
  using GemmKernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int>, CollectiveMainloop, CollectiveEpilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<GemmKernel>;
  static_assert(std::is_same_v<typename Gemm::LayoutB, LayoutB>);
  static_assert(GemmKernel::SharedStorageSize <= 232448);

  std::vector<Element> a(m * k), b(n * k);
  for (int i = 0; i < m * k; ++i) a[i] = Element(float((i * 7 + i / k) % 5 - 2));
  for (int i = 0; i < n * k; ++i) b[i] = Element(float((i * 3 + i / k) % 7 - 3));
  std::vector<float> c(m * n), d(m * n), expected(m * n);
  for (int i = 0; i < m * n; ++i) c[i] = float(i % 11);
  cutlass::DeviceAllocation<Element> dev_a(m * k), dev_b(n * k);
  cutlass::DeviceAllocation<float> dev_c(m * n), dev_d(m * n), dev_e(m * n);
  dev_a.copy_from_host(a.data());
  dev_b.copy_from_host(b.data());
  dev_c.copy_from_host(c.data());

  auto const stride_a = cutlass::make_cute_packed_stride(typename GemmKernel::StrideA{}, make_shape(m, k, 1));
  auto const stride_b = cutlass::make_cute_packed_stride(typename GemmKernel::StrideB{}, make_shape(n, k, 1));
  auto const stride_c = cutlass::make_cute_packed_stride(typename GemmKernel::StrideC{}, make_shape(m, n, 1));
  typename Gemm::Arguments arguments{cutlass::gemm::GemmUniversalMode::kGemm,
                                     {m, n, k},
                                     {dev_a.get(), stride_a, dev_b.get(), stride_b},
                                     {{2.0f, 0.5f}, dev_c.get(), stride_c, dev_d.get(), stride_c},
                                     cutlass::KernelHardwareInfo::make_kernel_hardware_info<GemmKernel>(0)};
  arguments.scheduler.max_swizzle_size = 2;
  cutlass::device_memory::allocation<uint8_t> workspace(Gemm::get_workspace_size(arguments));
  Gemm gemm;
  if (gemm.can_implement(arguments) != cutlass::Status::kSuccess) return false;
  if (gemm.initialize(arguments, workspace.get()) != cutlass::Status::kSuccess) return false;
  if (gemm.run() != cutlass::Status::kSuccess || cudaDeviceSynchronize() != cudaSuccess) return false;

  cutlass::reference::device::Gemm<Element, LayoutA, Element, LayoutB, float, LayoutC, float, float> reference;
  reference({m, n, k}, 2.0f, cutlass::TensorRef(dev_a.get(), LayoutA::packed({m, k})),
            cutlass::TensorRef(dev_b.get(), LayoutB::packed({k, n})), 0.5f,
            cutlass::TensorRef(dev_c.get(), LayoutC::packed({m, n})),
            cutlass::TensorRef(dev_e.get(), LayoutC::packed({m, n})));
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  dev_d.copy_to_host(d.data());
  dev_e.copy_to_host(expected.data());
  return d == expected;  // sums of small integers are exact
}

int main() {
  bool const right = run<cutlass::gemm::KernelTmaWarpSpecializedCooperative>(700, 520, 200) &&
                     run<cutlass::gemm::KernelTmaWarpSpecializedPingpong>(700, 520, 200) &&
                     run<cutlass::gemm::KernelTmaWarpSpecialized>(128, 128, 64);
  std::printf(right ? "passed\n" : "failed\n");
  return right ? 0 : 1;
}
