// The first runs of a large copy on a GPU, on a driver without one: every run is a whole copy, what the device's clock says
// decides, and what goes into a graph is left alone. The kernel is the precompiled one, with other grids for other plans.
#include "engine/cuda_trial.hpp"

#include "engine/cuda/device_memory.hpp"
#include "engine/plan/cuda_ways.hpp"
#include "engine/plan/schedule.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/prove.hpp"

#include "effort.hpp"
#include "fake_driver.hpp"
#include "flat_copies.hpp"
#include "random_copies.hpp"

#include <gtest/gtest.h>
#include <atomic>
#include <cstdlib>
#include <thread>

namespace tilewright {
namespace {

using engine::background;
using engine::cuda_trial;
using engine::ready_plan;

class cuda_trial_test : public testing::Test {
 protected:
  cuda_trial_test() : api(no_compiler()), device(gpu::open_device(api, 0)), engine(device, gpu::disk_cache({})) {
    request.src = {{}, constant_leaf(0), parse_layout("(60,40,9):(360,9,1)")};
    request.dst = {{}, constant_leaf(0), parse_layout("(60,40,9):(1,60,2400)")};
    request.element_bits = 8;
    request.src_alignment = request.dst_alignment = 16;
    first = plan_copy(request, device.machine);
    from.emplace(device, bytes);
    to.emplace(device, bytes);
    source = tests::random_bytes(bytes, 5);
    from->upload(source.data(), bytes);
    wanted.resize(bytes);
    for (std::size_t a = 0; a < 60; ++a)
      for (std::size_t b = 0; b < 40; ++b)
        for (std::size_t c = 0; c < 9; ++c) wanted[a + b * 60 + c * 2400] = source[a * 360 + b * 9 + c];
  }

  static gpu::driver_api no_compiler() {
    ::setenv("TILEWRIGHT_NVRTC", "none", 1);
    return gpu::fake::new_driver();
  }

  /// The precompiled kernel on `grid` blocks, by which the fake clock tells plans apart.
  std::shared_ptr<gpu::prepared_copy> prepared(copy_plan const& plan, unsigned grid) {
    auto const out = engine.prepare(plan, gpu::kernel_choice::generic);
    auto changed = std::make_shared<gpu::prepared_copy>();
    changed->device = out->device, changed->method = out->method, changed->code = out->code;
    changed->kernel_name = out->kernel_name, changed->block = out->block, changed->alignment = out->alignment;
    changed->arguments = std::make_unique<gpu::generic_arguments const>(*out->arguments);
    changed->grid[0] = grid;
    return changed;
  }

  ready_plan ready_first() {
    ready_plan out;
    out.plan = first;
    out.prepared = prepared(first, 1);
    return out;
  }

  /// The fake driver is for one thread at a time, so plans are prepared while the test waits for them.
  cuda_trial trial(cuda_trial::preparer prepare) {
    auto const in_turn = [this, prepare](copy_plan const& plan) {
      while (!waits) std::this_thread::yield();
      return prepare(plan);
    };
    return cuda_trial({request, cuda(0), 0}, first, in_turn, worker, {.least_bytes = 1, .runs_before = 2});
  }
  void wait_for(cuda_trial const& tried) {
    waits = true;
    while (!tried.is_prepared()) std::this_thread::yield();
    waits = false;
  }
  ~cuda_trial_test() override { waits = true; }  // for a worker whose test failed before it waited

  /// One run, after which the whole destination is right.
  std::shared_ptr<ready_plan const> run(cuda_trial& tried, ready_plan const& ready, void* stream = nullptr) {
    std::vector<std::uint8_t> got(bytes, 0xee);
    to->upload(got.data(), bytes);
    auto out = tried.run(ready, from->data(), to->data(), {.stream = stream});
    to->download(got.data(), bytes);
    EXPECT_EQ(got, wanted);
    EXPECT_TRUE(gpu::fake::gpu().stack.empty());
    return out;
  }

