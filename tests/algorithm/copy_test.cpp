// copy of whole tensors: every element to the same coordinate and no write anywhere else, for pairs of
// layouts of every kind, at every alignment that may be assumed. Under the sanitizers a vector that is wider
// than its address allows, or that reaches beyond the tensor, is an error.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "memory_check.hpp"
#include "tilewright/algorithm/copy.hpp"

namespace tilewright {
namespace {

using tests::counted;
using tests::guarded;
using tests::number;
using tests::offsets;

/// Copies by `how` from one layout to another and looks at every byte of the destination's memory.
template <class T, class How, class SL, class DL>
bool copies(How const& how, SL const& from, DL const& to) {
  auto source = counted<T>(number(cosize(from)));
  guarded<T> target(static_cast<std::size_t>(number(cosize(to))), T(255));
  how(make_tensor(static_cast<T const*>(source.data()), from), make_tensor(target.data(), to));
  auto const in = offsets(from), out = offsets(to);
  std::vector<bool> written(target.count, false);
  for (std::size_t i = 0; i < in.size(); ++i) {
    written[static_cast<std::size_t>(out[i])] = true;
    if (target[static_cast<std::size_t>(out[i])] != source[static_cast<std::size_t>(in[i])]) return false;
  }
  for (std::size_t i = 0; i < target.count; ++i)
    if (!written[i] && target[i] != T(255)) return false;
  return target.margins_are(T(255));
}

constexpr auto plainly = [](auto const& s, auto const& d) { copy(s, d); };
template <int Bits>
constexpr auto vectorised =
    [](auto const& s, auto const& d) { copy(AutoVectorizingCopyWithAssumedAlignment<Bits>{}, s, d); };
template <class T>
constexpr auto by_element = [](auto const& s, auto const& d) { copy(Copy_Atom<UniversalCopy<T>, T>{}, s, d); };

/// Every assumed alignment; all must agree with the plain loop.
template <class T, class SL, class DL>
bool copies_at_every_width(SL const& from, DL const& to) {
  return copies<T>(plainly, from, to) && copies<T>(vectorised<8>, from, to) && copies<T>(vectorised<32>, from, to) &&
         copies<T>(vectorised<64>, from, to) && copies<T>(vectorised<256>, from, to);
}
/// The elements that one access carries at 256 bits.
template <class T, class SL, class DL>
constexpr int width = detail::vector_elements<256, Tensor<ViewEngine<T*>, SL>, Tensor<ViewEngine<T*>, DL>>;

using Columns = Layout<Shape<_16, _6>>;
using Rows = Layout<Shape<_16, _6>, Stride<_6, _1>>;

TEST(Copy, OrdersOfModes) {
  EXPECT_TRUE((copies<int>(plainly, Columns{}, Rows{}) && copies<int>(plainly, Rows{}, Columns{})));
  EXPECT_TRUE((copies_at_every_width<std::uint8_t>(Columns{}, Columns{})));
  EXPECT_TRUE((copies_at_every_width<float>(Columns{}, Layout<Shape<_16, _6>, Stride<_1, _24>>{})));  // padded columns
  EXPECT_TRUE((copies<std::uint16_t>(vectorised<128>, Rows{}, Columns{})));
  EXPECT_TRUE(
      (copies<int>(vectorised<128>, make_layout(make_shape(16, 6)), make_layout(make_shape(16, 6), LayoutRight{}))));
  EXPECT_TRUE((copies<int>(vectorised<128>, make_layout(make_shape(_16{}, 6)), Columns{})));
  static_assert(width<float, Columns, Columns> == 8 && width<float, Columns, Rows> == 1);
}

// Rows of an odd number of words: every other row starts off a wide boundary.
TEST(Copy, RowsThatAreOddMultiples) {
  using Odd = Layout<Shape<_8, _6>, Stride<_1, _12>>;   // 12 bytes, or 12 floats, apart
  using Odder = Layout<Shape<_8, _6>, Stride<_1, _9>>;  // an odd distance: nothing wider than an element
  using Dense = Layout<Shape<_8, _6>>;
  using Short = Layout<Shape<_6, _8>>;  // rows of 6, contiguous
  EXPECT_TRUE((copies_at_every_width<std::uint8_t>(Odd{}, Dense{})));
  EXPECT_TRUE((copies_at_every_width<float>(Dense{}, Odd{})));
  EXPECT_TRUE(
      (copies<std::uint16_t>(vectorised<256>, Odder{}, Dense{}) && copies<float>(vectorised<256>, Odder{}, Odder{})));
  EXPECT_TRUE((copies<float>(vectorised<256>, Short{}, Layout<Shape<_6, _8>, Stride<_1, _8>>{})));
  EXPECT_TRUE((copies<float>(vectorised<256>, Layout<Shape<_6, _8>, Stride<_1, _10>>{}, Short{})));
  EXPECT_TRUE((copies<std::uint8_t>(vectorised<256>, Layout<Shape<Shape<_4, _3>, _5>, Stride<Stride<_1, _20>, _4>>{},
                                    Layout<Shape<Shape<_4, _3>, _5>>{})));
  static_assert(width<float, Odd, Dense> == 4 && width<float, Odder, Dense> == 1);
  static_assert(width<float, Short, Layout<Shape<_6, _8>, Stride<_1, _8>>> == 2);
  static_assert(width<float, Short, Layout<Shape<_6, _8>, Stride<_1, Int<7>>>> == 1);
}

// Run-time distances between rows: nothing is known of an int, of multiple_of<4> that rows start at 4
// elements.
TEST(Copy, RunTimeDistances) {
  auto const unknown = make_layout(make_shape(_8{}, 6), make_stride(_1{}, 12));
  auto const known = make_layout(make_shape(_8{}, 6), make_stride(_1{}, multiple_of<4>(12)));
  using Dense = Layout<Shape<_8, _6>>;
  EXPECT_TRUE((copies_at_every_width<float>(unknown, Dense{})));
  EXPECT_TRUE((copies_at_every_width<std::uint8_t>(known, Dense{})));
  EXPECT_TRUE(
      (copies<float>(vectorised<256>, known, make_layout(make_shape(_8{}, 6), make_stride(_1{}, multiple_of<8>(16))))));
  static_assert(width<float, std::remove_const_t<decltype(unknown)>, Dense> == 1);
  static_assert(width<float, std::remove_const_t<decltype(known)>, Dense> == 4);
}

// A sliding window reads elements twice; a broadcast reads one for all.
TEST(Copy, OverlappingSources) {
  using Dense = Layout<Shape<_8, _6>>;
  EXPECT_TRUE((copies<float>(vectorised<256>, Layout<Shape<_8, _6>, Stride<_1, _1>>{}, Dense{})));
  EXPECT_TRUE((copies<float>(vectorised<256>, Layout<Shape<_8, _6>, Stride<_1, _2>>{}, Dense{})));
  EXPECT_TRUE((copies<float>(vectorised<256>, Layout<Shape<_8, _6>, Stride<_1, _4>>{}, Dense{})));
  EXPECT_TRUE((copies<float>(vectorised<256>, Layout<Shape<_8, _6>, Stride<_1, _0>>{}, Dense{})));
  EXPECT_TRUE((copies<float>(vectorised<256>, Layout<Shape<_8, _6>, Stride<_0, _1>>{}, Dense{})));
  EXPECT_TRUE((copies<std::uint8_t>(vectorised<128>, make_layout(make_shape(_8{}, 6), make_stride(_1{}, 3)), Dense{})));
}

TEST(Copy, SwizzledTiles) {
  using Tile = Layout<Shape<_64, _8>>;
  auto const narrow = composition(Swizzle<3, 0, 3>{}, Tile{});
  auto const wide = composition(Swizzle<3, 3, 3>{}, Tile{});
  EXPECT_TRUE((copies_at_every_width<std::uint16_t>(Tile{}, wide)));
  EXPECT_TRUE((copies<std::uint16_t>(vectorised<256>, wide, Tile{}) && copies<float>(vectorised<256>, narrow, Tile{})));
  EXPECT_TRUE((copies<float>(vectorised<256>, wide, narrow) && copies<float>(vectorised<128>, wide, wide)));
  // A slice that starts inside of a vector: known when compiling, it costs width; the data is right either
  // way.
  auto const column = composition(Swizzle<2, 2, 2>{}, Layout<Shape<_8, _6>, Stride<_1, _9>>{})(_, _3{});
  EXPECT_TRUE((copies<float>(vectorised<256>, column, Layout<Shape<_8>>{})));
  static_assert(width<std::uint16_t, Tile, std::remove_const_t<decltype(wide)>> == 8);
  static_assert(width<std::uint16_t, Tile, std::remove_const_t<decltype(narrow)>> == 1);
}

TEST(Copy, ShapesOfDifferentProfileGoByIndex) {
  EXPECT_TRUE((copies<float>(vectorised<256>, Layout<Shape<_16, _6>>{},
                             Layout<Shape<Shape<_4, _4>, _6>, Stride<Stride<_1, _24>, _4>>{})));
  EXPECT_TRUE((copies<float>(plainly, Layout<_96>{}, Rows{}) &&
               copies<float>(plainly, make_layout(96), make_layout(make_shape(4, 24), LayoutRight{}))));
  EXPECT_TRUE(
      (copies<float>(vectorised<128>, Layout<_96>{}, Layout<Shape<Shape<_4, _2>, _12>, Stride<Stride<_1, _4>, _8>>{})));
}

/// A loop over more than 1024 elements has a body of its own, by modes and by index.
TEST(Copy, MoreElementsThanAThreadHasRegisters) {
  std::vector<int> src(64 * 32), dst(64 * 32), again(64 * 32);
  for (int i = 0; i < 64 * 32; ++i) src[static_cast<std::size_t>(i)] = i;
  auto const from = make_tensor(src.data(), Layout<Shape<_64, _32>>{});  // (M, N)
  auto const rows = Layout<Shape<_64, _32>, Stride<_32, _1>>{};
  copy(from, make_tensor(dst.data(), rows));
  auto const nested = Layout<Shape<Shape<_8, _8>, _32>, Stride<Stride<_32, C<256>>, _1>>{};
  copy(from, make_tensor(again.data(), nested));
  for (int i = 0; i < 64 * 32; ++i) EXPECT_EQ(dst[static_cast<std::size_t>(rows(i))], i);
  EXPECT_EQ(again, dst);
}

TEST(Copy, OfAnElement) {
  EXPECT_TRUE((copies<double>(plainly, Layout<_1, _0>{}, Layout<Shape<_1, _1>>{})));
  EXPECT_TRUE((copies<double>(by_element<double>, Layout<Shape<_1, _6>, Stride<_0, _5>>{},
                              Layout<Shape<_1, _6>, Stride<_0, _1>>{})));
}

// Registers are aligned to 16 bytes, so that the plain copy between them takes vectors.
TEST(Copy, RegisterFragments) {
  auto source = counted<float>(128);
  guarded<float> target(128, -1.0f);
  auto const from = make_tensor(static_cast<float const*>(source.data()), Layout<Shape<_8, _4>, Stride<_1, _32>>{});
  auto fragment = make_tensor_like(from);
  auto other = make_tensor<float>(Layout<Shape<_8, _4>, Stride<_4, _1>>{});
  copy(from, fragment);
  copy(fragment, other);
  copy(AutoVectorizingCopy{}, other, make_tensor(target.data(), Layout<Shape<_8, _4>, Stride<_1, _16>>{}));
  for (int m = 0; m < 8; ++m)
    for (int n = 0; n < 4; ++n) EXPECT_EQ(target[static_cast<std::size_t>(m + 16 * n)], from(m, n));
  static_assert(detail::vector_elements<128, decltype(fragment), decltype(fragment)> == 4);
  static_assert(detail::promised_alignment<decltype(fragment)> == 256);
}

constexpr bool in_constant_evaluation() {
  int in[12] = {}, out[12] = {};
  for (int i = 0; i < 12; ++i) in[i] = i + 1;
  copy(make_tensor(&in[0], Layout<Shape<_3, _4>>{}), make_tensor(&out[0], Layout<Shape<_3, _4>, Stride<_4, _1>>{}));
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 4; ++n)
      if (out[4 * m + n] != m + 3 * n + 1) return false;
  return true;
}
static_assert(in_constant_evaluation());

// --- conversions, and what is refused
// --------------------------------------------------------------------------------
TEST(Copy, ConvertsBetweenElementTypes) {
  std::array<std::int16_t, 6> const in{1, -2, 3, -4, 5, -6};
  std::array<float, 6> out{};
  copy(make_tensor(in.data(), Layout<Shape<_2, _3>>{}),
       make_tensor(out.data(), Layout<Shape<_2, _3>, Stride<_3, _1>>{}));
  EXPECT_EQ(out, (std::array<float, 6>{1, 3, 5, -2, -4, -6}));
}

#if TILEWRIGHT_CHECKED
TEST(Copy, SizesAndAlignmentAreChecked) {
  alignas(32) std::array<float, 64> in{}, out{};
  EXPECT_THROW(copy(make_tensor(in.data(), make_layout(8)), make_tensor(out.data(), make_layout(9))), layout_error);
  auto const odd = make_tensor(in.data() + 1, Layout<_8>{});
  auto const even = make_tensor(out.data(), Layout<_8>{});
  EXPECT_NO_THROW(copy(odd, even));
  EXPECT_THROW(copy(AutoVectorizingCopy{}, odd, even), layout_error);  // the assumption is false
  auto const swizzled =
      make_tensor(in.data(), composition(Swizzle<1, 3, 1>{}, Layout<Shape<_8, _3>, Stride<_1, _9>>{}));
  EXPECT_THROW(copy(AutoVectorizingCopy{}, swizzled(_, 1), even), layout_error);  // starts at element 9
}
#endif

}  // namespace
}  // namespace tilewright
