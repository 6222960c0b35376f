// ldmatrix and stmatrix on the CPU, against the figures of the PTX documentation: their maps, single instructions, and
// tiled copies that fill the fragments of a matrix operation.
#include "matrix_figures.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

using namespace tilewright;

namespace {

using half_bits = std::uint16_t;

std::vector<half_bits> counted(std::size_t n) {
  std::vector<half_bits> data(n);
  std::iota(data.begin(), data.end(), half_bits(1000));
  return data;
}

template <class Op, int Matrices, bool Transposed>
struct variant {
  using atom = Copy_Atom<Op, half_bits>;
  static constexpr int matrices = Matrices;
  static constexpr bool transposed = Transposed;
};

template <class V>
class loads : public testing::Test {};
template <class V>
class stores : public testing::Test {};
using load_variants = testing::Types<variant<SM75_U32x1_LDSM_N, 1, false>, variant<SM75_U32x2_LDSM_N, 2, false>,
                                     variant<SM75_U32x4_LDSM_N, 4, false>, variant<SM75_U16x2_LDSM_T, 1, true>,
                                     variant<SM75_U16x4_LDSM_T, 2, true>, variant<SM75_U16x8_LDSM_T, 4, true>>;
using store_variants = testing::Types<variant<SM90_U32x1_STSM_N, 1, false>, variant<SM90_U32x2_STSM_N, 2, false>,
                                      variant<SM90_U32x4_STSM_N, 4, false>, variant<SM90_U16x2_STSM_T, 1, true>,
                                      variant<SM90_U16x4_STSM_T, 2, true>, variant<SM90_U16x8_STSM_T, 4, true>>;
TYPED_TEST_SUITE(loads, load_variants);
TYPED_TEST_SUITE(stores, store_variants);

template <class V, class Rows, class Fragment>
void expect_maps(Rows const& rows, Fragment const& fragment) {
  for (int t = 0; t < 32; ++t) {
    for (int v = 0; v < 8; ++v) EXPECT_EQ(rows(t, v), 8 * (t % (8 * V::matrices)) + v);
    for (int v = 0; v < 2 * V::matrices; ++v) {
      EXPECT_EQ(fragment(t, v), figures::index(figures::of_fragment(t, v, V::transposed)));
    }
  }
}

/// Rows 32 elements apart, in an order of their own: each thread gives the address of one.
constexpr int row_start(int row) { return 32 * ((row * 5) % 32); }

}  // namespace

TYPED_TEST(loads, maps_are_those_of_the_figure) {
  expect_maps<TypeParam>(typename TypeParam::atom::ValLayoutSrc{}, typename TypeParam::atom::ValLayoutDst{});
}
TYPED_TEST(stores, maps_are_those_of_the_figure) {
  expect_maps<TypeParam>(typename TypeParam::atom::ValLayoutDst{}, typename TypeParam::atom::ValLayoutSrc{});
}

TYPED_TEST(loads, brings_each_thread_its_fragment) {
  constexpr int values = 2 * TypeParam::matrices;
  auto const data = counted(1024);
  std::vector<half_bits> out(32 * values);
  auto const kernel = [](auto& block, auto in, auto result) {
    auto rows = shared<half_bits>(block, make_layout(Shape<_1024>{}));
    for (int i = block.thread(); i < 1024; i += 32) rows(i) = in(i);
    block.sync();
    int const t = block.thread();
    int const row = t % (8 * TypeParam::matrices);
    auto const mine = make_tensor(rows.data() + row_start(row), make_layout(Shape<_8>{}));
    auto fragment = make_tensor<half_bits>(Shape<C<values>>{});
    copy(typename TypeParam::atom{}, mine, fragment);
    for (int v = 0; v < values; ++v) result(v, t) = fragment(v);
  };
  auto const in = make_tensor(make_gmem_ptr(data.data()), make_layout(Shape<_1024>{}));
  auto const result = make_tensor(make_gmem_ptr(out.data()), make_layout(Shape<C<values>, _32>{}));
  for (bool const checked : {false, true}) {
    std::fill(out.begin(), out.end(), half_bits(0));
    if (checked) launch_checked({.grid = 1, .block = 32, .seed = 7}, kernel, in, result);
    else launch(1, 32, kernel, in, result);
    for (int t = 0; t < 32; ++t) {
      for (int v = 0; v < values; ++v) {
        auto const p = figures::of_fragment(t, v, TypeParam::transposed);
        EXPECT_EQ(result(v, t), data[static_cast<std::size_t>(row_start(8 * p.matrix + p.row) + p.column)]);
      }
    }
  }
}

