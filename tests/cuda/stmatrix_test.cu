// archs: 90 100
// Every variant of stmatrix on the device against its host body and the figures of the PTX documentation.
#include "support/matrix_kernels.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;

template <class Op, int Matrices, bool Transposed>
void test_store(char const* what) {
  std::vector<half_bits> in;
  auto const out = on_both(what, store_fragments<Op, Matrices>{}, 128, 128 * 2 * Matrices, 4096, in,
                           [](auto const& run, auto* from, auto* to) {
                             run(make_tensor(make_gmem_ptr(from), Shape<C<2 * Matrices>, _128>{}),
                                 make_tensor(make_gmem_ptr(to), Shape<C<4096>>{}));
                           });
  std::vector<half_bits> expected(4096);
  for (int t = 0; t < 128; ++t) {
    for (int v = 0; v < 2 * Matrices; ++v) {
      auto const p = figures::of_fragment(t % 32, v, Transposed);
      auto const at = static_cast<std::size_t>(t / 32 * 1024 + row_start(8 * p.matrix + p.row) + p.column);
      expected[at] = in[static_cast<std::size_t>(2 * Matrices * t + v)];
    }
  }
  for (std::size_t i = 0; i < 4096; ++i) expect(out[i] == expected[i], what, static_cast<long long>(i));
}

int main() {
  return run("stmatrix", [] {
    test_store<SM90_U32x1_STSM_N, 1, false>("x1");
    test_store<SM90_U32x2_STSM_N, 2, false>("x2");
    test_store<SM90_U32x4_STSM_N, 4, false>("x4");
    test_store<SM90_U16x2_STSM_T, 1, true>("x1 transposed");
    test_store<SM90_U16x4_STSM_T, 2, true>("x2 transposed");
    test_store<SM90_U16x8_STSM_T, 4, true>("x4 transposed");

    auto const tiled = make_tiled_copy_C(Copy_Atom<SM90_U32x4_STSM_N, half_bits>{}, figures::m16n16k16{});
    std::vector<half_bits> in;
    auto const out = on_both("C by x4", store_result{}, 32, 512, 512, in, [&](auto const& run, auto* from, auto* to) {
      run(tiled, make_tensor(make_gmem_ptr(from), Shape<_32, _16>{}),
          make_tensor(make_gmem_ptr(to), Shape<_32, _16>{}));
    });
    for (int t = 0; t < 32; ++t) {
      for (int i = 0; i < 16; ++i) {
        auto const p = figures::of_a(t, i % 8);  // C of 16 × 16 lies like A
        auto const at = static_cast<std::size_t>(p.row + i / 8 * 16 + 32 * p.column);
        expect(out[at] == in[static_cast<std::size_t>(t + 32 * i)], "C by x4", t);
      }
    }
  });
}
