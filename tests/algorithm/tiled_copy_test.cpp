// Tiled copies run: all threads of a copy move a matrix to another layout, in memory tagged or not, swizzled,
// packed below a byte, with threads to spare; and copy_if, element by element and atom by atom.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "memory_check.hpp"
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright {
namespace {

using tests::counted;
using tests::guarded;
using tests::number;

template <int Bits, class T>
using atom = Copy_Atom<UniversalCopy<uint_bit_t<Bits>>, T>;

/// Runs `threads` threads of the copy, some perhaps beyond it, and looks at every element of the
/// destination's memory.
template <class T, class Copy, class SL, class DL>
bool moves(Copy const& tiled, SL const& from, DL const& to, int threads) {
  auto source = counted<T>(number(cosize(from)));
  guarded<T> target(static_cast<std::size_t>(number(cosize(to))), T(255));
  auto const s = make_tensor(make_gmem_ptr(static_cast<T const*>(source.data())), from);
  auto const d = make_tensor(make_smem_ptr(target.data()), to);
  for (int t = 0; t < threads; ++t) {
    auto const mine = tiled.get_slice(t);
    copy(tiled, mine.partition_S(s), mine.partition_D(d));
  }
  int matching = 0;
  for (int i = 0; i < static_cast<int>(size(from)); ++i) matching += d(i) == s(i);
  int untouched = 0;
  for (std::size_t i = 0; i < target.count; ++i) untouched += target[i] == T(255);
  return matching == number(size(from)) && untouched == static_cast<int>(target.count) - matching &&
         target.margins_are(T(255));
}

TEST(TiledCopyRun, BetweenLayouts) {
  auto const columns = make_tiled_copy(atom<128, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  EXPECT_TRUE(moves<float>(columns, Layout<Shape<_16, _8>>{}, Layout<Shape<_16, _8>>{}, 32));
  EXPECT_TRUE(moves<float>(columns, Layout<Shape<_64, _16>>{}, Layout<Shape<_64, _16>, Stride<_1, _72>>{}, 32));
  auto const scalar =
      make_tiled_copy(atom<32, float>{}, Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_2, _1>>{});
  EXPECT_TRUE(moves<float>(scalar, Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_16, _16>>{}, 32));
  EXPECT_TRUE(
      moves<float>(scalar, make_layout(make_shape(16, 24), LayoutRight{}), make_layout(make_shape(16, 24)), 32));
}

TEST(TiledCopyRun, IntoASwizzledTile) {
  auto const rows =
      make_tiled_copy(atom<128, std::uint16_t>{}, Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto const tile = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  EXPECT_TRUE(moves<std::uint16_t>(rows, Layout<Shape<_8, _64>, Stride<_64, _1>>{}, tile, 32));
  EXPECT_TRUE(moves<std::uint16_t>(rows, tile, Layout<Shape<_8, _64>, Stride<_64, _1>>{}, 32));
}

TEST(TiledCopyRun, ThreadsBeyondTheCopyMoveNothing) {
  auto const line = make_tiled_copy(atom<64, float>{}, Layout<_8>{}, Layout<_2>{});
  EXPECT_TRUE(moves<float>(line, Layout<_64>{}, Layout<_64>{}, 128));
  // … not even over what was copied: a second launch of idle threads leaves the destination as it is.
  std::array<float, 16> in{}, out{};
  std::array<bool, 1> const always{true};
  out.fill(3.0f);
  auto const s = make_tensor(in.data(), Layout<_16>{});
  auto const d = make_tensor(out.data(), Layout<_16>{});
  for (int t = 8; t < 40; ++t) {
    auto const idle = line.get_slice(t);
    copy(line, idle.partition_S(s), idle.partition_D(d));
    copy(idle, idle.partition_S(s), idle.partition_D(d));
    copy_if(line, make_tensor(always.data(), Layout<_1>{}), idle.partition_S(s), idle.partition_D(d));
  }
  for (float const x : out) EXPECT_EQ(x, 3.0f);
}

TEST(TiledCopyRun, AdaptingAtoms) {
  auto const adapting =
      make_tiled_copy(Copy_Atom<AutoVectorizingCopy, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _1>>{});
  EXPECT_TRUE(moves<float>(adapting, Layout<Shape<_32, _16>>{}, Layout<Shape<_32, _16>, Stride<_1, _36>>{}, 40));
  auto const careful =
      make_tiled_copy(Copy_Atom<DefaultCopy, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _1>>{});
  EXPECT_TRUE(moves<float>(careful, Layout<Shape<_16, _8>>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, 32));
}

/// Packed elements: every bit of the destination is the source's, none beyond is touched.
template <int Bits, int AtomBits, class T>
bool moves_packed() {
  constexpr int elements = 64 * AtomBits / Bits;
  auto const tiled = make_tiled_copy(atom<AtomBits, T>{}, Layout<_16>{}, Layout<C<AtomBits / Bits>>{});
  alignas(16) std::array<unsigned char, elements * Bits / 8> in{}, out{};
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 37 + 11);
  auto const s = make_tensor(make_gmem_ptr(reinterpret_cast<T const*>(in.data())), Layout<C<elements>>{});
  auto const d = make_tensor(make_smem_ptr(reinterpret_cast<T*>(out.data())), Layout<C<elements>>{});
  for (int t = 0; t < 20; ++t) {
    auto const mine = tiled.get_slice(t);
    copy(tiled, mine.partition_S(s), mine.partition_D(d));
  }
  return in == out;
}
TEST(TiledCopyRun, ElementsBelowAByteAllArrive) {
  EXPECT_TRUE((moves_packed<4, 128, uint4b_t>()));
  EXPECT_TRUE((moves_packed<4, 8, uint4b_t>()));
  EXPECT_TRUE((moves_packed<2, 32, int2b_t>()));
  EXPECT_TRUE((moves_packed<1, 64, uint1b_t>()));
}

/// The plain copy of packed elements, by bits: odd starts, other orders, padding in between left alone.
template <class T>
bool copies_packed_elements() {
  constexpr int bits = sizeof_bits_v<T>;
  alignas(16) std::array<unsigned char, 96> in{}, out{};
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 73 + 5);
  out.fill(0xa5);
  auto const before = out;
  Layout<Shape<_7, _5>, Stride<_1, _8>> const from;
  Layout<Shape<_7, _5>, Stride<_9, _1>> const to;
  copy(make_tensor(subbyte_iterator<T const>(in.data()) + 3, from),
       make_tensor(subbyte_iterator<T>(out.data()) + 5, to));
  std::vector<int> element_of(static_cast<std::size_t>(96 * 8 / bits), -1);
  for (int i = 0; i < 35; ++i) element_of[static_cast<std::size_t>(5 + to(i))] = 3 + static_cast<int>(from(i));
  subbyte_iterator<T const> const was(before.data()), is(out.data()), src(in.data());
  for (int i = 0; i < 96 * 8 / bits; ++i) {
    int const e = element_of[static_cast<std::size_t>(i)];
    if (static_cast<int>(is[i].get()) != static_cast<int>(e < 0 ? was[i].get() : src[e].get())) return false;
  }
  return true;
}
TEST(TiledCopyRun, PlainCopyOfPackedElements) {
  EXPECT_TRUE(copies_packed_elements<uint1b_t>());
  EXPECT_TRUE(copies_packed_elements<int2b_t>());
  EXPECT_TRUE(copies_packed_elements<uint4b_t>());
  EXPECT_TRUE(copies_packed_elements<uint6b_t>());
}

// --- copy_if
// ---------------------------------------------------------------------------------------------------------
TEST(CopyIf, ElementByElement) {
  auto source = counted<int>(24);
  guarded<int> target(24, -1);
  std::array<bool, 24> holds{};
  for (std::size_t i = 0; i < 24; ++i) holds[i] = i % 3 == 1;
  auto const pred = make_tensor(holds.data(), Layout<Shape<_4, _6>, Stride<_6, _1>>{});
  auto const s = make_tensor(source.data(), make_layout(make_shape(_4{}, 6)));
  auto const d = make_tensor(target.data(), Layout<Shape<_4, _6>, Stride<_6, _1>>{});
  copy_if(pred, s, d);
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 6; ++n) EXPECT_EQ(d(m, n), (6 * m + n) % 3 == 1 ? s(m, n) : -1);
  EXPECT_TRUE(target.margins_are(-1));
}

TEST(CopyIf, AtomByAtom) {
  auto const tiled = make_tiled_copy(atom<128, float>{}, Layout<Shape<_2, _4>>{}, Layout<Shape<_4, _1>>{});
  auto source = counted<float>(32 * 8);
  guarded<float> target(32 * 8, -1.0f);
  Layout<Shape<_32, _8>> const matrix;
  auto const s = make_tensor(source.data(), matrix), d = make_tensor(target.data(), matrix);
  for (int t = 0; t < 8; ++t) {
    auto const mine = tiled.get_slice(t);
    auto const from = mine.partition_S(s);  // ((4,1), 4, 2)
    auto pred = make_tensor<bool>(Shape<_4, _2>{});
    for (int i = 0; i < 8; ++i) pred(i) = (i + t) % 2 == 0;
    copy_if(tiled, pred, from, mine.partition_D(d));
  }
  for (int m = 0; m < 32; ++m)
    for (int n = 0; n < 8; ++n) {
      int const thread = m % 8 / 4 + 2 * (n % 4), rest = m / 8 + 4 * (n / 4);
      EXPECT_EQ(d(m, n), (rest + thread) % 2 == 0 ? s(m, n) : -1.0f) << m << ", " << n;
    }
  EXPECT_TRUE(target.margins_are(-1.0f));
  auto const one = tiled.get_slice(0).partition_S(s)(_, 0, 0);
  auto const other = tiled.get_slice(0).partition_D(d)(_, 0, 1);
  std::array<bool, 1> never{false}, always{true};
  float const before = other(0);
  copy_if(atom<128, float>{}, make_tensor(never.data(), Layout<_1>{}), one, other);
  EXPECT_EQ(other(0), before);
  copy_if(atom<128, float>{}, make_tensor(always.data(), Layout<_1>{}), one, other);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(other(i), one(i));
}

}  // namespace
}  // namespace tilewright
