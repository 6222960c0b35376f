// The algebra on typed layouts whose leaves are partly run-time integers, negative or nested, against loops
// over plain numbers; in constant evaluation, so that each law also shows that the operation is a constant
// expression.
#include <gtest/gtest.h>

#include <type_traits>

#include "plain.hpp"
#include "tilewright/algebra/operations.hpp"

namespace tilewright {
namespace {

using tests::answers;
using tests::number;
using tests::plain;
using tests::plain_layout;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

constexpr auto mixed = make_layout(make_shape(_4{}, make_shape(6, _2{})), make_stride(12, make_stride(_2{}, 60)));
constexpr auto row_major = make_layout(make_shape(6, _8{}), LayoutRight{});
constexpr auto mirrored = make_layout(make_shape(_4{}, 6), make_stride(-6, _1{}));

// --- simplifying
// -----------------------------------------------------------------------------------------------------
constexpr bool keeps_the_function(plain_layout const& a, plain_layout const& r) { return same_function(a, r); }
constexpr auto loose =
    make_layout(make_shape(_2{}, make_shape(_1{}, 6), 3), make_stride(_1{}, make_stride(_6{}, _2{}), 100));
static_assert(keeps_the_function(plain(loose), plain(coalesce(loose))) && rank_v<decltype(coalesce(loose))> == 3);
static_assert(keeps_the_function(plain(mixed), plain(coalesce(mixed, make_shape(_1{}, _1{})))));
static_assert(rank_v<decltype(coalesce(mixed, make_shape(_1{}, _1{})))> == 2);
static_assert(keeps_the_function(plain(loose), plain(coalesce_each(loose))) &&
              rank_v<decltype(coalesce_each(loose))> == 3);
static_assert(same<decltype(filter(Layout<Shape<_2, _4, _3>, Stride<_1, _0, _2>>{})), Layout<_6, _1>>);
static_assert(
    same<decltype(filter_zeros(Layout<Shape<_2, _4>, Stride<_1, _0>>{})), Layout<Shape<_2, _1>, Stride<_1, _0>>>);
static_assert(number(size(filter(make_layout(make_shape(3, 4), make_stride(_0{}, _1{}))))) == 4);

// --- composition
// -----------------------------------------------------------------------------------------------------
template <class A, class B>
constexpr bool composes(A const& a, B const& b) {
  auto const r = composition(a, b);
  plain_layout const f = plain(a), g = plain(b), h = plain(r);
  if (!answers(r) || h.size() != g.size()) return false;
  for (long long i = 0; i < g.size(); ++i)
    if (h(i) != f(g(i))) return false;
  return true;
}
static_assert(composes(mixed, Layout<Shape<_4, _3>, Stride<_1, _8>>{}));
static_assert(composes(mixed, make_layout(make_shape(4, _2{}), make_stride(_1{}, 4))));
static_assert(composes(Layout<Shape<_8, _6>, Stride<_6, _1>>{}, make_layout(4, 2)));  // a run-time tiler
static_assert(composes(Layout<Shape<_8, _6>, Stride<_6, _1>>{}, make_layout(make_shape(4, 3), make_stride(2, 8))));
static_assert(composes(row_major, make_layout(make_shape(_3{}, _2{}), make_stride(_2{}, _12{}))));
static_assert(composes(mirrored, Layout<Shape<_2, _3>, Stride<_2, _4>>{}));
static_assert(composes(Layout<_12, _1>{}, make_layout(make_shape(_3{}, _4{}), make_stride(_4{}, _1{}))));

constexpr bool composes_by_mode() {
  auto const r = composition(mixed, make_tile(Layout<_2, _2>{}, make_layout(3, 2)));
  plain_layout const f = plain(mixed);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      if (number(r(i, j)) != f(2 * i + 4 * (2 * j))) return false;
  return rank_v<decltype(r)> == 2;
}
static_assert(composes_by_mode());
static_assert(mixed.compose(Layout<_2, _2>{}, _)(1, 5) == mixed(2, 5) &&
              mixed.compose(Layout<_8, _1>{})(7) == mixed(7));

// --- other shapes
// ----------------------------------------------------------------------------------------------------
static_assert(answers(row_major.with_shape(_12{}, 4)) &&
              same_function(plain(with_shape(row_major, make_shape(_2{}, 3, _8{}))), plain(row_major)));
static_assert(with_shape(make_layout(12), make_shape(3, 4)) == make_layout(make_shape(3, 4)));
static_assert(congruent(with_shape(make_layout(24), make_shape(2, make_shape(3, 4))), make_shape(2, make_shape(3, 4))));

// --- complement and inverses
// -----------------------------------------------------------------------------------------
template <class A, class N>
constexpr bool completes(A const& a, N const& target) {
  plain_layout const f = plain(a), g = plain(complement(a, target));
  for (long long x = 0; x < number(size(target)); ++x) {
    int met = 0;
    for (long long i = 0; i < f.size(); ++i)
      for (long long k = 0; k < g.size(); ++k) met += f(i) + g(k) == x;
    if (met != 1) return false;
  }
  return true;
}
static_assert(completes(Layout<Shape<_2, _3>, Stride<_1, _4>>{}, _24{}));
static_assert(completes(Layout<Shape<_2, _3>, Stride<_1, _4>>{}, 24));
static_assert(completes(make_layout(4, _2{}), 32));
static_assert(completes(Layout<_4, _2>{}, make_shape(_8{}, 3)));
static_assert(completes(make_layout(_4{}, 5), 40));
static_assert(same<decltype(complement(Layout<_4, _2>{}, Layout<Shape<_8, _2>>{})),
                   decltype(complement(Layout<_4, _2>{}, _16{}))>);

template <class A>
constexpr bool inverts_right(A const& a) {
  plain_layout const f = plain(a), r = plain(right_inverse(a));
  if (r.size() != f.size()) return false;
  for (long long x = 0; x < r.size(); ++x)
    if (f(r(x)) != x) return false;
  return true;
}
template <class A>
constexpr bool inverts_left(A const& a) {
  plain_layout const f = plain(a), r = plain(left_inverse(a));
  for (long long i = 0; i < f.size(); ++i)
    if (r(f(i)) != i) return false;
  return true;
}
static_assert(inverts_right(Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_3, _1>>>{}));
static_assert(inverts_right(make_layout(make_shape(_4{}, _2{}, 5))));
static_assert(inverts_left(Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_3, _1>>>{}));
static_assert(inverts_left(Layout<Shape<_4, _3>, Stride<_2, _24>>{}));  // with gaps
static_assert(inverts_left(make_layout(make_shape(_4{}, _2{}, 5))));
static_assert(same<decltype(right_inverse(_)), Underscore> && same<decltype(left_inverse(_)), Underscore>);

constexpr bool nullspace_by_brute_force() {
  auto const a = make_layout(make_shape(3, _4{}, _2{}), make_stride(_0{}, _1{}, _0{}));
  plain_layout const f = plain(a), r = plain(nullspace(a));
  for (long long i = 0; i < r.size(); ++i)
    if (f(r(i)) != 0) return false;
  return r.size() == 6 && r.injective();
}
static_assert(nullspace_by_brute_force());

template <class A, class B>
constexpr bool has_common_vector(A const& a, B const& b, int want) {
  plain_layout const f = plain(a), g = plain(b), r = plain(max_common_layout(a, b));
  for (long long i = 0; i < r.size(); ++i)
    if (f(r(i)) != i || g(r(i)) != i) return false;
  return r.size() == want && number(max_common_vector(a, b)) == want;
}
static_assert(has_common_vector(Layout<Shape<_4, _8>>{}, make_layout(make_shape(_4{}, 8), make_stride(_1{}, 10)), 4));
static_assert(has_common_vector(Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_4, _8>, Stride<_16, _1>>{}, 8));
static_assert(has_common_vector(Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _8>, Stride<_8, _1>>{}, 1));

// --- dividing
// --------------------------------------------------------------------------------------------------------
/// ((tile…),(rest…)) of a matrix, by the coordinates: tile (i,j) of rest (m,n) is element (i + M*m, j + N*n).
template <class A, class Tile>
constexpr bool divides(A const& a, Tile const& tile) {
  auto const zipped = zipped_divide(a, tile);
  auto const tiled = tiled_divide(a, tile);
  auto const flat = flat_divide(a, tile);
  auto const logical = logical_divide(a, tile);
  int const m = static_cast<int>(size(get<0>(tile))), n = static_cast<int>(size(get<1>(tile)));
  int const rows = static_cast<int>(size<0>(a)), columns = static_cast<int>(size<1>(a));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      int const i = r % m, j = c % n, p = r / m, q = c / n;
      long long const want = number(a(r, c));
      if (number(zipped(make_coord(i, j), make_coord(p, q))) != want || number(tiled(make_coord(i, j), p, q)) != want ||
          number(flat(i, j, p, q)) != want || number(logical(make_coord(i, p), make_coord(j, q))) != want)
        return false;
    }
  return number(size(zipped)) == rows * columns && rank_v<decltype(zipped)> == 2 && rank_v<decltype(tiled)> == 3 &&
         rank_v<decltype(flat)> == 4 && rank_v<decltype(logical)> == 2;
}
static_assert(divides(Layout<Shape<_8, _6>, Stride<_6, _1>>{}, make_tile(_4{}, 3)));
static_assert(divides(make_layout(make_shape(8, 6)), make_tile(2, 3)));
static_assert(divides(row_major, make_tile(_2{}, _4{})));
static_assert(divides(mirrored, make_tile(_2{}, 3)));
static_assert(divides(make_layout(make_shape(_8{}, _6{}), make_stride(_1{}, 8)),
                      make_tile(Layout<_4>{}, Layout<_2>{})));

// --- multiplying
// -----------------------------------------------------------------------------------------------------
/// Blocked: block (i,j) of repeat (p,q) at (i + M*p, j + N*q); raked: at (p + P*i, q + Q*j). Compact factors
/// stay whole.
template <class A, class B>
constexpr bool multiplies(A const& a, B const& b) {
  auto const blocked = blocked_product(a, b);
  auto const raked = raked_product(a, b);
  auto const logical = logical_product(a, b);
  auto const zipped = zipped_product(a, b);
  auto const tiled = tiled_product(a, b);
  auto const flat = flat_product(a, b);
  int const m = static_cast<int>(size<0>(a)), n = static_cast<int>(size<1>(a));
  int const p = static_cast<int>(size<0>(b)), q = static_cast<int>(size<1>(b));
  long long const block = number(size(a));
  for (int i = 0; i < m * p; ++i)
    for (int j = 0; j < n * q; ++j) {
      if (number(blocked(i, j)) != number(a(i % m, j % n)) + block * number(b(i / m, j / n))) return false;
      if (number(raked(i, j)) != number(a(i / p, j / q)) + block * number(b(i % p, j % q))) return false;
      long long const want = number(a(i % m, j % n)) + block * number(b(i / m, j / n));
      auto const in = make_coord(i % m, j % n), of = make_coord(i / m, j / n);
      if (number(logical(in, of)) != want || number(zipped(in, of)) != want) return false;
      if (number(tiled(in, i / m, j / n)) != want || number(flat(i % m, j % n, i / m, j / n)) != want) return false;
    }
  return true;
}
static_assert(multiplies(Layout<Shape<_2, _3>, Stride<_3, _1>>{}, Layout<Shape<_4, _2>>{}));
static_assert(multiplies(Layout<Shape<_2, _4>>{}, make_layout(make_shape(3, _2{}), LayoutRight{})));
static_assert(multiplies(make_layout(make_shape(_2{}, 5)), Layout<Shape<_4, _2>, Stride<_2, _1>>{}));

constexpr bool repeats_to_a_shape() {
  Layout<Shape<_2, _4>, Stride<_4, _1>> const block;
  auto const left = tile_to_shape(block, make_shape(6, 8));
  auto const right = tile_to_shape(block, make_shape(6, 8), Step<_1, _0>{});
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 8; ++j) {
      int const in = 4 * (i % 2) + j % 4, p = i / 2, q = j / 4;
      if (number(left(i, j)) != in + 8 * (p + 3 * q) || number(right(i, j)) != in + 8 * (q + 2 * p)) return false;
    }
  return same<decltype(tile_to_shape(block, Shape<_6, _8>{}, GenColMajor{})),
              decltype(tile_to_shape(block, Shape<_6, _8>{}))>;
}
static_assert(repeats_to_a_shape());

