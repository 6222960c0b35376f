// archs: 90a
// The product of matrices of examples/gemm_sm90.hpp, bf16 with float sums, next to cuBLAS's in the same run, on random data:
// TFLOP/s of both and their ratio. cuBLAS is opened at run time (libcublas.so.13 or .12), and left out where there is none. The
// results are compared at random elements with sums in double.
#include "examples/gemm_sm90.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>

using namespace tilewright;
using namespace tilewright::examples;

namespace {

/// cublasGemmEx for C (M,N) row by row = A·Bᵀ.
class cublas {
 public:
  cublas() {
    for (char const* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (library_ == nullptr) return;
    auto const create = reinterpret_cast<int (*)(void**)>(dlsym(library_, "cublasCreate_v2"));
    gemm_ = reinterpret_cast<gemm_function*>(dlsym(library_, "cublasGemmEx"));
    if (create == nullptr || create(&handle_) != 0) gemm_ = nullptr;
  }
  bool is_there() const { return gemm_ != nullptr; }
  void run(int m, int n, int k, void const* a, void const* b, void* c) const {
    float const one = 1, zero = 0;
    constexpr int transposed = 1, plain = 0, bf16 = 14, compute_32f = 68, default_algorithm = -1;
    // Column by column: Cᵀ (N,M) = B (N,K) · Aᵀ.
    if (gemm_(handle_, transposed, plain, n, m, k, &one, b, bf16, k, a, bf16, k, &zero, c, bf16, n, compute_32f,
              default_algorithm) != 0)
      std::printf("cublasGemmEx failed\n");
  }

 private:
  using gemm_function = int(void*, int, int, int, int, int, void const*, void const*, int, int, void const*, int, int,
                            void const*, void*, int, int, int, int);
  void* library_ = nullptr;
  void* handle_ = nullptr;
  gemm_function* gemm_ = nullptr;
};

/// Seconds of one call: the median of five times ten calls, after a warm-up.
double seconds(std::function<void()> const& call) {
  cudaEvent_t begin, end;
  check_cuda(cudaEventCreate(&begin), "cudaEventCreate");
  check_cuda(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<double> all;
  for (int i = 0; i < 3; ++i) call();
  for (int round = 0; round < 5; ++round) {
    check_cuda(cudaEventRecord(begin), "cudaEventRecord");
    for (int i = 0; i < 10; ++i) call();
    check_cuda(cudaEventRecord(end), "cudaEventRecord");
    check_cuda(cudaEventSynchronize(end), "cudaEventSynchronize");
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    all.push_back(ms / 10e3);
  }
  std::sort(all.begin(), all.end());
  return all[2];
}

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
