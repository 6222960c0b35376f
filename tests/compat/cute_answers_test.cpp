// Answers that CuTe defines and namespace cute gives, also where namespace tilewright refuses. The expected texts are those
// that CuTe 4 prints.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>
#include <cute/util/print_latex.hpp>

#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <type_traits>

using namespace cute;

namespace {

template <class T>
std::string streamed(T const& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}
/// What a function prints with printf.
template <class F>
std::string printed(F const& f) {
  testing::internal::CaptureStdout();
  f();
  return testing::internal::GetCapturedStdout();
}

TEST(CuteAnswers, CompositionsGoOnBeyondTheDomain) {
  auto const narrow = Layout<Shape<_2, _3>, Stride<_1, _4>>{};
  EXPECT_EQ(streamed(composition(Layout<_8, _2>{}, Layout<_4, _4>{})), "_4:_8");
  EXPECT_EQ(streamed(composition(narrow, Layout<_8, _1>{})), "(_2,_4):(_1,_4)");
  // Modes of the right-hand layout that carry into each other: each by itself, though coordinate (2,1) is then at 7 and not at 8.
  EXPECT_EQ(streamed(composition(Layout<Shape<_6, _2>, Stride<_1, _7>>{}, Layout<Shape<_3, _2>, Stride<_2, _3>>{})),
            "(_3,_2):(_2,_3)");
  EXPECT_EQ(streamed(composition(Layout<Shape<_4, _6, _8>, Stride<_1, _5, _40>>{},
                                 Layout<Shape<Shape<_2, _2>, Int<12>>, Stride<Stride<_2, Int<12>>, _2>>{})),
            "((_2,_2),(_2,_6)):((_2,_15),(_2,_5))");
  EXPECT_EQ(streamed(composition(make_layout(make_shape(6, 2), make_stride(1, 7)),
                                 make_layout(make_shape(3, 2), make_stride(_2{}, _3{})))),
            "((3,1),(2,1)):((2,7),(3,7))");
  auto const longer = composition(make_layout(make_shape(2, 3), make_stride(1, 4)), Layout<_8>{});
  for (int i = 0; i < 8; ++i) EXPECT_EQ(longer(i), narrow(i));
  // Products repeat beyond the gaps of the first layout.
  auto const repeated = logical_product(Layout<Shape<Shape<_4, _6>>, Stride<Stride<_1, _6>>>{}, Layout<_3>{});
  EXPECT_EQ(int(size<1>(repeated)), 3);
}

TEST(CuteAnswers, MembersGoOnBeyondTheDomainToo) {
  auto const rows = Layout<Shape<_4, _8>, Stride<_8, _1>>{};
  EXPECT_EQ(streamed(rows.compose(_64{})), "(_4,_16):(_8,_1)");
  EXPECT_EQ(streamed(rows.with_shape(_4{}, _16{})), "(_4,_16):(_8,_1)");
  EXPECT_EQ(streamed(rows.with_shape(_64{})), "(_4,_16):(_8,_1)");
  EXPECT_EQ(streamed(make_layout(make_shape(4, 8)).compose(_64{})), "(4,16):(_1,4)");
  EXPECT_EQ(streamed(make_layout(make_shape(_8{}, _8{})).with_shape(_4{})), "_4:_1");
  EXPECT_EQ(streamed(make_identity_layout(make_shape(Int<1024>{}, Int<128>{})).compose(Int<128>{}, Int<256>{})),
            "(_128,_256):(_1@0,_1@1)");
  EXPECT_EQ(streamed(make_tensor(counting_iterator<int>{0}, rows).compose(_64{}).layout()), "(_4,_16):(_8,_1)");
  auto const swizzled = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{});
  EXPECT_EQ(streamed(swizzled.compose(_8{}, _16{})), "Sw<2,0,3> o _0 o (_8,_16):(_1,_8)");
  EXPECT_EQ(streamed(swizzled.with_shape(_16{}, _8{})), "Sw<2,0,3> o _0 o (_16,_8):(_1,_16)");
}

