// Tensors with elements on the host and on the device, filled and compared on either side, and arrays of a block's threads in
// memory, as stream-K kernels keep partial sums.
// Prints "passed".
// ptx: (red|atom)\.(relaxed\.gpu\.)?(global\.)?add\.(noftz\.)?f32
#include <cutlass/array.h>
#include <cutlass/block_striped.h>
#include <cutlass/layout/matrix.h>
#include <cutlass/util/host_tensor.h>
#include <cutlass/util/reference/device/gemm.h>
#include <cutlass/util/reference/device/gemm_complex.h>
#include <cutlass/util/reference/device/tensor_compare.h>
#include <cutlass/util/reference/device/tensor_fill.h>
#include <cutlass/util/reference/host/gemm.h>
#include <cutlass/util/reference/host/gemm_complex.h>
#include <cutlass/util/reference/host/tensor_compare.h>
#include <cutlass/util/reference/host/tensor_fill.h>

#include <cstdio>

using namespace cutlass;

constexpr int threads = 64;
using Sums = Array<float, 8>;
using Striped = BlockStripedReduce<threads, Sums>;
using Pairs = BlockStripedReduce<threads, Array<half_t, 8>>;

__global__ void add_up(Sums* sums, Array<half_t, 8>* halves) {
  int const thread = static_cast<int>(threadIdx.x);
  Sums mine;
  for (int i = 0; i < 8; ++i) mine[i] = static_cast<float>(thread + i);
  Striped::reduce(sums, mine, thread);
  Array<half_t, 8> ones;
  ones.fill(half_t(1.0f));
  Pairs::reduce(halves, ones, thread);
}
__global__ void twice(float const* in, float* out, Sums* sums, int n) {
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < n; i += threads) out[i] = 2.0f * in[i];
  Sums mine;
  mine.clear();
  BlockStriped<threads, Sums>::load_add(mine, sums, thread);
  BlockStriped<threads, Sums>::store(sums, mine, thread);
}

/// 2 A B + 3 C by the device and by the host.
bool products_agree() {
  HostTensor<half_t, layout::RowMajor> a({37, 20}), b({20, 18});
  HostTensor<float, layout::ColumnMajor> c({37, 18}), d({37, 18}), expected({37, 18});
  reference::host::TensorFillRandomUniform(a.host_view(), 1, 4, -4, 0);
  reference::host::TensorFillRandomUniform(b.host_view(), 2, 4, -4, 0);
  reference::host::TensorFillRandomUniform(c.host_view(), 3, 4, -4, 0);
  a.sync_device();
  b.sync_device();
  c.sync_device();
  reference::device::Gemm<half_t, layout::RowMajor, half_t, layout::RowMajor, float, layout::ColumnMajor, float>
      product;
  product({37, 18, 20}, 2.0f, a.device_ref(), b.device_ref(), 3.0f, c.device_ref(), d.device_ref());
  reference::host::Gemm<half_t, layout::RowMajor, half_t, layout::RowMajor, float, layout::ColumnMajor, float>
      reference;
  reference({37, 18, 20}, 2.0f, a.host_ref(), b.host_ref(), 3.0f, c.host_ref(), expected.host_ref());
  d.sync_host();
  bool const one_product = reference::host::TensorEquals(d.host_view(), expected.host_view());
  // The same as two batches of half of the columns.
  ComplexTransform const plain = ComplexTransform::kNone;
  reference::device::GemmComplex({37, 9, 20}, 2.0f, a.device_ref(), plain, b.device_ref(), plain, 3.0f, c.device_ref(),
                                 d.device_ref(), 0.0f, 2, 0, 9, 9 * 37, 9 * 37);
  d.sync_host();
  return one_product && reference::host::TensorEquals(d.host_view(), expected.host_view());
}

/// Two batches of complex products, whose operands are conjugated in turn, next to the host's.
bool complex_products() {
  using number = cutlass::complex<float>;
  HostTensor<number, layout::RowMajor> a({5, 14}), c({5, 6}), d({5, 6}), expected({5, 6});
  HostTensor<number, layout::ColumnMajor> b({7, 6});
  for (int i = 0; i < 70; ++i) a.host_data()[i] = number(float(i % 7) - 3, float(i % 5));
  for (int i = 0; i < 42; ++i) b.host_data()[i] = number(float(i % 4), float(i % 9) - 4);
  for (int i = 0; i < 30; ++i) c.host_data()[i] = number(float(i), 1 - float(i % 3));
  a.sync_device();
  b.sync_device();
  c.sync_device();
  bool equal = true;
  for (int ways = 0; ways < 4; ++ways) {
    auto const op_a = ways % 2 ? ComplexTransform::kConjugate : ComplexTransform::kNone;
    auto const op_b = ways / 2 ? ComplexTransform::kConjugate : ComplexTransform::kNone;
    // A batch is half of A's columns; C and D are halves of their columns.
    reference::device::GemmComplex({5, 3, 7}, number(2, 1), a.device_ref(), op_a, b.device_ref(), op_b, number(0, 3),
                                   c.device_ref(), d.device_ref(), number(1, -1), 2, 7, 21, 3, 3);
    reference::host::GemmComplex({5, 3, 7}, number(2, 1), a.host_ref(), op_a, b.host_ref(), op_b, number(0, 3),
                                 c.host_ref(), expected.host_ref(), number(1, -1), 2, 7, 21, 3, 3);
    d.sync_host();
    for (int i = 0; i < 30; ++i) equal = equal && d.host_data()[i] == expected.host_data()[i];
  }
  return equal;
}

int main() {
  HostTensor<float, layout::RowMajor> a({16, 20}), b({16, 20}), sums({threads, 8});
  HostTensor<half_t, layout::RowMajor> halves({threads, 8});
  reference::host::TensorFillSequential(a.host_view());
  a.sync_device();
  sums.sync_device();
  halves.sync_device();
  add_up<<<2, threads>>>(reinterpret_cast<Sums*>(sums.device_data()),
                         reinterpret_cast<Array<half_t, 8>*>(halves.device_data()));
  twice<<<1, threads>>>(a.device_data(), b.device_data(), reinterpret_cast<Sums*>(sums.device_data()),
                        static_cast<int>(a.capacity()));
  b.sync_host();
  sums.sync_host();
  halves.sync_host();
  bool right = products_agree() && complex_products();
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 20; ++j) right = right && b.at({i, j}) == 2.0f * a.at({i, j});
  float total = 0, ones = 0;
  for (int i = 0; i < threads * 8; ++i) {
    total += sums.host_data(i);
    ones += static_cast<float>(halves.host_data(i));
  }
  right = right && total == 2.0f * 8 * (63 * 32 + 3.5f * 64) && ones == 2.0f * threads * 8;
  reference::device::BlockFillSequential(b.device_data(), 320, 1.0f, 0.0f);
  reference::device::TensorFill(a.device_view(), 3.0f);
  right = right && !reference::device::BlockCompareEqual(a.device_data(), b.device_data(), 320);
  reference::device::BlockFillRandomUniform(a.device_data(), 320, 1, 4, -4, 0);
  a.sync_host();
  b = a;
  right = right && reference::host::TensorEquals(a.host_view(), b.host_view()) &&
          reference::device::BlockCompareRelativelyEqual(a.device_data(), b.device_data(), 320, 0.1f, 0.1f);
  std::printf(right ? "passed\n" : "failed\n");
  return right ? 0 : 1;
}
