// Plans of redistributions against brute force: the pieces are run element by element on memories that hold coordinates.
#include "distributed/axis_set.hpp"
#include "tests/distributed/random_distribution.hpp"
#include "tilewright/distributed/topology.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace tilewright {
namespace {

using namespace distributed_test;

bool all_cases() { return std::getenv("TILEWRIGHT_TEST_ALL") != nullptr; }

/// Offsets of the piece on both sides, in one order.
void for_each_element(exchange_piece const& piece, auto const& use) {
  for (std::int64_t i = 0; i < piece.elements; ++i) {
    std::int64_t rest = i, from = piece.src, to = piece.dst;
    for (loop const& l : piece.loops) {
      from += rest % l.extent * l.src;
      to += rest % l.extent * l.dst;
      rest /= l.extent;
    }
    use(from, to);
  }
}

std::int64_t swizzled(swizzle_value const& s, std::int64_t x) { return s.bits == 0 ? x : s(x); }

/// Runs all plans and compares with the places of each coordinate.
void expect_redistributed(distributed_layout const& src, distributed_layout const& dst,
                          exchange_options const& options) {
  std::string const what = to_text(src) + "  ->  " + to_text(dst);
  int const ranks = std::max(src.ranks, dst.ranks);
  std::vector<std::map<std::int64_t, std::int64_t>> held(static_cast<std::size_t>(ranks)), expected = held, got = held;
  std::vector<std::set<std::int64_t>> has(static_cast<std::size_t>(ranks));
  std::vector<std::int64_t> lacks(static_cast<std::size_t>(ranks), 0);
  for_each_coordinate(shape_of(src), [&](std::vector<std::int64_t> const& x, std::int64_t index) {
    for (place const& at : places_of(src, x)) {
      held[static_cast<std::size_t>(at.rank)][at.offset] = index;
      has[static_cast<std::size_t>(at.rank)].insert(index);
      ASSERT_LT(at.offset, local_span(src, at.rank)) << what;
    }
    for (place const& at : places_of(dst, x)) {
      ASSERT_TRUE(expected[static_cast<std::size_t>(at.rank)].emplace(at.offset, index).second) << what;
      lacks[static_cast<std::size_t>(at.rank)] += has[static_cast<std::size_t>(at.rank)].count(index) == 0 ? 1 : 0;
    }
  });
  std::map<std::pair<int, int>, transfer> sent, received;
  for (int r = 0; r < ranks; ++r) {
    rank_plan const plan = plan_exchange(src, dst, r, options);
    EXPECT_EQ(plan.bound(), lacks[static_cast<std::size_t>(r)]) << what;
    EXPECT_EQ(plan.received(), lacks[static_cast<std::size_t>(r)])
        << what << ": rank " << r << " gets more or less than it lacks";
    EXPECT_EQ(plan.held, static_cast<std::int64_t>(held[static_cast<std::size_t>(r)].size())) << what;
    auto const run = [&](transfer const& t) {
      std::int64_t moved = 0;
      for (exchange_piece const& piece : t.pieces)
        for_each_element(piece, [&](std::int64_t from, std::int64_t to) {
          ++moved;
          auto const& memory = held[static_cast<std::size_t>(t.from)];
          auto const it = memory.find(swizzled(src.swizzle, from));
          ASSERT_TRUE(it != memory.end()) << what << ": rank " << t.from << " has no element at " << from;
          ASSERT_TRUE(got[static_cast<std::size_t>(r)].emplace(swizzled(dst.swizzle, to), it->second).second)
              << what << ": rank " << r << " gets offset " << to << " twice";
        });
      EXPECT_EQ(moved, t.elements) << what;
    };
    run(plan.own);
    for (transfer const& t : plan.receives) {
      EXPECT_EQ(t.to, r);
      EXPECT_NE(t.from, r);
      run(t);
      received[{t.from, t.to}] = t;
    }
    for (transfer const& t : plan.sends) sent[{t.from, t.to}] = t;
  }
  EXPECT_EQ(sent, received) << what;
  EXPECT_EQ(got, expected) << what;
  plan_proof const proof = prove(src, dst, options);
  EXPECT_TRUE(proof.holds) << what << ": " << proof.failure;
}

TEST(exchange, random_pairs_move_each_element_that_a_rank_lacks_once) {
  random_source random(7);
  int const cases = all_cases() ? 20000 : 500;
  for (int i = 0; i < cases && !HasFailure(); ++i) {
    family const f{i % 2 == 0, i % 4 == 1};
    auto const shape = random_shape(random, f.uneven);
    int const ranks = static_cast<int>(random.between(1, 8));
    distributed_layout const src = random_distribution(random, shape, ranks, f);
    distributed_layout const dst =
        random_distribution(random, shape, random.one_in(5) ? static_cast<int>(random.between(1, 8)) : ranks, f);
    expect_redistributed(src, dst, {static_cast<int>(random.between(0, 4))});
  }
}

TEST(exchange, a_rank_that_needs_a_replica_reads_one_on_its_node) {
  // Ranks 0 and 4 have the first half, 1 and 5 the second; nodes of four ranks.
  distributed_layout const src = parse_distributed("((4,2)):((1@1,1@0)) replicas 2:4 ranks 8");
  distributed_layout const dst = parse_distributed("(8):(1@1) replicas 8:1");
  for (int r = 0; r < 8; ++r)
    for (transfer const& t : plan_exchange(src, dst, r, {4}).receives) EXPECT_EQ(t.from / 4, r / 4);
  // Without nodes the two owners of a half send to three ranks each.
  std::map<int, int> messages;
  for (pair_traffic const& p : traffic_of(src, dst))
    if (p.from != p.to) ++messages[p.from];
  EXPECT_EQ(messages, (std::map<int, int>{{0, 3}, {1, 3}, {4, 3}, {5, 3}}));
}

TEST(exchange, different_shapes_are_refused) {
  try {
    (void)plan_exchange(parse_distributed("distribute((8),2,S0)"), parse_distributed("distribute((9),2,S0)"), 0);
    FAIL();
  } catch (copy_error const& e) {
    EXPECT_EQ(e.code(), copy_errc::different_shapes);
    EXPECT_STREQ(e.what(),
                 "the source is distributed over the shape (8) and the destination over (9); both must describe "
                 "one tensor");
  }
}

TEST(exchange, pieces_depend_on_digits_and_not_on_elements) {
  // A terabyte in blocks, transposed: 32 x 32 ranks, one piece for each pair.
  distributed_layout const src = distribute({4096, 4096, 128, 128}, {32, 32}, {shard(0), shard(1)});
  distributed_layout const dst = distribute({4096, 4096, 128, 128}, {32, 32}, {shard(2), shard(3)});
  rank_plan const plan = plan_exchange(src, dst, 77);
  EXPECT_EQ(plan.sends.size(), 1023u);
  EXPECT_EQ(plan.receives.size(), 1023u);
  for (transfer const& t : plan.sends) {
    ASSERT_EQ(t.pieces.size(), 1u);
    EXPECT_EQ(t.elements, 128 * 128 * 4 * 4);
  }
  EXPECT_EQ(plan.received(), plan.bound());
}

TEST(exchange, empty_tensors_and_ranks_without_elements) {
  distributed_layout const src = distribute({0, 8}, {4}, {shard(0)}), dst = distribute({0, 8}, {4}, {shard(1)});
  for (int r = 0; r < 4; ++r) {
    rank_plan const plan = plan_exchange(src, dst, r);
    EXPECT_EQ(plan.sent() + plan.received() + plan.own.elements + local_span(src, r), 0);
  }
  EXPECT_TRUE(prove(src, dst));
  EXPECT_EQ(parse_distributed(to_text(src)), src);
  expect_redistributed(distribute({3}, {8}, {shard(0)}), distribute({3}, {2}, {cyclic(0)}), {});
  EXPECT_THROW((void)places_of(src, {0, 0}), copy_error);
  EXPECT_THROW((void)places_of(dst, {0}), copy_error);
  EXPECT_EQ(local_span(src, -1), 0);
  EXPECT_THROW((void)plan_exchange(src, dst, 4), copy_error);
}

// --- one axis ---------------------------------------------------------------------------------------------------------

distributed_axis random_axis(random_source& random, std::int64_t extent) {
  distributed_axis axis{extent, {}};
  std::int64_t step = 1, reach = 1, stride = 1;
  while (reach < extent || axis.digits.empty()) {
    axis_digit d{random.between(1, 7), step, stride, random.one_in(2)};
    if (!d.of_rank) stride = stride * d.extent + random.between(0, 1);
    axis.digits.push_back(d);
    reach = step * d.extent;
    // Ragged inner blocks: the next digit steps by less than this one reaches.
    step = random.one_in(4) ? random.between(step, reach) : reach;
  }
  return axis;
}

/// index -> offset, for one key
std::map<std::int64_t, std::int64_t> by_search(distributed_axis const& axis, std::vector<std::int64_t> const& values) {
  std::map<std::int64_t, std::int64_t> out;
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    std::int64_t rest = i, offset = 0;
    std::size_t fixed = values.size();
    bool mine = true;
    for (std::size_t k = axis.digits.size(); k-- > 0;) {
      axis_digit const& d = axis.digits[k];
      std::int64_t const value = rest / d.step;
      rest -= value * d.step;
      if (d.of_rank) mine &= values[--fixed] == value;
      else offset += value * d.stride;
    }
    if (mine) out[i] = offset;
  }
  return out;
}

