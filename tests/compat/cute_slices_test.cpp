// Slices of swizzled layouts, and coordinates beyond a shape, as namespace cute answers. The expected texts are those that CuTe 4
// prints.
#include "printed.hpp"

#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <cstdint>
#include <sstream>
#include <string>

using namespace cute;

namespace {

using tilewright::tests::printed;

/// A tensor whose elements are its offsets.
template <class L>
auto counted(L const& layout) {
  return make_tensor(counting_iterator<int>{0}, layout);
}
auto const rows = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_16, _64>, Stride<_64, _1>>{});

/// Every element of a slice is at the offset that the whole layout gives.
template <class Whole, class Part, class At>
void expect_elements(Whole const& whole, Part const& part, At const& at) {
  for (int i = 0; i < static_cast<int>(size<0>(part)); ++i)
    for (int j = 0; j < static_cast<int>(size<1>(part)); ++j) {
      auto const [m, n] = at(i, j);
      EXPECT_EQ(part(i, j), static_cast<int>(whole(m, n))) << i << "," << j;
    }
}

TEST(CuteSlices, OffsetsThatTheSwizzleLeavesAloneMoveThePointer) {
  int const stage = 2, column = 3;
  auto const stages = tile_to_shape(rows, Shape<_16, _64, _3>{});
  EXPECT_EQ(printed(counted(stages)(_, _, stage)),
            "counting_iter(2048) o Sw<3,3,3> o _0 o ((_16,_1),(_64,_1)):((_64,_0),(_1,_0))");
  EXPECT_EQ(printed(stages(_, _, stage)), "Sw<3,3,3> o _0 o ((_16,_1),(_64,_1)):((_64,_0),(_1,_0))");
  auto const tile = local_tile(counted(rows), Shape<_8, _16>{}, make_coord(1, column));
  EXPECT_EQ(printed(tile), "counting_iter(512) o Sw<3,3,3> o M_0|(48&48)=48 o (_8,_16):(_64,_1)");
  expect_elements(rows, tile, [](int i, int j) { return std::pair(8 + i, 48 + j); });
  EXPECT_EQ(printed(local_tile(counted(rows), Shape<_8, _16>{}, make_coord(_1{}, _3{}))),
            "counting_iter(512) o Sw<3,3,3> o _48 o (_8,_16):(_64,_1)");
}

TEST(CuteSlices, KnownBitsOfAnOffsetStayKnown) {
  int const row = 3, column = 2;
  auto const tile = local_tile(counted(rows), Shape<_16, _16>{}, make_coord(0, column));
  EXPECT_EQ(printed(tile), "counting_iter(0) o Sw<3,3,3> o M_0|(32&48)=32 o (_16,_16):(_64,_1)");
  // A row of the tile: the swizzle is in its strides.
  auto const one = tile(row, _);
  EXPECT_EQ(printed(one.layout()), "((_8,_2)):((_1,-8))");
  for (int i = 0; i < 16; ++i) EXPECT_EQ(one(i), static_cast<int>(rows(row, 32 + i)));
  EXPECT_EQ(printed(recast_layout<half_t, float>(tile.layout())), "Sw<3,2,3> o M_0|(16&24)=16 o (_16,_8):(_32,_1)");
  EXPECT_EQ(printed(recast_layout<half_t, uint8_t>(tile.layout())), "Sw<3,4,3> o M_0|(64&96)=64 o (_16,_32):(_128,_1)");
}

