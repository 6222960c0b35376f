// The proof over F2: affine tables are recognised and only they, ranks are dimensions, and the wavefronts it proves are
// those of looking at every position.
#include "tilewright/analysis/linear.hpp"

#include <gtest/gtest.h>

#include "plain_analysis.hpp"

namespace tilewright::tests {
namespace {

using analysis::affine_over_f2;
using analysis::prove_conflicts;
using analysis::rank_over_f2;
using tiling::access_kind;

std::vector<long long> table_of(composed_value const& a, long long scale) {
  std::vector<long long> out;
  for (long long i = 0; i < size(a.layout).value(); ++i)
    out.push_back(scale * a.swizzle(a.offset.number + a.layout(i)));
  return out;
}

TEST(linear, recognises_affine_tables_and_no_others) {
  for (char const* layout : {"(32,32):(32,1)", "(32,4,8):(1,256,32)", "(4,8):(0,1)", "1:0"})
    for (swizzle_value const s : {swizzle_value{}, {3, 2, 3}, {2, 0, -2}})
      EXPECT_TRUE(affine_over_f2(table_of(swizzled(s, layout), 32))) << layout;
  for (char const* layout : {"(32,32):(33,1)", "(4,8):(3,1)", "(4,8):(1,2)", "12:1", "(4,4):(6,1)"})
    EXPECT_FALSE(affine_over_f2(table_of(plain(layout), 32))) << layout;
  EXPECT_FALSE(affine_over_f2(std::vector<long long>{0, -1}));
  auto const map = affine_over_f2(table_of(plain("(4,8):(8,1)"), 1));
  ASSERT_TRUE(map);
  EXPECT_EQ(map->bits, 5);
  EXPECT_EQ(map->column[0], 8);
  EXPECT_EQ(map->column[2], 1);
}

TEST(linear, rank_is_the_dimension_of_the_span) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    std::vector<long long> vectors(random() % 6);
    for (long long& v : vectors) v = static_cast<long long>(random() % 32);
    std::set<long long> span{0};
    for (long long const v : vectors) {
      std::set<long long> const before = span;
      for (long long const x : before) span.insert(x ^ v);
    }
    EXPECT_EQ(std::size_t{1} << rank_over_f2(vectors), span.size());
  }
}

TEST(linear, proves_what_looking_at_every_position_finds) {
  int linear = 0, looked = 0;
  for (char const* layout : {"(32,32):(1,32)", "(32,32):(32,1)", "((4,8),16):((1,128),4)", "((8,4),8):((64,8),512)",
                             "(32,8):(33,1)", "(32,6):(1,32)", "((2,16),8):((0,1),16)", "((2,2,8),4):((1,0,2),16)"})
    for (swizzle_value const s : {swizzle_value{}, {1, 2, 3}, {2, 3, 3}, {3, 2, 3}, {3, 0, 5}, {5, 0, 5}, {1, 1, -4}})
      for (long long const width : {8, 16, 32, 64, 128})
        for (access_kind const kind : {access_kind::load, access_kind::store}) {
          std::vector<long long> const table = table_of(swizzled(s, layout), width);
          analysis::conflict_proof const proof = prove_conflicts(table, {width}, kind, h200());
          long long wavefronts = 0, phases = 0;
          for (std::size_t at = 0; at < table.size(); at += 32) {
            plain_access a;
            a.bytes_each = width / 8;
            a.is_load = kind == access_kind::load;
            for (int lane = 0; lane < 32; ++lane) a.lane_at[lane] = table[at + static_cast<std::size_t>(lane)] / 8;
            wavefronts += conflicts(a).wavefronts;
            phases += conflicts(a).phases;
          }
          ASSERT_EQ(proof.wavefronts, wavefronts) << layout << ' ' << format_swizzle(s) << ' ' << width;
          ASSERT_EQ(proof.phases, phases);
          ASSERT_EQ(proof.conflict_free(), wavefronts == phases);
          (proof.method == analysis::proof_method::linear ? linear : looked) += 1;
        }
  EXPECT_GT(linear, 200);
  EXPECT_GT(looked, 50);
}

TEST(linear, unaligned_accesses_are_looked_at) {
  std::vector<long long> table;
  for (int lane = 0; lane < 32; ++lane) table.push_back(128 * lane + 32);
  EXPECT_EQ(prove_conflicts(table, {128}, access_kind::load, h200()).method, analysis::proof_method::enumeration);
  EXPECT_EQ(analysis::prove_conflicts({}, {32}, access_kind::load, h200()).positions, 0);
}

}  // namespace
}  // namespace tilewright::tests
