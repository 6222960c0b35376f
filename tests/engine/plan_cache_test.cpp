// What is remembered of plans: the same question finds the same plan, any other one another, in every thread.
#include "engine/plan_cache.hpp"
#include "tilewright/layout/text_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace tilewright::engine {
namespace {

composed_value layout(std::string const& text, std::int64_t offset = 0, swizzle_value swizzle = {}) {
  return {swizzle, constant_leaf(offset), parse_layout(text)};
}

plan_key key_of(composed_value const& src, composed_value const& dst) { return {{src, dst, 32, 16, 16}, cpu, 1}; }

std::shared_ptr<ready_plan const> found(plan_key const& key) {
  copy_request const& r = key.request;
  return ready_for(
      plan_question{r.src, r.dst, r.element_bits, r.src_alignment, r.dst_alignment, key.where, key.threads});
}

/// Keys of which each differs from the first, or from another, in one number.
std::vector<plan_key> neighbours() {
  composed_value const src = layout("(8,16):(16,1)"), dst = layout("(8,16):(1,8)");
  plan_key const first = key_of(src, dst);
  std::vector<plan_key> all{first,
                            key_of(layout("(8,16):(32,1)"), dst),
                            key_of(layout("(8,16):(16,1)", 1), dst),
                            key_of(src, layout("(8,16):(1,16)")),
                            key_of(src, layout("(8,16):(1,8)", 1)),
                            key_of(layout("((8),16):((16),1)"), dst),
                            key_of(layout("(8,(4,4)):(16,(4,1))"), dst),
                            key_of(layout("(8,(2,8)):(16,(8,1))"), dst),
                            key_of(layout("(8,16):(16,1)", 0, {1, 0, 2}), dst),
                            key_of(layout("(8,16):(16,1)", 0, {1, 1, 2}), dst),
                            key_of(layout("(8,16):(16,1)", 0, {1, 0, 3}), dst),
                            key_of(src, layout("(8,16):(1,8)", 0, {1, 0, 3}))};
  auto const also = [&](auto const& change) {
    all.push_back(first);
    change(all.back());
  };
  also([](plan_key& k) { k.request.element_bits = 64; });
  also([](plan_key& k) { k.request.src_alignment = 32; });
  also([](plan_key& k) { k.request.dst_alignment = 32; });
  also([](plan_key& k) { k.threads = 2; });
  return all;
}

TEST(plan_cache, plans_are_made_ready_once) {
  std::vector<copy_plan> plans;
  for (plan_key const& key : neighbours()) plans.push_back(found(key)->plan);
  plans.push_back(plans.front());
  plans.back().seconds += 1;
  std::vector<std::shared_ptr<ready_plan const>> ready;
  for (copy_plan const& plan : plans) ready.push_back(ready_on_cpu(plan));
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < plans.size(); ++i) {
      EXPECT_EQ(ready[i]->plan, plans[i]) << i;
      EXPECT_EQ(ready_on_cpu(plans[i]), ready[i]) << i;
      std::thread([&] { EXPECT_EQ(ready_on_cpu(plans[i]), ready[i]) << i; }).join();
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_EQ(plans[i] == plans[j], ready[i] == ready[j]) << i << " " << j;
      }
    }
}

TEST(plan_cache, tells_questions_apart_and_finds_them_again) {
  std::vector<plan_key> const keys = neighbours();
  std::vector<std::shared_ptr<ready_plan const>> plans;
  for (plan_key const& key : keys) plans.push_back(found(key));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(plans[i]->plan.machine.processors, keys[i].threads) << i;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      EXPECT_EQ(plans[i] == plans[j], i == j) << i << " " << j;
      EXPECT_EQ(text_of(keys[i]) == text_of(keys[j]), i == j) << i << " " << j;
    }
  }
  // In other orders, so that they are found first, later and no longer among the thread's own.
  for (std::size_t step : {1u, 3u, 5u, 7u})
    for (std::size_t n = 0; n < 3 * keys.size(); ++n) {
      std::size_t const i = n * step % keys.size();
      EXPECT_EQ(found(keys[i]), plans[i]) << i;
    }
}

TEST(plan_cache, forgets_what_another_plan_took_the_place_of) {
  plan_key const key = key_of(layout("(24,16):(16,1)"), layout("(24,16):(1,24)"));
  auto const first = found(key);
  EXPECT_EQ(found(key), first);
  auto const second = make_ready(first->plan, cpu);
  keep(key, second);
  EXPECT_EQ(found(key), second);
  std::thread([&] { EXPECT_EQ(found(key), second); }).join();
}

TEST(plan_cache, layouts_of_many_modes_are_remembered) {
  std::string shape, stride;
  for (int i = 0; i < 60; ++i) {
    shape += i == 0 ? "2" : i < 6 ? ",2" : ",1";
    stride += fmt::format("{}{}", i == 0 ? "" : ",", i < 6 ? 1 << i : 0);
  }
  composed_value const many = layout("(" + shape + "):(" + stride + ")");
  auto const first = found(key_of(many, many));
  EXPECT_EQ(found(key_of(many, many)), first);
  EXPECT_NE(found(key_of(many, layout("(" + shape + "):(" + stride + ")", 1))), first);
}

TEST(plan_cache, serves_threads_that_ask_replace_and_ask) {
  std::vector<plan_key> const keys = neighbours();
  std::vector<std::string> wanted;
  for (plan_key const& key : keys) wanted.push_back(to_json(found(key)->plan));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t n = 0; n < 400; ++n) {
        std::size_t const i = (n * (t + 1) + n / 16) % keys.size();
        auto const plan = found(keys[i]);
        if (n % 16 == 0 && to_json(plan->plan) != wanted[i]) ++wrong;
        if (n % 64 == t) keep(keys[i], make_ready(plan->plan, cpu));
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tilewright::engine