TEST(CuteAnswers, LeftInversesUndoOffsets) {
  EXPECT_EQ(streamed(left_inverse(Layout<Shape<_4, _2>, Stride<_0, _1>>{})), "_2:_4");
  EXPECT_EQ(streamed(left_inverse(Layout<Shape<_4, _2>, Stride<_1, _0>>{})), "_4:_1");
  EXPECT_EQ(streamed(left_inverse(Layout<_4, _0>{})), "_4:_0");
  EXPECT_EQ(streamed(left_inverse(Layout<Shape<_4, _3>, Stride<_2, _0>>{})), "(_2,_4):(_0,_1)");
  auto const a = Layout<Shape<_4, _3, _5>, Stride<_2, _0, _8>>{};
  auto const inverse = left_inverse(a);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(a(inverse(a(i))), a(i));
  auto const backwards = Layout<_4, Int<-3>>{};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(left_inverse(backwards)(backwards(i)), i);
}

TEST(CuteAnswers, SwizzlesMoveThroughLayouts) {
  auto const rows = Layout<Shape<_8, _8>, Stride<_8, _1>>{};
  auto const swizzled = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{});
  auto const both = composition(rows, swizzled);
  EXPECT_EQ(streamed(both), "Sw<2,0,-3> o _0 o (_8,_8):(_8,_1)");
  for (int i = 0; i < 64; ++i) EXPECT_EQ(both(i), rows(swizzled(i)));
  auto const source = composition(Swizzle<1, 0, 2>{}, Layout<Shape<_4, _4>>{});
  EXPECT_EQ(streamed(right_inverse(source)), "Sw<1,0,2> o _0 o _16:_1");
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(source(right_inverse(source)(i)), i);
    EXPECT_EQ(left_inverse(source)(source(i)), i);
  }
  // A layout that does not take bits to bits has no swizzle to move; the composition still maps.
  auto const thirds = Layout<Shape<_8, _8>, Stride<_3, Int<24>>>{};
  auto const kept = composition(thirds, swizzled);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(int(kept(i)), int(thirds(swizzled(i))));
}

TEST(CuteAnswers, Fragments) {
  EXPECT_EQ(streamed(make_fragment_like(Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_1, _2>>>{})),
            "(_4,((_2,_3))):(_1,((_4,_8)))");
  EXPECT_EQ(streamed(make_fragment_like(Layout<Shape<_4, _3>, Stride<_0, _1>>{})), "(_4,(_3)):(_0,(_1))");
  EXPECT_EQ(streamed(make_fragment_like(Layout<Shape<_4, _3>, Stride<_1, _0>>{})), "(_4,(_3)):(_1,(_4))");
  EXPECT_EQ(streamed(make_fragment_like(Layout<Shape<Shape<_2, _2>, _3, _5>, Stride<Stride<_0, _1>, _7, _0>>{})),
            "((_2,_2),_3,_5):((_0,_1),_10,_2)");
  float data[64]{};
  auto const t = make_tensor(&data[0], Layout<Shape<_2, _4, _8>, Stride<_32, _8, _1>>{});
  EXPECT_EQ(streamed(make_fragment_like(t).layout()), "(_2,_4,_8):(_1,_16,_2)");
  EXPECT_EQ(streamed(make_fragment_like(t(_, _, 0)).layout()), "(_2,(_4)):(_1,(_2))");
  EXPECT_EQ(streamed(make_fragment_like(t(_, 0, 0)).layout()), "(_2):(_1)");
}

TEST(CuteAnswers, Alignment) {
  EXPECT_EQ(int(max_alignment(Layout<_64>{})), 64);
  EXPECT_EQ(int(max_alignment(Layout<Shape<_8, _4>, Stride<_1, _16>>{})), 8);
  EXPECT_EQ(int(max_alignment(Layout<Shape<_8, _4>, Stride<_1, _12>>{})), 4);
  EXPECT_EQ(int(max_alignment(Layout<Shape<_4, _4>, Stride<_4, _1>>{})), 16);
  EXPECT_EQ(int(max_alignment(composition(Swizzle<2, 3, 3>{}, Layout<Shape<_8, _8>>{}))), 8);
}

TEST(CuteAnswers, LayoutsOfLayouts) {
  EXPECT_EQ(streamed(zip(Layout<Shape<_2, _3>>{}, Layout<Shape<_4, _5>>{})), "((_2,_4),(_3,_5)):((_1,_1),(_2,_4))");
  EXPECT_EQ(streamed(zip(Layout<Shape<Shape<_2, _3>, Shape<_4, _5>>>{})), "((_2,_4),(_3,_5)):((_1,_6),(_2,_24))");
  EXPECT_EQ(streamed(coshape(make_identity_layout(make_shape(_4{}, _3{})))), "(_4,_3)");
  EXPECT_EQ(streamed(coshape(Layout<Shape<_4, _3>, Stride<_2, _7>>{})), "_21");
  EXPECT_EQ(streamed(transform_layout(Layout<Shape<_2, _3, _4>>{}, Layout<Shape<_4, _5>>{},
                                      [](auto a, auto b) { return make_layout(a, b); })),
            "((_2,_4),(_3,_5),_4):((_1,_1),(_2,_4),_6)");
  EXPECT_EQ(streamed(compact_col_major(make_shape(_2{}, 3), _4{})), "(_4,_8)");
  EXPECT_EQ(streamed(compact_row_major(make_shape(_2{}, 3), _4{})), "(12,_4)");
}

