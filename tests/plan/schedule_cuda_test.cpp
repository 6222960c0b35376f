// GPU schedules carried out on the CPU from their numbers alone, thread by thread, against the layouts' own account of
// where each element goes; and their kernels compiled where there is a CUDA compiler.
#include "engine/cuda/kernel_source.hpp"
#include "engine/kernels/cuda/parts/spread.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/plan/schedule.hpp"
#include "random_copies.hpp"
#include "schedule_interpreter.hpp"
#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/plan/copy_error.hpp"
#include "tilewright/plan/prove.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>

namespace tilewright {
namespace {

using std::int64_t;
using tests::interpreter;

machine_model h200() {
  machine_model m;
  m.name = "sm_90";
  m.kind = device_kind::cuda;
  m.processors = 132;
  m.bytes_per_second = 4.2e12;
  m.far_bytes = 1;  // smaller than any tensor, so that sources are evicted last
  m.compute_capability = 90;
  return m;
}

/// The plan of a pair of layouts as schedule_cuda leaves it; none for layouts that no copy serves.
std::optional<copy_plan> planned(copy_request const& request) {
  copy_plan plan;
  plan.machine = h200();
  try {
    plan.moves = make_movement(request.src, request.dst, request.element_bits);
  } catch (copy_error const&) {
    return std::nullopt;
  }
  if (plan.moves.elements == 0) return std::nullopt;
  plan.bytes = 2 * plan.moves.elements * request.element_bits / 8;
  plan::schedule_cuda(plan, request);
  return plan;
}

copy_plan dense(std::string const& src, std::string const& dst, int bits) {
  copy_request const request{composed(parse_layout(src)), composed(parse_layout(dst)), bits, 256, 256};
  auto plan = planned(request);
  EXPECT_TRUE(plan) << src;
  return *plan;
}

TEST(schedule_cuda, carries_every_element_once_to_its_place) {
  tests::random_copies copies(20261121, 3000);
  std::mt19937 random(7);
  std::map<cuda_kernel, int> kernels;
  for (int n = 0; n < 800; ++n) {
    tests::random_copy const c = copies.next();
    copy_request const request{c.src, c.dst, c.element_bits, int64_t{std::max(1, c.element_bits / 8)} << random() % 5,
                               int64_t{std::max(1, c.element_bits / 8)} << random() % 5};
    std::optional<copy_plan> plan = planned(request);
    if (!plan) continue;
    ASSERT_TRUE(prove(*plan)) << c.text() << ": " << prove(*plan).failure;
    cuda_schedule& schedule = std::get<cuda_schedule>(plan->schedule);
    ++kernels[schedule.kernel];
    if (schedule.kernel != cuda_kernel::gather &&
        schedule.kernel != cuda_kernel::tile) {  // tiles may follow each other in any order
      std::shuffle(plan->order.begin(), plan->order.end(), random);
      kernels::set_grid(schedule, plan->moves, plan->tile, plan->order);
    }
    std::map<int64_t, int64_t> const moved = interpreter(*plan).run();
    int64_t const width = plan->moves.element_bits / c.element_bits;
    std::map<int64_t, int64_t> expected;
    for (std::size_t i = 0; i < c.from.size(); ++i) expected[c.to[i]] = c.from[i];
    ASSERT_EQ(static_cast<int64_t>(expected.size()), static_cast<int64_t>(moved.size()) * width) << c.text();
    for (auto const& [to, from] : moved) {
      for (int64_t i = 0; i < width; ++i) {
        auto const found = expected.find(to * width + i);
        ASSERT_NE(found, expected.end()) << c.text();
        ASSERT_EQ(found->second, from * width + i) << c.text();
      }
    }
    ASSERT_FALSE(HasFailure()) << c.text();
  }
  for (cuda_kernel const kernel : {cuda_kernel::runs, cuda_kernel::staged, cuda_kernel::gather, cuda_kernel::tile})
    EXPECT_GE(kernels[kernel], 20) << name_of(kernel);
}

TEST(schedule_cuda, transposes_are_staged_with_full_vectors_and_words) {
  for (int const bits : {8, 16, 32, 64}) {
    copy_plan const plan = dense("(4096,4096):(4096,1)", "(4096,4096):(1,4096)", bits);
    auto const& s = std::get<cuda_schedule>(plan.schedule);
    EXPECT_EQ(plan.path, copy_path::staged);
    EXPECT_EQ(s.read.vector * bits, 128);
    EXPECT_EQ(s.write.vector * bits, 128);
    EXPECT_EQ(s.packed, std::max(1, 32 / bits));
    EXPECT_LE(s.shared_bytes, 48 * 1024);
  }
}

TEST(schedule_cuda, sources_of_copies_that_outgrow_the_cache_are_evicted_last) {
  auto const evicts = [](std::string const& machine, int64_t columns) {
    copy_request const request{composed(parse_layout(fmt::format("(4096,{0}):({0},1)", columns))),
                               composed(parse_layout(fmt::format("(4096,{}):(1,4096)", columns))), 32, 256, 256};
    copy_plan const plan = plan_copy(request, machine_named(machine));
    auto const& s = std::get<cuda_schedule>(plan.schedule);
    bool const is_hinted = gpu::make_kernel(plan).source.find("evict_source_last = true") != std::string::npos;
    EXPECT_EQ(is_hinted, s.evict_source_last) << machine << " " << columns;
    return s.evict_source_last;
  };
  // An H200 keeps 50 MiB; 4096 x 3200 floats, read and written, are twice that.
  EXPECT_TRUE(evicts("sm_90", 4096));
  EXPECT_TRUE(evicts("sm_90", 3200));
  EXPECT_FALSE(evicts("sm_90", 3196));
  EXPECT_FALSE(evicts("sm_80", 4096));
  EXPECT_FALSE(evicts("sm_100", 8192));
}

TEST(schedule_cuda, rows_that_begin_anywhere_are_realigned) {
  for (int const bits : {8, 16, 32, 64}) {
    for (char const* const strides : {":(301,1,320000)", ":(-301,1,320000)", ":(411,1,420000)"}) {
      copy_request const request{composed(parse_layout(std::string("(1013,301,2)") + strides)),
                                 composed(parse_layout("(1013,301,2):(1,1013,304913)")), bits, bits / 8, bits / 8};
      auto const plan = planned(request);
      ASSERT_TRUE(plan);
      auto const& s = std::get<cuda_schedule>(plan->schedule);
      EXPECT_EQ(s.kernel, cuda_kernel::realigned);
      EXPECT_EQ(plan->path, copy_path::staged);
      plan_proof const proof = prove(*plan);
      EXPECT_TRUE(proof) << proof.failure;
      std::map<int64_t, int64_t> const moved = interpreter(*plan).run();
      ASSERT_EQ(static_cast<int64_t>(moved.size()), plan->moves.elements);
      for (int64_t x = 0; x < plan->moves.elements; ++x)
        ASSERT_EQ(moved.at(request.dst.layout(x)), request.src.layout(x)) << strides << " at " << x;
    }
  }
}

TEST(schedule_cuda, short_rows_that_follow_each_other_are_whole_where_memory_is_fast) {
  struct one {
    char const *src, *dst;
    int bits;
    bool is_whole, is_whole_on_h100;
  };
  for (auto const& [src, dst, bits, is_whole, is_whole_on_h100] :
       {one{"(193,80001):(80001,1)", "(193,80001):(1,193)", 32, true, false},
        {"(451,80001):(80001,1)", "(451,80001):(1,451)", 32, false, false},
        {"(661,80001):(80001,1)", "(661,80001):(1,661)", 8, true, false},
        {"(331,80001):(80001,1)", "(331,80001):(1,331)", 8, true, true}}) {
    copy_request const request{composed(parse_layout(src)), composed(parse_layout(dst)), bits, 64, 64};
    for (bool const is_h100 : {false, true}) {
      copy_plan plan;
      plan.machine = h200();
      if (is_h100) plan.machine.bytes_per_second = 2.9e12;
      plan.moves = make_movement(request.src, request.dst, request.element_bits);
      plan.bytes = 2 * plan.moves.elements * bits / 8;
      plan::schedule_cuda(plan, request);
      bool const is_realigned = std::get<cuda_schedule>(plan.schedule).kernel == cuda_kernel::realigned;
      EXPECT_EQ(!is_realigned, is_h100 ? is_whole_on_h100 : is_whole) << dst << " of " << bits << " bits";
      plan_proof const proof = prove(plan);
      EXPECT_TRUE(proof) << proof.failure;
    }
  }
}

TEST(schedule_cuda, vectors_keep_enough_bytes_in_flight) {
  // Rows of 2,384 bytes that are a block's alone would leave a processor half idle; rows of 812 bytes, eight to a block, would be
  // read in two rounds.
  for (auto const& [src, dst, bits] : {std::tuple{"(149,157,3530):(1,0,149)", "(149,157,3530):(1,149,23393)", 128},
                                       {"(203,22769,5):(1,227,5168563)", "(203,22769,5):(1,203,4622107)", 32}}) {
    copy_plan const plan = dense(src, dst, bits);
    auto const& s = std::get<cuda_schedule>(plan.schedule);
    EXPECT_EQ(s.kernel, cuda_kernel::runs);
    int64_t bytes = bits / 8;
    for (int64_t const t : plan.tile) bytes *= t;
    EXPECT_GE(bytes, 3 * 1024) << src;
    EXPECT_LE(bytes / (bits / 8), int64_t{5} * s.threads) << src;
  }
}

TEST(schedule_cuda, few_planes_and_their_interleaved_form_take_tiles) {
  for (int const bits : {8, 16})
    for (int const planes : {3, 5, 7})
      for (int const places : {4096, 10000, 9998}) {
        std::string const shape = fmt::format("({},{},2)", planes, places);
        int const plane = (places + 3) / 4 * 4, batch = (planes * places + 15) / 16 * 16;
        std::string const joined = fmt::format("{}:(1,{},{})", shape, planes, batch);
        std::string const planar = fmt::format("{}:({},1,{})", shape, plane, planes * plane);
        for (bool const joins : {true, false}) {
          copy_plan const plan = dense(joins ? planar : joined, joins ? joined : planar, bits);
          EXPECT_EQ(std::get<cuda_schedule>(plan.schedule).kernel, cuda_kernel::tile) << joined;
          plan_proof const proof = prove(plan);
          EXPECT_TRUE(proof) << proof.failure;
          std::map<int64_t, int64_t> const moved = interpreter(plan).run();
          auto const src = parse_layout(joins ? planar : joined), dst = parse_layout(joins ? joined : planar);
          ASSERT_EQ(static_cast<int64_t>(moved.size()), plan.moves.elements);
          for (int64_t x = 0; x < plan.moves.elements; ++x)
            ASSERT_EQ(moved.at(dst(x)), src(x)) << joined << " at " << x;
        }
      }
}

TEST(schedule_cuda, proofs_of_realigned_copies_fail_where_they_should) {
  copy_plan const good = dense("(1013,301):(301,1)", "(1013,301):(1,1013)", 8);
  ASSERT_EQ(std::get<cuda_schedule>(good.schedule).kernel, cuda_kernel::realigned);
  auto const broken = [&](auto const& change) {
    copy_plan plan = good;
    change(plan, std::get<cuda_schedule>(plan.schedule));
    return !prove(plan);
  };
  EXPECT_FALSE(broken([](copy_plan&, cuda_schedule&) {}));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.image.pitch -= 32; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.image.pitch += 8; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.image.sector = 48; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.image.sector = 16; }));
  EXPECT_TRUE(
      broken([](copy_plan&, cuda_schedule& s) { s.threads = 128; }));  // rows of bytes would begin at other bytes
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.read.at_once = 3; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.shared_bytes -= 16; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { --s.grid.front().extent; }));
  EXPECT_TRUE(broken([](copy_plan& p, cuda_schedule& s) { p.tile[static_cast<std::size_t>(s.write.loop)] -= 1; }));
}

