// print: the exact text of every object, in the documents' format, and the pictures that print_layout and
// print_tensor draw.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "tilewright/algorithm/print.hpp"

namespace tilewright {
namespace {

template <class Print>
std::string output_of(Print const& print_it) {
  ::testing::internal::CaptureStdout();
  print_it();
  return ::testing::internal::GetCapturedStdout();
}
template <class... T>
std::string printed(T const&... objects) {
  return output_of([&] { (print(objects), ...); });
}
std::string address(void const* p) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%p", p);
  return text.data();
}

TEST(Print, IntegersAndTuples) {
  EXPECT_EQ(printed(_4{}), "_4");
  EXPECT_EQ(printed(Int<-3>{}), "_-3");
  EXPECT_EQ(printed(42), "42");
  EXPECT_EQ(printed(-7LL), "-7");
  EXPECT_EQ(printed(18'446'744'073'709'551'615ULL), "18446744073709551615");
  EXPECT_EQ(printed(multiple_of<8>(64)), "64");
  EXPECT_EQ(printed(1.5), "1.500000");
  EXPECT_EQ(printed(int4b_t(-3)), "-3");
  EXPECT_EQ(printed(_), "_");
  EXPECT_EQ(printed(X{}), "_");
  EXPECT_EQ(printed("text"), "text");
  EXPECT_EQ(printed(make_shape(_4{}, make_shape(2, _3{}), 5LL)), "(_4,(2,_3),5)");
  EXPECT_EQ(printed(Step<_1, X, _1>{}), "(_1,_,_1)");
  EXPECT_EQ(printed(make_coord(_, 3)), "(_,3)");
  EXPECT_EQ(printed(Shape<_4>{}), "(_4)");
  EXPECT_EQ(printed(tuple<>{}), "()");
  EXPECT_EQ(printed(make_tile(Layout<_4, _2>{}, _8{})), "(_4:_2,_8)");
}

TEST(Print, Layouts) {
  EXPECT_EQ(printed(Layout<Shape<_4, _8>>{}), "(_4,_8):(_1,_4)");
  EXPECT_EQ(printed(Layout<_4, _0>{}), "_4:_0");
  EXPECT_EQ(printed(make_layout(make_shape(128, _32{}), make_stride(_1{}, 1024))), "(128,_32):(_1,1024)");
  EXPECT_EQ(printed(make_layout(make_shape(multiple_of<4>(8), 2))), "(8,2):(_1,8)");
  EXPECT_EQ(printed(Swizzle<3, 4, 3>{}), "Sw<3,4,3>");
  EXPECT_EQ(printed(composition(Swizzle<2, 0, -3>{}, Layout<_8>{})), "Sw<2,0,-3> o _0 o _8:_1");
  EXPECT_EQ(printed(composition(Swizzle<3, 4, 3>{}, 64, make_layout(8))), "Sw<3,4,3> o 64 o 8:_1");
  EXPECT_EQ(printed(make_identity_layout(make_shape(_4{}, make_shape(2, _3{})))), "(_4,(2,_3)):(_1@0,(_1@0@1,_1@1@1))");
  EXPECT_EQ(printed(ScaledBasis<_2, 0, 1>{}), "_2@1@0");
  EXPECT_EQ(printed(5 * E<1>{}), "5@1");
  EXPECT_EQ(printed(make_arithmetic_tuple(1, _2{})), "(1,_2)");
}

TEST(Print, PointersAndTensors) {
  std::array<float, 8> data{};
  std::string const at = address(data.data());
  EXPECT_EQ(printed(data.data()), "ptr[32b](" + at + ")");
  EXPECT_EQ(printed(make_gmem_ptr(data.data())), "gmem_ptr[32b](" + at + ")");
  EXPECT_EQ(printed(make_smem_ptr(static_cast<float const*>(data.data()))), "smem_ptr[32b](" + at + ")");
  EXPECT_EQ(printed(make_rmem_ptr(data.data())), "ptr[32b](" + at + ")");
  std::array<unsigned char, 4> packed{};
  auto const nibbles = make_smem_ptr(reinterpret_cast<int4b_t*>(packed.data()));
  EXPECT_EQ(printed(nibbles + 3), "smem_subptr[4b](" + address(packed.data() + 1) + ".4)");
  EXPECT_EQ(printed(make_tensor(make_gmem_ptr(data.data()), Layout<Shape<_4, _2>>{})),
            "gmem_ptr[32b](" + at + ") o (_4,_2):(_1,_4)");
  EXPECT_EQ(printed(make_counting_tensor(Layout<_4>{})), "counting_iter(0) o _4:_1");
  EXPECT_EQ(printed(make_identity_tensor(Shape<_4, _2>{})), "ArithTuple(_0,_0) o (_4,_2):(_1@0,_1@1)");
  auto const owning = make_tensor<float>(Shape<_4>{});
  EXPECT_EQ(printed(owning), "ptr[32b](" + address(&owning(0)) + ") o (_4):(_1)");
}

TEST(Print, Copies) {
  using Atom = Copy_Atom<UniversalCopy<uint128_t>, std::uint16_t>;
  std::string const atom =
      "Copy_Atom\n  ThrID:        _1:_0\n  ValLayoutSrc: (_1,_8):(_0,_1)\n  ValLayoutDst: (_1,_8):(_0,_1)\n"
      "  ValLayoutRef: (_1,_8):(_0,_1)\n  ValueType:    16b\n";
  std::string const copy = "TiledCopy\n  Tiler_MN:       (_64,_4)\n  TiledLayout_TV: (_32,_8):(_8,_1)\n" + atom;
  auto const tiled = make_tiled_copy(Atom{}, Layout<Shape<_8, _4>>{}, Layout<Shape<_8>>{});
  EXPECT_EQ(printed(Atom{}), atom);
  EXPECT_EQ(printed(tiled), copy);
  EXPECT_EQ(printed(tiled.get_slice(3)), "ThrCopy\n  ThrIdx: 3\n" + copy);
}

TEST(Print, LayoutsAsGrids) {
  EXPECT_EQ(output_of([] { print_layout(Layout<Shape<_2, _3>, Stride<_3, _1>>{}); }),
            "(_2,_3):(_3,_1)\n"
            "      0   1   2 \n"
            "    +---+---+---+\n"
            " 0  | 0 | 1 | 2 |\n"
            "    +---+---+---+\n"
            " 1  | 3 | 4 | 5 |\n"
            "    +---+---+---+\n");
  EXPECT_EQ(output_of([] { print_layout(make_layout(2, 10)); }),
            "2:10\n"
            "       0 \n"
            "    +----+\n"
            " 0  |  0 |\n"
            "    +----+\n"
            " 1  | 10 |\n"
            "    +----+\n");
  // A swizzled tile shows where its elements are.
  EXPECT_EQ(output_of([] { print_layout(composition(Swizzle<1, 0, 1>{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{})); }),
            "Sw<1,0,1> o _0 o (_2,_2):(_2,_1)\n"
            "      0   1 \n"
            "    +---+---+\n"
            " 0  | 0 | 1 |\n"
            "    +---+---+\n"
            " 1  | 3 | 2 |\n"
            "    +---+---+\n");
}

TEST(Print, TensorsWithTheirValues) {
  std::array<int, 12> data{};
  for (std::size_t i = 0; i < 12; ++i) data[i] = static_cast<int>(i);
  std::string const pointer = "ptr[32b](" + address(data.data()) + ")";
  EXPECT_EQ(output_of([&] { print_tensor(make_tensor(data.data(), Layout<Shape<_2, _3>, Stride<_3, _1>>{})); }),
            pointer + " o (_2,_3):(_3,_1):\n    0    1    2\n    3    4    5\n");
  EXPECT_EQ(output_of([&] { print_tensor(make_tensor(data.data(), Layout<_2, _5>{})); }),
            pointer + " o _2:_5:\n    0\n    5\n");
  EXPECT_EQ(output_of([&] { print_tensor(make_tensor(data.data(), make_layout(make_shape(2, 2, 2)))); }),
            pointer + " o (2,2,2):(_1,2,4):\n    0    2\n    1    3\n----------\n    4    6\n    5    7\n");
  std::array<float, 2> const real{1.5f, -0.25f};
  EXPECT_EQ(output_of([&] { print_tensor(make_tensor(real.data(), Layout<Shape<_1, _2>>{})); }),
            "ptr[32b](" + address(real.data()) + ") o (_1,_2):(_0,_1):\n  1.50e+00 -2.50e-01\n");
  EXPECT_EQ(output_of([] { print_tensor(make_identity_tensor(Shape<_2, _2>{})); }),
            "ArithTuple(_0,_0) o (_2,_2):(_1@0,_1@1):\n  (0,0)  (0,1)\n  (1,0)  (1,1)\n");
  auto packed = make_tensor<int4b_t>(Shape<_2, _2>{});
  for (int i = 0; i < 4; ++i) packed(i) = int4b_t(i - 2);
  std::string const text = output_of([&] { print_tensor(packed); });
  EXPECT_EQ(text.substr(text.find(":\n")), ":\n   -2    0\n   -1    1\n");
}

}  // namespace
}  // namespace tilewright