TEST(CuteAnswers, StaticComparisonsAreConstants) {
  static_assert(decltype(make_shape(_4{}, _8{}) == make_shape(_4{}, _8{}))::value);
  static_assert(!decltype(make_shape(_4{}, _8{}) == make_shape(_4{}, _4{}))::value);
  static_assert(decltype(Layout<_4>{} == Layout<_4, _1>{})::value);
  static_assert(decltype(Layout<_4>{} != Layout<_4, _2>{})::value);
  EXPECT_TRUE(make_shape(4, _8{}) == make_shape(_4{}, 8));
  EXPECT_TRUE(make_shape(4, _8{}) != make_shape(_4{}, 9));
}

TEST(CuteAnswers, TuplesArePlainStructures) {
  static_assert(sizeof(tuple<_1, tuple<_0, int>>) == 4 && sizeof(tuple<tuple<int, _2>, int, int>) == 12);
  static_assert(std::is_standard_layout_v<tuple<int, tuple<int, int>, double, char, long, int>>);
  static_assert(std::is_trivially_copyable_v<tuple<int, _2, tuple<float, int>>>);
  tuple<int, _2, long, int, int, int> t(1, _2{}, 3, 4, 5, 6);
  get<5>(t) = 60;
  EXPECT_EQ(get<0>(t) + get<2>(t) + get<3>(t) + get<4>(t) + get<5>(t), 73);
  static_assert(std::is_same_v<decltype(get<0>(std::declval<tuple<int, _2>>())), int&&>);
  EXPECT_EQ(get<1>(get<0>(make_tuple(make_tuple(7, 8), 9))), 8);
}

TEST(CuteAnswers, ReversedArrays) {
  array<int, 3> const a{{1, 2, 3}};
  auto const r = reverse(a);
  EXPECT_TRUE(r[0] == 3 && r[1] == 2 && r[2] == 1);
}

TEST(CuteAnswers, Printing) {
  EXPECT_EQ(printed([] {
              print('c');
              print(static_cast<unsigned char>(7));
              print(true);
              print(1.5f);
            }),
            "c711.500000");
  float const numbers[]{0, 1.25f, 2.5f, 3.75f, 5, 6.25f, 7.5f, 8.75f};
  auto const cube = make_tensor(&numbers[0], make_shape(2, 2, 2));
  auto const text = printed([&] { print_tensor(cube); });
  EXPECT_EQ(text.substr(text.find('\n')),
            "\n  0.00e+00  2.50e+00\n  1.25e+00  3.75e+00\n----------\n  5.00e+00  7.50e+00\n  6.25e+00  8.75e+00\n");
  half_t const halves[]{half_t(0.f), half_t(1.f), half_t(2.f), half_t(3.f)};
  auto const table = printed([&] { print_tensor(make_tensor(&halves[0], make_shape(2, 2))); });
  EXPECT_EQ(table.substr(table.find('\n')), "\n    0.00    2.00\n    1.00    3.00\n");
  EXPECT_EQ(streamed(cube),
            "(2,2,2):(_1,2,4)\n        0      2.5\n     1.25     3.75\n------------------\n        5      7.5\n"
            "     6.25     8.75\n");
  EXPECT_EQ(printed([&] { print_tensor(cube(_, _, 0), false); }), "  0.00e+00  2.50e+00\n  1.25e+00  3.75e+00\n");
  auto const five_modes = make_tensor(counting_iterator<int>{0}, Layout<Shape<_2, _2, _1, _2, _2>>{});
  EXPECT_EQ(printed([&] { print_tensor(five_modes); }), "counting_iter(0) o (_2,_2,_1,_2,_2):(_1,_2,_0,_4,_8):\n");
  EXPECT_EQ(printed([&] { print_tensor(five_modes, false); }), "");
  EXPECT_EQ(streamed(five_modes), "(_2,_2,_1,_2,_2):(_1,_2,_0,_4,_8)\n");
  EXPECT_EQ(streamed(make_shape(1, _2{}, make_shape(3, 4))), "(1,_2,(3,4))");
  EXPECT_EQ(streamed(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{})),
            "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)");
}

