// Groups of products by CUTLASS's builders, kernel and adapter, as programs for Hopper write them, each next to the reference on the device:
// addresses, extents and strides are in memory of the GPU, and each group has factors of its own. Batches by addresses, too.
// arch: sm_90a
// ptx: tensormap\.replace\.tile\.global_address\.shared::cta
// ptx: tensormap\.cp_fenceproxy
// ptx: wgmma\.mma_async\.sync\.aligned\.m64n128k16\.f32\.f16\.f16
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/util/device_memory.h>
#include <cutlass/util/reference/device/gemm.h>

#include <cstdio>
#include <cute/tensor.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/group_array_problem_shape.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>
#include <vector>

using namespace cute;

using Element = cutlass::half_t;
using LayoutA = cutlass::layout::RowMajor;
using LayoutB = cutlass::layout::ColumnMajor;
using LayoutD = cutlass::layout::RowMajor;
using Problem = Shape<int, int, int>;

template <class ProblemShape, class TagA, class TagB, class TagD, class TileShape, class ClusterShape, class Schedule,
          class EpilogueSchedule>
struct made {
  using CollectiveEpilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, TileShape, ClusterShape,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, TagD, 4, float, TagD, 4, EpilogueSchedule,
      cutlass::epilogue::fusion::LinearCombination<float, float>>::CollectiveOp;
  using CollectiveMainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Element, TagA, 8, Element, TagB, 8, float, TileShape,
      ClusterShape,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename CollectiveEpilogue::SharedStorage))>,
      Schedule>::CollectiveOp;
  using GemmKernel = cutlass::gemm::kernel::GemmUniversal<ProblemShape, CollectiveMainloop, CollectiveEpilogue>;
  static_assert(GemmKernel::SharedStorageSize <= 232448);
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<GemmKernel>;
};

/// The matrices of problems in one allocation each, and their references.
struct matrices {
  std::vector<Problem> shapes;
  std::vector<int> at_a, at_b, at_d;
  cutlass::DeviceAllocation<Element> a, b;
  cutlass::DeviceAllocation<float> c, d, reference;
  std::vector<Element const*> ptr_a, ptr_b;
  std::vector<float const*> ptr_c;
  std::vector<float*> ptr_d;

  explicit matrices(std::vector<Problem> const& all) : shapes(all) {
    int of_a = 0, of_b = 0, of_d = 0;
    for (auto const& [m, n, k] : shapes) {
      at_a.push_back(of_a), at_b.push_back(of_b), at_d.push_back(of_d);
      of_a += m * k, of_b += n * k, of_d += m * n;
    }
    std::vector<Element> host_a(of_a), host_b(of_b);
    std::vector<float> host_c(of_d);
    for (int i = 0; i < of_a; ++i) host_a[i] = Element(float((i * 7 + i / 31) % 5 - 2));
    for (int i = 0; i < of_b; ++i) host_b[i] = Element(float((i * 3 + i / 29) % 7 - 3));
    for (int i = 0; i < of_d; ++i) host_c[i] = float(i % 11);
    a.reset(of_a), b.reset(of_b), c.reset(of_d), d.reset(of_d), reference.reset(of_d);
    a.copy_from_host(host_a.data());
    b.copy_from_host(host_b.data());
    c.copy_from_host(host_c.data());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      ptr_a.push_back(a.get() + at_a[i]), ptr_b.push_back(b.get() + at_b[i]);
      ptr_c.push_back(c.get() + at_d[i]), ptr_d.push_back(d.get() + at_d[i]);
    }
  }
  bool agrees(std::vector<float> const& alpha, std::vector<float> const& beta) {
    cutlass::reference::device::Gemm<Element, LayoutA, Element, LayoutB, float, LayoutD, float, float> product;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      auto const [m, n, k] = shapes[i];
      if (m * n == 0) continue;
      product({m, n, k}, alpha[i], cutlass::TensorRef(a.get() + at_a[i], LayoutA::packed({m, k})),
              cutlass::TensorRef(b.get() + at_b[i], LayoutB::packed({k, n})), beta[i],
              cutlass::TensorRef(c.get() + at_d[i], LayoutD::packed({m, n})),
              cutlass::TensorRef(reference.get() + at_d[i], LayoutD::packed({m, n})));
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return false;
    std::vector<float> ours(d.size()), expected(d.size());
    d.copy_to_host(ours.data());
    reference.copy_to_host(expected.data());
    return ours == expected;  // sums of small integers are exact
  }
};

template <class T>
cutlass::DeviceAllocation<T> on_device(std::vector<T> const& values) {
  cutlass::DeviceAllocation<T> out(values.size());
  out.copy_from_host(values.data());
  return out;
}

template <class Gemm>
bool launch(typename Gemm::Arguments const& arguments) {
  cutlass::device_memory::allocation<uint8_t> workspace(Gemm::get_workspace_size(arguments));
  Gemm gemm;
  return gemm.can_implement(arguments) == cutlass::Status::kSuccess &&
         gemm.initialize(arguments, workspace.get()) == cutlass::Status::kSuccess &&
         gemm.run() == cutlass::Status::kSuccess && cudaDeviceSynchronize() == cudaSuccess;
}

