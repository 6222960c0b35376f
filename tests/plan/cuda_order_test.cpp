// The order of a GPU's tiles: the search against every order there is, and what an order costs against pages counted one
// by one.
#include "engine/plan/cuda_order.hpp"

#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tilewright {
namespace {

using std::int64_t;

machine_model small_gpu() {
  machine_model m;
  m.kind = device_kind::cuda;
  m.processors = 4;  // 256 KiB in flight
  m.far_bytes = 1 << 20;
  return m;
}

movement permuted(std::string const& src, std::string const& dst, int bits = 32) {
  return make_movement(composed(parse_layout(src)), composed(parse_layout(dst)), bits);
}

std::vector<int> usual_of(movement const& m) {
  std::vector<int> out(m.loops.size());
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// The movement of a tensor whose modes follow each other in another, random order.
movement random_movement(std::mt19937& random, int rank) {
  movement m;
  m.element_bits = 32;
  std::vector<int64_t> extents;
  for (int i = 0; i < rank; ++i) extents.push_back(2 + static_cast<int64_t>(random() % 40));
  std::vector<int> order(extents.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  m.loops.resize(extents.size());
  m.elements = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    m.loops[i].extent = extents[i];
    m.loops[i].dst = m.elements;
    m.elements *= extents[i];
  }
  int64_t stride = 1;
  for (int const i : order) {
    m.loops[static_cast<std::size_t>(i)].src = stride;
    stride *= extents[static_cast<std::size_t>(i)];
  }
  return m;
}

TEST(cuda_order, is_the_cheapest_of_all) {
  std::mt19937 random(20261122);
  machine_model const machine = small_gpu();
  int others = 0;
  for (int n = 0; n < 300; ++n) {
    movement const m = random_movement(random, 2 + static_cast<int>(random() % 4));
    std::vector<int64_t> tile;
    for (loop const& l : m.loops) tile.push_back(1 + static_cast<int64_t>(random() % 3) * (l.extent - 1) / 2);
    std::vector<int> const usual = usual_of(m);
    plan::cuda_tile_order const found = plan::order_of_tiles(m, machine, tile, usual);
    EXPECT_TRUE(std::is_permutation(usual.begin(), usual.end(), found.loops.begin(), found.loops.end()));
    EXPECT_DOUBLE_EQ(found.cost, plan::cost_of_order(m, machine, tile, found.loops));
    double least = plan::cost_of_order(m, machine, tile, usual);
    std::vector<int> order = usual;
    do least = std::min(least, plan::cost_of_order(m, machine, tile, order));
    while (std::next_permutation(order.begin(), order.end()));
    EXPECT_LE(found.cost, least + 1e-4);
    others += found.loops != usual;
  }
  EXPECT_GT(others, 30);
}

/// Pages of 2^power bytes of one side that the first `tiles` tiles touch, over those that their bytes fill.
double pages_touched(movement const& m, std::vector<int64_t> const& tile, std::vector<int> const& order, int64_t tiles,
                     bool source, int power) {
  std::set<int64_t> pages;
  std::set<int64_t> elements;
  for (int64_t t = 0; t < tiles; ++t) {
    std::vector<int64_t> begin(m.loops.size(), 0);
    int64_t left = t;
    for (int const l : order) {
      auto const i = static_cast<std::size_t>(l);
      int64_t const all = (m.loops[i].extent + tile[i] - 1) / tile[i];
      begin[i] = left % all * tile[i];
      left /= all;
    }
    if (left > 0) break;
    std::vector<int64_t> at = begin;
    for (bool more = true; more;) {
      int64_t offset = 0;
      for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * (source ? m.loops[i].src : m.loops[i].dst);
      elements.insert(offset);
      pages.insert(offset * 4 >> power);
      more = false;
      for (std::size_t i = 0; i < at.size() && !more; ++i) {
        if (++at[i] < std::min(begin[i] + tile[i], m.loops[i].extent)) more = true;
        else at[i] = begin[i];
      }
    }
  }
  return static_cast<double>(pages.size() << power) / (4.0 * static_cast<double>(elements.size()));
}

// The estimate takes what is under way for one box; it must tell orders apart as the count of pages does.
TEST(cuda_order, keeps_what_is_under_way_together) {
  movement const m = permuted("(32,16,24,40):(1,32,512,12288)", "(32,16,24,40):(15360,960,40,1)");
  std::vector<int64_t> tile(m.loops.size(), 1);
  for (std::size_t i = 0; i < m.loops.size(); ++i)
    if (m.loops[i].src == 1 || m.loops[i].dst == 1) tile[i] = m.loops[i].extent;
  machine_model machine = small_gpu();
  int64_t const tiles = 64 * 1024 * machine.processors / (32 * 40 * 4);
  std::vector<int> const usual = usual_of(m);
  std::vector<int> const found = plan::order_of_tiles(m, machine, tile, usual).loops;
  std::vector<int> order = usual;
  double best = 1e9, of_found = 0;
  do {
    double const counted = 0.0076 * std::log2(pages_touched(m, tile, order, tiles, true, 14)) +
                           0.041 * std::log2(pages_touched(m, tile, order, 4 * tiles, false, 9));
    best = std::min(best, counted);
    if (order == found) of_found = counted;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_LE(of_found, best + 0.01);
}

// A source of 2 MiB that is copied 64 times, with a cache of 1 MiB: each tile is copied as often before the next one is read.
TEST(cuda_order, copies_a_tile_of_a_repeated_source_as_often_as_it_is_wanted) {
  movement const m = permuted("(524288,64):(1,0)", "(524288,64):(1,524288)");
  std::vector<int64_t> const tile{1024, 1};
  ASSERT_EQ(m.loops.front().src, 1);
  EXPECT_EQ(plan::order_of_tiles(m, small_gpu(), tile, usual_of(m)).loops, (std::vector<int>{1, 0}));
  machine_model large = small_gpu();
  large.far_bytes = 64 << 20;  // has the source four times over
  EXPECT_EQ(plan::order_of_tiles(m, large, tile, usual_of(m)).loops, usual_of(m));
}

TEST(cuda_order, is_the_usual_one_where_nothing_is_gained) {
  for (char const* const dst : {"(4096,4096):(1,4096)", "(4096,4096):(4096,1)"}) {
    movement const m = permuted("(4096,4096):(4096,1)", dst);
    std::vector<int64_t> tile(m.loops.size(), 64);
    std::vector<int> const usual = usual_of(m);
    EXPECT_EQ(plan::order_of_tiles(m, small_gpu(), tile, usual).loops, usual);
  }
}

// A tensor that turns wholly, with runs of 512 and 256 bytes: the loop that carries the source's run on comes first.
TEST(cuda_order, goes_on_along_the_source_where_the_destination_is_scattered_anyway) {
  copy_request const request{composed(parse_layout("(64,256,128,128):(4194304,16384,128,1)")),
                             composed(parse_layout("(64,256,128,128):(1,64,16384,2097152)")), 32, 256, 256};
  copy_plan const plan = plan_copy(request, machine_named("sm_90"));
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  ASSERT_GE(s.grid.size(), 2u);
  EXPECT_EQ(plan.moves.loops[static_cast<std::size_t>(s.grid[0].loop)].src, 128);
}

TEST(cuda_order, of_many_loops_is_searched_for_among_some) {
  movement many;
  many.element_bits = 8;
  many.elements = 1;
  for (int i = 0; i < 24; ++i) {
    many.loops.push_back({2, int64_t{1} << (i % 2 == 0 ? 23 - i / 2 : i / 2), many.elements});
    many.elements *= 2;
  }
  std::vector<int64_t> const tile(many.loops.size(), 1);
  std::vector<int> const usual = usual_of(many);
  plan::cuda_tile_order const found = plan::order_of_tiles(many, small_gpu(), tile, usual);
  EXPECT_TRUE(std::is_permutation(usual.begin(), usual.end(), found.loops.begin(), found.loops.end()));
  EXPECT_LE(found.cost, plan::cost_of_order(many, small_gpu(), tile, usual));
}

}  // namespace
}  // namespace tilewright
