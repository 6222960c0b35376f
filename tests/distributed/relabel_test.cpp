// relabelled() against all permutations of the ranks.
#include "tests/distributed/random_distribution.hpp"
#include "tilewright/distributed/exchange.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>

namespace tilewright {
namespace {

using namespace distributed_test;

std::int64_t sent_between_ranks(distributed_layout const& src, distributed_layout const& dst) {
  std::int64_t out = 0;
  for (pair_traffic const& t : traffic_of(src, dst)) out += t.from == t.to ? 0 : t.elements;
  return out;
}

/// The least that any assignment of processes sends.
std::int64_t least_sent(distributed_layout const& src, distributed_layout dst) {
  int const ranks = std::max(src.ranks, dst.ranks);
  dst.ranks = ranks;
  dst.on.resize(static_cast<std::size_t>(ranks));
  std::iota(dst.on.begin(), dst.on.end(), 0);
  std::int64_t best = sent_between_ranks(src, dst);
  while (std::next_permutation(dst.on.begin(), dst.on.end())) best = std::min(best, sent_between_ranks(src, dst));
  return best;
}

TEST(relabelled, no_permutation_sends_less) {
  random_source random(31);
  for (int i = 0; i < 60; ++i) {
    family const f{i % 2 == 0, i % 4 == 1};
    auto const shape = random_shape(random, f.uneven);
    distributed_layout const src = random_distribution(random, shape, static_cast<int>(random.between(1, 5)), f),
                             dst = random_distribution(random, shape, static_cast<int>(random.between(1, 5)), f);
    distributed_layout const found = relabelled(src, dst);
    EXPECT_EQ(sent_between_ranks(src, found), least_sent(src, dst)) << to_text(src) << "  ->  " << to_text(dst);
    EXPECT_TRUE(prove(src, found));
  }
}

TEST(relabelled, reversed_blocks_stay) {
  distributed_layout const rows = distribute({8, 8}, {4}, {shard(0)});
  distributed_layout reversed = rows;
  reversed.on = {3, 2, 1, 0};
  EXPECT_EQ(sent_between_ranks(rows, reversed), 64);
  EXPECT_EQ(sent_between_ranks(rows, relabelled(rows, reversed)), 0);
  EXPECT_EQ(relabelled(rows, rows).on, (std::vector<int>{0, 1, 2, 3}));
  // Every process has as much of every column block: they keep their parts.
  EXPECT_EQ(relabelled(rows, distribute({8, 8}, {4}, {shard(1)})).on, (std::vector<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace tilewright
