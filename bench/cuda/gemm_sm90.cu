// archs: 90a
// The product of matrices of examples/gemm_sm90.hpp, bf16 with float sums, next to cuBLAS's in the same run, on random data:
// TFLOP/s of both and their ratio. cuBLAS is opened at run time (libcublas.so.13 or .12), and left out where there is none. The
// results are compared at random elements with sums in double.
#include "bench/cuda/cublas.hpp"
#include "examples/gemm_sm90.hpp"

#include <cstdint>
#include <cstdlib>

using namespace tilewright;
using namespace tilewright::examples;
using bench::cublas;
using bench::seconds;

namespace {

template <int TileN, int Cluster>
void compare(cublas const& other, int m, int n, int k) {
  using Element = bfloat16_t;
  std::size_t const sm = static_cast<std::size_t>(m), sn = static_cast<std::size_t>(n),
                    sk = static_cast<std::size_t>(k);
  std::mt19937 random(3);
  std::vector<Element> values(1 << 20);
  for (Element& x : values) x = Element(static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 2000.0f);
  std::vector<Element> a(sm * sk), b(sn * sk);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = values[(i * 7 + i / 1009) % values.size()];
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = values[(i * 5 + i / 2003 + 11) % values.size()];
  kernel_array<Element> const on_a(a), on_b(b);
  kernel_array<Element> on_c(sm * sn, Element(-1.0f)), on_d(sm * sn, Element(0.0f));
  using Gemm = gemm_sm90<Element, TileN, Cluster>;
  auto const rows_of_k = [k](Element const* data, int rows) {
    return make_tensor(make_gmem_ptr(data), make_layout(make_shape(rows, k), make_stride(multiple_of<8>(k), _1{})));
  };
  auto const tma_a = Gemm::load_a(rows_of_k(on_a.data(), m));
  auto const tma_b = Gemm::load_b(rows_of_k(on_b.data(), n));
  int device = 0, processors = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  unsigned const grid = static_cast<unsigned>(processors / Cluster * Cluster);
  auto const c_of = [&](auto const& pitch) {
    return make_tensor(make_gmem_ptr(on_c.data()), make_layout(make_shape(m, n), make_stride(pitch, _1{})));
  };
  auto const ours = [&](auto const& result) {
    launch_cuda({.grid = grid, .block = 384, .shared_bytes = Gemm::shared_bytes, .cluster = Cluster}, Gemm{}, tma_a,
                tma_b, result, m, n, k);
  };
  auto const call = [&] {
    if (n % 8 == 0) ours(Gemm::store_c(c_of(multiple_of<8>(n))));
    else ours(c_of(n));
  };
  double const t = seconds(call);
  auto const c = on_c.host();
  int wrong = 0;
  for (int i = 0; i < 4096; ++i) {
    std::size_t const x = i < 64 ? sm - 1 : random() % sm, y = i % 64 == 0 ? sn - 1 : random() % sn;
    double sum = 0;
    for (std::size_t l = 0; l < sk; ++l)
      sum += static_cast<double>(static_cast<float>(a[x * sk + l])) *
             static_cast<double>(static_cast<float>(b[y * sk + l]));
    double const given = static_cast<double>(static_cast<float>(c[x * sn + y]));
    wrong += std::abs(given - sum) > 0.005 * (1 + std::abs(sum)) + 1e-3 * std::sqrt(static_cast<double>(k)) ? 1 : 0;
  }
  double const work = 2e-12 * m * n * static_cast<double>(k);
  std::printf("%5d x %5d x %5d, tile 128 x %d, cluster %d: %6.1f TFLOP/s, %d of 4096 elements wrong", m, n, k, TileN,
              Cluster, work / t, wrong);
  if (other.is_there()) {
    double const u = seconds([&] { other.run(m, n, k, on_a.data(), on_b.data(), on_d.data()); });
    std::printf("; cuBLAS %6.1f, ratio %.3f", work / u, u / t);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main() {
  cublas const other;
  if (!other.is_there()) std::printf("cuBLAS is not there\n");
  compare<256, 2>(other, 8192, 8192, 8192);
  compare<256, 1>(other, 8192, 8192, 8192);
  compare<128, 2>(other, 8192, 8192, 8192);
  compare<256, 2>(other, 4096, 4096, 4096);
  compare<256, 2>(other, 8191, 8193, 8200);
  return 0;
}