// --- recasting
// -------------------------------------------------------------------------------------------------------
/// Narrow element x lies in wide element x / n.
template <int n, class A>
constexpr bool widens(A const& narrow) {
  plain_layout const f = plain(narrow), r = plain(upcast<n>(narrow));
  for (long long i = 0; i < f.size(); ++i)
    if (!r.reaches(f(i) / n)) return false;
  return r.injective() && r.size() * n == f.size();
}
static_assert(widens<2>(Layout<Shape<_8, _6>>{}) && widens<4>(Layout<Shape<_8, _6>>{}));
static_assert(widens<4>(make_layout(make_shape(_8{}, 3), make_stride(_1{}, 12))));
static_assert(widens<4>(make_layout(make_shape(_8{}, 3), make_stride(_1{}, multiple_of<4>(12)))));
static_assert(widens<2>(Layout<Shape<Shape<_2, _4>, _3>, Stride<Stride<_1, _8>, _2>>{}));
static_assert(same<decltype(upcast(Layout<Shape<_8, _6>>{}, _4{})), decltype(upcast<4>(Layout<Shape<_8, _6>>{}))>);

static_assert(same<decltype(downcast<4>(Layout<Shape<_2, _3>>{})), Layout<Shape<_8, _3>, Stride<_1, _8>>>);
static_assert(plain(downcast<2>(make_layout(make_shape(3, _5{}), make_stride(_1{}, 7)))) ==
              plain(make_layout(make_shape(6, 5), make_stride(1, 14))));