TEST(exchange, sets_of_one_axis_and_their_intersection_are_those_of_a_search) {
  random_source random(11);
  for (int i = 0; i < (all_cases() ? 100000 : 3000) && !HasFailure(); ++i) {
    std::int64_t const extent = random.between(1, 400);
    std::vector<std::map<std::int64_t, std::int64_t>> expected;
    std::vector<distributed::axis_set> sets;
    for (int side = 0; side < 2; ++side) {
      distributed_axis const axis = random_axis(random, extent);
      std::vector<std::int64_t> values, strides;
      for (axis_digit const& d : axis.digits) {
        strides.push_back(d.stride);
        if (d.of_rank) values.push_back(random.between(0, d.extent - 1));
      }
      expected.push_back(by_search(axis, values));
      sets.push_back(distributed::owned(axis, values, strides));
      EXPECT_EQ(count_of(sets.back()), static_cast<std::int64_t>(expected.back().size()));
    }
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> found;
    for (distributed::shared_box const& box : intersection(sets[0], sets[1]))
      for (std::int64_t e = 0; e < count_of(box); ++e) {
        std::int64_t rest = e, index = box.first, src = box.src, dst = box.dst;
        for (distributed::shared_mode const& m : box.modes) {
          index += rest % m.count * m.step;
          src += rest % m.count * m.src;
          dst += rest % m.count * m.dst;
          rest /= m.count;
        }
        EXPECT_TRUE(found.emplace(index, std::pair{src, dst}).second) << "index " << index << " twice";
      }
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> common;
    for (auto const& [index, offset] : expected[0])
      if (auto const it = expected[1].find(index); it != expected[1].end()) common[index] = {offset, it->second};
    EXPECT_EQ(found, common) << "case " << i;
  }
}

