// Sectors and lines of warp requests: known cases of the hardware, and every byte put into a set.
#include "tilewright/tiling/sectors.hpp"

#include <gtest/gtest.h>

#include "plain_analysis.hpp"

namespace tilewright::tests {
namespace {

using tiling::access_kind;
using tiling::global_traffic;
using tiling::traffic_of;
using tiling::warp_access;

constexpr warp_access strided(long long width_bytes, long long stride_bytes, long long base = 0) {
  warp_access out{};
  out.width = {8 * width_bytes};
  for (int lane = 0; lane < 32; ++lane) out.set(lane, {8 * (base + lane * stride_bytes)});
  return out;
}
constexpr global_traffic on_gpu(warp_access const& a) { return traffic_of(a, arch(arch_id::sm_90)); }

static_assert(on_gpu(strided(4, 4)).sectors == 4 && on_gpu(strided(4, 4)).lines == 1);        // coalesced floats
static_assert(on_gpu(strided(4, 4, 4)).sectors == 5 && on_gpu(strided(4, 4, 4)).lines == 2);  // off by one element
static_assert(on_gpu(strided(4, 8)).sectors == 8);                                            // every second float
static_assert(on_gpu(strided(4, 128)).sectors == 32 && on_gpu(strided(4, 128)).lines == 32);  // a column
static_assert(on_gpu(strided(4, 0)).sectors == 1 && on_gpu(strided(4, 0)).bytes_asked == 4);  // broadcast
static_assert(on_gpu(strided(16, 16)).sectors == 16 && on_gpu(strided(16, 16)).lines == 4);   // LDG.128
static_assert(on_gpu(strided(32, 32)).sectors == 32 && on_gpu(strided(32, 32)).lines == 8);   // 256 bits, sm_100
static_assert(on_gpu(strided(1, 1)).sectors == 1 && on_gpu(strided(1, 1)).sectors_least == 1);
static_assert(on_gpu(warp_access{}) == global_traffic{});
static_assert(tiling::lanes_at_a_time({128}) == 8 && tiling::lanes_at_a_time({8}) == 32);

TEST(global_memory, efficiency_is_the_share_of_the_fetched_bytes) {
  EXPECT_EQ(on_gpu(strided(16, 16)).efficiency(h200()), 1.0);
  EXPECT_EQ(on_gpu(strided(4, 8)).efficiency(h200()), 0.5);
  EXPECT_EQ(on_gpu(strided(4, 128)).efficiency(h200()), 0.125);
  EXPECT_EQ(global_traffic{}.efficiency(h200()), 1.0);
}

TEST(global_memory, negative_addresses_round_down) {
  EXPECT_EQ(on_gpu(strided(4, -4)).sectors, 5);  // bytes -124 … 4
  EXPECT_EQ(on_gpu(strided(4, -4, 124)).sectors, 4);
}

TEST(global_memory, agrees_with_sets_of_bytes) {
  for (plain_access const& a : many_accesses()) {
    global_traffic const t = on_gpu(a.built());
    ASSERT_EQ(t.requests, 1);
    ASSERT_EQ(t.bytes_asked, static_cast<long long>(units(a, 1).size()));
    ASSERT_EQ(t.sectors, static_cast<long long>(units(a, 32).size()));
    ASSERT_EQ(t.lines, static_cast<long long>(units(a, 128).size()));
    ASSERT_EQ(t.sectors_least, (t.bytes_asked + 31) / 32);
    for (int first = 0; first < 32; first += 8)
      ASSERT_EQ(traffic_of(a.built(), h200(), first, 8).sectors,
                static_cast<long long>(units(a, 32, first, first + 8).size()));
  }
}

TEST(global_memory, elements_below_a_byte_touch_the_byte_they_are_in) {
  warp_access a{};
  a.width = {4};
  for (int lane = 0; lane < 32; ++lane) a.set(lane, {4 * lane});
  EXPECT_EQ(on_gpu(a).bytes_asked, 16);
  a.width = {6};  // 6 bits from bit 4: two bytes
  EXPECT_EQ(on_gpu(a).bytes_asked, 17);
}

}  // namespace
}  // namespace tilewright::tests