TEST(CuteAnswers, ElementsHaveCuTesWidths) {
  auto const all = printed([] {
    auto of = [](auto v) { pretty_print(v), std::printf("|"); };
    of(std::int8_t(100)), of(std::uint16_t(3)), of(std::int16_t(-3)), of(7LL);
    of(12), of(12u), of(12L), of(uint4_t(7)), of(true), of('c'), of(Int<3>{}), of(make_tuple(1, 2));
    of(3.0f), of(3.0), of(tfloat32_t(12.0f)), of(half_t(3.0f)), of(float_e2m1_t(3.0f));
  });
  EXPECT_EQ(
      all,
      "  100|  3|  -3|  7|   12|   12|   12|    7|  1|  c|  _3|  (1,2)|  3.00e+00|  3.000e+00|  1.20e+01|    3.00|"
      "    3.00|");
  std::uint16_t const data[]{1, 20, 300, 4};
  auto const table = printed([&] { print_tensor(make_tensor(&data[0], make_shape(2, 2))); });
  EXPECT_EQ(table.substr(table.find('\n')), "\n  1  300\n  20  4\n");
}

TEST(CuteAnswers, LatexIsCuTes) {
  auto const text = printed([] { print_latex(Layout<Shape<_2, _3>>{}); });
  EXPECT_NE(text.find("\\node[fill=black!40] at (1,0) {1};\n\\node[fill=black!60] at (1,1) {3};\n"), std::string::npos);
  EXPECT_NE(text.find("\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid (2,3);\n"), std::string::npos);
  auto const shares = printed([] { print_latex_tv(Layout<Shape<_2, _4>>{}, make_shape(_2{}, _4{})); });
  EXPECT_NE(shares.find("\\node[fill={rgb,255:red,175;green,255;blue,175}] at (1,3) {\\shortstack{T1 \\\\ V3}};"),
            std::string::npos);
}

/// Of any size, a run-time layout of four modes is divided and composed.
TEST(CuteAnswers, DynamicLayoutsOfFourModes) {
  auto const a = make_layout(make_shape(128, 4, 3, 2), make_stride(1, 512, 0, 4096));
  auto const divided = logical_divide(a, Layout<_32>{});
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 96; j += 5) EXPECT_EQ(divided(i, j), a(i + 32 * j));
  auto const by_run_time = logical_divide(a, make_layout(32, 1));
  for (int j = 0; j < 96; j += 7) EXPECT_EQ(by_run_time(3, j), a(3 + 32 * j));
}

TEST(CuteAnswers, LogicalReduce) {
  auto const t = make_tensor(counting_iterator<int>{0}, make_layout(make_shape(2, 2, 2, 2), make_stride(1, 2, 4, 8)));
  int sums[4]{};
  auto result = make_tensor(&sums[0], make_shape(2, 2));
  logical_reduce(t, result, make_coord(_, 1, _, 1));
  int const expected[]{20, 24, 36, 40};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(result(i), expected[i]);
}

TEST(CuteAnswers, PredicatesOfFullRank) {
  int from[16], to[16]{};
  for (int i = 0; i < 16; ++i) from[i] = i + 1;
  bool const moves[]{true, false, true, false, true, true, false, false};
  auto const src = make_tensor(&from[0], make_shape(_2{}, _8{}));
  auto dst = make_tensor(&to[0], make_shape(_2{}, _8{}));
  auto const pred = make_tensor(&moves[0], make_layout(make_shape(_2{}, _8{}), make_stride(_0{}, _1{})));
  copy_if(Copy_Atom<UniversalCopy<uint64_t>, int>{}, pred, src, dst);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(to[i], moves[i / 2] ? i + 1 : 0);
}

