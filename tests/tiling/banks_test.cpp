// Bank conflicts: known cases of the hardware, in constant evaluation, and every access against maps of words.
#include "tilewright/tiling/banks.hpp"

#include <gtest/gtest.h>

#include "plain_analysis.hpp"

namespace tilewright::tests {
namespace {

using tiling::access_kind;
using tiling::bank_conflicts;
using tiling::bank_report;
using tiling::matrix_access;
using tiling::warp_access;

constexpr warp_access strided(long long width_bytes, long long stride_bytes, access_kind kind = access_kind::load) {
  warp_access out{};
  out.kind = kind;
  out.width = {8 * width_bytes};
  for (int lane = 0; lane < 32; ++lane) out.set(lane, {8 * lane * stride_bytes});
  return out;
}
constexpr bank_report on_gpu(warp_access const& a) { return bank_conflicts(a, arch(arch_id::sm_90)); }
constexpr bool costs(warp_access const& a, int wavefronts, int phases) {
  return on_gpu(a).wavefronts == wavefronts && on_gpu(a).phases == phases;
}

static_assert(costs(strided(4, 4), 1, 1) && costs(strided(4, 8), 2, 1) && costs(strided(4, 12), 1, 1));
static_assert(costs(strided(4, 128), 32, 1) && costs(strided(4, 132), 1, 1));  // a column of 32 floats, and padded
static_assert(costs(strided(4, 0), 1, 1));                                     // one word for everybody
static_assert(costs(strided(1, 1), 1, 1) && costs(strided(2, 2), 1, 1));       // several threads a word
static_assert(costs(strided(1, 32), 8, 1) && costs(strided(2, 64), 16, 1));    // columns of 32 bytes, of 32 halves
static_assert(costs(strided(8, 8), 2, 2) && costs(strided(16, 16), 4, 4));
static_assert(costs(strided(8, 256), 32, 2) && costs(strided(16, 512), 32, 4));
static_assert(costs(strided(16, 128), 32, 4));  // LDS.128 down a column of 128-byte rows: 32 wavefronts
// Pairs of threads at one address load as half as many; stores do not.
static_assert(costs(strided(16, 0), 2, 2) && costs(strided(8, 0), 1, 1));
static_assert(costs(strided(16, 0, access_kind::store), 4, 4));
static_assert(on_gpu(warp_access{}) == bank_report{});
static_assert(bank_conflicts(strided(4, 128), arch(arch_id::cpu)) == bank_report{});

/// 8 rows of 16 bytes, `pitch` bytes apart, for each of four matrices side by side.
constexpr warp_access matrices(long long pitch, int count) {
  std::array<long long, 32> rows{};
  for (int lane = 0; lane < 32; ++lane) rows[static_cast<std::size_t>(lane)] = 8 * (lane % 8 * pitch + lane / 8 * 16);
  return matrix_access(access_kind::ldmatrix, count, rows);
}
static_assert(costs(matrices(16, 1), 1, 1) && costs(matrices(128, 1), 8, 1) && costs(matrices(64, 1), 4, 1));
static_assert(costs(matrices(128, 2), 16, 2) && costs(matrices(128, 4), 32, 4) && costs(matrices(64, 4), 16, 4));
static_assert(costs(matrices(144, 4), 4, 4) && costs(matrices(80, 4), 4, 4));  // rows padded by 16 bytes

TEST(shared_memory, a_phase_says_where_it_is_slow) {
  bank_report const r = on_gpu(strided(8, 32));  // 16 threads a phase, on banks 0, 1, 8, 9, …
  ASSERT_EQ(r.phases, 2);
  EXPECT_EQ(r.phase[0].lanes, 16);
  EXPECT_EQ(r.phase[0].words, 32);
  EXPECT_EQ(r.phase[0].banks, 8);
  EXPECT_EQ(r.phase[0].wavefronts, 4);
  EXPECT_EQ(r.phase[0].busiest, 0);
  EXPECT_EQ(r.phase[1].first_lane, 16);
  EXPECT_EQ(r.conflicts(), 6);
}

TEST(shared_memory, agrees_with_maps_of_words) {
  int conflicting = 0, merged = 0;
  for (plain_access const& a : many_accesses()) {
    plain_conflicts const expected = conflicts(a);
    bank_report const r = on_gpu(a.built());
    ASSERT_EQ(r.wavefronts, expected.wavefronts);
    ASSERT_EQ(r.phases, expected.phases);
    int sum = 0;
    for (int i = 0; i < r.phases; ++i) sum += r.phase[static_cast<std::size_t>(i)].wavefronts;
    EXPECT_EQ(sum, r.wavefronts);
    conflicting += r.conflicts() > 0;
    merged += a.bytes_each > 4 && tiling::lanes_of_a_phase(a.built()) > 128 / a.bytes_each;
  }
  EXPECT_GT(conflicting, 300);  // the family has both kinds
  EXPECT_GT(merged, 10);
}

TEST(shared_memory, sums_over_instructions) {
  tiling::shared_traffic sum{};
  sum.add(traffic_of(on_gpu(strided(16, 128)), h200()), 3);
  sum.add(traffic_of(on_gpu(strided(4, 4)), h200()), 1);
  EXPECT_EQ(sum.instructions, 4);
  EXPECT_EQ(sum.phases, 13);
  EXPECT_EQ(sum.wavefronts, 97);
  EXPECT_EQ(sum.wavefronts_least, 13);
  EXPECT_EQ(sum.conflicts(), 84);
}

}  // namespace
}  // namespace tilewright::tests