TEST(schedule_cuda, proofs_of_tiles_whose_rows_are_read_together_fail_where_they_should) {
  copy_plan const good = dense("(307,60000):(60000,1)", "(307,60000):(1,307)", 8);
  ASSERT_EQ(std::get<cuda_schedule>(good.schedule).source.packed, 4);
  auto const broken = [&](auto const& change) {
    copy_plan plan = good;
    change(std::get<cuda_schedule>(plan.schedule));
    return !prove(plan);
  };
  EXPECT_FALSE(broken([](cuda_schedule&) {}));
  EXPECT_TRUE(broken([](cuda_schedule& s) { s.source.packed = 2; }));  // half words
  EXPECT_TRUE(broken([](cuda_schedule& s) { s.source.packed = 1, s.source.lanes = 2; }));
  EXPECT_TRUE(broken([](cuda_schedule& s) { s.target.packed = 4; }));
  EXPECT_TRUE(broken([](cuda_schedule& s) { s.store_bytes = 16; }));
  EXPECT_TRUE(broken([](cuda_schedule& s) { s.shared_bytes -= 16; }));
  auto const along = static_cast<std::size_t>(std::get<cuda_schedule>(good.schedule).source.rows.front().loop);
  // With room enough, so that nothing else is wrong.
  auto const displaced = [&](std::size_t loop, int64_t by) {
    return broken([&](cuda_schedule& s) { s.place[loop] += by, s.shared_bytes *= 2; });
  };
  EXPECT_FALSE(displaced(1 - along, 4));
  EXPECT_TRUE(displaced(1 - along, 2));   // columns begin within words
  EXPECT_TRUE(displaced(1 - along, -4));  // columns overlap
  EXPECT_TRUE(displaced(along, 3));       // rows do not follow each other
}

