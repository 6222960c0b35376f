// Mixed bits, ratios, packed tuples, engines, zipped and sparse tensors, member templates: the corners of CuTe's headers
// that programs reach for, as they spell them.
#include <gtest/gtest.h>
#include <cute/container/packed_tuple.hpp>
#include <cute/numeric/integral_ratio.hpp>
#include <cute/pointer_sparse.hpp>
#include <cute/swizzle_layout.hpp>
#include <cute/tensor.hpp>

#include <cute/tensor_zip.hpp>
#include <cute/util/print_svg.hpp>
#include <sstream>

#include <numeric>
#include <sstream>
#include <vector>

using namespace cute;

namespace {

// --- mixed bits ------------------------------------------------------------------------------------------------------
/// All numbers of four bits for a mask of known ones and unknown bits.
template <std::uint32_t S, std::uint32_t D, class F>
void for_each_mixed(F const& f) {
  for (std::uint32_t n = 0; n < 16; ++n) f(make_mixed_bits(C<S>{}, n, C<D>{}), S | (n & D));
}
template <std::uint32_t S, std::uint32_t D, std::uint32_t T, std::uint32_t E>
void expect_bit_operations() {
  for_each_mixed<S, D>([](auto const& a, std::uint32_t x) {
    ASSERT_EQ(std::uint32_t(a), x);
    ASSERT_EQ(std::uint32_t(a & C<5u>{}), x & 5u);
    ASSERT_EQ(std::uint32_t(C<12>{} | a), x | 12u);
    ASSERT_EQ(std::uint32_t(a ^ C<9>{}), x ^ 9u);
    ASSERT_EQ(std::uint32_t(a << C<2>{}), x << 2);
    ASSERT_EQ(std::uint32_t(a >> C<1>{}), x >> 1);
    for_each_mixed<T, E>([&](auto const& b, std::uint32_t y) {
      ASSERT_EQ(std::uint32_t(a & b), x & y);
      ASSERT_EQ(std::uint32_t(a | b), x | y);
      ASSERT_EQ(std::uint32_t(a ^ b), x ^ y);
      ASSERT_EQ(bool(a == b), x == y);
    });
  });
}

TEST(CuteMixedBits, EveryNumber) {
  expect_bit_operations<0u, 15u, 3u, 12u>();
  expect_bit_operations<1u, 6u, 8u, 3u>();
  expect_bit_operations<9u, 4u, 2u, 1u>();
  expect_bit_operations<5u, 10u, 10u, 5u>();
}

TEST(CuteMixedBits, WhatIsKnownStaysKnown) {
  auto const a = make_mixed_bits(C<0b1000>{}, 5, C<0b0111>{});
  static_assert(is_same_v<decltype(a & C<8>{}), C<8u>>);
  static_assert(is_same_v<decltype(a | C<15>{}), C<15u>>);
  static_assert(is_same_v<decltype(a ^ C<8>{}), MixedBits<0u, 7u>>);
  static_assert(is_same_v<decltype(make_mixed_bits(C<8>{}, C<3>{}, C<7>{})), C<11u>>);
  static_assert(is_same_v<decltype(a == C<0>{}), false_type>);
  EXPECT_EQ(std::uint32_t(a), 13u);
}

TEST(CuteMixedBits, OffsetsOfCoordinates) {
  auto const layout = Layout<Shape<_8, Shape<_4, _4>>, Stride<_4, Stride<_1, _32>>>{};
  for (int m = 0; m < 8; ++m)
    for (int n = 0; n < 4; ++n) {
      auto const bits = to_mixed_bits(layout.shape(), layout.stride(), make_coord(m, make_coord(Int<2>{}, n)));
      static_assert(is_same_v<remove_const_t<decltype(bits)>, MixedBits<2u, 0b1111100u>>);
      ASSERT_EQ(int(std::uint32_t(bits)), layout(m, make_coord(2, n)));
      ASSERT_EQ(int(std::uint32_t(to_mixed_bits(layout, make_coord(m, 2 + 4 * n)))), layout(m, 2 + 4 * n));
    }
}

// --- ratios and tuples -----------------------------------------------------------------------------------------------
TEST(CuteRatios, InLowestTerms) {
  static_assert(R<6, 4>::num == 3 && R<6, 4>::den == 2 && R<3, -6>::num == -1 && R<3, -6>::den == 2);
  static_assert(is_same_v<decltype(ratio(Int<6>{}, Int<4>{})), R<3, 2>>);
  static_assert(is_same_v<decltype(ratio(Int<6>{}, Int<3>{})), C<2>>);
  static_assert(is_same_v<decltype(nratio(Int<6>{}, Int<3>{})), R<6, 3>>);
  static_assert(is_same_v<decltype(ratio(R<12, 8>{}, R<2, 3>{})), R<9, 4>>);
  static_assert(is_same_v<decltype(nratio(R<12, 8>{}, R<2, 3>{})), R<36, 16>>);
  static_assert(is_same_v<decltype(nratio(Int<6>{}, R<3, 2>{})), R<12, 3>>);
  static_assert(is_same_v<decltype(R<3, 2>{} * Int<4>{}), C<6>>);
  static_assert(is_same_v<decltype(R<1, 2>{} + R<1, 3>{}), R<5, 6>>);
  static_assert(is_same_v<decltype(Int<1>{} - R<1, 3>{}), R<2, 3>>);
  static_assert(is_same_v<decltype(Int<6>{} / R<3, 2>{}), C<4>>);
  static_assert(decltype(R<2, 4>{} == R<1, 2>{})::value && decltype(R<1, 3>{} < R<1, 2>{})::value);
  static_assert(decltype(R<5, 2>{} > Int<2>{})::value && decltype(Int<3>{} >= R<5, 2>{})::value);
  static_assert(is_same_v<decltype(trait_ratio(sizeof_bits<float>{}, sizeof_bits<int4_t>{})), R<32, 4>>);
  static_assert(is_same_v<decltype(trait_ratio(sizeof_bits<half_t>{}, sizeof_bits<float>{})), R<16, 32>>);
  static_assert(is_same_v<decltype(abs(R<-1, 2>{})), R<1, 2>> && decltype(log_2(R<1, 4>{}))::value == -2);
  static_assert(is_ratio<R<1, 2>>::value && !is_ratio<_2>::value);
  EXPECT_EQ((R<3, 2>{} * 10), 15);
  EXPECT_EQ((15 / R<3, 2>{}), 10);
}

TEST(CuteSmallThings, ConstantsAndNumbersAtRunTime) {
  int const n = 5;
  static_assert(is_same_v<decltype(Int<1>{} || n), true_type> && is_same_v<decltype(n && Int<0>{}), false_type>);
  EXPECT_TRUE((n && Int<1>{}) && (Int<0>{} || n));
  EXPECT_EQ(conditional_return(n == 5, 1, 2), 1);
  static_assert(is_same_v<bit_field<4, 8>::value_type, std::uint8_t>);
  EXPECT_TRUE((Swizzle<2, 3, 3>{} == Swizzle<2, 3, 3>{}) && (Swizzle<2, 3, 3>{} != Swizzle<2, 3, 4>{}));
  static_assert(is_same_v<decltype(make_swizzle<Int<24>{}, Int<192>{}>()), Swizzle<2, 3, -3>>);
}

TEST(CuteSmallThings, Streams) {
  std::ostringstream out;
  out << complex<float>(1, -2) << " " << complex<float>(1.5f, 0) << " " << array<float, 2>{{1.5f, 2}};
  EXPECT_EQ(out.str(), "1+i-2 1.5 (1.5,2)");
  std::int8_t letters[2] = {'a', 'b'};
  std::ostringstream tensor;
  tensor << make_tensor(&letters[0], Layout<Shape<_1, _2>>{});
  EXPECT_EQ(tensor.str(), "(_1,_2):(_0,_1)\n        a        b\n");
}

TEST(CuteSmallThings, BasisElementsCompareAsConstants) {
  static_assert(decltype(E<0>{} == E<0>{})::value && !decltype(E<0>{} == E<1>{})::value);
  static_assert(decltype(E<0>{} != E<1>{})::value && decltype(E<1, 2>::mode())::value == 1);
  int const n = 3;
  EXPECT_TRUE((n * E<1>{}) == (Int<3>{} * E<1>{}));
}

TEST(CuteSmallThings, TuplesOfAnything) {
  auto const t = make_tuple(1, make_tuple(2.5f, Int<4>{}), 'c');
  EXPECT_EQ(depth(t), 2);
  auto const flat = flatten(t);
  EXPECT_EQ(rank(flat), 4);
  EXPECT_EQ(get<1>(flat), 2.5f);
  auto const grouped = group<0, 2>(t);
  EXPECT_EQ(rank(grouped), 2);
  EXPECT_EQ(get<0>(get<1>(get<0>(grouped))), 2.5f);
}

TEST(CuteSmallThings, IteratorsOfPackedElements) {
  array_subbyte<bool, 10> bools;
  for (int i = 0; i < 10; ++i) bools[static_cast<std::size_t>(i)] = i % 3 == 0;
  int set = 0;
  for (bool b : bools) set += b;
  EXPECT_EQ(set, 4);
  unsigned char const bytes[]{0x21, 0x43};
  auto it = subbyte_iterator<uint4_t const>(bytes);
  EXPECT_EQ(int(uint4_t(*it++)), 1);
  EXPECT_EQ(int(uint4_t(*++it)), 3);
}

TEST(CuteSmallThings, CopiesRetileTensors) {
  auto const tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                     Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto fragment = make_tensor<half_t>(Layout<Shape<Shape<_8, _1>, _4, _2>>{});
  fragment(9) = half_t(3.f);
  auto const again = tiled.retile(fragment);
  EXPECT_TRUE(again.layout() == tiled.retile(fragment.layout()));
  EXPECT_EQ(again.data(), fragment.data());
}

TEST(CutePackedTuples, PackedTuplesHoldOnlyWhatIsNotKnown) {
  auto const t = make_packed_tuple(Int<3>{}, 7, Int<5>{});
  static_assert(sizeof(t) == sizeof(int) && is_same_v<decltype(t), packed_tuple<_3, int, _5> const>);
  EXPECT_EQ(get<1>(t), 7);
  static_assert(std::is_empty_v<packed_tuple<_1, packed_tuple<_2, _3>>>);
}

// --- engines and members ---------------------------------------------------------------------------------------------
template <class Engine, class Layout>
int elements(Tensor<Engine, Layout> const& tensor) {
  return int(size(tensor));
}
template <class T, std::size_t N, class L>
constexpr std::size_t owned(Tensor<ArrayEngine<T, N>, L> const&) {
  return N;
}
template <class It, class L>
constexpr bool is_view(Tensor<ViewEngine<It>, L> const&) {
  return true;
}

TEST(CuteEngines, TensorsSpelledOut) {
  using Fragment = Tensor<ArrayEngine<float, 8>, Layout<Shape<_4, _2>>>;
  Fragment fragment;
  static_assert(is_same_v<Fragment, decltype(make_tensor<float>(Shape<_4, _2>{}))>);
  fill(fragment, 3.0f);
  EXPECT_EQ(elements(fragment), 8);
  EXPECT_EQ(owned(fragment), 8u);
  float values[8] = {};
  Tensor view = make_tensor(&values[0], Layout<Shape<_4, _2>>{});
  static_assert(is_same_v<decltype(view)::engine_type, ViewEngine<float*>>);
  EXPECT_TRUE(is_view(view));
  Tensor<ViewEngine<float*>, Layout<Shape<_2, _4>>> other{ViewEngine<float*>{&values[0]}, {}};
  other(1, 3) = 2.0f;
  EXPECT_EQ(view(3, 1), 2.0f);
  Tensor copied = make_tensor(ArrayEngine<float, 8>{fragment.engine()}, Layout<_8>{});
  fragment(0) = -1;
  EXPECT_EQ(copied(0), 3.0f);
  Tensor again = make_tensor(view.engine(), Layout<_8>{});
  EXPECT_EQ(again(7), 2.0f);
  Tensor<ConstViewEngine<float const*>, Layout<_8>> constant{{{&values[0]}}, {}};
  EXPECT_EQ(constant(7), 2.0f);
}

template <class L>
auto rows_of(L const& layout) {
  return layout.template shape<0>();
}

TEST(CuteMembers, ByMode) {
  auto layout = make_layout(make_shape(Int<4>{}, make_shape(2, Int<8>{})), make_stride(Int<1>{}, make_stride(4, 8)));
  static_assert(is_same_v<decltype(layout.shape<0>()), _4>);
  EXPECT_EQ((layout.shape<1, 0>()), 2);
  EXPECT_EQ((layout.stride<1, 1>()), 8);
  EXPECT_EQ(rows_of(layout), 4);
  static_assert(is_same_v<decltype(rows_of(Layout<Shape<_3, _5>>{})), _3>);
  EXPECT_TRUE(layout.stride<1>() == make_stride(4, 8));
  std::vector<int> data(64);
  std::iota(data.begin(), data.end(), 0);
  Tensor t = make_tensor(data.data(), layout);
  EXPECT_EQ(t.shape<0>(), 4);
  EXPECT_EQ((t.stride<1, 0>()), 4);
  EXPECT_EQ(t.size<1>(), 16);
  EXPECT_TRUE(t.layout<0>() == Layout<_4>{});
  EXPECT_TRUE(t.layout() == layout);
  auto three = make_tensor(data.data(), Shape<_4, _4, _4>{});
  EXPECT_EQ(three(_, _, 2)(1, 1), 37);
  EXPECT_EQ(three(make_coord(_, 1, _))(3, 2), 39);
  EXPECT_EQ((take<0, 2>(three)(1, 1)), 5);
  EXPECT_TRUE((take<1, 3>(three.layout()) == Layout<Shape<_4, _4>, Stride<_4, _16>>{}));
  EXPECT_EQ(rank(append<4>(three.layout(), Layout<_1, _0>{})), 4);
  EXPECT_TRUE((prepend(Layout<_4, _1>{}, Layout<_2, _4>{}) == Layout<Shape<_2, _4>, Stride<_4, _1>>{}));
  EXPECT_EQ((group_modes<1, 3>(three)(1, 5)), three(1, 1, 1));
  EXPECT_EQ((select<2, 0>(three)(3, 1)), three(1, 0, 3));
}

// --- zipped and sparse -----------------------------------------------------------------------------------------------
TEST(CuteZip, TensorsSideBySide) {
  std::vector<int> keys(32);
  std::vector<float> values(32);
  std::iota(keys.begin(), keys.end(), 0);
  for (int i = 0; i < 32; ++i) values[std::size_t(i)] = 0.5f * float(i);
  auto k = make_tensor(keys.data(), Shape<_4, _8>{});
  auto v = make_tensor(values.data(), make_layout(Shape<_4, _8>{}, LayoutRight{}));
  auto both = make_zip_tensor(k, v);
  EXPECT_EQ(size(both), 32);
  EXPECT_EQ(size<1>(both), 8);
  EXPECT_EQ(rank(both), 2);
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 8; ++n) EXPECT_TRUE(both(m, n) == make_tuple(m + 4 * n, 0.5f * float(8 * m + n)));
  auto column = both(_, 3);
  EXPECT_TRUE(column(2) == make_tuple(14, 0.5f * 19));
  auto tile = local_tile(both, Shape<_2, _4>{}, make_coord(1, 1));
  EXPECT_TRUE(tile(1, 2) == make_tuple(3 + 4 * 6, 0.5f * (8 * 3 + 6)));
  auto mine = local_partition(both, Layout<Shape<_2, _2>>{}, 3);
  EXPECT_TRUE(mine(1, 1) == make_tuple(3 + 4 * 3, 0.5f * (8 * 3 + 3)));
  EXPECT_TRUE(zip(k, v)(5) == both(5));
}