  static constexpr std::size_t bytes = 60 * 40 * 9;
  gpu::driver_api api;
  gpu::gpu_device device;
  gpu::gpu_engine engine;
  copy_request request;
  copy_plan first;
  std::optional<gpu::device_memory> from, to;
  std::vector<std::uint8_t> source, wanted;
  std::atomic<bool> waits{false};
  background worker;
};

TEST_F(cuda_trial_test, keeps_the_plan_that_the_device_was_quickest_with) {
  ready_plan const ready = ready_first();
  unsigned grid = 1;
  auto tried = trial([&](copy_plan const& plan) { return prepared(plan, ++grid); });
  gpu::fake::gpu().milliseconds_of_grid = {{3, 1.5f}};  // the others, like the first, take 2
  EXPECT_EQ(run(tried, ready), nullptr);
  EXPECT_FALSE(tried.is_prepared());
  EXPECT_EQ(run(tried, ready), nullptr);
  wait_for(tried);
  ASSERT_GE(tried.others(), 3u);
  std::shared_ptr<ready_plan const> kept;
  int runs = 0;
  for (; !kept && runs < 100; ++runs) {
    gpu::fake::gpu().busy_queries = runs % 3;  // times come late
    kept = run(tried, ready);
  }
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->prepared->grid[0], 3u);
  EXPECT_EQ(kept->trial, nullptr);
  EXPECT_TRUE(kept->was_tried);
  EXPECT_NE(to_json(kept->plan).find("1.33 times as fast"), std::string::npos) << to_json(kept->plan);
  EXPECT_LE(runs, 12 * static_cast<int>(tried.others() + 1));
}

TEST_F(cuda_trial_test, keeps_the_first_plan_where_no_other_is_faster) {
  ready_plan const ready = ready_first();
  auto tried = trial([&](copy_plan const& plan) { return prepared(plan, 2); });
  gpu::fake::gpu().milliseconds_of_grid = {{2, 1.97f}};  // not by the margin
  std::shared_ptr<ready_plan const> kept;
  for (int runs = 0; !kept && runs < 200; ++runs) {
    kept = run(tried, ready);
    if (runs == 1) wait_for(tried);
  }
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->prepared->grid[0], 1u);
  EXPECT_EQ(kept->plan.schedule, first.schedule);
}

TEST_F(cuda_trial_test, goes_on_with_the_first_plan_where_others_cannot_be_made_or_run) {
  ready_plan const ready = ready_first();
  auto none = trial([](copy_plan const&) -> std::shared_ptr<gpu::prepared_copy const> {
    throw copy_error(copy_errc::device_failed, "no compiler takes it");
  });
  EXPECT_EQ(run(none, ready), nullptr);
  EXPECT_EQ(run(none, ready), nullptr);
  wait_for(none);
  auto const kept = run(none, ready);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->trial, nullptr);
  EXPECT_FALSE(kept->was_tried);

  auto failing = trial([&](copy_plan const& plan) {
    auto out = prepared(plan, 2);
    out->method = gpu::copy_method::specialised;
    out->code = engine.precompiled("too_large");
    return out;
  });
  gpu::fake::gpu().failing_kernels = {"too_large"};
  std::shared_ptr<ready_plan const> left;
  for (int runs = 0; !left && runs < 200; ++runs) {
    left = run(failing, ready);
    if (runs == 1) wait_for(failing);
  }
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->prepared->grid[0], 1u);
}

TEST_F(cuda_trial_test, leaves_graphs_and_wrong_arguments_alone) {
  ready_plan const ready = ready_first();
  unsigned grid = 1;
  auto tried = trial([&](copy_plan const& plan) { return prepared(plan, ++grid); });
  auto const stream = gpu::fake::stream_of(0);
  run(tried, ready, stream), run(tried, ready, stream);
  wait_for(tried);
  gpu::fake::gpu().captures = true;
  gpu::fake::gpu().calls.clear();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(run(tried, ready, stream), nullptr);
  EXPECT_EQ(gpu::fake::gpu().calls["cuEventRecord"], 0);
  gpu::fake::gpu().captures = false;
  for (int i = 0; i < 5; ++i) EXPECT_THROW(tried.run(ready, source.data(), to->data(), {.stream = stream}), copy_error);
  std::shared_ptr<ready_plan const> kept;
  for (int i = 0; i < 100 && !kept; ++i) kept = run(tried, ready, stream);
  EXPECT_NE(kept, nullptr);
}

TEST_F(cuda_trial_test, goes_on_where_times_cannot_be_asked_for) {
  ready_plan const ready = ready_first();
  unsigned grid = 1;
  auto tried = trial([&](copy_plan const& plan) { return prepared(plan, ++grid); });
  gpu::fake::gpu().milliseconds_of_grid = {{3, 1.0f}};
  run(tried, ready), run(tried, ready);
  wait_for(tried);
  std::shared_ptr<ready_plan const> kept;
  for (int i = 0; i < 200 && !kept; ++i) {
    gpu::fake::gpu().failing.clear();
    if (i % 2 == 0) gpu::fake::gpu().failing["cuEventQuery"] = 709;  // CUDA_ERROR_CONTEXT_IS_DESTROYED
    kept = run(tried, ready);
  }
  EXPECT_NE(kept, nullptr);
}

