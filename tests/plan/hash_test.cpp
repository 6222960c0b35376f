// The hash of a plan: equal plans hash alike, and there is no field whose change goes unnoticed.
#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <gtest/gtest.h>
#include <array>
#include <bit>
#include <functional>
#include <set>

namespace tilewright {
namespace {

copy_plan planned(char const* src, char const* dst, char const* machine) {
  return plan_copy({composed(parse_layout(src)), composed(parse_layout(dst)), 32}, machine_named(machine));
}

using change = std::function<void(copy_plan&)>;

/// Every change alone gives a plan that is another, with a hash of its own.
void expect_that_each_matters(copy_plan const& plan, std::vector<change> const& changes) {
  std::set<std::size_t> hashes{hash_of(plan)};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    copy_plan other = plan;
    changes[i](other);
    EXPECT_FALSE(other == plan) << "change " << i << " changes nothing";
    EXPECT_TRUE(hashes.insert(hash_of(other)).second) << "change " << i << " leaves the hash as it is";
  }
}

TEST(plan_hash, sees_every_threshold_of_the_machine) {
  // A struct of whole numbers alone, so its members are those of an array.
  constexpr std::size_t count = sizeof(cpu_tuning) / sizeof(std::int64_t);
  std::vector<change> changes;
  for (std::size_t i = 0; i < count; ++i)
    changes.push_back([i](copy_plan& p) {
      auto numbers = std::bit_cast<std::array<std::int64_t, count>>(p.machine.tuning);
      ++numbers[i];
      p.machine.tuning = std::bit_cast<cpu_tuning>(numbers);
    });
  expect_that_each_matters(planned("(64,32):(32,1)", "(64,32):(1,64)", "cpu"), changes);
}

TEST(plan_hash, is_that_of_equal_plans) {
  for (char const* machine : {"cpu", "sm_90"}) {
    copy_plan const a = planned("(64,32):(32,1)", "(64,32):(1,64)", machine), b = a;
    EXPECT_EQ(a, b);
    EXPECT_EQ(hash_of(a), hash_of(b));
    EXPECT_EQ(hash_of(a), hash_of(planned("(64,32):(32,1)", "(64,32):(1,64)", machine)));
  }
  copy_plan minus, plus;
  minus.seconds = -0.0;
  EXPECT_EQ(minus, plus);
  EXPECT_EQ(hash_of(minus), hash_of(plus));
}

TEST(plan_hash, sees_every_field_of_a_cpu_plan) {
  copy_plan plan = planned("(64,32):(32,1)", "(64,32):(1,64)", "cpu");
  ASSERT_TRUE(std::holds_alternative<cpu_schedule>(plan.schedule));
  plan.moves.src_steps = plan.moves.dst_steps = {{2, 3}};
  auto const schedule = [](auto const& of) { return [of](copy_plan& p) { of(std::get<cpu_schedule>(p.schedule)); }; };
  using cpu_s = cpu_schedule;
  expect_that_each_matters(plan, {[](copy_plan& p) { ++p.moves.element_bits; },
                                  [](copy_plan& p) { ++p.moves.elements; },
                                  [](copy_plan& p) { ++p.moves.src_offset; },
                                  [](copy_plan& p) { ++p.moves.dst_offset; },
                                  [](copy_plan& p) { ++p.moves.src_swizzle.bits; },
                                  [](copy_plan& p) { ++p.moves.src_swizzle.base; },
                                  [](copy_plan& p) { ++p.moves.src_swizzle.shift; },
                                  [](copy_plan& p) { ++p.moves.dst_swizzle.bits; },
                                  [](copy_plan& p) { ++p.moves.dst_swizzle.base; },
                                  [](copy_plan& p) { ++p.moves.dst_swizzle.shift; },
                                  [](copy_plan& p) { ++p.moves.loops[0].extent; },
                                  [](copy_plan& p) { ++p.moves.loops[0].src; },
                                  [](copy_plan& p) { ++p.moves.loops[1].dst; },
                                  [](copy_plan& p) {
                                    p.moves.loops.push_back({2, 0, 0});
                                  },
                                  [](copy_plan& p) { ++p.moves.src_steps[0].extent; },
                                  [](copy_plan& p) { ++p.moves.src_steps[0].stride; },
                                  [](copy_plan& p) { ++p.moves.dst_steps[0].extent; },
                                  [](copy_plan& p) { ++p.moves.dst_steps[0].stride; },
                                  [](copy_plan& p) { p.path = copy_path::walk; },
                                  [](copy_plan& p) { ++p.tile[0]; },
                                  [](copy_plan& p) { ++p.tile[1]; },
                                  [](copy_plan& p) { p.order.push_back(0); },
                                  [](copy_plan& p) { p.schedule = std::monostate{}; },
                                  [](copy_plan& p) { p.machine.name += "?"; },
                                  [](copy_plan& p) { p.machine.kind = device_kind::cuda; },
                                  [](copy_plan& p) { ++p.machine.processors; },
                                  [](copy_plan& p) { ++p.machine.widest_access_bits; },
                                  [](copy_plan& p) { ++p.machine.line_bytes; },
                                  [](copy_plan& p) { ++p.machine.near_bytes; },
                                  [](copy_plan& p) { ++p.machine.block_bytes; },
                                  [](copy_plan& p) { ++p.machine.far_bytes; },
                                  [](copy_plan& p) { p.machine.bytes_per_second *= 2; },
                                  [](copy_plan& p) { p.machine.start_seconds += 1; },
                                  [](copy_plan& p) { ++p.machine.compute_capability; },
                                  [](copy_plan& p) { ++p.bytes; },
                                  [](copy_plan& p) { p.seconds += 1; },
                                  [](copy_plan& p) { p.reasons.back() += "!"; },
                                  [](copy_plan& p) { p.reasons.push_back(""); },
                                  schedule([](cpu_s& s) { s.kernel = cpu_kernel::walk; }),
                                  schedule([](cpu_s& s) { ++s.threads; }),
                                  schedule([](cpu_s& s) { ++s.unit_bytes; }),
                                  schedule([](cpu_s& s) { s.row_loops.push_back(5); }),
                                  schedule([](cpu_s& s) { s.column_loops.push_back(5); }),
                                  schedule([](cpu_s& s) { s.buffered = !s.buffered; }),
                                  schedule([](cpu_s& s) { s.long_runs = !s.long_runs; }),
                                  schedule([](cpu_s& s) { s.streaming = !s.streaming; }),
                                  schedule([](cpu_s& s) { s.gather_loops.push_back(0); }),
                                  schedule([](cpu_s& s) { s.carries = !s.carries; })});
}

TEST(plan_hash, sees_every_field_of_a_gpu_plan) {
  copy_plan const plan = planned("(4096,4096):(4096,1)", "(4096,4096):(1,4096)", "sm_90");
  ASSERT_TRUE(std::holds_alternative<cuda_schedule>(plan.schedule));
  auto const schedule = [](auto const& of) { return [of](copy_plan& p) { of(std::get<cuda_schedule>(p.schedule)); }; };
  using cuda_s = cuda_schedule;
  expect_that_each_matters(plan, {schedule([](cuda_s& s) { s.kernel = cuda_kernel::gather; }),
                                  schedule([](cuda_s& s) { ++s.threads; }),
                                  schedule([](cuda_s& s) { ++s.blocks_per_processor; }),
                                  schedule([](cuda_s& s) { ++s.blocks; }),
                                  schedule([](cuda_s& s) { ++s.grid[0].loop; }),
                                  schedule([](cuda_s& s) { ++s.grid[0].step; }),
                                  schedule([](cuda_s& s) { ++s.grid[0].extent; }),
                                  schedule([](cuda_s& s) {
                                    s.read.threads.push_back({0, 1, 1});
                                  }),
                                  schedule([](cuda_s& s) {
                                    s.read.values.push_back({0, 1, 1});
                                  }),
                                  schedule([](cuda_s& s) { ++s.read.loop; }),
                                  schedule([](cuda_s& s) { ++s.read.vector; }),
                                  schedule([](cuda_s& s) { ++s.read.at_once; }),
                                  schedule([](cuda_s& s) {
                                    s.write.threads.push_back({0, 1, 1});
                                  }),
                                  schedule([](cuda_s& s) {
                                    s.write.values.push_back({0, 1, 1});
                                  }),
                                  schedule([](cuda_s& s) { ++s.write.loop; }),
                                  schedule([](cuda_s& s) { ++s.write.vector; }),
                                  schedule([](cuda_s& s) { ++s.write.at_once; }),
                                  schedule([](cuda_s& s) { ++s.packed; }),
                                  schedule([](cuda_s& s) { ++s.shared[0].split; }),
                                  schedule([](cuda_s& s) { ++s.shared[0].inner; }),
                                  schedule([](cuda_s& s) { ++s.shared[1].outer; }),
                                  schedule([](cuda_s& s) { ++s.image.sector; }),
                                  schedule([](cuda_s& s) { ++s.image.pitch; }),
                                  schedule([](cuda_s& s) { ++s.shared_bytes; }),
                                  schedule([](cuda_s& s) { s.evict_source_last = !s.evict_source_last; }),
                                  schedule([](cuda_s& s) { s.fetch = cuda_fetch::spans; })});
}

}  // namespace
}  // namespace tilewright
