// A product of complex matrices by one warp, with the bits of an element as a template argument that is unsigned. Prints
// "passed".
#include <cute/tensor.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace cute;

template <class T, class Mma>
__global__ void product(T const* a, T const* b, T* c, Mma mma) {
  Tensor A = make_tensor(make_gmem_ptr(a), Layout<Shape<_16, _8>>{});
  Tensor B = make_tensor(make_gmem_ptr(b), Layout<Shape<_16, _8>>{});
  Tensor C = make_tensor(make_gmem_ptr(c), Layout<Shape<_16, _16>>{});
  auto thr_mma = mma.get_slice(threadIdx.x);
  Tensor tCrA = thr_mma.partition_fragment_A(A);
  Tensor tCrB = thr_mma.partition_fragment_B(B);
  Tensor tCgC = thr_mma.partition_C(C);
  Tensor tCrC = thr_mma.make_fragment_C(tCgC);
  copy(thr_mma.partition_A(A), tCrA);
  copy(thr_mma.partition_B(B), tCrB);
  clear(tCrC);
  gemm(mma, tCrA, tCrB, tCrC);
  copy(tCrC, tCgC);
}

template <uint32_t Threads, uint32_t Bits, class TA, class TB, class Mma>
int run(Mma mma) {
  static_assert(Bits == 128);
  std::vector<TA> a(16 * 8), b(16 * 8), c(16 * 16);
  for (int i = 0; i < 16 * 8; ++i) {
    a[i] = TA(i % 7 - 3, i % 5 - 2);
    b[i] = TB(i % 3 - 1, i % 11 - 5);
  }
  TA *da, *db, *dc;
  cudaMalloc(&da, sizeof(TA) * a.size());
  cudaMalloc(&db, sizeof(TA) * b.size());
  cudaMalloc(&dc, sizeof(TA) * c.size());
  cudaMemcpy(da, a.data(), sizeof(TA) * a.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), sizeof(TA) * b.size(), cudaMemcpyHostToDevice);
  product<<<1, Threads>>>(da, db, dc, mma);
  cudaMemcpy(c.data(), dc, sizeof(TA) * c.size(), cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 16; ++n) {
      double re = 0, im = 0;
      for (int k = 0; k < 8; ++k) {
        TA const x = a[m + 16 * k], y = b[n + 16 * k];
        re += x.real() * y.real() - x.imag() * y.imag();
        im += x.real() * y.imag() + x.imag() * y.real();
      }
      wrong += c[m + 16 * n].real() != re || c[m + 16 * n].imag() != im;
    }
  return wrong;
}
template <uint32_t Threads, class T, class... Args>
int run(Args&&... args) {
  return run<Threads, cute::sizeof_bits_v<T>, T, T>(static_cast<Args&&>(args)...);
}

int main() {
  auto mma = TiledMMA<MMA_Atom<SM80_8x8x4_C64C64C64C64_TN>, Layout<Shape<_2, _2, _1>>>{};
  int const wrong = run<128, complex<double>>(mma);
  std::puts(wrong == 0 ? "passed" : "failed");
  return wrong != 0;
}
