// cutlass::gemm::device::Gemm, whose arguments are pointers with leading dimensions, against the host: by tensor cores and by threads;
// GemmUniversal and GemmBatched of a batch, GemmSplitKParallel.
// Prints "passed".
// ptx: mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.f16\.f16\.f32
#include <cutlass/gemm/device/gemm.h>
#include <cutlass/gemm/device/gemm_batched.h>
#include <cutlass/gemm/device/gemm_splitk_parallel.h>
#include <cutlass/gemm/device/gemm_universal.h>
#include <cutlass/util/host_tensor.h>
#include <cutlass/util/reference/host/gemm.h>
#include <cutlass/util/reference/host/tensor_compare.h>
#include <cutlass/util/reference/host/tensor_fill.h>

#include <cstdint>
#include <cstdio>

using namespace cutlass;

/// Small integers, on the host and on the device.
template <class Tensor>
void fill(Tensor& tensor, std::uint64_t seed) {
  reference::host::TensorFillRandomUniform(tensor.host_view(), seed, 4, -4, 0);
  tensor.sync_device();
}

/// 2 A B + 3 C of 100 x 70 x 44, and again in place without C.
template <class Product>
bool is_the_hosts() {
  using A = typename Product::ElementA;
  using LayoutA = typename Product::LayoutA;
  using B = typename Product::ElementB;
  using LayoutB = typename Product::LayoutB;
  using C = typename Product::ElementC;
  using LayoutC = typename Product::LayoutC;
  HostTensor<A, LayoutA> a({100, 44});
  HostTensor<B, LayoutB> b({44, 70});
  HostTensor<C, LayoutC> c({100, 70}), d({100, 70}), expected({100, 70});
  fill(a, 1);
  fill(b, 2);
  fill(c, 3);
  reference::host::Gemm<A, LayoutA, B, LayoutB, C, LayoutC, float> const host;
  auto const agree = [&](float beta) {
    Product product;
    typename Product::Arguments const args({100, 70, 44}, {a.device_data(), a.stride(0)},
                                           {b.device_data(), b.stride(0)}, {c.device_data(), c.stride(0)},
                                           {d.device_data(), d.stride(0)}, {2, beta});
    if (Product::get_workspace_size(args) != 0 || product(args) != Status::kSuccess) return false;
    host({100, 70, 44}, 2.0f, a.host_ref(), b.host_ref(), beta, c.host_ref(), expected.host_ref());
    d.sync_host();
    return reference::host::TensorEquals(d.host_view(), expected.host_view());
  };
  return agree(3) && agree(0);
}

/// 2 A B - C of three problems of 20 x 30 x 40, one after another in memory.
bool batch_is_the_hosts() {
  using Row = layout::RowMajor;
  using Column = layout::ColumnMajor;
  using Product =
      gemm::device::GemmUniversal<half_t, Row, half_t, Column, float, Row, float, arch::OpClassTensorOp, arch::Sm80>;
  HostTensor<half_t, Row> a({60, 40});
  HostTensor<half_t, Column> b({40, 90});
  HostTensor<float, Row> c({60, 30}), d({60, 30}), expected({60, 30});
  fill(a, 1);
  fill(b, 2);
  fill(c, 3);
  gemm::GemmCoord const problem(20, 30, 40);
  Product::Arguments args(gemm::GemmUniversalMode::kBatched, problem, 3, {2.0f, -1.0f}, a.device_data(),
                          b.device_data(), c.device_data(), d.device_data(), problem.mk().product(),
                          problem.nk().product(), problem.mn().product(), problem.mn().product(), a.stride(0),
                          b.stride(0), c.stride(0), d.stride(0));
  Product product;
  if (product(args) != Status::kSuccess) return false;
  args.mode = gemm::GemmUniversalMode::kArray;
  if (Product::can_implement(args) != Status::kErrorNotSupported) return false;
  d.sync_host();
  reference::host::Gemm<half_t, Row, half_t, Column, float, Row, float> const host;
  for (int i = 0; i < 3; ++i)
    host(problem, 2.0f, TensorRef<half_t, Row>(a.host_data() + 800 * i, Row(40)),
         TensorRef<half_t, Column>(b.host_data() + 1200 * i, Column(40)), -1.0f,
         TensorRef<float, Row>(c.host_data() + 600 * i, Row(30)),
         TensorRef<float, Row>(expected.host_data() + 600 * i, Row(30)));
  return reference::host::TensorEquals(d.host_view(), expected.host_view());
}

/// 2 A B + 3 C of three problems of 20 x 30 x 40 with 7 elements between the matrices, which keep what they have.
bool batch_of_matrices_is_the_hosts() {
  using Row = layout::RowMajor;
  using Column = layout::ColumnMajor;
  using Product = gemm::device::GemmBatched<float, Column, float, Row, float, Row>;
  HostTensor<float, Row> a({3, 807}), b({3, 1207}), c({3, 607}), d({3, 607}), expected({3, 607});
  fill(a, 4);
  fill(b, 5);
  fill(c, 6);
  fill(d, 7);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 607; ++j) expected.at({i, j}) = d.at({i, j});
  gemm::GemmCoord const problem(20, 30, 40);
  typename Product::Arguments const args{problem, {a.device_data(), Column(20)},
                                         807,     {b.device_data(), Row(30)},
                                         1207,    {c.device_data(), Row(30)},
                                         607,     {d.device_data(), Row(30)},
                                         607,     {2.0f, 3.0f},
                                         3};
  Product product;
  if (product(args) != Status::kSuccess) return false;
  d.sync_host();
  reference::host::Gemm<float, Column, float, Row, float, Row, float> const host;
  for (int i = 0; i < 3; ++i)
    host(problem, 2.0f, TensorRef<float, Column>(a.host_data() + 807 * i, Column(20)),
         TensorRef<float, Row>(b.host_data() + 1207 * i, Row(30)), 3.0f,
         TensorRef<float, Row>(c.host_data() + 607 * i, Row(30)),
         TensorRef<float, Row>(expected.host_data() + 607 * i, Row(30)));
  return reference::host::TensorEquals(d.host_view(), expected.host_view());
}

int main() {
  using Row = layout::RowMajor;
  using Column = layout::ColumnMajor;
  bool const threads = is_the_hosts<gemm::device::Gemm<float, Column, float, Row, float, Column>>();
  bool const cores = is_the_hosts<
      gemm::device::Gemm<half_t, Row, half_t, Column, float, Row, float, arch::OpClassTensorOp, arch::Sm80>>();
  bool const parts = is_the_hosts<gemm::device::GemmSplitKParallel<half_t, Row, half_t, Column, float, Row, float,
                                                                   arch::OpClassTensorOp, arch::Sm80>>();
  bool const passed = threads && cores && parts && batch_is_the_hosts() && batch_of_matrices_is_the_hosts();
  std::printf(passed ? "passed\n" : "failed\n");
  return passed ? 0 : 1;
}
