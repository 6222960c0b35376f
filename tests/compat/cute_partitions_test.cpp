// Tiled copies of namespace cute: tensors that are no whole number of tiles, and what print says. The expected texts are those
// that CuTe 4 prints.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace cute;

namespace {

using one_float = Copy_Atom<UniversalCopy<float>, float>;

template <class T>
std::string text_of(T const& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}
template <class F>
std::string printed_by(F const& f) {
  testing::internal::CaptureStdout();
  f();
  return testing::internal::GetCapturedStdout();
}

TEST(CutePartitions, GoOnBeyondATensorThatIsSmallerThanTheTile) {
  TiledCopy tiled = make_tiled_copy(one_float{}, Layout<Shape<_4, _4>>{}, Layout<Shape<_2, _1>>{});
  float* const memory = nullptr;
  auto const fixed = make_tensor(make_gmem_ptr(memory), Layout<Shape<_3, _8>>{});
  auto const sized = make_tensor(make_gmem_ptr(memory), make_layout(make_shape(5, 9)));
  ThrCopy thr = tiled.get_slice(1);
  EXPECT_EQ(text_of(thr.partition_S(fixed).layout()), "((_1,_2),_1,_2):((_0,_1),_0,_12)");
  EXPECT_EQ(text_of(thr.partition_D(sized).layout()), "((_1,_2),1,3):((_0,_1),_8,20)");
  EXPECT_EQ(text_of(tiled.tidfrg_S(Layout<Shape<_3, _8>>{})), text_of(tiled.tidfrg_S(fixed).layout()));
}

/// Every thread moves the elements whose coordinate is in the tensor, as CuTe's tutorials do.
template <class Tiled>
void copies_what_is_inside(Tiled const& tiled, int rows, int columns) {
  std::vector<float> from(static_cast<std::size_t>(rows * columns)), to(from.size(), -1.0f);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
  auto const shape = make_shape(rows, columns);
  auto const source = make_tensor(from.data(), make_layout(shape));
  auto const destination = make_tensor(to.data(), make_layout(shape));
  auto const places = make_identity_tensor(shape);
  std::vector<int> times(from.size(), 0);
  for (int t = 0; t < size(tiled); ++t) {
    auto const thr = tiled.get_slice(t);
    auto const mine = thr.partition_S(source);
    auto const place = thr.partition_S(places);
    auto target = thr.partition_D(destination);
    for (int i = 0; i < size(mine); ++i) {
      if (!elem_less(place(i), shape)) continue;
      ++times[static_cast<std::size_t>(get<0>(place(i)) + rows * get<1>(place(i)))];
      target(i) = mine(i);
    }
  }
  EXPECT_EQ(from, to) << rows << " x " << columns;
  for (int const n : times) EXPECT_EQ(n, 1) << rows << " x " << columns;
}

TEST(CutePartitions, OfEveryRaggedShapeCoverItOnce) {
  auto const raked = make_tiled_copy(one_float{}, Layout<Shape<_4, _4>>{}, Layout<Shape<_2, _1>>{});
  auto const rows = make_tiled_copy(one_float{}, Layout<Shape<_2, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  auto const wide = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint64_t>, float>{}, Layout<Shape<_4, _2>>{},
                                    Layout<Shape<_2, _3>>{});
  for (int m = 1; m < 20; ++m)
    for (int n = 1; n < 20; n += 3) {
      copies_what_is_inside(raked, m, n);
      copies_what_is_inside(rows, m, n);
      if (m % 2 == 0) copies_what_is_inside(wide, m, n);
    }
}

TEST(CutePartitions, AreThoseOfTheLibraryForWholeTiles) {
  std::mt19937 random(7);
  auto const ours = make_tiled_copy(one_float{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _1>>{});
  auto const theirs = tilewright::make_tiled_copy(one_float{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _1>>{});
  static_assert(!std::is_same_v<decltype(ours), decltype(theirs)>);
  static_assert(is_tiled_copy<decltype(ours)>::value && is_tiled_copy<decltype(theirs)>::value);
  for (int round = 0; round < 20; ++round) {
    int const m = 16 * static_cast<int>(1 + random() % 4), n = 8 * static_cast<int>(1 + random() % 4);
    std::vector<float> memory(static_cast<std::size_t>(m * n));
    auto const tensor = make_tensor(memory.data(), make_shape(m, n), make_stride(n, Int<1>{}));
    int const t = static_cast<int>(random() % 32);
    auto const a = ours.get_slice(t).partition_S(tensor);
    auto const b = theirs.get_slice(t).partition_S(tensor);
    EXPECT_EQ(text_of(a.layout()), text_of(b.layout()));
    EXPECT_EQ(raw_pointer_cast(a.data()), raw_pointer_cast(b.data()));
  }
}

TEST(CutePartitions, EveryWayToMakeOneGivesACopyOfThisNamespace) {
  auto const mma = make_tiled_mma(SM80_16x8x8_F16F16F16F16_TN{});
  using atom = Copy_Atom<UniversalCopy<half_t>, half_t>;
  TiledCopy a = make_tiled_copy_A(atom{}, mma);
  TiledCopy b = make_tiled_copy_B(atom{}, mma);
  TiledCopy c = make_tiled_copy_C(atom{}, mma);
  TiledCopy s = make_tiled_copy_S(atom{}, c);
  TiledCopy d = make_tiled_copy_D(atom{}, c);
  TiledCopy o = make_tiled_copy_C_atom(atom{}, mma);
  TiledCopy t = make_cotiled_copy(atom{}, Layout<Shape<_8, _2>>{}, Layout<Shape<_4, _4>>{});
  TiledCopy from_the_library = tilewright::make_tiled_copy(atom{}, Layout<_8>{}, Layout<_1>{});
  EXPECT_EQ(int(size(a)), 32);
  EXPECT_EQ(int(size(b)), 32);
  EXPECT_EQ(text_of(s.get_layoutS_TV()), text_of(c.get_layoutS_TV()));
  EXPECT_EQ(text_of(d.get_layoutD_TV()), text_of(c.get_layoutD_TV()));
  EXPECT_EQ(int(size(o)), 32);
  EXPECT_EQ(int(size(t)), 8);
  EXPECT_EQ(int(size(from_the_library)), 8);
}

// As CUTLASS 3 has them: the layout, and which threads there are.
TEST(CutePartitions, WhoHasAnElementIsALayoutAndTheThreads) {
  auto const loads =
      make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, Layout<Shape<_16, _2>>{}, Layout<Shape<_1, _8>>{});
  auto const [source, source_threads] = loads.get_layoutS_MN();
  auto const [destination, threads] = loads.get_layoutD_MN();
  EXPECT_EQ(int(size(source_threads)), 32);
  EXPECT_EQ(int(size(threads)), 32);
  for (int i = 0; i < 256; ++i) {
    int const s = int(source(i)), d = int(destination(i));
    EXPECT_EQ(int(loads.get_layoutS_TV()(s % 32, s / 32)), i);
    EXPECT_EQ(int(loads.get_layoutD_TV()(d % 32, d / 32)), i);
  }
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{});
  auto const [c, c_threads] = mma.get_layoutC_MN();
  auto const [a, a_threads] = mma.get_layoutA_MK();
  auto const [b, b_threads] = mma.get_layoutB_NK();
  EXPECT_EQ(int(size(c)), 32 * 16);
  EXPECT_EQ(int(size(c_threads)), 128);
  EXPECT_EQ(text_of(a_threads), "(_32,_2,_1):(_1,_32,_0)");
  EXPECT_EQ(text_of(b_threads), "(_32,_2,_1):(_1,_64,_0)");
  for (int i = 0; i < 512; ++i) {
    EXPECT_EQ(int(mma.get_layoutC_TV()(int(c(i)) % 128, int(c(i)) / 128)), i);
    EXPECT_EQ(int(mma.get_layoutA_TV()(int(a(i)) % 128, int(a(i)) / 128)), i);
    if (i < 256) {
      EXPECT_EQ(int(mma.get_layoutB_TV()(int(b(i)) % 128, int(b(i)) / 128)), i);
    }
  }
}

TEST(CutePartitions, OfMatrixOperationsGoOnBeyondTheOperands) {
  half_t* const memory = nullptr;
  auto const operand = make_tensor(make_gmem_ptr(memory), Layout<Shape<Int<24>, Int<20>>>{});
  auto const by_rows = make_tensor(make_gmem_ptr(memory), make_layout(make_shape(24, 20), LayoutRight{}));
  auto const stacked = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _1, _1>>{});
  TiledMMA permuted =
      make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2, _2, _1>>{}, Tile<_64, _32, _16>{});
  ThrMMA a = stacked.get_slice(3);
  ThrMMA b = permuted.get_slice(3);
  EXPECT_EQ(text_of(a.partition_C(operand).layout()), "((_2,_2),_1,_3):((_24,_8),_0,_192)");
  EXPECT_EQ(text_of(a.partition_A(operand).layout()), "((_2,_2,_2),_1,_2):((_24,_8,_192),_0,_384)");
  EXPECT_EQ(text_of(a.partition_B(operand).layout()), "((_2,_2),_3,_2):((_24,_192),_8,_384)");
  EXPECT_EQ(text_of(a.partition_C(by_rows).layout()), "((_2,_2),1,3):((_1,160),640,_8)");
  EXPECT_EQ(text_of(partition_shape_C(stacked, Shape<_8, _8>{})), "((_2,_2),_1,_1)");
  EXPECT_EQ(text_of(b.partition_C(operand).layout()), "((_2,_2),_2,_2):((_24,_8),_32,_384)");
  EXPECT_EQ(text_of(b.partition_A(operand).layout()), "((_2,_2,_2),_2,_2):((_24,_8,_192),_32,_384)");
  EXPECT_EQ(text_of(b.partition_C(by_rows).layout()), "((_2,_2),(_2,1),(_2,1)):((_1,160),(640,1280),(_16,_32))");
  EXPECT_EQ(text_of(partition_shape_C(permuted, Shape<_8, _8>{})), "((_2,_2),_2,_2)");
  // A layout in place of the permutation is that of M.
  auto const laid_out =
      make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2, _1>>{}, Layout<Shape<_1, _2, _1>>{});
  EXPECT_NE(printed_by([&] { print(laid_out); }).find("PermutationMNK: ((_1,_2,_1):(_0,_1,_0),_,_)\n"),
            std::string::npos);
  EXPECT_EQ(text_of(laid_out.get_slice(3).partition_C(operand).layout()), "((_2,_2),_1,_2):((_24,_8),_0,_384)");
}