TEST(exchange, cyclic_axes_of_coprime_periods_meet_in_one_sequence) {
  distributed_layout const src = distribute({1000000}, {1000}, {cyclic(0)}),
                           dst = distribute({1000000}, {999}, {cyclic(0)});
  rank_plan const plan = plan_exchange(src, dst, 5);
  EXPECT_EQ(plan.sends.size(), 998u);
  for (transfer const& t : plan.sends) EXPECT_EQ(t.pieces.size(), 1u);
}

// --- on paper ---------------------------------------------------------------------------------------------------------

TEST(topology, the_time_is_that_of_the_slowest_link) {
  topology t = topology_named("rail");
  t.oversubscription = 1;
  // 800 MB from rank 0 to rank 8, on one rail: 50 GB/s.
  EXPECT_NEAR(estimate({{0, 8, 200000000, 1}}, 4, t).seconds, 0.016, 1e-9);
  EXPECT_EQ(estimate({{0, 8, 200000000, 1}}, 4, t).uplink_bytes, 0);
  // To another rail: through a spine; to the same node: 450 GB/s.
  EXPECT_EQ(estimate({{0, 9, 200000000, 1}}, 4, t).uplink_bytes, 800000000);
  EXPECT_NEAR(estimate({{0, 7, 200000000, 1}}, 4, t).seconds, 0.8 / 450, 1e-9);
  EXPECT_THROW((void)topology_named("ring"), copy_error);
}

TEST(topology, dtensor_swaps_two_axes_by_gathering_one) {
  // (S0, S1) -> (S1, S0) on a mesh of 2 x 2: all-gather along axis 1, all-to-all along axis 0, then a slice.
  auto const chain =
      dtensor_chain({64, 64}, {2, 2}, {shard(0), shard(1)}, {shard(1), shard(0)}, 4, topology_named("nvlink"));
  std::vector<std::string> names;
  for (collective_step const& s : chain) names.push_back(s.name);
  EXPECT_EQ(names, (std::vector<std::string>{"all-gather", "all-to-all", "slice"}));
  EXPECT_EQ(chain[0].bytes, 64 * 64);
  EXPECT_EQ(chain[1].bytes, 64 * 64);
  // The plan: ranks 1 and 2 exchange their quarters, the others keep theirs.
  std::int64_t sent = 0;
  for (pair_traffic const& p : traffic_of(from_dtensor({64, 64}, {2, 2}, {shard(0), shard(1)}),
                                          from_dtensor({64, 64}, {2, 2}, {shard(1), shard(0)})))
    sent += p.from == p.to ? 0 : p.elements;
  EXPECT_EQ(sent, 2 * 32 * 32);
}

TEST(topology, explanation_and_json_name_the_bound) {
  distributed_layout const src = parse_distributed("distribute((10,8),4,S0)"),
                           dst = parse_distributed("distribute((10,8),4,S1)");
  std::string const text = explain(src, dst, 4, topology_named("host"));
  EXPECT_NE(
      text.find(
          "wanted 320 B, own copies 80 B, sent 240 B in 12 messages\nlower bound 240 B: what is sent equals it\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("proved: each rank gets each element that it lacks once"), std::string::npos) << text;
  std::string const json = to_json(src, dst, 4, topology_named("host"));
  EXPECT_NE(json.find("\"bound_bytes\": 240"), std::string::npos) << json;
  EXPECT_NE(traffic_svg(src, dst, 4).find("<title>0 to 1: 24 B</title>"), std::string::npos);
}

}  // namespace
}  // namespace tilewright