TEST(schedule_cuda, proofs_of_staged_copies_fail_where_they_should) {
  copy_plan good = dense("(512,384):(384,1)", "(512,384):(1,512)", 32);
  ASSERT_EQ(std::get<cuda_schedule>(good.schedule).kernel, cuda_kernel::staged);
  good.machine.block_bytes = 227 * 1024;
  auto const broken = [&](auto const& change) {
    copy_plan plan = good;
    change(plan, std::get<cuda_schedule>(plan.schedule));
    return !prove(plan);
  };
  EXPECT_FALSE(broken([](copy_plan&, cuda_schedule&) {}));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.threads = 1440; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.threads = 32; }));
  EXPECT_TRUE(broken([](copy_plan& p, cuda_schedule& s) { p.machine.block_bytes = s.shared_bytes - 1; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.shared_bytes /= 2; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.shared.back().outer = s.shared.front().outer; }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { s.read.values.pop_back(); }));
  EXPECT_TRUE(broken([](copy_plan&, cuda_schedule& s) { --s.grid.front().extent; }));
}

TEST(schedule_cuda, shared_runs_need_no_shared_memory) {
  copy_plan const rows = dense("(256,64,32):(1,8192,256)", "(256,64,32):(1,256,16384)", 32);
  EXPECT_EQ(rows.path, copy_path::rows);
  EXPECT_EQ(rows.moves.element_bits, 128);
  copy_plan const flat = dense("1000003:1", "1000003:1", 32);
  EXPECT_EQ(flat.path, copy_path::contiguous);
  EXPECT_EQ(std::get<cuda_schedule>(flat.schedule).read.vector, 4);
}