static_assert(same<decltype(downcast(Layout<_2>{}, _4{})), Layout<_8, _1>>);
static_assert(same<decltype(recast_bits<16, 64>(Layout<Shape<_8, _3>>{})), Layout<Shape<_2, _3>, Stride<_1, _2>>>);
static_assert(same<decltype(recast_bits<64, 16>(Layout<Shape<_2, _3>>{})), Layout<Shape<_8, _3>, Stride<_1, _8>>>);
static_assert(same<decltype(recast_bits<32, 32>(Layout<Shape<_2, _3>>{})), Layout<Shape<_2, _3>>>);
static_assert(
    same<decltype(recast_bits<4, 6>(Layout<_12>{})), Layout<_8, _1>>);  // through 2-bit parts: 12 * 4 == 8 * 6

// --- slicing
// ---------------------------------------------------------------------------------------------------------
constexpr auto cube =
    make_layout(make_shape(_4{}, make_shape(3, _2{}), 5), make_stride(_1{}, make_stride(10, _40{}), 100));
static_assert(slice(make_coord(_, make_coord(1, _), 2), cube) ==
              make_layout(make_shape(_4{}, _2{}), make_stride(_1{}, _40{})));

constexpr bool slices_by_brute_force() {
  for (int j = 0; j < 3; ++j)
    for (int z = 0; z < 5; ++z) {
      auto const part = slice_and_offset(make_coord(_, make_coord(j, _), z), cube);
      auto const across = slice_and_offset(make_coord(2, _, z), cube);
      for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 2; ++k) {
          if (number(part.offset) + number(part.layout(i + 4 * k)) != i + 10 * j + 40 * k + 100 * z) return false;
          if (number(across.offset) + number(across.layout(j + 3 * k)) != 2 + 10 * j + 40 * k + 100 * z) return false;
        }
      if (number(size(part.layout)) != 8 || number(size(across.layout)) != 6) return false;
    }
  return true;
}
static_assert(slices_by_brute_force());
static_assert(cube(_, 0, 0) == Layout<Shape<_4>>{} && dice(make_coord(_, 0, 0), cube)(make_coord(2, 1), 4) == 60 + 400);

