// archs: 75
// Every variant of ldmatrix on the device against its host body and the figures of the PTX documentation.
#include "support/matrix_kernels.hpp"
#include "tilewright/algebra/swizzled.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;

template <class Op, int Matrices, bool Transposed>
void test_load(char const* what) {
  std::vector<half_bits> in;
  auto const out = on_both(what, load_fragments<Op, Matrices>{}, 128, 4096, 128 * 2 * Matrices, in,
                           [](auto const& run, auto* from, auto* to) {
                             run(make_tensor(make_gmem_ptr(from), Shape<C<4096>>{}),
                                 make_tensor(make_gmem_ptr(to), Shape<C<2 * Matrices>, _128>{}));
                           });
  for (int t = 0; t < 128; ++t) {
    for (int v = 0; v < 2 * Matrices; ++v) {
      auto const p = figures::of_fragment(t % 32, v, Transposed);
      auto const at = static_cast<std::size_t>(t / 32 * 1024 + row_start(8 * p.matrix + p.row) + p.column);
      expect(out[static_cast<std::size_t>(2 * Matrices * t + v)] == in[at], what, t);
    }
  }
}

template <class Tiled, class Smem, class Figure>
void test_operand(char const* what, Tiled const& tiled, Smem const& smem_layout, Figure const& figure) {
  std::vector<half_bits> in;
  auto const out = on_both(what, load_operand{}, 32, 32 * 48, 32 * 48, in, [&](auto const& run, auto* from, auto* to) {
    run(tiled, make_tensor(make_gmem_ptr(from), Shape<_32, C<48>>{}), smem_layout,
        make_tensor(make_gmem_ptr(to), Shape<_32, C<48>>{}));
  });
  for (int t = 0; t < 32; ++t) {
    for (int i = 0; i < 48; ++i) {
      auto const p = figure(t, i % 8);
      int const m = p.row + i / 8 % 2 * 16, k = p.column + i / 16 * 16;
      expect(out[static_cast<std::size_t>(t + 32 * i)] == in[static_cast<std::size_t>(m + 32 * k)], what, i);
    }
  }
}

int main() {
  return run("ldmatrix", [] {
    test_load<SM75_U32x1_LDSM_N, 1, false>("x1");
    test_load<SM75_U32x2_LDSM_N, 2, false>("x2");
    test_load<SM75_U32x4_LDSM_N, 4, false>("x4");
    test_load<SM75_U16x2_LDSM_T, 1, true>("x1 transposed");
    test_load<SM75_U16x4_LDSM_T, 2, true>("x2 transposed");
    test_load<SM75_U16x8_LDSM_T, 4, true>("x4 transposed");

    figures::m16n16k16 const mma;
    auto const rows = Layout<Shape<_32, C<48>>, Stride<C<48>, _1>>{};
    auto const columns = Layout<Shape<_32, C<48>>>{};
    auto const swizzled = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_32, C<48>>, Stride<_64, _1>>{});
    test_operand("A by x4", make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_bits>{}, mma), rows, figures::of_a);
    test_operand("A by x2", make_tiled_copy_A(Copy_Atom<SM75_U32x2_LDSM_N, half_bits>{}, mma), rows, figures::of_a);
    test_operand("A by x1", make_tiled_copy_A(Copy_Atom<SM75_U32x1_LDSM_N, half_bits>{}, mma), rows, figures::of_a);
    test_operand("A swizzled", make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_bits>{}, mma), swizzled,
                 figures::of_a);
    test_operand("A transposed", make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, half_bits>{}, mma), columns,
                 figures::of_a);
    test_operand("B by x4", make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_bits>{}, mma), rows, figures::of_b);
    test_operand("B transposed", make_tiled_copy_B(Copy_Atom<SM75_U16x8_LDSM_T, half_bits>{}, mma), columns,
                 figures::of_b);
  });
}
