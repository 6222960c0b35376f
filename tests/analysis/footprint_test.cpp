// Registers, shared memory and the blocks that fit an SM, against numbers of the occupancy tables; the model of time
// against its formula.
#include "tilewright/analysis/footprint.hpp"

#include <gtest/gtest.h>

namespace tilewright::analysis {
namespace {

constexpr architecture const& h100 = arch(arch_id::sm_90);

static_assert(footprint_of(256, 4, {32}, true, {0}, h100).registers == 4);
static_assert(footprint_of(256, 5, {8}, true, {0}, h100).registers == 2);
static_assert(footprint_of(256, 4, {32}, false, {0}, h100).registers == 0);

TEST(footprint, blocks_are_limited_by_the_scarcest) {
  footprint const threads = footprint_of(1024, 4, {32}, true, {0}, h100);
  EXPECT_EQ(threads.blocks, 2);
  EXPECT_EQ(threads.blocks_by_threads, 2);
  EXPECT_EQ(threads.blocks_by_shared, -1);
  footprint const shared = footprint_of(128, 4, {32}, true, {64 * 1024}, h100);
  EXPECT_EQ(shared.blocks_by_shared, 3);  // 228 KiB / 65 KiB
  EXPECT_EQ(shared.blocks, 3);
  footprint const registers = footprint_of(256, 128, {32}, true, {0}, h100);
  EXPECT_EQ(registers.blocks_by_registers, 2);  // 128 * 256 registers each
  EXPECT_EQ(registers.blocks, 2);
  EXPECT_EQ(footprint_of(32, 1, {32}, true, {0}, h100).blocks, 32);
  EXPECT_EQ(footprint_of(256, 4, {32}, true, {0}, arch(arch_id::sm_86)).blocks, 6);  // 1536 threads
}

TEST(footprint, what_does_not_fit_gets_no_block) {
  EXPECT_EQ(footprint_of(2048, 4, {32}, true, {0}, h100).blocks, 0);
  EXPECT_EQ(footprint_of(32, 256, {32}, true, {0}, h100).blocks, 0);
  EXPECT_EQ(footprint_of(32, 4, {32}, true, {228 * 1024}, h100).blocks, 0);
  EXPECT_EQ(footprint_of(32, 4, {32}, true, {227 * 1024}, h100).blocks, 1);
  EXPECT_EQ(footprint_of(32, 4, {32}, true, {1}, arch(arch_id::cpu)).blocks, -1);
}

TEST(footprint, time_is_the_slowest_parts) {
  global_traffic global{};
  global.requests = 10;
  global.sectors = 160;
  shared_traffic shared{10, 40, 40, 40};
  model_time const t = time_of(global, shared, h100);
  EXPECT_DOUBLE_EQ(t.global_clocks, 80);
  EXPECT_DOUBLE_EQ(t.shared_clocks, 40);
  EXPECT_DOUBLE_EQ(t.instruction_clocks, 20);
  EXPECT_DOUBLE_EQ(t.clocks(), 80);
  EXPECT_EQ(t.bound_by(), time_bound::global_memory);
  shared.wavefronts = 320;
  EXPECT_EQ(time_of(global, shared, h100).bound_by(), time_bound::shared_memory);
  EXPECT_EQ(time_of(global, shared, h100, {1000, 1000, 1}).bound_by(), time_bound::instructions);
  EXPECT_EQ(model_time{}.bound_by(), time_bound::nothing);
}

}  // namespace
}  // namespace tilewright::analysis
