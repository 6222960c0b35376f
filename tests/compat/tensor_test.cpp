// Tensors as code for CuTe uses them: made, sliced, tiled, partitioned, predicated, copied.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <numeric>
#include <vector>

using namespace cute;

namespace {

std::vector<float> counted(int n) {
  std::vector<float> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}

TEST(CuteTensor, MakeSliceAndAssign) {
  auto data = counted(64);
  Tensor t = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(8, Int<8>{}), LayoutRight{}));
  static_assert(is_tensor<decltype(t)>::value && is_gmem<decltype(t)>::value && !is_smem<decltype(t)>::value);
  EXPECT_EQ(t(2, 3), 19);
  EXPECT_EQ(t(make_coord(2, 3)), 19);
  t(2, 3) = -1;
  EXPECT_EQ(data[19], -1);
  Tensor row = t(1, _);
  EXPECT_EQ(size(row), 8);
  EXPECT_EQ(row(7), 15);
  EXPECT_EQ(raw_pointer_cast(row.data()), data.data() + 8);
  Tensor registers = make_tensor<float>(Shape<_4, _2>{});
  static_assert(is_rmem<decltype(registers)>::value && is_static<decltype(registers.layout())>::value);
  clear(registers);
  fill(registers(_, 1), 3.0f);
  EXPECT_EQ(registers(3, 0), 0);
  EXPECT_EQ(registers(3, 1), 3);
  static_assert(is_same_v<decltype(make_tensor_like(registers))::value_type, float>);
}

TEST(CuteTensor, LocalTileWithProjection) {
  auto const shape_mnk = make_shape(256, 128, 64);
  auto cta_tiler = make_shape(Int<128>{}, Int<64>{}, Int<8>{});
  auto data = std::vector<int>(256 * 64);
  Tensor mA = make_tensor(make_gmem_ptr(data.data()), select<0, 2>(shape_mnk), make_stride(Int<1>{}, 256));
  auto cta_coord = make_coord(1, 1, _);
  Tensor gA = local_tile(mA, cta_tiler, cta_coord, Step<_1, X, _1>{});  // (BLK_M,BLK_K,k)
  EXPECT_EQ(rank(gA), 3);
  EXPECT_EQ(size<0>(gA), 128);
  EXPECT_EQ(size<1>(gA), 8);
  EXPECT_EQ(size<2>(gA), 8);
  EXPECT_EQ(&gA(0, 0, 0) - data.data(), 128);
  Tensor sA = make_tensor(make_smem_ptr(data.data()), make_layout(make_shape(Int<128>{}, Int<8>{})));
  auto tA = make_layout(make_shape(Int<32>{}, Int<8>{}));
  Tensor tAsA = local_partition(sA, tA, 33);  // (THR_M,THR_K)
  EXPECT_EQ(size(tAsA), 4);
  EXPECT_EQ(&tAsA(1) - data.data(), 1 + 128 + 32);
}

TEST(CuteTensor, PredicatedTiledCopy) {
  constexpr int M = 25, N = 13;
  auto source = counted(M * N);
  std::vector<float> target(M * N, -1.0f);
  Tensor S = make_tensor(source.data(), make_layout(make_shape(M, N), LayoutRight{}));
  Tensor D = make_tensor(target.data(), make_layout(make_shape(M, N), LayoutRight{}));
  auto block = make_shape(Int<16>{}, Int<8>{});
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{},
                                    Layout<Shape<_1, _2>>{});
  EXPECT_EQ(size(tiled_copy), 32);
  Tensor C = make_identity_tensor(shape(S));
  for (int by = 0; by < 2; ++by)
    for (int bx = 0; bx < 2; ++bx)
      for (int thread_index = 0; thread_index < 32; ++thread_index) {
        auto coord = make_coord(by, bx);
        auto thr = tiled_copy.get_slice(thread_index);
        Tensor tS = thr.partition_S(local_tile(S, block, coord));
        Tensor tD = thr.partition_D(local_tile(D, block, coord));
        Tensor tC = thr.partition_S(local_tile(C, block, coord));
        Tensor pred = make_tensor<bool>(shape(tS));
        for (int i = 0; i < size(pred); ++i) pred(i) = elem_less(tC(i), shape(S));
        copy_if(pred, tS, tD);
      }
  EXPECT_EQ(source, target);
}

