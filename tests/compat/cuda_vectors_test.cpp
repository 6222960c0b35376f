// CUDA's vector types in host programs that include no header of CUDA: sizes, alignments, and memory viewed with them.
#include <cute/atom/mma_traits_sm100.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>
#include <vector>

using namespace cute;

namespace {

TEST(CudaVectors, SizesAndAlignmentsAreCudas) {
  static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && sizeof(float4) == 16 && alignof(float4) == 16);
  static_assert(alignof(uchar4) == 4 && alignof(short4) == 8 && alignof(uchar3) == 1 && alignof(char2) == 2);
  static_assert(alignof(int2) == 8 && alignof(longlong2) == 16 && alignof(double2) == 16 && alignof(double4) == 16);
  static_assert(sizeof_bits_v<uint4> == 128 && sizeof(ulonglong4) == 32);
}

TEST(CudaVectors, ViewMemory) {
  alignas(16) float memory[64];
  std::iota(memory, memory + 64, 0.0F);
  auto const tensor = make_tensor(&memory[0], Layout<Shape<_8, _8>>{});
  auto const wide = recast<float4>(tensor);
  std::ostringstream text;
  text << wide.layout() << recast<uint2>(tensor).layout();
  EXPECT_EQ(text.str(), "(_2,_8):(_1,_2)(_4,_8):(_1,_4)");
  EXPECT_EQ(wide(1, 1).z, 14.0F);
  wide(0, 0) = make_float4(9, 8, 7, 6);
  EXPECT_EQ(tensor(2, 0), 7.0F);
  uint3 const place{1, 2, 3};
  EXPECT_EQ(get<1>(place), 2U);
}

TEST(CudaVectors, CopyAtoms) {
  alignas(16) float from[64], to[64] = {};
  std::iota(from, from + 64, 0.0F);
  auto const tiled =
      make_tiled_copy(Copy_Atom<UniversalCopy<float4>, float>{}, Layout<Shape<_2, _8>>{}, Layout<Shape<_4, _1>>{});
  auto const source = make_tensor(&from[0], Layout<Shape<_8, _8>>{});
  auto const target = make_tensor(&to[0], Layout<Shape<_8, _8>>{});
  for (int t = 0; t < size(tiled); ++t)
    copy(tiled, tiled.get_slice(t).partition_S(source), tiled.get_slice(t).partition_D(target));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(to[i], from[i]);
}

TEST(CudaVectors, OperationsOnPairsOfFloatsRunOnAHost) {
  float2 sum = make_float2(1, 2);
  add(sum, sum, make_float2(3, 4));
  EXPECT_TRUE(sum.x == 4 && sum.y == 6);
  auto const mma = make_tiled_mma(SM100_2x1x1_F32F32F32F32{});
  auto d = make_tensor<float>(Shape<Shape<_2>, _1, _1>{});
  auto a = make_tensor<float>(Shape<Shape<_2>, _1, _1>{});
  auto b = make_tensor<float>(Shape<Shape<_1>, _1, _1>{});
  for (int i = 0; i < 2; ++i) d(i) = 1, a(i) = static_cast<float>(2 + i);
  b(0) = 5;
  gemm(mma, a, b, d);
  EXPECT_TRUE(d(0) == 11 && d(1) == 16);
}

}  // namespace