TYPED_TEST(stores, takes_each_thread_its_fragment) {
  constexpr int values = 2 * TypeParam::matrices;
  auto const data = counted(32 * values);
  std::vector<half_bits> out(1024);
  auto const kernel = [](auto& block, auto in, auto result) {
    auto rows = shared<half_bits>(block, make_layout(Shape<_1024>{}));
    for (int i = block.thread(); i < 1024; i += 32) rows(i) = half_bits(0);
    block.sync();
    int const t = block.thread();
    auto mine = make_tensor(rows.data() + row_start(t % (8 * TypeParam::matrices)), make_layout(Shape<_8>{}));
    auto fragment = make_tensor<half_bits>(Shape<C<values>>{});
    for (int v = 0; v < values; ++v) fragment(v) = in(v, t);
    copy(typename TypeParam::atom{}, fragment, mine);
    block.sync();
    for (int i = t; i < 1024; i += 32) result(i) = rows(i);
  };
  auto const in = make_tensor(make_gmem_ptr(data.data()), make_layout(Shape<C<values>, _32>{}));
  auto const result = make_tensor(make_gmem_ptr(out.data()), make_layout(Shape<_1024>{}));
  for (bool const checked : {false, true}) {
    std::fill(out.begin(), out.end(), half_bits(1));
    if (checked) launch_checked({.grid = 1, .block = 32, .seed = 7}, kernel, in, result);
    else launch(1, 32, kernel, in, result);
    std::vector<half_bits> expected(1024);
    for (int t = 0; t < 32; ++t) {
      for (int v = 0; v < values; ++v) {
        auto const p = figures::of_fragment(t, v, TypeParam::transposed);
        expected[static_cast<std::size_t>(row_start(8 * p.matrix + p.row) + p.column)] = in(v, t);
      }
    }
    EXPECT_EQ(out, expected);
  }
}

// --- tiled copies for a matrix operation --------------------------------------------------------------------------------

namespace {

/// Loads 32 × 48 of an operand through shared memory into fragments (8, RestM, RestK) and writes them out by thread.
constexpr auto load_operand = [](auto& block, auto tiled, auto in, auto smem_layout, auto out) {
  auto tile = shared<half_bits>(block, smem_layout);  // (32, 48)
  for (int i = block.thread(); i < size(tile); i += block.threads()) tile(i) = in(i);
  block.sync();
  auto fragment = make_tensor<half_bits>(Shape<_8, _2, _3>{});  // as the operation has it
  auto const thr = tiled.get_slice(block.thread());
  copy(tiled, thr.partition_S(tile), thr.retile_D(fragment));
  for (int v = 0; v < 8; ++v) {
    for (int m = 0; m < 2; ++m) {
      for (int k = 0; k < 3; ++k) out(block.thread(), v, m, k) = fragment(v, m, k);
    }
  }
};

template <class Tiled, class Smem, class Figure>
void expect_operand(Tiled const& tiled, Smem const& smem_layout, Figure const& figure) {
  auto const data = counted(32 * 48);
  auto const in = make_tensor(make_gmem_ptr(data.data()), make_layout(Shape<_32, _48>{}));
  std::vector<half_bits> found(32 * 8 * 2 * 3);
  auto const out = make_tensor(make_gmem_ptr(found.data()), make_layout(Shape<_32, _8, _2, _3>{}));
  launch_checked({.grid = 1, .block = 32, .seed = 3}, load_operand, tiled, in, smem_layout, out);
  for (int t = 0; t < 32; ++t) {
    for (int v = 0; v < 8; ++v) {
      auto const p = figure(t, v);
      for (int m = 0; m < 2; ++m) {
        for (int k = 0; k < 3; ++k) EXPECT_EQ(out(t, v, m, k), in(p.row + 16 * m, p.column + 16 * k)) << t << ' ' << v;
      }
    }
  }
}

auto const rows_contiguous = make_layout(Shape<_32, _48>{}, Stride<_48, _1>{});
auto const columns_contiguous = make_layout(Shape<_32, _48>{});
auto const swizzled = composition(Swizzle<3, 3, 3>{}, make_layout(Shape<_32, _48>{}, Stride<C<64>, _1>{}));

}  // namespace

