// The first runs of a large copy, which try several plans on parts of the tensor: every run is a whole copy, whatever it learns.
#include "engine/cpu_trial.hpp"

#include "effort.hpp"
#include "engine/this_machine.hpp"
#include "flat_copies.hpp"
#include "guarded_memory.hpp"
#include "random_copies.hpp"
#include "tilewright/layout/text_reader.hpp"
#include "tilewright/plan/prove.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>
#include <set>
#include <thread>

namespace tilewright {
namespace {

using byte_vector = std::vector<std::uint8_t>;
using engine::cpu_trial;
using engine::ready_plan;
using tests::flat_copies;
using tests::flat_copy;
using tests::guarded_memory;
using tests::random_bytes;

machine_model trying_machine(flat_copies& random) {
  machine_model m = machine_named("cpu");
  m.processors = static_cast<int>(1 + random.below(3));
  m.tuning.trial_bytes = 1, m.tuning.thread_bytes = 1;
  if (random.below(2) == 0) m.tuning.stream_bytes = 1, m.tuning.stream_blocks = 0;
  return m;
}

std::int64_t steps_of(movement const& m, std::vector<std::size_t> const& loops) {
  std::int64_t steps = 1;
  for (std::size_t const l : loops) steps *= m.loops[l].extent;
  return steps;
}

/// Runs until one plan is kept, or `most` times; each time all bytes must be right. How many runs it took.
int runs_until_kept(flat_copy const& c, flat_copies& random, std::set<int>& ways, int most = 10) {
  byte_vector const source = random_bytes(c.src_bytes(), static_cast<std::uint64_t>(random.below(1 << 30)));
  byte_vector const before = random_bytes(c.dst_bytes(), static_cast<std::uint64_t>(random.below(1 << 30)));
  byte_vector const after = c.expected(source, before);
  std::size_t const shift = random.below(2) == 0 ? 0 : static_cast<std::size_t>(random.below(64));
  copy_request const request = c.request(1, shift == 0 ? 64 : 1);
  copy_plan const first = plan_copy(request, trying_machine(random));
  if (!cpu_trial::is_worth_it(first)) return 0;
  auto const ready = engine::make_ready(first, cpu);
  cpu_trial tried(request, first);
  for (int run = 1; run <= most; ++run) {
    guarded_memory const src(source, guarded_memory::place::at_end);
    guarded_memory const dst(before, shift == 0 ? guarded_memory::place::at_start : guarded_memory::place::between,
                             shift);
    auto const kept = tried.run(*ready, src.data(), dst.data(), {});
    EXPECT_TRUE(dst.holds(after)) << "run " << run << " of " << c.text();
    EXPECT_TRUE(src.holds(source)) << c.text();
    for (plan::cpu_way const& w : tried.ways()) ways.insert(w.number);
    std::int64_t next = 0;
    for (engine::trial_part const& part : tried.parts()) {
      EXPECT_EQ(part.begin, next) << c.text();
      EXPECT_LT(part.begin, part.end) << c.text();
      next = part.end;
    }
    EXPECT_EQ(next, tried.parts().empty() ? 0 : steps_of(first.moves, tried.loops())) << c.text();
    if (!kept) continue;
    EXPECT_EQ(kept->trial, nullptr);
    guarded_memory const again(before, guarded_memory::place::between, shift);
    engine::run_ready(*kept, src.data(), again.data(), {});
    EXPECT_TRUE(again.holds(after)) << c.text() << "\n" << to_json(kept->plan);
    return run;
  }
  ADD_FAILURE() << "nothing is kept after " << most << " runs of " << c.text();
  return most;
}

TEST(cpu_trial, copies_all_in_every_run_and_ends) {
  flat_copies random(31, 2'000, 60'000);
  std::set<int> ways, runs;
  for (int round = 0; round < tests::rounds(400) && !testing::Test::HasFailure(); ++round)
    runs.insert(runs_until_kept(random.next(), random, ways));
  if (tests::rounds(400) < 400) return;
  for (int way = 0; way < plan::cpu_way_count; ++way) EXPECT_TRUE(ways.contains(way)) << way;
  EXPECT_TRUE(runs.contains(1));  // no loop can be shared out
  EXPECT_TRUE(runs.contains(4));
  EXPECT_TRUE(runs.contains(8));  // four more of whole tensors, past the caches and through them
}

TEST(cpu_trial, is_right_for_large_tensors) {
  flat_copies random(32, 2'000'000, 12'000'000);
  std::set<int> ways;
  for (int round = 0; round < tests::rounds(8) && !testing::Test::HasFailure(); ++round)
    runs_until_kept(random.next(), random, ways);
}

/// Where all loops have two steps, no single one has parts for all ways: several are shared out, none of those that are fastest on a side.
TEST(cpu_trial, shares_out_several_loops_of_few_steps) {
  constexpr std::size_t bits = 18, size = std::size_t{1} << bits;
  std::string extents, ascending, descending;
  for (std::size_t i = 0; i < bits; ++i) {
    std::string const comma = i == 0 ? "" : ",";
    extents += comma + "2";
    ascending += comma + std::to_string(1 << i);
    descending += comma + std::to_string(1 << (bits - 1 - i));
  }
  copy_request const request{composed(parse_layout("(" + extents + "):(" + descending + ")")),
                             composed(parse_layout("(" + extents + "):(" + ascending + ")")), 8, 64, 64};
  machine_model machine = machine_named("cpu");
  machine.processors = 1;
  machine.tuning.trial_bytes = 1, machine.tuning.stream_bytes = 1, machine.tuning.stream_blocks = 0;
  machine.far_bytes = 0;
  copy_plan const first = plan_copy(request, machine);
  cpu_trial tried(request, first);
  auto const ready = engine::make_ready(first, cpu);
  byte_vector const source = random_bytes(size, 3);
  guarded_memory const copy(byte_vector(size), guarded_memory::place::between, 0);
  std::shared_ptr<engine::ready_plan const> kept;
  for (int run = 0; run < 5 && !kept; ++run) {
    std::fill_n(copy.data(), size, std::uint8_t{0});
    kept = tried.run(*ready, source.data(), copy.data(), {});
    for (std::size_t i = 0; i < size; ++i) {
      std::size_t from = 0;
      for (std::size_t b = 0; b < bits; ++b) from |= (i >> b & 1) << (bits - 1 - b);
      ASSERT_EQ(copy.data()[i], source[from]) << "byte " << i << " of run " << run;
    }
  }
  EXPECT_NE(kept, nullptr);
  ASSERT_GT(tried.ways().size(), 1U);
  ASSERT_GT(tried.loops().size(), 1U);
  EXPECT_GE(plan::run_of_part(first.moves, tried.loops(), 1), 32);
  EXPECT_GE(steps_of(first.moves, tried.loops()), 3 * static_cast<std::int64_t>(tried.ways().size()));
}

TEST(cpu_trial, is_for_large_copies_only) {
  copy_request const request{composed(parse_layout("(512,256):(256,1)")), composed(parse_layout("(512,256):(1,512)"))};
  machine_model machine = machine_named("cpu");
  auto const is_worth_it = [&](std::int64_t bytes) {
    machine.tuning.trial_bytes = bytes;
    return cpu_trial::is_worth_it(plan_copy(request, machine));
  };
  EXPECT_TRUE(is_worth_it(512 * 256 * 4));
  EXPECT_FALSE(is_worth_it(512 * 256 * 4 + 1));
  EXPECT_FALSE(is_worth_it(0));
  machine.tuning.trial_bytes = 1;
  copy_request const same{request.src, request.src};
  EXPECT_FALSE(cpu_trial::is_worth_it(plan_copy(same, machine)));  // one run: there is nothing to choose
}

TEST(cpu_trial, compares_plans_past_the_caches_that_could_hold_what_is_written) {
  copy_request const request{composed(parse_layout("(512,256):(256,1)")), composed(parse_layout("(512,256):(1,512)")),
                             8, 64, 64};
  machine_model machine = machine_named("cpu");
  machine.processors = 1;
  machine.tuning.stream_bytes = 1, machine.tuning.stream_blocks = 0;
  auto const is_worth_it = [&](std::int64_t last_level) {
    machine.far_bytes = last_level;
    return cpu_trial::is_worth_it(plan_copy(request, machine));
  };
  EXPECT_FALSE(is_worth_it(4 * 512 * 256 - 1));
  EXPECT_TRUE(is_worth_it(4 * 512 * 256));
  copy_plan const first = plan_copy(request, machine);
  ASSERT_TRUE(std::get<cpu_schedule>(first.schedule).streaming);
  cpu_trial tried(request, first);
  auto const ready = engine::make_ready(first, cpu);
  byte_vector const source = random_bytes(512 * 256, 3);
  byte_vector copy(source.size());
  std::shared_ptr<engine::ready_plan const> kept;
  int runs = 0;
  for (; runs < 10 && !kept; ++runs) {
    copy.assign(copy.size(), 0);
    kept = tried.run(*ready, source.data(), copy.data(), {});
    for (std::size_t i = 0; i < 512; ++i)
      for (std::size_t j = 0; j < 256; ++j) ASSERT_EQ(copy[i + 512 * j], source[256 * i + j]) << runs;
  }
  EXPECT_EQ(runs, 5);  // the first one, and two of either plan
  EXPECT_TRUE(tried.parts().empty());
  machine.tuning.trial_bytes = 0;
  EXPECT_FALSE(is_worth_it(1 << 30));
}

/// A transpose of planes for a few threads: what threads that come while it is tried do, and what progress says.
class trial_of_planes : public testing::Test {
 protected:
  trial_of_planes() : machine(machine_named("cpu")) {
    c.width = 4, c.shape = {90, 70, 40}, c.src = {70, 1, 6300}, c.dst = {1, 90, 6300};
    c.src_elements = c.dst_elements = 252'000;
    source = random_bytes(c.src_bytes(), 1);
    wanted = c.expected(source, byte_vector(c.dst_bytes()));
    machine.tuning.trial_bytes = 1, machine.processors = 1;
    request = c.request(64, 64);
    first = plan_copy(request, machine);
  }
  flat_copy c;
  machine_model machine;
  copy_request request;
  copy_plan first;
  byte_vector source, wanted;
};

TEST_F(trial_of_planes, is_run_by_one_thread_at_a_time_and_right_in_all) {
  cpu_trial tried(request, first);
  auto const ready = engine::make_ready(first, cpu);
  std::vector<std::jthread> threads;
  std::vector<byte_vector> copies(4);
  for (byte_vector& copy : copies)
    threads.emplace_back([&] {
      for (int run = 0; run < 5; ++run) {
        copy.assign(c.dst_bytes(), 0);
        (void)tried.run(*ready, source.data(), copy.data(), {});
      }
    });
  threads.clear();
  for (byte_vector const& copy : copies) EXPECT_EQ(copy, wanted);
}

TEST_F(trial_of_planes, tells_of_the_bytes_of_all_parts) {
  first.machine.tuning.report_bytes = 1;
  cpu_trial tried(request, first);
  auto const ready = engine::make_ready(first, cpu);
  byte_vector copy(c.dst_bytes());
  std::int64_t last = 0;
  copy_options options;
  options.progress = [&](std::int64_t done, std::int64_t total) {
    EXPECT_GE(done, last);
    EXPECT_EQ(total, 252'000 * 4);
    last = done;
    return true;
  };
  (void)tried.run(*ready, source.data(), copy.data(), options);
  EXPECT_EQ(last, 252'000 * 4);
  EXPECT_EQ(copy, wanted);
  options.progress = [](std::int64_t done, std::int64_t) { return done < 300'000; };
  try {
    (void)tried.run(*ready, source.data(), copy.data(), options);
    ADD_FAILURE() << "nothing was cancelled";
  } catch (copy_error const& e) {
    EXPECT_EQ(e.code(), copy_errc::cancelled);
  }
  copy.assign(c.dst_bytes(), 0);
  (void)tried.run(*ready, source.data(), copy.data(), {});
  EXPECT_EQ(copy, wanted);
}

// --- ways and parts -------------------------------------------------------------------------------------------------------------

TEST(cpu_ways, differ_and_are_proved) {
  flat_copies random(33, 1'000, 30'000);
  for (int round = 0; round < tests::rounds(40) && !testing::Test::HasFailure(); ++round) {
    flat_copy const c = random.next();
    copy_request const request = c.request(64, 64);
    copy_plan blank;
    blank.machine = trying_machine(random);
    blank.moves = make_movement(request.src, request.dst, request.element_bits);
    blank.bytes = 2 * blank.moves.elements * c.width;
    std::vector<plan::cpu_way> const ways = plan::cpu_ways(blank, request);
    ASSERT_EQ(ways[0].number, 0);
    EXPECT_EQ(ways[0].plan, plan_copy(request, blank.machine));
    for (std::size_t i = 0; i < ways.size(); ++i) {
      EXPECT_TRUE(prove(ways[i].plan)) << prove(ways[i].plan).failure << "\n"
                                       << c.text() << "\n"
                                       << to_json(ways[i].plan);
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_FALSE(ways[i].plan.tile == ways[k].plan.tile && ways[i].plan.order == ways[k].plan.order &&
                     ways[i].plan.schedule == ways[k].plan.schedule);
    }
  }
}

TEST(cpu_ways, parts_of_a_movement_start_where_the_others_end) {
  copy_request const request{composed(parse_layout("(6,5,7):(35,7,-1)")), composed(parse_layout("(6,5,7):(1,6,30)")),
                             32};
  movement const whole = make_movement(request.src, request.dst, 32);
  for (std::size_t l = 0; l < whole.loops.size(); ++l) {
    std::int64_t const extent = whole.loops[l].extent, cut = extent / 2;
    movement const low = plan::part_of(whole, l, 0, cut), high = plan::part_of(whole, l, cut, extent);
    EXPECT_EQ(low.elements + high.elements, whole.elements);
    EXPECT_EQ(high.src_offset, whole.src_offset + cut * whole.loops[l].src);
    EXPECT_EQ(high.dst_offset, whole.dst_offset + cut * whole.loops[l].dst);
    movement const one = plan::part_of(whole, l, 1, 2);
    EXPECT_EQ(one.loops.size(), whole.loops.size() - 1);  // loops have extents above 1
    EXPECT_EQ(one.elements, whole.elements / extent);
    EXPECT_EQ(plan::part_of(whole, l, 0, extent), whole);
  }
}

TEST(cpu_ways, tables_are_counted) {
  copy_request const request{composed(parse_layout("(512,256):(256,1)")), composed(parse_layout("(512,256):(1,512)")),
                             8, 64, 64};
  copy_plan plan = plan_copy(request, machine_named("cpu"));
  cpu_schedule s;
  s.kernel = cpu_kernel::tile, s.streaming = true, s.whole_lines = true;
  plan.tile = {64, 32}, plan.schedule = s;
  EXPECT_EQ(plan::table_bytes_of(plan), 64 * 32);
  plan.tile = {60, 32};  // is cut off at the end, and starts at 16 places within a line
  s.whole_lines = false, plan.schedule = s;
  EXPECT_EQ(plan::table_bytes_of(plan), 60 * 32 * 2 * 16);
  s.buffered = true, plan.schedule = s;
  EXPECT_EQ(plan::table_bytes_of(plan), 60 * 32 * 2);
  s.row_loops = {0}, plan.schedule = s;  // transposes have few
  EXPECT_EQ(plan::table_bytes_of(plan), 0);
}

}  // namespace
}  // namespace tilewright
