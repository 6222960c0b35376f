// cutlass::gemm::device::Gemm, whose arguments are pointers with leading dimensions, against the host: by tensor cores and by threads.
// Prints "passed".
// ptx: mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.f16\.f16\.f32
#include <cutlass/gemm/device/gemm.h>
#include <cutlass/util/host_tensor.h>
#include <cutlass/util/reference/host/gemm.h>
#include <cutlass/util/reference/host/tensor_compare.h>
#include <cutlass/util/reference/host/tensor_fill.h>

#include <cstdio>

using namespace cutlass;

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
  reference::host::TensorFillRandomUniform(a.host_view(), 1, 4, -4, 0);
  reference::host::TensorFillRandomUniform(b.host_view(), 2, 4, -4, 0);
  reference::host::TensorFillRandomUniform(c.host_view(), 3, 4, -4, 0);
  a.sync_device();
  b.sync_device();
  c.sync_device();
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

int main() {
  using Row = layout::RowMajor;
  using Column = layout::ColumnMajor;
  bool const threads = is_the_hosts<gemm::device::Gemm<float, Column, float, Row, float, Column>>();
  bool const cores = is_the_hosts<
      gemm::device::Gemm<half_t, Row, half_t, Column, float, Row, float, arch::OpClassTensorOp, arch::Sm80>>();
  std::printf(threads && cores ? "passed\n" : "failed\n");
  return threads && cores ? 0 : 1;
}