// --- workers
// ---------------------------------------------------------------------------------------------------------
// 48 workers over 8 × (6 × 4): 8 along the first extent, 6 of the rest along the second.
static_assert(same<decltype(domain_distribute(Shape<_8, Shape<_6, _4>>{}, _48{})), Layout<_48, _1>>);
// 20 workers: 4 of every second of 8 …, then what the remaining 5 share with 6 and 5.
static_assert(
    same<decltype(domain_distribute(Shape<_8, Shape<_6, _5>>{}, _20{})), Layout<Shape<_4, _5>, Stride<_1, _48>>>);

TEST(Operations, StridesBeyond32BitsKeepTheirSign) {
  long long const far = 3'000'000'000;
  auto const plane = make_layout(make_shape(2 * far, 4), make_stride(1, 2 * far));
  auto const up = composition(plane, make_layout(4, far)), down = composition(plane, make_layout(2, -far));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(number(up(i)), i * far);
  EXPECT_EQ(number(down(1)), -far);
}

TEST(Operations, RunAtRunTimeAsWell) {
  EXPECT_TRUE(composes(mixed, Layout<Shape<_4, _3>, Stride<_1, _8>>{}));
  EXPECT_TRUE(completes(Layout<_4, _2>{}, make_shape(_8{}, 3)));
  EXPECT_TRUE(divides(mirrored, make_tile(_2{}, 3)));
  EXPECT_TRUE(multiplies(make_layout(make_shape(_2{}, 5)), Layout<Shape<_4, _2>, Stride<_2, _1>>{}));
  EXPECT_TRUE(repeats_to_a_shape());
  EXPECT_TRUE(slices_by_brute_force());
}

#if TILEWRIGHT_CHECKED
TEST(Operations, WhatDoesNotDivideIsRefusedWhenItIsKnown) {
  Layout<Shape<_8, _6>, Stride<_6, _1>> const fixed;
  EXPECT_THROW((void)composition(fixed, make_layout(4, 3)), layout_error);  // 0, 3, 6, then the next column
  EXPECT_THROW((void)composition(fixed, make_layout(make_shape(3, 2), make_stride(1, 12))), layout_error);
  EXPECT_THROW((void)upcast<4>(make_layout(_8{}, 6)), layout_error);  // rows that start inside a word
}
#endif

}  // namespace
}  // namespace tilewright
