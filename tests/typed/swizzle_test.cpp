// Swizzles and composed layouts on the typed face: whatever is done to one, the result is the function
// swizzle(offset + layout(c)) at the coordinates the operation speaks of, checked by working the bits out one
// by one; and partitions of a swizzled tile keep static types.
#include <gtest/gtest.h>

#include <type_traits>

#include "plain.hpp"
#include "tilewright/algebra/swizzled.hpp"

namespace tilewright {
namespace {

using tests::number;
using tests::plain;
using tests::plain_layout;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

/// The swizzle one bit at a time: bit M+k is toggled by bit M+k+S (a negative S: bit M-S+k by bit M+k).
constexpr long long swizzled(long long x, int bits, int base, int shift) {
  long long out = x;
  for (int k = 0; k < bits; ++k) {
    int const to = shift >= 0 ? base + k : base - shift + k, from = shift >= 0 ? base + shift + k : base + k;
    if ((x >> from & 1) != 0) out ^= 1LL << to;
  }
  return out;
}

// --- the function
// ----------------------------------------------------------------------------------------------------
template <int B, int M, int S>
constexpr bool swizzles() {
  for (int x = 0; x < 4096; ++x) {
    int const y = Swizzle<B, M, S>{}(x);
    if (y != swizzled(x, B, M, S) || Swizzle<B, M, S>{}(y) != x) return false;
  }
  return true;
}
static_assert(swizzles<3, 4, 3>() && swizzles<2, 0, 2>() && swizzles<1, 2, 5>() && swizzles<0, 4, 3>());
static_assert(swizzles<3, 4, -3>() && swizzles<2, 0, -4>());
static_assert(same<decltype(Swizzle<3, 4, 3>{}(Int<0x180>{})), Int<0x1b0>> && same<Swizzle<2, 3>, Swizzle<2, 3, 2>>);
static_assert(Swizzle<3, 4, 3>{}(1LL << 40 | 0x180) == (1LL << 40 | 0x1b0));

// --- composed layouts
// ------------------------------------------------------------------------------------------------
using Sw = Swizzle<2, 1, 3>;
using Inner = Layout<Shape<_8, _16>, Stride<_16, _1>>;
constexpr auto tile = composition(Sw{}, Inner{});

constexpr long long expected(long long m, long long n, long long offset = 0) {
  return swizzled(offset + 16 * m + n, 2, 1, 3);
}
constexpr long long expected_at(long long index) { return expected(index % 8, index / 8); }

static_assert(same<decltype(tile), ComposedLayout<Sw, _0, Inner>> && std::is_empty_v<decltype(tile)>);
static_assert(same<decltype(composition(Sw{}, tile)), Inner>);  // undoes itself
static_assert(size(tile) == 128 && rank_v<decltype(tile)> == 2 && same<decltype(shape<1>(tile)), _16>);
static_assert(same<decltype(tile(_3{}, _5{})), C<static_cast<int>(expected(3, 5))>>);

constexpr bool every_coordinate() {
  auto const shifted = composition(Sw{}, 64, Inner{});
  auto const dynamic = composition(Sw{}, make_layout(make_shape(8, _16{}), LayoutRight{}));
  for (int m = 0; m < 8; ++m)
    for (int n = 0; n < 16; ++n) {
      if (tile(m, n) != expected(m, n) || tile(make_coord(m, n)) != expected(m, n)) return false;
      if (tile(m + 8 * n) != expected(m, n) || crd2idx(make_coord(m, n), tile) != expected(m, n)) return false;
      if (number(shifted(m, n)) != expected(m, n, 64) || number(dynamic(m, n)) != expected(m, n)) return false;
      if (tile(m, n) >= cosize(tile)) return false;
    }
  return true;
}
static_assert(every_coordinate());

constexpr bool composing_and_reshaping() {
  auto const picked = composition(tile, Layout<Shape<_4, _8>, Stride<_2, _16>>{});
  auto const by_mode = composition(tile, make_tile(Layout<_4, _2>{}, Layout<_8, _1>{}));
  auto const reshaped = with_shape(tile, Shape<_4, Shape<_2, _16>>{});
  auto const method = tile.compose(Layout<_4, _2>{}, _);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      if (picked(i, j) != expected_at(2 * i + 16 * j) || by_mode(i, j) != expected(2 * i, j) ||
          method(i, j) != expected(2 * i, j))
        return false;
  for (int i = 0; i < 128; ++i)
    if (reshaped(i) != expected_at(i) || coalesce(tile)(i) != expected_at(i) ||
        flatten(reshaped)(i) != expected_at(i) || coalesce(tile, Shape<_1, _1>{})(i) != expected_at(i) ||
        group<0, 2>(tile)(i) != expected_at(i) || tile.with_shape(_128{})(i) != expected_at(i))
      return false;
  return true;
}
static_assert(composing_and_reshaping());

constexpr bool dividing() {
  auto const zipped = zipped_divide(tile, Shape<_2, _4>{});
  auto const tiled = tiled_divide(tile, Shape<_2, _4>{});
  auto const flat = flat_divide(tile, make_shape(_2{}, 4));
  auto const logical = logical_divide(tile, Shape<_2, _4>{});
  for (int m = 0; m < 8; ++m)
    for (int n = 0; n < 16; ++n) {
      auto const in = make_coord(m % 2, n % 4), of = make_coord(m / 2, n / 4);
      if (zipped(in, of) != expected(m, n) || tiled(in, m / 2, n / 4) != expected(m, n)) return false;
      if (number(flat(m % 2, n % 4, m / 2, n / 4)) != expected(m, n)) return false;
      if (logical(make_coord(m % 2, m / 2), make_coord(n % 4, n / 4)) != expected(m, n)) return false;
    }
  return true;
}
static_assert(dividing());

constexpr bool tiling_to_a_shape() {
  auto const larger = tile_to_shape(tile, Shape<_16, _64>{});
  auto const by_rows = tile_to_shape(tile, make_shape(_16{}, 64), Step<_1, _0>{});
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 64; ++n) {
      long long const in = 16 * (m % 8) + n % 16, p = m / 8, q = n / 16;
      if (larger(m, n) != swizzled(in + 128 * (p + 2 * q), 2, 1, 3)) return false;
      if (number(by_rows(m, n)) != swizzled(in + 128 * (q + 4 * p), 2, 1, 3)) return false;
    }
  return true;
}
// At run time: a compiler counts the steps of a constant expression.
TEST(Swizzle, TilesToAShape) { EXPECT_TRUE(tiling_to_a_shape()); }

constexpr bool multiplying() {
  auto const product = logical_product(tile, Layout<_4>{});
  for (int i = 0; i < 128; ++i)
    for (int k = 0; k < 4; ++k)
      if (product(i, k) != swizzled(16 * (i % 8) + i / 8 + 128 * k, 2, 1, 3)) return false;
  return true;
}
static_assert(multiplying());

/// Slicing moves the fixed part into the offset, where the swizzle still acts on it.
constexpr bool slicing() {
  for (int m = 0; m < 8; ++m) {
    auto const row = tile(m, _);
    auto const part = slice_and_offset(make_coord(m, _), tile);
    if (part.offset != 0) return false;
    for (int n = 0; n < 16; ++n)
      if (number(row(n)) != expected(m, n) || number(part.layout(n)) != expected(m, n)) return false;
  }
  auto const quarter = zipped_divide(tile, Shape<_4, _8>{})(make_coord(_, _), make_coord(1, 1));
  auto const deeper = quarter(make_coord(2, _));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      if (number(quarter(make_coord(i, j))) != expected(4 + i, 8 + j) || number(deeper(j)) != expected(6, 8 + j))
        return false;
  return true;
}
static_assert(slicing());

/// Strides of whole periods stay outside of the swizzle: a slice has them beside its layout, and the two add up.
template <int S>
constexpr bool slicing_whole_periods() {
  auto const a =
      composition(Swizzle<2, 1, S>{}, Layout<Shape<_8, Shape<_16, _4>, _3>, Stride<_16, Stride<_1, _128>, C<1024>>>{});
  auto at = [](int m, int n, int p) { return swizzled(16 * m + n % 16 + 128 * (n / 16 % 4) + 1024 * p, 2, 1, S); };
  for (int p = 0; p < 3; ++p)
    for (int n = 0; n < 64; ++n) {
      auto const column = slice_and_offset(make_coord(_, n, p), a);
      if (column.offset % 64 != 0 || column.offset != 128 * (n / 16) + 1024 * p) return false;
      for (int m = 0; m < 8; ++m) {
        if (number(a(m, n, p)) != at(m, n, p)) return false;
        if (number(column.offset) + number(column.layout(m)) != at(m, n, p)) return false;
        auto const stages = slice_and_offset(make_coord(m, n, _), a);
        if (number(stages.offset) + number(stages.layout(p)) != at(m, n, p)) return false;
        if (number(slice(make_coord(m, n, _), a)(p)) != at(m, n, p)) return false;
      }
    }
  return true;
}
TEST(Swizzle, SlicesHaveWholePeriodsBesideTheLayout) {
  EXPECT_TRUE(slicing_whole_periods<3>());
  EXPECT_TRUE(slicing_whole_periods<-3>());
}
static_assert(number(layout<1>(tile)(5)) == expected(0, 5) && select<1, 0>(tile)(5, 3) == expected(3, 5));
static_assert(take<0, 1>(tile)(make_coord(3)) == expected(3, 0) && filter(tile)(17) == expected_at(17));

// --- recasting
// -------------------------------------------------------------------------------------------------------
constexpr bool recasting() {
  using Wide = Swizzle<3, 3, 3>;
  auto const narrow = composition(Wide{}, Layout<Shape<_64, _8>>{});
  auto const wide = recast_bits<16, 64>(narrow);     // 4 elements to one
  auto const narrower = recast_bits<16, 8>(narrow);  // one to 2
  for (int n = 0; n < 8; ++n) {
    for (int m = 0; m < 16; ++m)
      if (wide(m, n) * 4 != narrow(4 * m, n)) return false;
    for (int m = 0; m < 128; ++m)
      if (narrower(m, n) != narrow(m / 2, n) * 2 + m % 2) return false;
  }
  auto const sliced = narrow(_, 3);
  for (int m = 0; m < 16; ++m)
    if (number(recast_bits<16, 64>(sliced)(m)) * 4 != number(sliced(4 * m))) return false;
  return same<decltype(recast_bits<16, 64>(narrow)), ComposedLayout<Swizzle<3, 1, 3>, _0, Layout<Shape<_16, _8>>>>;
}
static_assert(recasting());

// --- inverses and vectors
// --------------------------------------------------------------------------------------------
constexpr bool inverting() {
  auto const inverse = right_inverse(tile);
  for (int x = 0; x < 128; ++x)
    if (number(tile(number(inverse(x)))) != x) return false;
  return true;
}
static_assert(inverting());

/// The vector shared with another layout: aligned runs of it are contiguous on both sides.
template <class A, class B>
constexpr bool common_vector_is(A const& a, B const& b, int want) {
  int const n = static_cast<int>(max_common_vector(a, b));
  auto const order = right_inverse(b);  // b is plain and contiguous here
  for (int x = 0; x + n <= static_cast<int>(size(a)); x += n)
    for (int k = 1; k < n; ++k)
      if (number(a(number(order(x + k)))) != number(a(number(order(x)))) + k) return false;
  return n == want;
}
static_assert(common_vector_is(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}), Layout<Shape<_64, _8>>{}, 8));
static_assert(common_vector_is(tile, Inner{}, 2));
static_assert(common_vector_is(tile, Layout<Shape<_8, _16>>{}, 1));
static_assert(common_vector_is(composition(Swizzle<0, 3, 3>{}, Inner{}), Inner{}, 128));
static_assert(max_common_vector(Inner{}, tile) == 2 &&
              max_common_vector(tile, composition(Swizzle<2, 0, 3>{}, Inner{})) == 1);

// --- partitions stay static
// ------------------------------------------------------------------------------------------
using Divided = decltype(zipped_divide(tile, Shape<_2, _4>{}));
static_assert(std::is_empty_v<Divided>);
static_assert(std::is_empty_v<decltype(Divided{}(make_coord(_0{}, _1{}), make_coord(_, _)))>);
// A run-time coordinate costs the one number it is.
static_assert(sizeof(Divided{}(make_coord(0, 1), make_coord(_, _))) == sizeof(int));

TEST(Swizzle, RowsOfASwizzledTileLieInDifferentBanks) {
  // 8 rows of 64 16-bit elements: without the swizzle the same 16 bytes of every row share their banks.
  auto const plain_tile = Layout<Shape<_8, _64>, Stride<_64, _1>>{};
  auto const swizzled_tile = composition(Swizzle<3, 3, 3>{}, plain_tile);
  for (int column = 0; column < 64; column += 8) {
    unsigned met = 0;
    for (int row = 0; row < 8; ++row) met |= 1u << (number(swizzled_tile(row, column)) % 64 / 8);
    EXPECT_EQ(met, 0xffu);
  }
}

}  // namespace
}  // namespace tilewright