TEST(CutePartitions, MembersThatTile) {
  auto const layout = Layout<Shape<_8, _6>, Stride<_6, _1>>{};
  static_assert(
      std::is_same_v<decltype(layout.tile(_4{}, _3{})), decltype(tiled_divide(layout, make_tile(_4{}, _3{})))>);
  float memory[48] = {};
  auto const tiles = make_tensor(&memory[0], layout).tile(make_tile(_4{}, _3{}));
  EXPECT_EQ(text_of(tiles.layout()), text_of(tiled_divide(layout, make_tile(_4{}, _3{}))));
  EXPECT_EQ(&tiles(make_coord(1, 2), 1, 1), &memory[6 * 5 + 5]);
}

TEST(CutePartitions, ATiledCopyAsCutePrintsIt) {
  auto const tiled = make_tiled_copy(one_float{}, Layout<Shape<_4, _4>>{}, Layout<Shape<_2, _1>>{});
  std::string const atom =
      "Copy_Atom\n  ThrID:        _1:_0\n  ValLayoutSrc: (_1,_1):(_0,_1)\n  ValLayoutDst: (_1,_1):(_0,_1)\n"
      "  ValLayoutRef: (_1,_1):(_0,_1)\n  ValueType:    32b\n";
  std::string const copy = "TiledCopy\n  Tiler_MN:       (_8,_4)\n  TiledLayout_TV: (_16,_2):(_2,_1)\n" + atom;
  EXPECT_EQ(printed_by([&] { print(one_float{}); }), atom);
  EXPECT_EQ(printed_by([&] { print(tiled); }), copy);
  int const volatile thread = 3;
  EXPECT_EQ(printed_by([&] { print(tiled.get_slice(thread)); }), "ThrCopy\n  ThrIdx: 3\n" + copy);
}