TEST(schedule_cuda, batches_of_squares_that_fit_no_tile_whole_are_tiled) {
  copy_plan const plan = dense("(128,128,100):(128,1,16384)", "(128,128,100):(1,128,16384)", 32);
  EXPECT_EQ(plan.path, copy_path::staged);
}

TEST(schedule_cuda, accesses_of_one_pattern_are_loaded_by_words) {
  // Planes of bytes that are interleaved: an access has half of its bytes of either.
  copy_plan const planes = dense("(2,460,2,598):(275080,1,550160,460)", "(2,460,2,598):(1,2,920,1840)", 8);
  kernels::access_pattern const pattern = kernels::numbers_of(planes).write.pattern;
  EXPECT_EQ(pattern.units.size(), 2U);
  EXPECT_GE(pattern.unit, 4);
  EXPECT_TRUE(std::any_of(planes.reasons.begin(), planes.reasons.end(),
                          [](std::string const& why) { return why.find("2 loads of") != std::string::npos; }));
  // Apart again: a vector has all of an access's bytes, of either plane.
  copy_plan const apart = dense("(1520,2,714):(2,1,3040)", "(1520,2,714):(1,1520,3040)", 8);
  kernels::access_pattern const picked = kernels::numbers_of(apart).write.pattern;
  EXPECT_EQ(picked.unit, 16);
  EXPECT_TRUE(picked.slides);
}

