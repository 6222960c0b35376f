// What a declaration means to an analysis, and every access of a copy, against the derivation that the typed face uses
// and a walk over all rounds.
#include "tilewright/tiling/tiled_side.hpp"

#include <gtest/gtest.h>

#include "copies_to_analyse.hpp"
#include "plain_analysis.hpp"

namespace tilewright::tests {
namespace {

using tiling::map_of;
using tiling::side_of;
using tiling::tiled_map;
using tiling::tiled_side;

TEST(tiled, derives_what_make_tiled_copy_does) {
  char const* const layouts[] = {"(4,8):(1,4)",         "(4,8):(8,1)", "(2,2):(2,1)", "(1,1):(0,0)",
                                 "(4,1):(1,0)",         "(1,4):(0,1)", "(2,3):(3,1)", "8:1",
                                 "(2,(2,2)):(4,(1,2))", "(2,2):(1,1)", "(0,2):(1,1)", "(2,2):(1,3)"};
  int good = 0;
  for (char const* thr : layouts)
    for (char const* val : layouts)
      for (long long const atom : {32, 64, 128, 48}) {
        tiling::declaration const d{{atom}, {32}, parse_layout(thr), parse_layout(val)};
        result<tiled_map> const ours = map_of(d);
        result<tiled_copy_value> const theirs = make_tiled_copy(d.atom, d.element, d.thr, d.val);
        ASSERT_EQ(static_cast<bool>(ours), static_cast<bool>(theirs)) << thr << ' ' << val << ' ' << atom;
        if (!ours) continue;
        ++good;
        EXPECT_EQ(ours->atom, theirs->atom);
        EXPECT_EQ(ours->tiler, theirs->tiler) << thr << ' ' << val;
        EXPECT_EQ(ours->tv, theirs->tv) << thr << ' ' << val;
        EXPECT_EQ(ours->threads(), theirs->threads());
        EXPECT_EQ(ours->values(), theirs->values());
      }
  EXPECT_GT(good, 100);
}

TEST(tiled, counts_every_access_of_every_round) {
  for (copy_case const& c : some_copies()) {
    tiled_map const map = map_of(c.copy).value();
    tiled_side const side = side_of(map, c.tensor, h200()).value();
    plain_copy const all = walk(c.copy, c.tensor);
    ASSERT_EQ(side.rounds, all.rounds);
    long long const element_bytes = c.copy.element.count / 8;
    for (long long vector : {1LL, map.values()}) {
      if (vector * element_bytes > 16) continue;
      tiling::global_traffic sum{}, expected{};
      long long wavefronts = 0, expected_wavefronts = 0;
      for_each_access(side, vector, tiling::access_kind::load, h200(),
                      [&](tiling::warp_access const& a, long long times) {
                        sum.add(tiling::traffic_of(a, h200()), times);
                        wavefronts += times * tiling::bank_conflicts(a, h200()).wavefronts;
                      });
      for_each_plain_access(all, vector, element_bytes, true, [&](plain_access const& a) {
        ++expected.requests;
        expected.bytes_asked += static_cast<long long>(units(a, 1).size());
        expected.sectors += static_cast<long long>(units(a, 32).size());
        expected.lines += static_cast<long long>(units(a, 128).size());
        expected_wavefronts += conflicts(a).wavefronts;
      });
      EXPECT_EQ(sum.requests, expected.requests) << c;
      EXPECT_EQ(sum.bytes_asked, expected.bytes_asked) << c;
      EXPECT_EQ(sum.sectors, expected.sectors) << c;
      EXPECT_EQ(sum.lines, expected.lines) << c;
      EXPECT_EQ(wavefronts, expected_wavefronts) << c;
    }
  }
}

TEST(tiled, huge_tensors_take_no_longer) {
  tiled_map const map = map_of({{128}, {32}, parse_layout("(16,16):(1,16)"), parse_layout("(4,1):(1,0)")}).value();
  tiled_side const side = side_of(map, plain("(16777216,16777216):(1,16777217)"), h200()).value();
  EXPECT_EQ(side.rounds, 16777216LL / 64 * (16777216 / 16));
  long long count = 0;
  for (tiling::round_class const& round : side.classes) count += round.count;
  EXPECT_EQ(count, side.rounds);
  EXPECT_LE(side.classes.size(), 32U);
}

TEST(tiled, a_cpus_thread_touches_its_lines_once) {
  for (copy_case const& c : some_copies()) {
    plain_copy const all = walk(c.copy, c.tensor);
    long long const element_bytes = c.copy.element.count / 8;
    long long lines = 0;
    for (long long r = 0; r < all.rounds; ++r)
      for (long long t = 0; t < all.threads; ++t) {
        std::set<long long> touched;
        for (long long v = 0; v < all.values; ++v) touched.insert(all.at(t, v, r) * element_bytes / 64);
        lines += static_cast<long long>(touched.size());
      }
    tiled_side const side = side_of(map_of(c.copy).value(), c.tensor, arch(arch_id::cpu)).value();
    EXPECT_EQ(cache_traffic(side, arch(arch_id::cpu)).lines, lines) << c;
  }
}

TEST(tiled, refuses_what_it_cannot_read) {
  tiled_map const map = map_of({{128}, {32}, parse_layout("(4,8):(1,4)"), parse_layout("(4,1):(1,0)")}).value();
  auto const error_of = [&](composed_value const& tensor) { return side_of(map, tensor, h200()).error().code; };
  EXPECT_EQ(error_of(plain("(12,8):(1,12)")), errc::tiler_does_not_fit);
  EXPECT_EQ(error_of(plain("128:1")), errc::rank_mismatch);
  EXPECT_EQ(error_of(plain("(16,8):(1,4611686018427387904)")), errc::overflow);
  EXPECT_EQ(error_of(plain("(16,8):(1,288230376151711744)")), errc::overflow);  // in bits
  EXPECT_EQ(error_of(swizzled({3, 2, 1}, "(16,8):(1,16)")), errc::bad_swizzle);
  EXPECT_THROW((void)side_of(map, swizzled({1, 20, 20}, "(16,8):(1,16)"), h200()), std::length_error);
  EXPECT_EQ(map_of({{128}, {0}, parse_layout("4:1"), parse_layout("4:1")}).error().code, errc::atom_not_divisible);
}

}  // namespace
}  // namespace tilewright::tests