TEST(matrix_operands, the_operations_layouts_are_those_of_the_figures) {
  figures::m16n16k16 const mma;
  for (int t = 0; t < 32; ++t) {
    for (int v = 0; v < 8; ++v) {
      EXPECT_EQ(mma.get_layoutA_TV()(t, v), figures::of_a(t, v).row + 16 * figures::of_a(t, v).column);
      EXPECT_EQ(mma.get_layoutB_TV()(t, v), figures::of_b(t, v).row + 16 * figures::of_b(t, v).column);
    }
  }
}

TEST(matrix_operands, a_is_loaded_by_ldmatrix) {
  figures::m16n16k16 const mma;
  expect_operand(make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_bits>{}, mma), rows_contiguous, figures::of_a);
  expect_operand(make_tiled_copy_A(Copy_Atom<SM75_U32x2_LDSM_N, half_bits>{}, mma), rows_contiguous, figures::of_a);
  expect_operand(make_tiled_copy_A(Copy_Atom<SM75_U32x1_LDSM_N, half_bits>{}, mma), rows_contiguous, figures::of_a);
  expect_operand(make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_bits>{}, mma), swizzled, figures::of_a);
}
TEST(matrix_operands, a_is_transposed_by_ldmatrix) {
  figures::m16n16k16 const mma;
  expect_operand(make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, half_bits>{}, mma), columns_contiguous, figures::of_a);
  expect_operand(make_tiled_copy_A(Copy_Atom<SM75_U16x4_LDSM_T, half_bits>{}, mma), columns_contiguous, figures::of_a);
  expect_operand(make_tiled_copy_A(Copy_Atom<SM75_U16x2_LDSM_T, half_bits>{}, mma), columns_contiguous, figures::of_a);
}
TEST(matrix_operands, b_is_loaded_by_ldmatrix) {
  figures::m16n16k16 const mma;
  expect_operand(make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_bits>{}, mma), rows_contiguous, figures::of_b);
  expect_operand(make_tiled_copy_B(Copy_Atom<SM75_U16x8_LDSM_T, half_bits>{}, mma), columns_contiguous, figures::of_b);
}

TEST(matrix_operands, c_is_stored_by_stmatrix) {
  auto const tiled = make_tiled_copy_C(Copy_Atom<SM90_U32x4_STSM_N, half_bits>{}, figures::m16n16k16{});
  auto const kernel = [](auto& block, auto copy_c, auto out) {
    auto tile = shared<half_bits>(block, make_layout(Shape<_32, _16>{}, Stride<_16, _1>{}));
    auto fragment = make_tensor<half_bits>(Shape<_8, _2, _1>{});
    for (int v = 0; v < 8; ++v) {
      for (int m = 0; m < 2; ++m) {
        auto const p = figures::of_a(block.thread(), v);  // C of 16 × 16 lies like A
        fragment(v, m, 0) = static_cast<half_bits>(100 * (p.row + 16 * m) + p.column);
      }
    }
    auto const thr = copy_c.get_slice(block.thread());
    copy(copy_c, thr.retile_S(fragment), thr.partition_D(tile));
    block.sync_warp();
    for (int i = block.thread(); i < 512; i += 32) out(i) = tile(i);
  };
  std::vector<half_bits> found(512);
  auto const out = make_tensor(make_gmem_ptr(found.data()), make_layout(Shape<_32, _16>{}));
  launch_checked({.grid = 1, .block = 32, .seed = 3}, kernel, tiled, out);
  for (int m = 0; m < 32; ++m) {
    for (int n = 0; n < 16; ++n) EXPECT_EQ(out(m, n), 100 * m + n);
  }
}