TEST(schedule_cuda, odd_rows_of_two_planes_are_read_together) {
  // No access has a pattern, as rows are odd: what is not loaded by words must not be weighed as if it were.
  copy_plan const plan = dense("(2569,2,1200):(2,1,5138)", "(2569,2,1200):(1,2569,5138)", 16);
  EXPECT_EQ(std::get<cuda_schedule>(plan.schedule).source.packed, 2);
}

TEST(schedule_cuda, registers_are_allotted_by_eights) {
  // Up to 46 registers for each of 352 threads are 48: three blocks, where 46 would be four.
  copy_plan const plan = dense("(9,19,3,6000):(3,27,1,513)", "(9,19,3,6000):(1,27,9,513)", 32);
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  int64_t const of_offsets = 40, held = int64_t{s.source.at_once} * s.source.vector,
                allotted = (of_offsets + held + 7) / 8 * 8;
  EXPECT_LE(allotted * s.threads * s.blocks_per_processor, 65536);
  EXPECT_GT(allotted * s.threads * (s.blocks_per_processor + 1), 65536);
}

/// nvcc, where the machine has it.
std::filesystem::path cuda_compiler() {
  for (char const* const path : {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"})
    if (std::filesystem::exists(path)) return path;
  return {};
}

TEST(schedule_cuda, kernels_compile_without_a_word) {
  std::filesystem::path const nvcc = cuda_compiler();
  if (nvcc.empty()) GTEST_SKIP() << "no CUDA compiler";
  std::filesystem::path const root = std::filesystem::path(TILEWRIGHT_TEST_DATA_DIR).parent_path().parent_path();
  std::filesystem::path const folder =
      std::filesystem::temp_directory_path() / ("tilewright_kernels_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  tests::random_copies copies(99, 6000);
  std::map<cuda_kernel, int> left{
      {cuda_kernel::runs, 1}, {cuda_kernel::staged, 3}, {cuda_kernel::gather, 2}, {cuda_kernel::tile, 4}};
  auto const compile = [&](copy_plan const& plan, std::string const& what) {
    gpu::kernel_spec const kernel = gpu::make_kernel(plan);
    std::string const file = (folder / "kernel").string();
    std::ofstream(file + ".cu") << kernel.source;
    std::string const command = nvcc.string() + " -std=c++20 -arch=sm_90 -cubin -I" + (root / "include").string() +
                                " -I" + root.string() + " -o " + file + ".cubin " + file + ".cu > " + file +
                                ".txt 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << what << "\n" << kernel.source;
    std::ifstream said(file + ".txt");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(said), {}), "") << what << "\n" << kernel.source;
  };
  for (int n = 0; n < 400; ++n) {
    tests::random_copy const c = copies.next();
    auto plan = planned({c.src, c.dst, c.element_bits, 16, 16});
    if (!plan || left[std::get<cuda_schedule>(plan->schedule).kernel]-- <= 0) continue;
    if (n % 2 != 0) std::get<cuda_schedule>(plan->schedule).evict_source_last = false;
    compile(*plan, c.text());
  }
  for (bool const joins : {true, false})
    compile(dense(joins ? "(3,9996):(9996,1)" : "(3,9996):(1,3)", joins ? "(3,9996):(1,3)" : "(3,9996):(9996,1)", 8),
            "planes");
  for (int const bits : {8, 64})
    compile(dense("(307,301,2):(301,1,99999)", "(307,301,2):(1,307,92407)", bits), "odd rows");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tilewright
