// Tiled copies of many shapes carry every element exactly once, in the order that their declaration says:
// atoms of 8 to 256 bits, thread and value layouts of ranks 1 to 4 in any order, tensors column- and
// row-major, padded, swizzled, with run-time extents, and of higher rank than the tile.
#include <gtest/gtest.h>

#include <cstdint>

#include "coverage.hpp"

namespace tilewright {
namespace {

using tests::follows_declaration;

template <int Bits, class T>
using atom = Copy_Atom<UniversalCopy<uint_bit_t<Bits>>, T>;

/// `val` counts values here.
template <int Bits, class T, class Thr, class Val, class L>
::testing::AssertionResult covers(Thr const& thr, Val const& val, L const& layout) {
  return follows_declaration(make_tiled_copy(atom<Bits, T>{}, thr, val), thr, val, layout);
}

TEST(Coverage, AtomsOfEveryWidth) {
  Layout<Shape<_4, _8>> const thr;
  Layout<Shape<_16, _16>> const tensor;
  EXPECT_TRUE((covers<8, std::uint8_t>(thr, Layout<Shape<_1, _1>>{}, tensor)));
  EXPECT_TRUE((covers<16, std::uint16_t>(thr, Layout<Shape<_1, _2>>{}, tensor)));
  EXPECT_TRUE((covers<32, std::uint16_t>(thr, Layout<Shape<_2, _1>>{}, tensor)));
  EXPECT_TRUE((covers<64, float>(thr, Layout<Shape<_2, _2>>{}, tensor)));
  EXPECT_TRUE((covers<128, float>(thr, Layout<Shape<_4, _1>>{}, tensor)));
  EXPECT_TRUE((covers<256, float>(Layout<Shape<_2, _8>>{}, Layout<Shape<_8, _1>>{}, tensor)));
  EXPECT_TRUE((covers<16, uint4b_t>(thr, Layout<Shape<_4, _2>>{}, tensor)));
}

TEST(Coverage, ThreadAndValueLayoutsOfAnyOrder) {
  Layout<Shape<_16, _24>> const tensor;
  Layout<Shape<_4, _6>, Stride<_6, _1>> const rows;
  Layout<Shape<Shape<_2, _2>, _3>, Stride<Stride<_6, _1>, _2>> const nested;
  EXPECT_TRUE((covers<32, float>(rows, Layout<Shape<_2, _2>, Stride<_2, _1>>{}, tensor)));
  EXPECT_TRUE((covers<64, float>(rows, Layout<Shape<_1, _4>, Stride<_4, _1>>{}, tensor)));
  EXPECT_TRUE((covers<64, float>(nested, Layout<Shape<_4, _2>>{}, tensor)));
  EXPECT_TRUE((covers<32, float>(nested, Layout<Shape<Shape<_2, _2>, _2>, Stride<Stride<_4, _1>, _2>>{}, tensor)));
  EXPECT_TRUE((covers<32, float>(Layout<_8>{}, Layout<Shape<_2, _3>>{}, tensor)));  // threads along mode 0 only
  EXPECT_TRUE((covers<64, float>(Layout<Shape<_4, _8>>{}, Layout<_4>{}, tensor)));  // values along mode 0 only
  EXPECT_TRUE((covers<32, float>(Layout<Shape<_1, _1>>{}, Layout<Shape<_4, _3>>{}, tensor)));  // one thread
}

TEST(Coverage, Ranks) {
  EXPECT_TRUE((covers<128, float>(Layout<_32>{}, Layout<_4>{}, Layout<_256>{})));
  EXPECT_TRUE((covers<64, float>(Layout<_8>{}, Layout<_6>{}, Layout<_96, _3>{})));
  EXPECT_TRUE((covers<64, std::uint16_t>(Layout<Shape<_4, _2, _2>>{}, Layout<Shape<_4, _1, _2>>{},
                                         Layout<Shape<_16, _4, _8>>{})));
  EXPECT_TRUE((covers<32, float>(Layout<Shape<_2, _3, _4>, Stride<_12, _4, _1>>{},
                                 Layout<Shape<_2, _1, _2>, Stride<_2, _4, _1>>{},
                                 Layout<Shape<_4, _6, _8>, Stride<_48, _8, _1>>{})));
  EXPECT_TRUE((covers<32, float>(Layout<Shape<_2, _2, _2, _2>, Stride<_8, _1, _4, _2>>{},
                                 Layout<Shape<_2, _1, _1, _2>>{}, Layout<Shape<_4, _4, _2, _4>>{})));
}

TEST(Coverage, TensorLayouts) {
  Layout<Shape<_4, _8>, Stride<_8, _1>> const thr;
  Layout<Shape<_2, _2>, Stride<_2, _1>> const val;
  EXPECT_TRUE((covers<32, float>(thr, val, Layout<Shape<_16, _32>, Stride<_32, _1>>{})));
  EXPECT_TRUE((covers<32, float>(thr, val, Layout<Shape<_16, _32>, Stride<Int<36>, _1>>{})));   // padded
  EXPECT_TRUE((covers<32, float>(thr, val, Layout<Shape<_16, _32>, Stride<_1, Int<-16>>>{})));  // mirrored
  EXPECT_TRUE((covers<32, float>(thr, val, Layout<Shape<_16, Shape<_2, _16>>, Stride<_2, Stride<_1, _32>>>{})));
  EXPECT_TRUE(
      (covers<32, float>(thr, val, composition(Swizzle<2, 2, 3>{}, Layout<Shape<_16, _32>, Stride<_32, _1>>{}))));
  EXPECT_TRUE((covers<32, float>(thr, val, make_layout(make_shape(16, 32), LayoutRight{}))));
  EXPECT_TRUE((covers<32, float>(thr, val, make_layout(make_shape(24, _32{}), make_stride(_1{}, 40)))));
  EXPECT_TRUE((covers<32, float>(thr, val, make_layout(make_shape(multiple_of<8>(16), multiple_of<16>(48))))));
}

TEST(Coverage, ModesBeyondTheTileAreRepetitions) {
  Layout<Shape<_4, _2>> const thr;
  Layout<Shape<_2, _1>> const val;
  EXPECT_TRUE((covers<64, float>(thr, val, Layout<Shape<_8, _4, _3>>{})));
  EXPECT_TRUE((covers<64, float>(thr, val, make_layout(make_shape(_8{}, _4{}, 3, make_shape(2, _2{}))))));
}

// --- threads beyond the copy's own
// -----------------------------------------------------------------------------------
TEST(Coverage, ThreadsBeyondTheCopyTakeNoPart) {
  auto const copy_of_8 = make_tiled_copy(atom<32, float>{}, Layout<Shape<_4, _2>>{}, Layout<_1>{});
  float data[16] = {};
  auto const tensor = make_tensor(&data[0], Layout<Shape<_4, _4>>{});
  for (int thread = 0; thread < 32; ++thread) {
    auto const slice = copy_of_8.get_slice(thread);
    EXPECT_EQ(slice.active(), thread < 8);
    EXPECT_EQ(slice.partition_S(tensor).data() == nullptr, thread >= 8);
    EXPECT_EQ(slice.partition_D(tensor).data() == nullptr, thread >= 8);
  }
  EXPECT_FALSE(copy_of_8.get_thread_slice(-1).active());
  EXPECT_TRUE(copy_of_8.get_slice(7u).active() && !copy_of_8.get_slice(8u).active());
  EXPECT_TRUE(copy_of_8.get_slice(_7{}).active());
}

}  // namespace
}  // namespace tilewright
