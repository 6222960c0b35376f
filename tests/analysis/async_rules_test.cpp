// The conditions of cp.async, bulk copies and TMA: each is broken alone, and those of a tensor map agree with the rules
// that make_tma_copy checks.
#include "tilewright/analysis/async_rules.hpp"

#include <gtest/gtest.h>

#include "plain_analysis.hpp"
#include "tilewright/analysis/explain_rules.hpp"

namespace tilewright::tests {
namespace {

using analysis::all_hold;
using analysis::async_rule;
using analysis::check_bulk;
using analysis::check_cp_async;
using analysis::check_tma;
using analysis::condition;
using analysis::explain;

std::vector<async_rule> broken(std::vector<condition> const& all) {
  std::vector<async_rule> out;
  for (condition const& c : all)
    if (!c.holds) out.push_back(c.rule);
  return out;
}
using rules = std::vector<async_rule>;

TEST(async_rules, cp_async_carries_4_8_or_16_bytes_where_both_sides_hold_them) {
  architecture const& a100 = arch(arch_id::sm_80);
  EXPECT_TRUE(all_hold(check_cp_async({}, a100)));
  EXPECT_EQ(broken(check_cp_async({}, arch(arch_id::sm_75))), rules{async_rule::instruction_exists});
  for (long long const width : {1, 2, 4, 8, 12, 16, 32}) {
    bool const legal = width == 4 || width == 8 || width == 16;
    EXPECT_EQ(all_hold(check_cp_async({{width}, false, {64}, {64}, {width}, {width}}, a100)), legal) << width;
    EXPECT_EQ(all_hold(check_cp_async({{width}, true, {64}, {64}, {width}, {width}}, a100)), width == 16) << width;
  }
  EXPECT_EQ(broken(check_cp_async({{16}, false, {8}, {16}, {16}, {16}}, a100)), rules{async_rule::source_contiguous});
  EXPECT_EQ(broken(check_cp_async({{16}, false, {16}, {4}, {16}, {16}}, a100)),
            rules{async_rule::destination_contiguous});
  EXPECT_EQ(broken(check_cp_async({{16}, false, {16}, {16}, {8}, {16}}, a100)), rules{async_rule::source_alignment});
  EXPECT_EQ(broken(check_cp_async({{8}, false, {16}, {16}, {8}, {4}}, a100)), rules{async_rule::destination_alignment});
  EXPECT_EQ(broken(check_cp_async({{0}, false, {16}, {16}, {8}, {4}}, a100)), rules{async_rule::cp_async_width});
}

TEST(async_rules, bulk_copies_move_whole_chunks_of_16_bytes) {
  EXPECT_TRUE(all_hold(check_bulk({{4096}, {16}, {128}, {}}, h200())));
  EXPECT_EQ(broken(check_bulk({{4096}, {16}, {16}, {}}, arch(arch_id::sm_89))), rules{async_rule::instruction_exists});
  EXPECT_EQ(broken(check_bulk({{24}, {16}, {16}, {}}, h200())), rules{async_rule::size});
  EXPECT_EQ(broken(check_bulk({{0}, {16}, {16}, {}}, h200())), rules{async_rule::size});
  EXPECT_EQ(broken(check_bulk({{32}, {8}, {24}, {}}, h200())),
            (rules{async_rule::source_alignment, async_rule::destination_alignment}));
  EXPECT_EQ(broken(check_bulk({{32}, {16}, {16}, {1 << 20}}, h200())), rules{async_rule::size_counted});
}

tma_tensor tile() {
  tma_tensor t{};
  t.rank = 2;
  t.element = tma_element::float16;
  t.element_bytes = 2;
  t.extent[0] = 1024;
  t.extent[1] = 512;
  t.stride[0] = 2;
  t.stride[1] = 2048;
  t.box[0] = 64;
  t.box[1] = 128;
  t.swizzle = tma_swizzle::span_128_bytes;
  return t;
}

TEST(async_rules, tma_names_every_broken_rule) {
  auto const rules_of = [](auto const& change, bool stores = false, long long shared = 1024) {
    tma_tensor t = tile();
    change(t);
    return broken(check_tma({t, {16}, {shared}, stores}, h200()));
  };
  auto const nothing = [](tma_tensor&) {};
  EXPECT_EQ(rules_of(nothing), rules{});
  EXPECT_EQ(rules_of(nothing, true), rules{});
  EXPECT_EQ(broken(check_tma({tile(), {16}, {1024}, false}, arch(arch_id::sm_80))),
            (rules{async_rule::instruction_exists, async_rule::tma_swizzle_exists}));
  EXPECT_EQ(broken(check_tma({tile(), {8}, {1024}, false}, h200())), rules{async_rule::source_alignment});
  EXPECT_EQ(rules_of(nothing, false, 512), rules{async_rule::destination_alignment});
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.swizzle = tma_swizzle::span_32_bytes; }),
            rules{async_rule::tma_swizzle_span});
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.box[0] = 4; }), rules{async_rule::tma_row});
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.box[1] = 257; }), rules{async_rule::tma_box});
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.stride[1] = 2050; }), rules{async_rule::tma_stride});
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.stride[1] = -2048; }), rules{async_rule::tma_stride_range});
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.extent[1] = 0; }), rules{async_rule::tma_extent});
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.rank = 6; }).front(), async_rule::tma_rank);
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.rank = -1; }).front(), async_rule::tma_rank);
  EXPECT_EQ(rules_of([](tma_tensor& t) { t.extent[0] = 1001; }, true), rules{async_rule::tma_store_row});
}

TEST(async_rules, tma_agrees_with_the_rules_of_the_tensor_map) {
  std::mt19937 random(5);
  auto const pick = [&](std::initializer_list<long long> all) { return all.begin()[random() % all.size()]; };
  int good = 0;
  for (int i = 0; i < 3000; ++i) {
    tma_tensor t = tile();
    t.rank = static_cast<int>(pick({1, 2, 3, 3, 5, 6, 0}));
    for (int d = 0; d < tma_tensor::max_rank; ++d) {
      t.extent[d] = pick({1, 64, 512, 512, 512, 0, (1LL << 32) + 1});
      t.stride[d] = d == 0 ? 2 : pick({16, 2048, 4096, 4096, 4096, 24, -16, 1LL << 40});
      t.box[d] = static_cast<int>(pick({1, 8, 64, 64, 256, 300, 7}));
    }
    t.swizzle = static_cast<tma_swizzle>(random() % 4);
    for (bool const stores : {false, true}) {
      bool const expected = !(stores ? broken_rule_of_store(t) : broken_rule(t));
      EXPECT_EQ(all_hold(check_tma({t, {16}, {1024}, stores}, h200())), expected) << i;
      good += expected;
    }
  }
  EXPECT_GT(good, 30);
}

TEST(async_rules, explain_themselves) {
  auto const said = explain(check_cp_async({{16}, false, {4}, {16}, {16}, {16}}, h200()));
  EXPECT_EQ(
      said[2],
      "broken: the source holds 4 bytes together, but a copy takes 16; let the values run along the source's mode "
      "of stride 1");
  EXPECT_EQ(said[1], "holds: a thread copies 16 bytes: cp.async carries 4, 8 or 16");
  tma_tensor t = tile();
  t.rank = 5;
  for (std::string const& line : explain(check_tma({t, {16}, {1024}, true}, h200()))) EXPECT_GT(line.size(), 20U);
}

}  // namespace
}  // namespace tilewright::tests
