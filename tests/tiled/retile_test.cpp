// Fragments shared between copies: a fragment made for one tiled copy and retiled for another whose atoms are
// wider or narrower is filled by the one and emptied by the other, and every element ends where it started.
#include <gtest/gtest.h>

#include <vector>

#include "tilewright/algorithm/copy.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright {
namespace {

template <int Bits>
using atom = Copy_Atom<UniversalCopy<uint_bit_t<Bits>>, float>;

template <class T>
void clear_with(T& fragment, float value) {
  for (int i = 0; i < static_cast<int>(size(fragment)); ++i) fragment(i) = value;
}

/// Through fragments made for one copy, filled by the other and emptied by their own, then filled by their
/// own and
/// emptied by the other: the matrix must arrive unchanged both times.
template <class Copy, class Other, class L>
bool carries_through(Copy const& made_for, Other const& other, L const& layout) {
  std::vector<float> source(static_cast<std::size_t>(cosize_v<L>), -1.0f), in(source), out(source);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i);
  auto const s = make_tensor(source.data(), layout), a = make_tensor(in.data(), layout),
             b = make_tensor(out.data(), layout);
  for (int t = 0; t < Copy::TiledNumThr::value; ++t) {
    auto const own = made_for.get_slice(t);
    auto const alien = other.get_slice(t);
    auto fragment = make_fragment_like(own.partition_S(s));
    clear_with(fragment, -2.0f);
    copy(other, alien.partition_S(s), alien.retile_D(fragment));  // read by the other, stored by its owner
    copy(made_for, fragment, own.partition_D(a));
    clear_with(fragment, -3.0f);
    copy(made_for, own.partition_S(s), fragment);  // and the other way about
    copy(other, alien.retile_S(fragment), alien.partition_D(b));
  }
  for (int i = 0; i < size_v<L>; ++i)
    if (a(i) != s(i) || b(i) != s(i)) return false;
  return true;
}

TEST(Retile, BetweenAtomsOfDifferentWidths) {
  Layout<Shape<_4, _8>> const thr;
  Layout<Shape<_4, _2>> const val;
  auto const by_128 = make_tiled_copy(atom<128>{}, thr, val);
  auto const by_64 = make_tiled_copy(atom<64>{}, thr, val);
  auto const by_32 = make_tiled_copy(atom<32>{}, thr, val);
  Layout<Shape<_16, _16>> const one_tile;
  Layout<Shape<_32, _48>> const tiles;
  EXPECT_TRUE(carries_through(by_128, by_32, one_tile));
  EXPECT_TRUE(carries_through(by_32, by_128, one_tile));
  EXPECT_TRUE(carries_through(by_64, by_128, tiles));
  EXPECT_TRUE(carries_through(by_128, by_32, tiles));
  EXPECT_TRUE(carries_through(by_128, by_128, tiles));
}

TEST(Retile, RowMajorAndOtherRanks) {
  Layout<Shape<_8, _4>, Stride<_4, _1>> const thr;
  Layout<Shape<_2, _4>, Stride<_4, _1>> const val;
  auto const by_128 = make_tiled_copy(atom<128>{}, thr, val);
  auto const by_32 = make_tiled_copy(atom<32>{}, thr, val);
  Layout<Shape<_16, _32>, Stride<_32, _1>> const rows;
  EXPECT_TRUE(carries_through(by_128, by_32, rows));
  EXPECT_TRUE(carries_through(by_32, by_128, rows));
  auto const line_128 = make_tiled_copy(atom<128>{}, Layout<_8>{}, Layout<_8>{});
  auto const line_64 = make_tiled_copy(atom<64>{}, Layout<_8>{}, Layout<_8>{});
  EXPECT_TRUE(carries_through(line_128, line_64, Layout<_256>{}));
  EXPECT_TRUE(carries_through(line_64, line_128, Layout<_256>{}));
}

}  // namespace
}  // namespace tilewright
