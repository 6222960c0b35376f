// The search for swizzles: it finds what the field uses for the standard tiles, agrees with trying every swizzle by
// hand, and its bound holds for every permutation of a tile small enough to try them all.
#include "tilewright/analysis/search_swizzle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "plain_analysis.hpp"
#include "tilewright/analysis/linear.hpp"

namespace tilewright::tests {
namespace {

using analysis::access_set;
using analysis::optimality;
using analysis::search_swizzle;
using analysis::swizzle_choice;
using analysis::tile_access;
using tiling::access_kind;

/// Rows stored, columns loaded, of a 32x32 tile; rows `vector` elements at a time.
access_set transpose(long long element_bits, long long vector = 1) {
  access_set set{{element_bits}, 1024, {}};
  for (long long i = 0; i < 32; i += vector) {
    tile_access rows{access_kind::store, {vector}, 0, {}};
    for (int lane = 0; lane < 32; ++lane) rows.set(lane, 32 * i + lane * vector);
    set.accesses.push_back(rows);
  }
  for (int j = 0; j < 32; ++j) {
    tile_access column{access_kind::load, {1}, 0, {}};
    for (int lane = 0; lane < 32; ++lane) column.set(lane, 32 * lane + j);
    set.accesses.push_back(column);
  }
  return set;
}

/// The same access on sets of words, after the swizzle.
long long plain_wavefronts(access_set const& set, swizzle_value const& s) {
  long long sum = 0;
  for (tile_access const& a : set.accesses) {
    plain_access p;
    p.bytes_each = a.vector.count * set.element.count / 8;
    p.is_load = a.kind == access_kind::load;
    for (int lane = 0; lane < 32; ++lane)
      if ((a.active >> lane & 1) != 0)
        p.lane_at[lane] = s(a.start[static_cast<std::size_t>(lane)]) * set.element.count / 8;
    sum += conflicts(p).wavefronts;
  }
  return sum;
}

TEST(search_swizzle, frees_32x32_transposes_of_conflicts) {
  struct expected {
    long long element;
    swizzle_value swizzle;
    long long wavefronts;
  };
  for (expected const& e : {expected{8, {3, 2, 5}, 64}, expected{16, {4, 1, 5}, 64}, expected{32, {5, 0, 5}, 64},
                            expected{64, {4, 0, 5}, 128}}) {
    access_set const set = transpose(e.element);
    swizzle_choice const c = search_swizzle(set, h200()).value();
    EXPECT_EQ(c.swizzle, e.swizzle) << e.element << ": " << format_swizzle(c.swizzle);
    EXPECT_TRUE(c.conflict_free());
    EXPECT_EQ(c.wavefronts, e.wavefronts);
    EXPECT_EQ(c.bound, e.wavefronts);
    EXPECT_EQ(c.proof, optimality::by_bound);
    EXPECT_EQ(plain_wavefronts(set, c.swizzle), e.wavefronts);
    EXPECT_EQ(plain_wavefronts(set, {}), c.unswizzled);
    EXPECT_GT(c.unswizzled, e.wavefronts);
  }
}

TEST(search_swizzle, finds_the_hardwares_for_ldmatrix_tiles) {
  struct tile {
    char const* layout;
    swizzle_value swizzle;
  };
  for (tile const& t : {tile{"(64,32):(32,1)", {2, 3, 3}}, tile{"(64,64):(64,1)", {3, 3, 3}},
                        tile{"(64,16):(16,1)", {1, 3, 3}}, tile{"(64,8):(8,1)", {0, 0, 0}}})
    for (int const matrices : {1, 2, 4}) {
      layout_value const layout = parse_layout(t.layout);
      access_set set{{16}, size(layout).value(), {}};
      ASSERT_FALSE(add_matrices(set, layout, matrices, access_kind::ldmatrix));
      // Rows of 16 bytes come in by a tiled copy of 128-bit stores.
      long long const chunks = layout.shape[1].number / 8;
      layout_value const thr = make({{32 / chunks, chunks}, {chunks, 1}});
      tiling::tiled_map const map = tiling::map_of({{128}, {16}, thr, parse_layout("(1,8):(0,1)")}).value();
      ASSERT_FALSE(add_tiled(set, map, layout, {8}, access_kind::store));
      swizzle_choice const c = search_swizzle(set, h200()).value();
      EXPECT_EQ(c.swizzle, t.swizzle) << t.layout << ": " << format_swizzle(c.swizzle);
      EXPECT_TRUE(c.conflict_free()) << t.layout;
      EXPECT_EQ(plain_wavefronts(set, c.swizzle), c.wavefronts);
    }
}

TEST(search_swizzle, conflict_free_holds_at_every_position_by_ranks) {
  // Column reads of the transposed tile, for every column at once.
  for (auto const& [bits, s] :
       {std::pair<long long, swizzle_value>{8, {3, 2, 5}}, {16, {4, 1, 5}}, {32, {5, 0, 5}}, {64, {4, 0, 5}}}) {
    std::vector<long long> rows, columns;
    for (int i = 0; i < 1024; ++i) {
      rows.push_back(s(i) * bits);
      columns.push_back(s(i % 32 * 32 + i / 32) * bits);
    }
    for (auto const& table : {rows, columns}) {
      analysis::conflict_proof const proof = analysis::prove_conflicts(table, {bits}, access_kind::load, h200());
      EXPECT_EQ(proof.method, analysis::proof_method::linear);
      EXPECT_TRUE(proof.conflict_free());
    }
  }
}

TEST(search_swizzle, proves_that_vectors_of_rows_leave_conflicts_to_columns) {
  // Rows stored 16 bytes at a time keep a column's words at one place in their chunks: 8 banks, so 4 wavefronts each.
  swizzle_choice const c = search_swizzle(transpose(32, 4), h200()).value();
  EXPECT_FALSE(c.conflict_free());
  EXPECT_EQ(c.proof, optimality::by_bound);
  EXPECT_EQ(c.wavefronts, 8 * 4 + 32 * 4);
  EXPECT_EQ(c.bound, c.wavefronts);
  EXPECT_EQ(c.unswizzled, 8 * 4 + 32 * 32);
}

/// Every swizzle that keeps a tile of 2^n elements within itself and its vectors whole.
template <class F>
void for_each_swizzle(int n, int base, F const& f) {
  f(swizzle_value{});
  for (int b = 1; b <= n; ++b)
    for (int m = base; m <= n; ++m)
      for (int s = -n; s <= n; ++s)
        if (std::abs(s) >= b && m + b + std::abs(s) <= n) f(swizzle_value{b, m, s});
}

access_set random_set(std::mt19937& random, int n, long long element, int count) {
  access_set set{{element}, 1LL << n, {}};
  for (int i = 0; i < count; ++i) {
    long long const vector = element == 32 && random() % 2 == 0 ? 2 : 1;
    tile_access a{random() % 2 == 0 ? access_kind::load : access_kind::store, {vector}, 0, {}};
    unsigned const stride = 1 + static_cast<unsigned>(random() % 63), wild = static_cast<unsigned>(random() % 3);
    for (unsigned lane = 0; lane < 32; ++lane) {
      auto const at = wild == 0 ? random() : static_cast<unsigned>(lane * stride);
      a.set(static_cast<int>(lane), static_cast<long long>(at % (1U << n)) / vector * vector);
    }
    set.accesses.push_back(a);
  }
  return set;
}

TEST(search_swizzle, agrees_with_trying_every_swizzle) {
  std::mt19937 random(11);
  int exhausted = 0;
  for (int i = 0; i < 24; ++i) {
    access_set const set = random_set(random, 8, i % 2 == 0 ? 32 : 16, 3);
    bool const pairs =
        std::any_of(set.accesses.begin(), set.accesses.end(), [](auto& a) { return a.vector.count == 2; });
    long long least = plain_wavefronts(set, {});
    for_each_swizzle(8, pairs ? 1 : 0,
                     [&](swizzle_value const& s) { least = std::min(least, plain_wavefronts(set, s)); });
    swizzle_choice const c = search_swizzle(set, h200()).value();
    EXPECT_EQ(c.wavefronts, least);
    EXPECT_EQ(plain_wavefronts(set, c.swizzle), least);
    EXPECT_LE(c.bound, least);
    EXPECT_EQ(c.proof, c.bound == least ? optimality::by_bound : optimality::by_exhaustion);
    exhausted += c.proof == optimality::by_exhaustion;
  }
  EXPECT_GT(exhausted, 4);
}

TEST(search_swizzle, no_permutation_beats_the_bound) {
  architecture small = h200();  // two banks, so that eight elements are a tile worth permuting
  small.banks = 2;
  std::mt19937 random(3);
  int met = 0;
  for (int i = 0; i < 12; ++i) {
    access_set set{{32}, 8, {}};
    bool const pairs = i % 3 == 0;
    for (int k = 0; k < 2; ++k) {
      tile_access a{access_kind::store, {pairs && k == 0 ? 2 : 1}, 0, {}};
      for (int lane = 0; lane < 4; ++lane)
        a.set(lane, static_cast<long long>(random() % 8) / a.vector.count * a.vector.count);
      set.accesses.push_back(a);
    }
    long long const unit = pairs ? 2 : 1, bound = search_swizzle(set, small).value().bound;
    std::vector<long long> to(static_cast<std::size_t>(8 / unit));
    std::iota(to.begin(), to.end(), 0);
    long long least = 1000;
    do {
      long long sum = 0;
      for (tile_access const& a : set.accesses) {
        std::map<long long, std::set<long long>> words_of_bank;
        for (int lane = 0; lane < 4; ++lane)
          for (long long v = 0; v < a.vector.count; ++v) {
            long long const x = a.start[static_cast<std::size_t>(lane)] + v;
            long long const y = to[static_cast<std::size_t>(x / unit)] * unit + x % unit;
            words_of_bank[y % 2].insert(y);
          }
        std::size_t most = 0;
        for (auto const& [bank, words] : words_of_bank) most = std::max(most, words.size());
        sum += static_cast<long long>(most);
      }
      least = std::min(least, sum);
    } while (std::next_permutation(to.begin(), to.end()));
    EXPECT_LE(bound, least);
    met += bound == least;
  }
  EXPECT_GT(met, 3);
}

TEST(search_swizzle, stays_within_tiles_that_are_no_power_of_two) {
  access_set set{{32}, 32 * 24, {}};
  for (int j = 0; j < 32; ++j) {
    tile_access column{access_kind::load, {1}, 0, {}};
    for (int lane = 0; lane < 24; ++lane) column.set(lane, 32 * lane + j);
    set.accesses.push_back(column);
  }
  swizzle_choice const c = search_swizzle(set, h200()).value();
  EXPECT_TRUE(c.conflict_free());
  for (long long x = 0; x < set.extent; ++x) EXPECT_LT(c.swizzle(x), set.extent);
}

TEST(search_swizzle, refuses_what_no_machine_does) {
  auto const error_of = [](tile_access const& a, long long element = 32) {
    return search_swizzle({{element}, 64, {a}}, h200()).error().code;
  };
  tile_access a{access_kind::load, {2}, 0, {}};
  a.set(0, 1);
  EXPECT_EQ(error_of(a), errc::misaligned);
  a.set(0, 64);
  EXPECT_EQ(error_of(a), errc::coordinate_out_of_range);
  a.set(0, -2);
  EXPECT_EQ(error_of(a), errc::coordinate_out_of_range);
  EXPECT_EQ(error_of({access_kind::load, {3}, 0, {}}), errc::bad_factor);
  EXPECT_EQ(error_of({access_kind::load, {8}, 0, {}}), errc::bad_factor);
  access_set set{{16}, 64, {}};
  EXPECT_EQ(add_matrices(set, parse_layout("(8,12):(12,1)"), 1, access_kind::ldmatrix).code, errc::tiler_does_not_fit);
  EXPECT_EQ(add_matrices(set, parse_layout("(8,8):(8,1)"), 4, access_kind::ldmatrix).code, errc::tiler_does_not_fit);
  EXPECT_EQ(add_matrices(set, parse_layout("64:1"), 1, access_kind::ldmatrix).code, errc::rank_mismatch);
}

}  // namespace
}  // namespace tilewright::tests