TEST(CuteSparse, OneStoredElementStandsForTwo) {
  std::vector<half_t> stored(32);
  for (int i = 0; i < 32; ++i) stored[std::size_t(i)] = half_t(float(i));
  using Stored = sparse_elem<2, half_t>;
  static_assert(sizeof(Stored) == 2 && is_sparse<Stored>::value && !is_sparse<half_t>::value && Stored::sparsity == 2);
  auto p = make_sparse_ptr<2>(make_smem_ptr(stored.data()));
  static_assert(is_smem<decltype(p)>::value && is_sparse_ptr<decltype(p)>::value);
  // 4 rows of 16 elements, of which 8 are stored: the layout steps by two elements.
  Tensor t = make_tensor(p, Layout<Shape<_4, _8>, Stride<_16, _2>>{});
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 8; ++n) EXPECT_EQ(float(t(m, n)), float(8 * m + n));
  EXPECT_EQ(float(t(2, _)(3)), 19.0f);
}

TEST(CutePrint, Svg) {
  testing::internal::CaptureStdout();
  print_svg(Layout<Shape<_2, _3>, Stride<_3, _1>>{});
  auto const text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(text.find("<?xml"), 0u);
  EXPECT_NE(text.find("</svg>"), std::string::npos);
  int squares = 0;
  for (auto at = text.find("<rect"); at != std::string::npos; at = text.find("<rect", at + 1)) ++squares;
  EXPECT_EQ(squares, 6);
  EXPECT_NE(text.find("<text x=\"140\" y=\"100\">5</text>"), std::string::npos);
  testing::internal::CaptureStdout();
  print_svg(
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_2, _2>>{}, Layout<Shape<_2, _1>>{}));
  EXPECT_NE(testing::internal::GetCapturedStdout().find(">T3</text>"), std::string::npos);
  testing::internal::CaptureStdout();
  print_svg(make_tiled_mma(SM80_16x8x8_F32F16F16F32_TN{}));
  auto const mma = testing::internal::GetCapturedStdout();
  squares = 0;
  for (auto at = mma.find("<rect"); at != std::string::npos; at = mma.find("<rect", at + 1)) ++squares;
  EXPECT_EQ(squares, 16 * 8 + 16 * 8 + 8 * 8);
  EXPECT_NE(mma.find(">T31</text>"), std::string::npos);
}

}  // namespace
