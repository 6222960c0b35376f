// What the planner chooses on a CPU where one side has a few channels side by side and the other a plane for each, what
// it leaves to other kernels, and which changes to such a schedule its proof notices.
#include "engine/plan/cpu_knobs.hpp"
#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/prove.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <functional>

namespace tilewright {
namespace {

copy_plan planned(std::string const& src, std::string const& dst, int bits) {
  return plan_copy({composed(parse_layout(src)), composed(parse_layout(dst)), bits, 64, 64}, machine_named("cpu-avx2"));
}

/// The same by the kernel that interleaves, which the planner leaves to larger copies.
copy_plan interleaved(std::string const& src, std::string const& dst, int bits) {
  copy_request const request{composed(parse_layout(src)), composed(parse_layout(dst)), bits, 64, 64};
  copy_plan out = plan_copy(request, machine_named("cpu-avx2"));
  out.reasons.clear();
  plan::schedule_cpu_with(out, request, plan::candidates(out.moves, out.machine, request).front());
  return out;
}

cpu_schedule const& schedule_of(copy_plan const& plan) { return std::get<cpu_schedule>(plan.schedule); }

TEST(schedule_cpu, few_channels_are_interleaved) {
  for (int const bits : {8, 16, 32, 64, 128})
    for (int channels = 2; channels <= 8; ++channels) {
      std::string const shape = fmt::format("({},1001,3)", channels);
      std::string const joined = fmt::format("{}:(1,{},{})", shape, channels, 1100 * channels);
      std::string const planar = fmt::format("{}:(1010,1,{})", shape, 1010 * channels);
      for (bool const joins : {false, true}) {
        std::string const src = joins ? planar : joined, dst = joins ? joined : planar;
        copy_plan const plan = interleaved(src, dst, bits);
        cpu_schedule const& s = schedule_of(plan);
        EXPECT_EQ(s.kernel, cpu_kernel::interleave) << src;
        EXPECT_EQ(s.unit_bytes, bits / 8);
        // A row is what follows each other in the destination.
        ASSERT_EQ(s.row_loops.size(), 1u);
        ASSERT_EQ(s.column_loops.size(), 1u);
        EXPECT_EQ(plan.moves.loops[static_cast<std::size_t>(s.row_loops[0])].extent, joins ? channels : 1001);
        EXPECT_EQ(plan.moves.loops[static_cast<std::size_t>(s.column_loops[0])].extent, joins ? 1001 : channels);
        copy_request const request{composed(parse_layout(src)), composed(parse_layout(dst)), bits, 64, 64};
        EXPECT_TRUE(prove(plan, request)) << prove(plan, request).failure;
      }
    }
}

TEST(schedule_cpu, runs_of_several_elements_are_interleaved_as_one) {
  // Pairs of floats: three channels of 8 bytes.
  copy_plan const plan = interleaved("(2,3,500):(1,2,6)", "(2,3,500):(1,1000,2)", 32);
  EXPECT_EQ(schedule_of(plan).kernel, cpu_kernel::interleave);
  EXPECT_EQ(schedule_of(plan).unit_bytes, 8);
  EXPECT_TRUE(prove(plan)) << prove(plan).failure;
}

TEST(schedule_cpu, planes_of_the_source_may_lie_in_any_order) {
  // Blue, green, red planes become red, green, blue pixels.
  composed_value src = composed(parse_layout("(3,1000):(-1000,1)"));
  src.offset = constant_leaf(2000);
  copy_plan const plan = plan_copy({src, composed(parse_layout("(3,1000):(1,3)")), 8}, machine_named("cpu-avx2"));
  EXPECT_EQ(schedule_of(plan).kernel, cpu_kernel::interleave);
  EXPECT_TRUE(prove(plan)) << prove(plan).failure;
}

TEST(schedule_cpu, other_layouts_have_other_kernels) {
  struct example {
    char const *src, *dst;
    int bits;
    cpu_kernel kernel;
  };
  for (example const& e : std::initializer_list<example>{
           {"(4096,4096):(4096,1)", "(4096,4096):(1,4096)", 32, cpu_kernel::tile},  // past the caches, in whole lines
           {"(401,400):(400,1)", "(401,400):(1,401)", 32, cpu_kernel::transpose},
           {"(5001,701):(701,1)", "(5001,701):(1,5001)", 32,
            cpu_kernel::tile},  // rows of no whole lines, which tiles carry on
           {"(9,1000):(1,9)", "(9,1000):(1000,1)", 8, cpu_kernel::transpose},        // more channels than a kernel has
           {"(3,1000):(1,4)", "(3,1000):(1000,1)", 8, cpu_kernel::tile},             // a gap behind each place
           {"(3,40):(1,3)", "(3,40):(40,1)", 8, cpu_kernel::tile},                   // too few places to fill a vector
           {"(3,1000):(2,6)", "(3,1000):(1000,1)", 8, cpu_kernel::tile},             // a gap behind each channel
           {"(24,3,100):(1,24,72)", "(24,3,100):(1,2400,24)", 8, cpu_kernel::tile},  // no vector has 24 bytes
       }) {
    copy_plan const plan = planned(e.src, e.dst, e.bits);
    EXPECT_EQ(name_of(schedule_of(plan).kernel), std::string(name_of(e.kernel))) << e.src;
    EXPECT_TRUE(prove(plan)) << e.src << ": " << prove(plan).failure;
  }
}

/// Where the destination has gaps between all elements, tiles follow each other there.
TEST(schedule_cpu, lone_elements_are_written_along_the_destination) {
  for (char const* const dst : {"(245,122,76):(17,4165,508130)", "(245,122,76):(3,735,89670)"}) {
    copy_plan const plan = planned("(245,122,76):(9272,76,1)", dst, 32);
    ASSERT_EQ(schedule_of(plan).kernel, cpu_kernel::gather) << explain(plan);
    EXPECT_EQ(plan.order.front(), 0) << explain(plan);
    EXPECT_TRUE(prove(plan)) << prove(plan).failure;
  }
}

TEST(schedule_cpu, large_destinations_are_streamed_where_runs_are_long) {
  copy_plan const large = planned("(3,9000001):(1,3)", "(3,9000001):(9000001,1)", 8);
  EXPECT_TRUE(schedule_of(large).streaming);
  EXPECT_EQ(large.path, copy_path::staged);
  EXPECT_GT(large.moves.loops[0].extent, large.tile[0]) << "one tile for all threads";
  copy_plan const small = planned("(3,90001):(1,3)", "(3,90001):(90001,1)", 8);
  EXPECT_FALSE(schedule_of(small).streaming);
  EXPECT_EQ(small.path, copy_path::direct);
  copy_plan const short_runs = planned("(3,300,30000):(1,3,900)", "(3,300,30000):(310,1,930)", 8);
  EXPECT_EQ(schedule_of(short_runs).kernel, cpu_kernel::interleave);
  EXPECT_FALSE(schedule_of(short_runs).streaming);
  copy_plan const shorter = planned("(3,100,90000):(1,3,300)", "(3,100,90000):(110,1,330)", 8);
  EXPECT_EQ(schedule_of(shorter).kernel, cpu_kernel::tile) << "a tile has few places of a plane";
  EXPECT_FALSE(schedule_of(shorter).streaming);
  copy_plan const matrices = plan_copy(
      {composed(parse_layout("(5,19,90000):(1,5,95)")), composed(parse_layout("(5,19,90000):(19,1,95)")), 32, 64, 64},
      machine_named("cpu-avx2"));
  EXPECT_EQ(schedule_of(matrices).kernel, cpu_kernel::interleave) << "matrices follow each other on both sides";
}

TEST(schedule_cpu, explains_interleaving) {
  std::string const split = explain(planned("(3,1000):(1,3)", "(3,1000):(1000,1)", 8)),
                    join = explain(planned("(3,1000):(1000,1)", "(3,1000):(1,3)", 32));
  EXPECT_NE(split.find("kernel interleave"), std::string::npos) << split;
  EXPECT_NE(split.find("3 neighbours in the source go to a plane each"), std::string::npos) << split;
  EXPECT_NE(join.find("3 planes become neighbours in the destination"), std::string::npos) << join;
  EXPECT_NE(to_json(planned("(3,1000):(1,3)", "(3,1000):(1000,1)", 8)).find("\"interleave\""), std::string::npos);
}

TEST(schedule_cpu, proofs_of_interleaving_fail_where_they_should) {
  for (bool const joins : {false, true}) {
    std::string const joined = "(4,100000,5):(1,4,400000)", planar = "(4,100000,5):(100000,1,400000)";
    copy_plan const good = planned(joins ? planar : joined, joins ? joined : planar, 8);
    ASSERT_EQ(schedule_of(good).kernel, cpu_kernel::interleave);
    ASSERT_TRUE(prove(good)) << prove(good).failure;
    auto const across = static_cast<std::size_t>(joins ? 0 : 1), along = 1 - across;  // in the destination's order
    ASSERT_EQ(good.moves.loops[across].extent, 4);
    ASSERT_LT(good.tile[along], good.moves.loops[along].extent);
    using change = std::function<void(copy_plan&, cpu_schedule&)>;
    std::vector<change> const changes{
        [&](copy_plan& p, cpu_schedule&) { p.tile[across] = 2; },
        [&](copy_plan& p, cpu_schedule&) { p.tile[2] = 2; },
        [&](copy_plan& p, cpu_schedule&) { p.tile[along] = p.moves.loops[along].extent + 1; },
        [&](copy_plan& p, cpu_schedule&) { std::erase(p.order, static_cast<int>(along)); },
        [&](copy_plan& p, cpu_schedule&) { p.order.push_back(2); },
        [&](copy_plan&, cpu_schedule& s) { s.unit_bytes = 2; },
        [&](copy_plan&, cpu_schedule& s) { s.row_loops.clear(); },
        [&](copy_plan&, cpu_schedule& s) { s.column_loops.clear(); },
        [&](copy_plan&, cpu_schedule& s) { s.row_loops.push_back(2); },
        [&](copy_plan&, cpu_schedule& s) { s.row_loops = {2}; },
        [&](copy_plan&, cpu_schedule& s) { s.column_loops = {2}; },
        [&](copy_plan&, cpu_schedule& s) { s.column_loops = {-1}; },
        [&](copy_plan&, cpu_schedule& s) { std::swap(s.row_loops, s.column_loops); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
      copy_plan plan = good;
      changes[i](plan, std::get<cpu_schedule>(plan.schedule));
      EXPECT_FALSE(prove(plan)) << "change " << i << (joins ? " of joining" : " of splitting");
    }
  }
  // A schedule that is right for other loops: nine channels, and places with a gap behind each.
  for (auto const& [src, dst] :
       {std::pair{"(9,1000):(1,9)", "(9,1000):(1000,1)"}, {"(3,1000):(1,4)", "(3,1000):(1000,1)"}}) {
    copy_plan plan = planned(src, dst, 8);
    cpu_schedule& s = std::get<cpu_schedule>(plan.schedule);
    s.kernel = cpu_kernel::interleave;
    s.row_loops = {0};
    s.column_loops = {1};
    plan.tile = {plan.moves.loops[0].extent, plan.moves.loops[1].extent};
    EXPECT_FALSE(prove(plan)) << src;
    s.kernel = cpu_kernel::transpose;
    EXPECT_TRUE(prove(plan)) << prove(plan).failure;
  }
}

}  // namespace
}  // namespace tilewright