TEST_F(cuda_trial_test, is_for_large_copies_of_kernels_with_a_choice) {
  cuda_trial::knobs k;
  EXPECT_FALSE(cuda_trial::is_worth_it(first));
  k.least_bytes = static_cast<std::int64_t>(bytes);
  EXPECT_TRUE(cuda_trial::is_worth_it(first, k));
  k.least_bytes += 1;
  EXPECT_FALSE(cuda_trial::is_worth_it(first, k));
  copy_request runs = request;
  runs.dst = runs.src;
  k.least_bytes = 1;
  EXPECT_FALSE(cuda_trial::is_worth_it(plan_copy(runs, device.machine), k));
  EXPECT_FALSE(cuda_trial::is_worth_it(plan_copy(request, machine_named("cpu")), k));
}

copy_request request_of(char const* src, char const* dst, int bits) {
  return {{{}, constant_leaf(0), parse_layout(src)}, {{}, constant_leaf(0), parse_layout(dst)}, bits};
}

TEST(other_cuda_plans, are_proved_and_differ) {
  tests::flat_copies random(41, 20'000, 4'000'000);
  machine_model const machine = machine_named("sm_90");
  std::size_t all = 0, in_place = 0;
  std::int64_t const rounds = tests::rounds(200);
  for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    tests::flat_copy const c = random.next();
    copy_request const request = c.request(16, 16);
    copy_plan const first = plan_copy(request, machine);
    std::vector<copy_plan> const others = plan::other_cuda_plans(first, request);
    all += others.size();
    if (first.path == copy_path::rows) in_place += others.size();
    if (first.path == copy_path::contiguous || first.path == copy_path::direct) {
      EXPECT_TRUE(others.empty()) << c.text();
    }
    for (std::size_t i = 0; i < others.size(); ++i) {
      plan_proof const found = prove(others[i]);
      EXPECT_TRUE(found) << found.failure << "\n" << c.text() << "\n" << to_json(others[i]);
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(to_json(others[i]), to_json(others[j])) << c.text();
    }
  }
  EXPECT_GT(all, static_cast<std::size_t>(rounds));  // most movements have several
  EXPECT_GT(in_place, std::size_t{0});
}

TEST(other_cuda_plans, of_rows_that_begin_anywhere_have_other_tiles) {
  copy_request const request = request_of("(4103,1527):(1527,1)", "(4103,1527):(1,4103)", 8);
  copy_plan const first = plan_copy(request, machine_named("sm_90"));
  ASSERT_EQ(std::get<cuda_schedule>(first.schedule).kernel, cuda_kernel::realigned);
  std::size_t tiles = 0;
  for (copy_plan const& p : plan::other_cuda_plans(first, request))
    if (std::get<cuda_schedule>(p.schedule).kernel == cuda_kernel::realigned) {
      EXPECT_TRUE(prove(p)) << to_json(p);
      ++tiles;
    }
  EXPECT_GE(tiles, std::size_t{3});  // four, of which the planner's may be one
}

TEST(other_cuda_plans, are_more_where_the_planner_expects_to_be_slow) {
  // Rows of 132 and 384 bytes of eight modes: the planner's own estimate is 1.4 times a plain copy's time.
  copy_request const slow = request_of("(13,6,11,8,14,14,16,12):(19869696,3311616,301056,37632,2688,192,12,1)",
                                       "(13,6,11,8,14,14,16,12):(66,1,6,858,18450432,1317888,6864,109824)", 16);
  machine_model machine = machine_named("sm_90");
  copy_plan const first = plan_copy(slow, machine);
  std::size_t const many = plan::other_cuda_plans(first, slow).size();
  copy_plan hopeful = first;
  hopeful.seconds = static_cast<double>(first.bytes) / machine.bytes_per_second;
  EXPECT_GT(first.seconds, 1.15 * hopeful.seconds);
  EXPECT_GT(many, plan::other_cuda_plans(hopeful, slow).size() + 2);
}

}  // namespace
}  // namespace tilewright