template <class TileShape, class ClusterShape, class Schedule, class EpilogueSchedule>
bool groups(bool host_knows) {
  using Groups = cutlass::gemm::GroupProblemShape<Problem>;
  using Gemm =
      typename made<Groups, LayoutA*, LayoutB*, LayoutD*, TileShape, ClusterShape, Schedule, EpilogueSchedule>::Gemm;
  using Kernel = typename Gemm::GemmKernel;
  std::vector<Problem> shapes;
  for (int i = 0; i < 40; ++i) shapes.push_back({8 * ((i * 37) % 61), 8 * ((i * 23) % 47 + 1), 8 * ((i * 11) % 53)});
  matrices data(shapes);
  std::vector<typename Kernel::InternalStrideA> stride_a;
  std::vector<typename Kernel::InternalStrideB> stride_b;
  std::vector<typename Kernel::InternalStrideD> stride_d;
  std::vector<float> alpha, beta;
  for (auto const& [m, n, k] : shapes) {
    stride_a.push_back(cutlass::make_cute_packed_stride(typename Kernel::InternalStrideA{}, {m, k, 1}));
    stride_b.push_back(cutlass::make_cute_packed_stride(typename Kernel::InternalStrideB{}, {n, k, 1}));
    stride_d.push_back(cutlass::make_cute_packed_stride(typename Kernel::InternalStrideD{}, {m, n, 1}));
    alpha.push_back(float(alpha.size() % 3 + 1)), beta.push_back(float(beta.size() % 4));
  }
  auto const dev_alpha = on_device(alpha), dev_beta = on_device(beta);
  std::vector<float const*> alphas, betas;
  for (std::size_t i = 0; i < alpha.size(); ++i)
    alphas.push_back(dev_alpha.get() + i), betas.push_back(dev_beta.get() + i);
  auto dev_shapes = on_device(shapes);
  auto ptr_a = on_device(data.ptr_a);
  auto ptr_b = on_device(data.ptr_b);
  auto ptr_c = on_device(data.ptr_c);
  auto ptr_d = on_device(data.ptr_d);
  auto dev_stride_a = on_device(stride_a);
  auto dev_stride_b = on_device(stride_b);
  auto dev_stride_d = on_device(stride_d);
  auto const ptr_alpha = on_device(alphas), ptr_beta = on_device(betas);
  typename Gemm::Arguments arguments;
  decltype(arguments.epilogue.thread) factors;
  factors.alpha_ptr_array = ptr_alpha.get();
  factors.beta_ptr_array = ptr_beta.get();
  arguments = typename Gemm::Arguments{
      cutlass::gemm::GemmUniversalMode::kGrouped,
      {static_cast<int>(shapes.size()), dev_shapes.get(), host_knows ? shapes.data() : nullptr},
      {ptr_a.get(), dev_stride_a.get(), ptr_b.get(), dev_stride_b.get()},
      {factors, ptr_c.get(), dev_stride_d.get(), ptr_d.get(), dev_stride_d.get()},
      cutlass::KernelHardwareInfo::make_kernel_hardware_info<Kernel>(0)};
  return launch<Gemm>(arguments) && data.agrees(alpha, beta);
}

bool batches() {
  using Gemm =
      made<cutlass::gemm::ArrayProblemShape<Shape<int, int, int, int>>, LayoutA, LayoutB, LayoutD,
           Shape<_128, _128, _64>, Shape<_1, _2, _1>, cutlass::gemm::KernelPtrArrayTmaWarpSpecializedCooperative,
           cutlass::epilogue::PtrArrayTmaWarpSpecializedCooperative>::Gemm;
  using Kernel = Gemm::GemmKernel;
  constexpr int m = 344, n = 520, k = 200, count = 12;
  matrices data(std::vector<Problem>(count, Problem{m, n, k}));
  auto ptr_a = on_device(data.ptr_a);
  auto ptr_b = on_device(data.ptr_b);
  auto ptr_c = on_device(data.ptr_c);
  auto ptr_d = on_device(data.ptr_d);
  auto const stride_d = cutlass::make_cute_packed_stride(Kernel::StrideD{}, {m, n, count});
  Gemm::Arguments arguments{cutlass::gemm::GemmUniversalMode::kArray,
                            {{m, n, k, count}},
                            {ptr_a.get(), cutlass::make_cute_packed_stride(Kernel::StrideA{}, {m, k, count}),
                             ptr_b.get(), cutlass::make_cute_packed_stride(Kernel::StrideB{}, {n, k, count})},
                            {{2.0f, 0.5f}, ptr_c.get(), stride_d, ptr_d.get(), stride_d},
                            cutlass::KernelHardwareInfo::make_kernel_hardware_info<Kernel>(0)};
  return launch<Gemm>(arguments) && data.agrees(std::vector<float>(count, 2.0f), std::vector<float>(count, 0.5f));
}

int main() {
  namespace gemm = cutlass::gemm;
  namespace epilogue = cutlass::epilogue;
  bool const right =
      groups<Shape<_128, _128, _64>, Shape<_2, _1, _1>, gemm::KernelPtrArrayTmaWarpSpecializedCooperative,
             epilogue::PtrArrayTmaWarpSpecializedCooperative>(true) &&
      groups<Shape<_64, _128, _64>, Shape<_1, _1, _1>, gemm::KernelPtrArrayTmaWarpSpecializedPingpong,
             epilogue::PtrArrayTmaWarpSpecializedPingpong>(false) &&
      batches();
  std::printf(right ? "passed\n" : "failed\n");
  return right ? 0 : 1;
}