TEST(CuteAnswers, LongerPredicatesAreAskedByIndex) {
  int from[16], to[16]{};
  for (int i = 0; i < 16; ++i) from[i] = i + 1;
  bool const moves[]{true, false, true, false, true, true, false, false};
  auto const pred = make_tensor(&moves[0], make_layout(make_shape(_8{}, _4{}), make_stride(_1{}, _0{})));
  auto const src = make_tensor(&from[0], make_shape(_8{}));
  auto dst = make_tensor(&to[0], make_shape(_8{}));
  copy_if(pred, src, dst);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(to[i], moves[i] ? i + 1 : 0);
  // By atoms: 4 of them, 8 elements of a predicate that has not the source's modes.
  auto const narrow = make_tensor(&moves[0], make_layout(make_shape(_1{}, _8{})));
  auto const pairs = make_tensor(&from[0], make_shape(_2{}, _4{}));
  std::fill(to, to + 16, 0);
  auto out = make_tensor(&to[0], make_shape(_2{}, _4{}));
  cute::copy_if(Copy_Atom<UniversalCopy<uint64_t>, int>{}, narrow, pairs, out);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(to[i], moves[i / 2] ? i + 1 : 0);
}

TEST(CuteAnswers, CopiesConvertElements) {
  float const from[]{1.5f, -2.25f, 0.0f, 4096.0f};
  half_t to[4];
  auto dst = make_tensor(&to[0], make_shape(_4{}));
  copy(make_tensor(&from[0], make_shape(_4{})), dst);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(static_cast<float>(to[i]), from[i]);
  float back[4];
  copy(dst, make_tensor(&back[0], make_shape(_4{})));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(back[i], from[i]);
}

TEST(CuteAnswers, RawRegistersTakeAnElementType) {
  alignas(4) half_t held[2]{half_t(1.5f), half_t(2.5f)};
  void* const raw = held;
  EXPECT_EQ(static_cast<float>(*make_rmem_ptr<half_t>(raw)), 1.5f);
  EXPECT_EQ(static_cast<float>(make_rmem_ptr<half_t>(static_cast<void const*>(raw))[1]), 2.5f);
}

TEST(CuteAnswers, CopiesPairByIndex) {
  int from[32], to[32]{};
  for (int i = 0; i < 32; ++i) from[i] = i;
  auto const src = make_tensor(&from[0], Layout<Shape<_8, _4>>{});
  auto dst = make_tensor(&to[0], Layout<Shape<_4, _8>, Stride<_8, _1>>{});
  copy(src, dst);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(dst(i), src(i));
}

/// Between registers and untagged memory AutoCopyAsync is a copy as any other.
TEST(CuteAnswers, AutoCopyAsyncCopies) {
  int from[64], to[64]{};
  for (int i = 0; i < 64; ++i) from[i] = 3 * i;
  auto const src = make_tensor(&from[0], Layout<Shape<_8, _8>>{});
  auto dst = make_tensor(&to[0], Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  copy(AutoCopyAsync{}, src, dst);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(dst(i), from[i]);
  clear(dst);
  for (int t = 0; t < 32; ++t) cooperative_copy<32, 32>(t, src, dst, AutoCopyAsync{});
  for (int i = 0; i < 64; ++i) EXPECT_EQ(dst(i), from[i]);
  clear(dst);
  for (int t = 0; t < 5; ++t) naive_cooperative_copy<5>(t, src, dst);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(dst(i), from[i]);
}

/// Shapes of one size that are nested in ways of which neither is the other's, by both ways to copy.
TEST(CuteAnswers, ThreadsShareCopiesOfNestedShapes) {
  auto const check = [](auto const& from_layout, auto const& to_layout) {
    alignas(16) float from[32], to[32]{};
    auto src = make_tensor(make_gmem_ptr(&from[0]), from_layout);
    auto dst = make_tensor(make_gmem_ptr(&to[0]), to_layout);
    for (int i = 0; i < 32; ++i) src(i) = static_cast<float>(i + 1);
    for (unsigned t = 0; t < 8; ++t) cooperative_copy<8, 128>(t, src, dst);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(dst(i), static_cast<float>(i + 1)) << i;
    clear(dst);
    for (unsigned t = 0; t < 8; ++t) cooperative_copy<8, 64>(t, src, dst, AutoCopyAsync{});
    for (int i = 0; i < 32; ++i) EXPECT_EQ(dst(i), static_cast<float>(i + 1)) << i;
  };
  auto const a = Layout<Shape<Shape<_4, _2>, Shape<_2, _2>>, Stride<Stride<_4, _1>, Stride<_16, _2>>>{};
  auto const b = Layout<Shape<Shape<_2, _2, _2>, Shape<_2, _2>>, Stride<Stride<_16, _4, _1>, Stride<_8, _2>>>{};
  auto const c = Layout<Shape<_8, _4>, Stride<_4, _1>>{};
  check(a, b);
  check(b, a);
  check(a, c);
  check(c, a);
  check(b, c);
  check(c, b);
}

/// The rank and the static sizes of a tensor are constants, though its swizzled layout has a run-time offset.
TEST(CuteAnswers, RanksOfSlicesAreConstants) {
  float data[512]{};
  int const row = 1;
  auto const swizzled = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8, _8>>{});
  auto const slice = make_tensor(make_smem_ptr(&data[0]), swizzled)(row, _, _);
  auto const grouped = group_modes<0, rank(slice)>(slice);
  constexpr auto n{size<1>(slice)};
  static_assert(n == 8);
  EXPECT_EQ(int(size(grouped)), 64);
}

