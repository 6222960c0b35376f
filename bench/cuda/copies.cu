// archs: 80
// Memory-bound copies declared with this library, against cudaMemcpy from device to device in the same run: a vector
// copy by 128-bit accesses, and a transpose of 16384 × 16384 floats through shared memory.
#include "../../tests/cuda/support/device.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;

constexpr int length = 1 << 28;  // 1 GiB of floats
constexpr int side = 16384;

/// 1024 floats of a block: one access of 16 bytes by each of 256 threads. On an H200 that beat 2, 4 and 8 accesses a
/// thread, persistent grids, and streaming hints (0.80 to 1.00 of cudaMemcpy) in a sweep over block sizes.
__global__ void __launch_bounds__(256) vector_copy(float const* __restrict__ in, float* __restrict__ out) {
  auto const tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<_256>{}, Layout<_4>{});
  auto const whole = make_layout(Shape<C<length>>{});
  auto const where = make_coord(static_cast<int>(blockIdx.x));
  auto const from = local_tile(make_tensor(make_gmem_ptr(in), whole), Shape<_1024>{}, where);  // (1024)
  auto const to = local_tile(make_tensor(make_gmem_ptr(out), whole), Shape<_1024>{}, where);   // (1024)
  auto const mine = tiled.get_slice(static_cast<int>(threadIdx.x));
  auto const src = mine.partition_S(from);  // (4, 1)
  auto const dst = mine.partition_D(to);    // (4, 1)
  auto fragment = make_fragment_like(src);
  copy(tiled, src, fragment);
  copy(tiled, fragment, dst);
}

/// out(n, m) = in(m, n), both with rows contiguous: 64 × 64 of a block through shared memory with a row of 65.
__global__ void __launch_bounds__(256) transpose(float const* __restrict__ in, float* __restrict__ out) {
  __shared__ float memory[64 * 65];
  using word_atom = Copy_Atom<UniversalCopy<float>, float>;
  auto const by_rows = make_tiled_copy(word_atom{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}, Layout<Shape<_1, _1>>{});
  auto const by_columns = make_tiled_copy(word_atom{}, Layout<Shape<_32, _8>>{}, Layout<Shape<_1, _1>>{});
  auto const where = make_coord(static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.x));
  auto const rows = Layout<Shape<C<side>, C<side>>, Stride<C<side>, _1>>{};
  auto const columns = Layout<Shape<C<side>, C<side>>>{};  // the result, read as (m, n)
  auto const from = local_tile(make_tensor(make_gmem_ptr(in), rows), Shape<_64, _64>{}, where);        // (64, 64)
  auto const to = local_tile(make_tensor(make_gmem_ptr(out), columns), Shape<_64, _64>{}, where);      // (64, 64)
  auto const tile = make_tensor(make_smem_ptr(memory), Layout<Shape<_64, _64>, Stride<C<65>, _1>>{});  // (64, 64)
  int const t = static_cast<int>(threadIdx.x);
  auto const bring = by_rows.get_slice(t);
  auto const take = by_columns.get_slice(t);
  auto const src = bring.partition_S(from);  // (1, 8, 2)
  auto fragment = make_fragment_like(src);
  copy(by_rows, src, fragment);
  copy(by_rows, fragment, bring.partition_D(tile));
  __syncthreads();
  auto const back = take.partition_S(tile);  // (1, 2, 8)
  auto result = make_fragment_like(back);
  copy(by_columns, back, result);
  copy(by_columns, result, take.partition_D(to));
}

/// The median of 30 runs after 3.
template <class Start>
float milliseconds(Start const& start) {
  return sorted_milliseconds(start, 30, 3)[15];
}

int main() {
  return run("copies", [] {
    auto const in = random_bits<std::uint32_t>(length, 1);
    device_array<std::uint32_t> const from(in);
    device_array<std::uint32_t> to(length);
    auto* const src = reinterpret_cast<float const*>(from.data());
    auto* const dst = reinterpret_cast<float*>(to.data());
    constexpr std::size_t size = sizeof(float) * std::size_t(length);

    float const reference =
        milliseconds([&] { check_cuda(cudaMemcpyAsync(dst, src, size, cudaMemcpyDeviceToDevice), "cudaMemcpy"); });
    auto const print = [&](char const* what, float time) {
      std::printf("%-24s %7.3f ms  %6.0f GB/s  %5.3f of cudaMemcpy\n", what, time, 2e-6 * double(size) / time,
                  reference / time);
    };
    std::printf("1 GiB of floats, read and written; median of 30 runs\n");
    print("cudaMemcpy", reference);

    to.poison();
    print("vector copy", milliseconds([&] { vector_copy<<<length / 1024, 256>>>(src, dst); }));
    check_cuda(cudaGetLastError(), "vector_copy");
    auto out = to.host();
    for (std::size_t i = 0; i < out.size(); ++i) expect(out[i] == in[i], "vector copy", static_cast<long long>(i));

    to.poison();
    print("transpose 16384 x 16384", milliseconds([&] { transpose<<<dim3(side / 64, side / 64), 256>>>(src, dst); }));
    check_cuda(cudaGetLastError(), "transpose");
    out = to.host();
    for (std::size_t m = 0; m < side; ++m) {
      for (std::size_t n = 0; n < side; ++n)
        expect(out[n * side + m] == in[m * side + n], "transpose", static_cast<long long>(m));
    }
    print("cudaMemcpy again",
          milliseconds([&] { check_cuda(cudaMemcpyAsync(dst, src, size, cudaMemcpyDeviceToDevice), "cudaMemcpy"); }));
  });
}
