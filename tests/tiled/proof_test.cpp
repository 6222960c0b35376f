// The proof behind make_tiled_copy, at the type face: for compact thread and value layouts A and B of any
// rank and order, the raked product modulo size(A) is A, divided by size(A) is B, and the thread-value layout
// is its inverse. (At the value face the same is a property over random layouts.)
#include <gtest/gtest.h>

#include "coverage.hpp"

namespace tilewright {
namespace {

using tests::number;

/// C(m·V + v, …) for each mode: thread coordinates m of A, value coordinates v of B, V the extent of B's
/// mode.
template <class A, class B>
constexpr bool proof_holds(A const& a, B const& b) {
  auto const c = raked_product(a, b);
  auto const copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint_bit_t<8>>, char>{}, a, b);
  typename decltype(copy)::TiledLayout_TV const tv;
  long long const threads = number(size(a)), values = number(size(b));
  constexpr int rank = rank_v < A >> rank_v<B> ? rank_v<A> : rank_v<B>;
  long long thr[8] = {1, 1, 1, 1, 1, 1, 1, 1}, val[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  [&]<int... N>(seq<N...>) { ((thr[N] = number(size<N>(a))), ...); }
  (make_seq<rank_v<A>>{});
  [&]<int... N>(seq<N...>) { ((val[N] = number(size<N>(b))), ...); }
  (make_seq<rank_v<B>>{});
  for (int x = 0; x < threads * values; ++x) {
    long long rest = x, in_a = 0, in_b = 0, of_a = 1, of_b = 1;
    for (int i = 0; i < rank; ++i) {
      long long const at = rest % (thr[i] * val[i]);
      in_a += at / val[i] * of_a;
      in_b += at % val[i] * of_b;
      of_a *= thr[i];
      of_b *= val[i];
      rest /= thr[i] * val[i];
    }
    long long const both = number(c(x)), thread = number(a(static_cast<int>(in_a))),
                    value = number(b(static_cast<int>(in_b)));
    if (both % threads != thread || both / threads != value) return false;
    if (number(tv(static_cast<int>(thread), static_cast<int>(value))) != x) return false;
  }
  return true;
}

static_assert(proof_holds(Layout<Shape<_8, _4>>{}, Layout<Shape<_8>>{}));
static_assert(proof_holds(Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_2, _3>, Stride<_3, _1>>{}));
static_assert(proof_holds(Layout<Shape<_4, _3>>{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{}));
static_assert(proof_holds(Layout<_6>{}, Layout<_4>{}));
static_assert(proof_holds(Layout<_6>{}, Layout<Shape<_2, _2>>{}));
static_assert(proof_holds(Layout<Shape<_2, _3, _2>, Stride<_3, _1, _6>>{},
                          Layout<Shape<_2, _1, _3>, Stride<_3, _0, _1>>{}));
static_assert(proof_holds(Layout<Shape<Shape<_2, _2>, _3>, Stride<Stride<_6, _1>, _2>>{},
                          Layout<Shape<_2, Shape<_3, _2>>, Stride<_2, Stride<_4, _1>>>{}));
static_assert(proof_holds(Layout<Shape<_2, _2, _2, _2>, Stride<_1, _4, _2, _8>>{},
                          Layout<Shape<_1, _2, _1, _2>, Stride<_0, _2, _0, _1>>{}));
static_assert(proof_holds(Layout<Shape<_1, _5>>{}, Layout<Shape<_3, _1>>{}));

/// The same inverse at run time, for layouts whose order is every permutation of three modes.
template <int X, int Y, int Z>
bool every_order() {
  auto const a = make_ordered_layout(Shape<_2, _3, _4>{}, Step<Int<X>, Int<Y>, Int<Z>>{});
  return proof_holds(a, make_ordered_layout(Shape<_2, _1, _3>{}, Step<_2, _1, _0>{}));
}
TEST(Proof, HoldsForEveryOrderOfModes) {
  EXPECT_TRUE((every_order<0, 1, 2>() && every_order<0, 2, 1>() && every_order<1, 0, 2>()));
  EXPECT_TRUE((every_order<1, 2, 0>() && every_order<2, 0, 1>() && every_order<2, 1, 0>()));
}

}  // namespace
}  // namespace tilewright