TEST(movmatrix, transposes_the_matrix_of_a_warp) {
  auto const data = counted(64);
  std::vector<half_bits> out(64);
  auto const kernel = [](auto& block, half_bits const* in, half_bits* result) {
    int const t = block.thread();
    std::uint32_t const mine = in[2 * t] | static_cast<std::uint32_t>(in[2 * t + 1]) << 16;
    std::uint32_t moved = 0;
    SM75_U32x1_MOVM_T::copy(mine, moved);
    result[2 * t] = static_cast<half_bits>(moved & 0xffff);
    result[2 * t + 1] = static_cast<half_bits>(moved >> 16);
  };
  launch(1, 32, kernel, data.data(), out.data());
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) EXPECT_EQ(out[8 * row + column], data[8 * column + row]);
}
TEST(movmatrix, moves_registers_of_a_tiled_copy) {
  std::vector<std::uint32_t> data(32), out(32);
  std::iota(data.begin(), data.end(), 77u);
  auto const kernel = [](auto& block, std::uint32_t const* in, std::uint32_t* result) {
    auto const tiled = make_tiled_copy(Copy_Atom<SM75_U32x1_MOVM_T, std::uint32_t>{}, Layout<Shape<_32, _1>>{},
                                       Layout<Shape<_1, _1>>{});
    auto from = make_tensor<std::uint32_t>(Shape<_1>{}), once = from, twice = from;
    from(0) = in[block.thread()];
    copy(tiled, from, once);
    copy(tiled, once, twice);
    result[block.thread()] = twice(0);
  };
  launch(1, 32, kernel, data.data(), out.data());
  EXPECT_EQ(out, data);
}

TEST(shuffle, transposes_the_words_of_pairs) {
  std::vector<std::uint32_t> near(64), far(64);
  auto const kernel = [](auto& block, std::uint32_t* by_1, std::uint32_t* by_4) {
    auto const t = static_cast<std::uint32_t>(block.thread());
    SM50_Shuffle_U32_2x2Trans_XOR1::copy(2 * t, 2 * t + 1, by_1[2 * t], by_1[2 * t + 1]);
    SM50_Shuffle_U32_2x2Trans_XOR4::copy(2 * t, 2 * t + 1, by_4[2 * t], by_4[2 * t + 1]);
  };
  launch(1, 32, kernel, near.data(), far.data());
  for (std::uint32_t t = 0; t < 32; ++t)
    for (std::uint32_t v = 0; v < 2; ++v) {
      std::uint32_t const b = t & 1, c = t >> 2 & 1;
      EXPECT_EQ(near[2 * t + v], 2 * ((t & ~1u) + v) + b);
      EXPECT_EQ(far[2 * t + v], 2 * ((t & ~4u) + 4 * v) + c);
    }
}
// The maps say the same: every word is at its coordinate afterwards.
TEST(shuffle, moves_registers_of_a_tiled_copy) {
  using Atom = Copy_Atom<SM50_Shuffle_U32_2x2Trans_XOR4, std::uint32_t>;
  std::vector<std::uint32_t> out(64);
  auto const kernel = [](auto& block, std::uint32_t* result) {
    auto const tiled = make_tiled_copy(Atom{}, Layout<Shape<_32, _1>>{}, Layout<Shape<_1, _2>>{});
    auto const mine = tiled.get_slice(block.thread());
    auto const at = make_identity_tensor(Shape<_32, _2>{});
    auto const src_at = mine.partition_S(at), dst_at = mine.partition_D(at);  // ((V,Rest),RestM,RestN)
    auto from = make_tensor<std::uint32_t>(src_at.shape()), to = make_tensor<std::uint32_t>(dst_at.shape());
    for (int i = 0; i < 2; ++i) from(i) = static_cast<std::uint32_t>(2 * get<0>(src_at(i)) + get<1>(src_at(i)));
    copy(tiled, from, to);
    for (int i = 0; i < 2; ++i) result[2 * get<0>(dst_at(i)) + get<1>(dst_at(i))] = to(i);
  };
  launch(1, 32, kernel, out.data());
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i);
}
