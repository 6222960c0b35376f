// local_partition: every element of a tile belongs to exactly one thread, interleaved, blocked or through a
// projection, for thread layouts of any order; and which elements those are, by a formula of one's own.
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "plain.hpp"
#include "tilewright/tensor/partition.hpp"

namespace tilewright {
namespace {

using tests::number;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

// Two by two threads on a 4×4 tile of an 8-row matrix: interleaved as everywhere, blocked where asked for.
constexpr auto small = make_counting_tensor(Layout<Shape<_4, _4>, Stride<_1, _8>>{});
using Threads = Layout<Shape<_2, _2>>;
static_assert(same<decltype(local_partition(small, Threads{}, 0).layout()), Layout<Shape<_2, _2>, Stride<_2, _16>>>);
static_assert(
    same<decltype(local_partition(small, Threads{}, 0, blocked).layout()), Layout<Shape<_2, _2>, Stride<_1, _8>>>);
constexpr bool shows(auto const& share, int a, int b, int c, int d) {
  return share(0) == a && share(1) == b && share(2) == c && share(3) == d;
}
static_assert(shows(local_partition(small, Threads{}, 0), 0, 2, 16, 18));
static_assert(shows(local_partition(small, Threads{}, 0, blocked), 0, 1, 8, 9));
static_assert(shows(local_partition(small, Threads{}, 3, blocked), 18, 19, 26, 27));

/// How often each offset of the tile is owned; every count must be 1.
template <class T, class Partition>
bool owned_once(T const& tile, int threads, Partition const& partition) {
  std::vector<int> owners(static_cast<std::size_t>(number(cosize(tile))), 0);
  for (int thread = 0; thread < threads; ++thread) {
    auto const share = partition(thread);
    for (int i = 0; i < static_cast<int>(size(share)); ++i) ++owners[static_cast<std::size_t>(share(i))];
  }
  for (int i = 0; i < static_cast<int>(size(tile)); ++i)
    if (owners[static_cast<std::size_t>(tile(i))] != 1) return false;
  return true;
}
template <class L, class Thr>
void expect_owned_once(L const& layout, Thr const& thr) {
  auto const tile = make_counting_tensor(layout);
  int const threads = static_cast<int>(size(thr));
  EXPECT_TRUE(owned_once(tile, threads, [&](int t) { return local_partition(tile, thr, t); }));
  EXPECT_TRUE(owned_once(tile, threads, [&](int t) { return local_partition(tile, thr, t, blocked); }));
}

TEST(Partition, EveryElementIsOwnedOnce) {
  Layout<Shape<_8, _12>> const column_major;
  Layout<Shape<_8, _12>, Stride<_16, _1>> const padded_rows;
  auto const dynamic = make_layout(make_shape(8, 12), LayoutRight{});
  Layout<Shape<_4, _3>> const thr;
  Layout<Shape<_4, _3>, Stride<_3, _1>> const thr_rows;
  Layout<Shape<_2, Shape<_2, _3>>, Stride<_6, Stride<_3, _1>>> const thr_nested;
  expect_owned_once(column_major, thr);
  expect_owned_once(column_major, thr_rows);
  expect_owned_once(padded_rows, thr_rows);
  expect_owned_once(padded_rows, thr_nested);
  expect_owned_once(dynamic, thr);
  expect_owned_once(dynamic, make_layout(make_shape(4, 3), LayoutRight{}));
  expect_owned_once(Layout<Shape<_8, _6, _4>>{}, Layout<Shape<_2, _3, _2>, Stride<_6, _1, _3>>{});
  expect_owned_once(Layout<_24>{}, Layout<_8>{});
  expect_owned_once(Layout<_24, _3>{}, Layout<_8>{});
}

/// Interleaved: thread (p, q) owns (p + P*i, q + Q*j); blocked: (p*M/P + i, q*N/Q + j). The thread layout
/// numbers (p, q).
template <class Thr>
void expect_positions(Thr const& thr) {
  auto const tile = make_counting_tensor(Layout<Shape<_8, _12>, Stride<Int<100>, _1>>{});
  for (int p = 0; p < 4; ++p)
    for (int q = 0; q < 3; ++q) {
      int const thread = static_cast<int>(thr(p, q));
      auto const far = local_partition(tile, thr, thread);
      auto const near = local_partition(tile, thr, thread, blocked);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
          ASSERT_EQ(far(i, j), 100 * (p + 4 * i) + q + 3 * j);
          ASSERT_EQ(near(i, j), 100 * (2 * p + i) + 4 * q + j);
        }
    }
}
TEST(Partition, ElementsStandWhereTheThreadLayoutPutsTheThread) {
  expect_positions(Layout<Shape<_4, _3>>{});
  expect_positions(Layout<Shape<_4, _3>, Stride<_3, _1>>{});
  expect_positions(make_layout(make_shape(4, _3{}), make_stride(3, _1{})));
  expect_positions(Layout<Shape<Shape<_2, _2>, _3>, Stride<Stride<_6, _1>, _2>>{});
}

/// A matrix product's thread layout (M, N, K) partitions each operand by its own modes; threads that differ
/// in the
/// projected mode share.
TEST(Partition, Projections) {
  auto const a = make_counting_tensor(Layout<Shape<_8, _6>, Stride<_1, _8>>{});  // (M, K)
  Layout<Shape<_4, _2, _3>> const thr;                                           // (M, N, K)
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 2; ++n)
      for (int k = 0; k < 3; ++k) {
        auto const share = local_partition(a, thr, m + 4 * (n + 2 * k), Step<_1, X, _1>{});
        ASSERT_EQ(number(size(share)), 4);
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) ASSERT_EQ(share(i, j), m + 4 * i + 8 * (k + 3 * j));
      }
}

TEST(Partition, WritesThroughAThreadsShareLandOnce) {
  std::vector<int> data(16 * 8, -1);
  auto const tile = make_tensor(make_smem_ptr(data.data()), Layout<Shape<_16, _8>, Stride<_8, _1>>{});
  Layout<Shape<_4, _8>, Stride<_8, _1>> const thr;
  for (int t = 0; t < 32; ++t) {
    auto const share = local_partition(tile, thr, t);
    for (int i = 0; i < static_cast<int>(size(share)); ++i) {
      ASSERT_EQ(share(i), -1);
      share(i) = t;
    }
  }
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) EXPECT_EQ(tile(m, n), m % 4 * 8 + n);
}

}  // namespace
}  // namespace tilewright