TEST(CutePartitions, AMatrixOperationAsATexPicture) {
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _1, _1>>{});
  std::string const text = printed_by([&] { print_latex(mma); });
  for (char const* const line :
       {"\\node[fill={rgb,255:red,255;green,210;blue,210}] at (11,7) {\\shortstack{T15 \\\\ V3}};\n",
        "\\node[fill={rgb,255:red,175;green,255;blue,175}] at (16,3) {\\shortstack{T33 \\\\ V1}};\n",
        "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid (32,8);\n",
        "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,-17) grid (32,-1);\n",
        "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (-17,0) grid (-1,8);\n",
        "\\node at (0,-18) {\\Large{\\texttt{0}}};\n", "\\node at (-1,-2) {\\Large{\\texttt{15}}};\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
  // One node for each element of C (32 x 8), A (32 x 16) and B (16 x 8).
  std::size_t nodes = 0;
  for (std::size_t at = text.find("shortstack"); at != std::string::npos; at = text.find("shortstack", at + 1)) ++nodes;
  EXPECT_EQ(nodes, 32u * 8 + 32 * 16 + 16 * 8);
  EXPECT_NE(printed_by([&] { print_latex(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}); }).find("(0,0) grid (16,8)"),
            std::string::npos);
}

TEST(CutePartitions, NestedExtentsKnownAtRunTime) {
  float* const p = nullptr;
  int const n = 64;
  auto const simple = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_16, _16>>{}).get_slice(7);
  EXPECT_EQ(text_of(simple.partition_C(make_tensor(p, make_layout(make_shape(n, make_shape(32, 2))))).layout()),
            "(_1,4,(1,1,2,2)):(_0,_16,(1024,2048,1024,2048))");
  EXPECT_EQ(
      text_of(
          simple.partition_C(make_tensor(p, make_layout(make_shape(make_shape(16, 4), make_shape(32, 2))))).layout()),
      "(_1,(1,1,1,4),(1,1,2,2)):(_0,(_16,16,16,16),(1024,2048,1024,2048))");
  auto const warp = make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{}).get_slice(7);
  EXPECT_EQ(text_of(warp.partition_A(make_tensor(p, make_layout(make_shape(make_shape(16, 4), 32)))).layout()),
            "(((2,1,1,1,1),(1,1,1,1,2)),(1,1,1,4),4):(((_8,16,16,16,64),(_64,64,64,64,256)),(_16,16,16,16),512)");
}

/// Quad pairs that differ in K hold the same elements of C: each thread's are those that it has of the tile's coordinates.
TEST(cute_partitions, thread_values_of_c_cover_quad_pairs_along_k) {
  auto const mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{}, Layout<Shape<_1, _1, _2>>{});
  auto const tv = mma.get_layoutC_TV();
  auto const rows = tile_size<0>(mma);
  Tensor const coordinates = make_identity_tensor(make_shape(rows, tile_size<1>(mma)));
  EXPECT_GE(int(size<0>(tv)), int(size(mma)));
  for (int thread = 0; thread < int(size(mma)); ++thread) {
    Tensor const held = mma.get_slice(thread).partition_C(coordinates);
    ASSERT_EQ(int(size<1>(tv)), int(size(held)));
    for (int value = 0; value < int(size(held)); ++value)
      EXPECT_EQ(int(tv(thread, value)), int(get<0>(held(value))) + int(rows) * int(get<1>(held(value)))) << thread;
  }
}

}  // namespace