TEST(CuteAnswers, MulticastMasks) {
  auto const blocks = make_layout(make_shape(_1{}, _2{}, _4{}, _1{}));
  EXPECT_EQ(create_tma_multicast_mask<2>(blocks, make_coord(0, 1, 2, 0)), 0b10101010);
  EXPECT_EQ(create_tma_multicast_mask<1>(blocks, make_coord(0, 1, 2, 0)), 0b00110000);
  EXPECT_EQ((create_tma_multicast_mask<1, 2>(blocks, make_coord(0, 1, 2, 0))), 0b11111111);
  EXPECT_EQ(create_tma_multicast_mask(blocks, make_coord(0, 1, _, 0)), 0b10101010);
}

/// Element i to element i, where two partitions are nested differently; a cp.async to registers is a plain copy.
TEST(CuteAnswers, TiledCopiesPairElementsByIndex) {
  float memory[16 * 40];
  for (int i = 0; i < 16 * 40; ++i) memory[i] = static_cast<float>(i);
  auto const source = cute::make_tensor(
      cute::make_gmem_ptr(memory),
      cute::make_layout(cute::Shape<cute::Shape<cute::_1, cute::_1>, cute::_16, cute::_2>{},
                        cute::make_stride(cute::make_stride(cute::_0{}, cute::_0{}), 40, cute::_32{})));
  auto expect_by_index = [&](auto tiled_copy) {
    auto to = cute::make_tensor<float>(cute::Shape<cute::Shape<cute::_2, cute::_2>, cute::_4, cute::_2>{});
    cute::clear(to);
    cute::copy(tiled_copy, source, to);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(to(i), memory[i % 16 * 40 + i / 16 * 32]) << i;
  };
  using Threads = cute::Layout<cute::Shape<cute::_8, cute::_32>, cute::Stride<cute::_32, cute::_1>>;
  expect_by_index(cute::make_tiled_copy(cute::Copy_Atom<cute::DefaultCopy, float>{}, Threads{}));
  expect_by_index(
      cute::make_tiled_copy(cute::Copy_Atom<cute::AutoVectorizingCopyWithAssumedAlignment<32>, float>{}, Threads{}));

  alignas(16) float rows[4 * 128];
  for (int i = 0; i < 4 * 128; ++i) rows[i] = static_cast<float>(3 * i);
  auto const from = cute::make_tensor(cute::make_gmem_ptr(rows),
                                      cute::Layout<cute::Shape<cute::Shape<cute::_4, cute::_1>, cute::_4>,
                                                   cute::Stride<cute::Stride<cute::_1, cute::_0>, cute::_128>>{});
  auto fragment = cute::make_tensor<float>(cute::Shape<cute::Shape<cute::_4, cute::_1>, cute::_4>{});
  cute::clear(fragment);
  cute::copy(cute::make_tiled_copy(cute::Copy_Atom<cute::SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>, float>{},
                                   Threads{}, cute::Layout<cute::Shape<cute::_1, cute::_4>>{}),
             from, fragment);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(fragment(i), rows[i % 4 + i / 4 * 128]) << i;
}

TEST(cute_answers, a_product_in_another_tensor_is_the_sum_over_all_k) {
  auto a = make_tensor<float>(Shape<_1, _1, _3>{}),
       b = make_tensor<float>(Shape<_1, _1, _3>{});  // (V, M, K), (V, N, K)
  auto c = make_tensor<float>(Shape<_1, _1, _1>{}), d = make_tensor<float>(Shape<_1, _1, _1>{});  // (V, M, N)
  for (int k = 0; k < 3; ++k) a(0, 0, k) = static_cast<float>(k + 1), b(0, 0, k) = 2;
  c(0) = 10, d(0) = 100;
  gemm(MMA_Atom<UniversalFMA<float, float, float, float>>{}, d, a, b, c);
  EXPECT_EQ(d(0), 22);
  EXPECT_EQ(c(0), 10);
}

}  // namespace