TEST(CuteSlices, PartitionsHaveTheSwizzleInTheirStrides) {
  int const thread = 37;
  auto const matrix = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{});
  auto const tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                     Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto const data = reinterpret_cast<half_t*>(1024);
  auto const tile = make_tensor(make_smem_ptr(data), matrix);
  EXPECT_EQ(printed(tiled.get_slice(thread).partition_D(tile)),
            "smem_ptr[16b](0x610) o ((_8,_1),_4,_1):((_1,_0),_1024,_0)");
  auto const mma =
      make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{}).get_slice(5);
  EXPECT_EQ(printed(mma.partition_A(tile)),
            "smem_ptr[16b](0x494) o ((_2,_2,_2),_2,(_2,_2)):((_1,_512,-8),_2048,(16,32))");
  EXPECT_EQ(printed(mma.partition_fragment_A(tile).layout()), "((_2,_2,_2),_2,(_2,_2)):((_1,_2,_4),_8,(_16,_32))");
  auto const share = mma.partition_A(counted(matrix));
  auto const coordinates = mma.partition_A(make_identity_tensor(shape(matrix)));
  for (int i = 0; i < static_cast<int>(size(share)); ++i) EXPECT_EQ(share(i), static_cast<int>(matrix(coordinates(i))));
}

TEST(CuteSlices, StagesOfATileKeepItsName) {
  int const stage = 2;
  auto const tile = make_tensor(make_smem_ptr(reinterpret_cast<half_t*>(1024)),
                                tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128, _64, _3>{}));
  EXPECT_EQ(printed(tile(_, _, stage)), "Sw<3,4,3>_smem_ptr[16b](0x8400) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))");
  EXPECT_EQ(printed(tile(_, _, _1{})), "Sw<3,4,3>_smem_ptr[16b](0x4400) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))");
}

TEST(CuteSlices, AllTilesOfASwizzledTensorAreModesOfTheirOwn) {
  auto const layout = composition(Swizzle<2, 3, 3>{}, Layout<Shape<_16, _64>, Stride<_64, _1>>{});
  static uint16_t memory[1024];
  for (int i = 0; i < 1024; ++i) memory[i] = static_cast<uint16_t>(i);
  auto const t = make_tensor(make_smem_ptr(&memory[0]), layout);
  auto const tiles = local_tile(t, Shape<_8, _32>{}, make_coord(_, _));
  static_assert(decltype(rank(tiles))::value == 4);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 32; ++j)
      for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 2; ++n) EXPECT_EQ(tiles(i, j, m, n), layout(i + 8 * m, j + 32 * n));
}

TEST(CuteLayouts, AreTheirOwnLayout) {
  auto const a = make_layout(make_shape(_4{}, make_shape(3, _2{})));
  static_assert(is_same_v<remove_cvref_t<decltype(a.layout())>, remove_cvref_t<decltype(a)>>);
  static_assert(is_same_v<decltype(a.layout<1, 1>()), decltype(layout<1, 1>(a))>);
  EXPECT_EQ(size<0>(a.layout<1>()), 3);
}

TEST(CuteCoordinates, BeyondTheShapeAreOffsetsAsOthers) {
  auto const t = counted(make_layout(make_shape(10, 7)));
  EXPECT_EQ(t(12, 9), 102);
  EXPECT_EQ(t(100), 100);
  EXPECT_EQ(t(-1, 0), -1);
  EXPECT_EQ(printed(t(_, 9)), "counting_iter(90) o (10):(_1)");
  EXPECT_EQ(printed(local_tile(t, Shape<_4, _3>{}, make_coord(5, 9))), "counting_iter(290) o (_4,_3):(_1,10)");
  EXPECT_EQ(printed(local_tile(t, Shape<_4, _3>{}, make_coord(-1, 0))), "counting_iter(-4) o (_4,_3):(_1,10)");
  EXPECT_EQ(printed(local_partition(t, Layout<Shape<_4, _3>>{}, 13)), "counting_iter(1) o (3,3):(_4,30)");
  EXPECT_EQ(counted(Layout<Shape<_10, _7>>{})(_12{}, _3{}), 42);
  auto const coordinates = make_identity_tensor(make_shape(10, 7));
  EXPECT_EQ(printed(local_tile(coordinates, Shape<_4, _3>{}, make_coord(3, 1))),
            "ArithTuple(12,3) o (_4,_3):(_1@0,_1@1)");
}

}  // namespace