TEST(CuteTensor, VectorisedTiledCopy) {
  auto source = counted(128 * 64);
  std::vector<float> target(128 * 64, -1.0f);
  Tensor S = make_tensor(make_gmem_ptr(source.data()), make_shape(Int<128>{}, Int<64>{}));
  Tensor D = make_tensor(make_gmem_ptr(target.data()), make_shape(Int<128>{}, Int<64>{}));
  using Access = cutlass::AlignedArray<float, 4>;
  using Atom = Copy_Atom<UniversalCopy<Access>, float>;
  auto tiled_copy = make_tiled_copy(Atom{}, Layout<Shape<_32, _8>>{}, Layout<Shape<_4, _1>>{});
  for (int i = 0; i < 256; ++i) {
    auto thr = tiled_copy.get_thread_slice(i);
    Tensor tS = thr.partition_S(S);
    Tensor tD = thr.partition_D(D);
    static_assert(is_same_v<decltype(tS)::layout_type, decltype(tD)::layout_type>);
    Tensor fragment = make_fragment_like(tD);
    copy(tiled_copy, tS, fragment);
    copy(tiled_copy, fragment, tD);
  }
  EXPECT_EQ(source, target);
}

TEST(CuteTensor, RecastAndAlgorithms) {
  alignas(16) std::uint32_t words[8] = {0x00010002, 3, 4, 5, 6, 7, 8, 9};
  Tensor t = make_tensor(make_gmem_ptr(&words[0]), Shape<_8>{});
  Tensor halves = recast<std::uint16_t>(t);
  EXPECT_EQ(size(halves), 16);
  EXPECT_EQ(halves(0), 2);
  Tensor x = make_tensor<float>(Shape<_4>{});
  Tensor y = make_tensor<float>(Shape<_4>{});
  fill(x, 2.0f);
  fill(y, 1.0f);
  axpby(3.0f, x, 2.0f, y);
  EXPECT_EQ(y(3), 8.0f);
  transform(y, [](float v) { return v / 2; });
  EXPECT_EQ(y(0), 4.0f);
  float total = 0;
  for_each(y, [&](float v) { total += v; });
  EXPECT_EQ(total, 16.0f);
}

TEST(CuteTensor, CoordinatesAndCounting) {
  Tensor c = make_identity_tensor(make_shape(4, make_shape(2, 2)));
  EXPECT_TRUE(c(3, 2) == make_coord(3, make_coord(0, 1)));
  Tensor n = make_counting_tensor(make_layout(Shape<_4, _4>{}, LayoutRight{}));
  EXPECT_EQ(n(1, 2), 6);
  testing::internal::CaptureStdout();
  print(n.layout());
  print(" %d|", 42);
  print(make_shape(Int<3>{}, 5));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "(_4,_4):(_4,_1) 42|(_3,5)");
  EXPECT_TRUE(thread0());
}

TEST(CuteTensor, Latex) {
  testing::internal::CaptureStdout();
  print_latex(Layout<Shape<_2, _2>, Stride<_2, _1>>{});
  auto tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_2, _2>>{}, Layout<Shape<_2, _1>>{});
  print_latex(tiled_copy);
  auto const text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("% Layout: (_2,_2):(_2,_1)"), std::string::npos);
  EXPECT_NE(text.find("at (0,1) {1};"), std::string::npos);
  EXPECT_NE(text.find("at (1,0) {\\shortstack{T0 \\\\ V1}};"), std::string::npos);
}

TEST(CuteTensor, MatrixFragmentsByLdmatrix) {
  // A 16×16 tile of 16-bit elements, four 8×8 matrices, for a warp: operand A of an m16n8k16 product.
  struct operation {
    static auto get_layoutA_TV() {
      return Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8, _128>>>{};
    }
    static auto tile_shape() { return Shape<_16, _8, _16>{}; }
  };
  auto tiled_copy = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, operation{});
  EXPECT_EQ(size(tiled_copy), 32);
  EXPECT_EQ(tile_size<0>(tiled_copy), 16);
  auto wide =
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _4>>{}, Layout<Shape<_4, _1>>{});
  auto vectors = make_tiled_copy_D(Copy_Atom<UniversalCopy<uint128_t>, float>{}, wide);
  auto const a = decltype(vectors)::TiledLayout_TV{};
  auto const b = decltype(wide)::TiledLayout_TV{};
  for (int thread = 0; thread < 32; ++thread)
    for (int value = 0; value < 4; ++value) EXPECT_EQ(a(thread, value), b(thread, value));
}

TEST(CuteTensor, SwizzledTileKeepsItsElements) {
  auto layout =
      tile_to_shape(composition(Swizzle<3, 2, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}), Shape<_32, _32>{});
  std::vector<float> memory(1024);
  Tensor s = make_tensor(make_smem_ptr(memory.data()), layout);
  Tensor plain = as_position_independent_swizzle_tensor(s);
  for (int i = 0; i < size(s); ++i) s(i) = float(i);
  for (int i = 0; i < size(s); ++i) EXPECT_EQ(plain(i), float(i));
}

}  // namespace
