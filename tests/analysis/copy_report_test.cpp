// Whole reports against walks over every access, and what the documents' copies come to.
#include "tilewright/analysis/copy_report.hpp"

#include <gtest/gtest.h>

#include "copies_to_analyse.hpp"

namespace tilewright::tests {
namespace {

using analysis::copy_question;
using analysis::copy_report;
using analysis::report_of;
using tiling::memory;
using tiling::width_limit;

copy_question question(std::string_view thr, std::string_view val, std::string_view tensor,
                       memory to = memory::shared) {
  copy_question q{};
  q.copy = {{128}, {32}, parse_layout(thr), parse_layout(val)};
  q.source = {plain(tensor), memory::global, {256}};
  q.destination = {plain(tensor), to, {256}};
  return q;
}

TEST(copy_report, of_document_001) {
  for (char const* val : {"(4,1):(1,0)", "(1,1):(0,0)"}) {  // values, and atoms
    copy_report const r = report_of(question("(4,8):(1,4)", val, "(16,8):(1,16)")).value();
    EXPECT_TRUE(r.covered.holds());
    EXPECT_EQ(r.rounds, 1);
    EXPECT_EQ(r.source.cost.width.width.count, 128);
    EXPECT_EQ(r.source.cost.global.requests, 1);
    EXPECT_EQ(r.source.cost.global.sectors, 16);
    EXPECT_EQ(r.source.cost.global.sectors_least, 16);
    EXPECT_EQ(r.destination.cost.shared.phases, 4);
    EXPECT_EQ(r.destination.cost.shared.conflicts(), 0);
    EXPECT_FALSE(r.better);
    EXPECT_FALSE(r.destination.better_swizzle);
    EXPECT_EQ(r.takes.registers, 4);
    EXPECT_EQ(r.takes.shared.count, 512);
    EXPECT_DOUBLE_EQ(r.time.clocks(), 8);
  }
}

TEST(copy_report, of_its_row_major_misuse) {
  copy_report const r = report_of(question("(4,8):(1,4)", "(4,1):(1,0)", "(16,8):(8,1)")).value();
  EXPECT_EQ(r.source.cost.width.limit, width_limit::stride);
  EXPECT_EQ(r.source.cost.width.mode, 0);
  EXPECT_EQ(r.source.cost.global.requests, 4);
  EXPECT_EQ(r.destination.cost.shared.conflicts(), 12);
  ASSERT_TRUE(r.better);
  EXPECT_EQ(format_layout(r.better->thr), "(16,2):(2,1)");
  EXPECT_EQ(format_layout(r.better->val), "(1,4):(0,1)");
  EXPECT_EQ(r.better->source.width.width.count, 128);
  // The arrangement is what it says.
  copy_question q = r.question;
  q.copy.thr = r.better->thr;
  q.copy.val = r.better->val;
  copy_report const again = report_of(q).value();
  EXPECT_TRUE(again.covered.holds());
  EXPECT_EQ(again.source.cost.global, r.better->source.global);
  EXPECT_EQ(again.destination.cost.shared, r.better->destination.shared);
  EXPECT_FALSE(again.better);
}

TEST(copy_report, of_its_wide_copy_finds_half_used_sectors) {
  copy_report const r = report_of(question("(4,8):(1,4)", "(2,1):(1,0)", "(128,128):(1,128)")).value();
  EXPECT_EQ(r.rounds, 64);
  EXPECT_EQ(r.source.cost.global.requests, 128);
  EXPECT_EQ(r.source.cost.global.sectors, 128 * 32);  // each thread's 16 bytes in a sector of its own
  EXPECT_EQ(r.source.cost.global.sectors_least, 128 * 16);
  ASSERT_TRUE(r.better);
  EXPECT_EQ(r.better->source.global.sectors, 128 * 16);
}

TEST(copy_report, agrees_with_walks_over_every_access) {
  for (copy_case const& c : some_copies()) {
    copy_question q{};
    q.copy = c.copy;
    q.source = {c.tensor, memory::global, {256}};
    q.destination = {c.tensor, memory::shared, {256}};
    copy_report const r = report_of(q).value();
    plain_copy const all = walk(c.copy, c.tensor);
    long long const bytes = c.copy.element.count / 8, vector = widest_vector(all, 4);
    long long sectors = 0, wavefronts = 0, instructions = 0;
    for_each_plain_access(all, vector, bytes, true,
                          [&](plain_access const& a) { sectors += static_cast<long long>(units(a, 32).size()); });
    for_each_plain_access(all, vector, bytes, false, [&](plain_access const& a) {
      wavefronts += conflicts(a).wavefronts;
      ++instructions;
    });
    EXPECT_TRUE(r.covered.holds()) << c;
    EXPECT_EQ(r.source.cost.global.sectors, sectors) << c;
    EXPECT_EQ(r.destination.cost.shared.wavefronts, wavefronts) << c;
    EXPECT_EQ(r.destination.cost.instructions, instructions) << c;
    EXPECT_EQ(r.rounds, all.rounds);
    if (!r.destination.better_swizzle) continue;
    q.destination.layout.swizzle = r.destination.better_swizzle->swizzle;
    copy_report const swizzled = report_of(q).value();
    EXPECT_EQ(swizzled.destination.cost.width.vector, r.destination.cost.width.vector) << c;
    EXPECT_EQ(swizzled.destination.cost.shared.wavefronts, r.destination.better_swizzle->wavefronts) << c;
    EXPECT_LT(r.destination.better_swizzle->wavefronts, wavefronts) << c;
  }
}

TEST(copy_report, large_tensors_have_better_arrangements_too) {
  copy_report const r =
      report_of(question("(32,1):(1,0)", "(4,1):(1,0)", "(4096,4096):(4096,1)", memory::global)).value();
  EXPECT_EQ(r.rounds, 4096LL * 4096 / 128);
  ASSERT_TRUE(r.better);
  EXPECT_EQ(format_layout(r.better->val), "(1,4):(0,1)");
  EXPECT_EQ(r.better->source.global.sectors, 4096LL * 4096 * 4 / 32);
}

TEST(copy_report, takes_the_better_of_what_the_tile_and_the_tensor_allow) {
  int tile_alone_was_better_than_now = 0;
  for (char const* thr : {"(4,8):(1,4)", "(32,1):(1,0)", "(8,4):(4,1)"})
    for (char const* val : {"(4,1):(1,0)", "(1,4):(0,1)"})
      for (char const* tensor : {"(128,128):(128,1)", "(128,128):(1,128)", "(128,128):(132,1)"})
        for (memory const to : {memory::shared, memory::global}) {
          copy_report const r = report_of(question(thr, val, tensor, to)).value();
          architecture const& machine = arch(r.question.machine);
          auto const clocks = [&](auto const& source, auto const& destination) {
            return source.clocks(machine) + destination.clocks(machine);
          };
          double const now = clocks(r.source.cost, r.destination.cost);
          int_tree whole{};
          whole.open(2);
          for (int i = 0; i < 2; ++i) whole.add_leaf(r.question.source.layout.layout.shape[i]);
          auto const found = [&](int_tree const& tile) {
            auto const a = analysis::search_arrangement(tile, r.map.threads(), {128}, {32}, r.question.source,
                                                        r.question.destination, machine);
            return a.value() ? clocks(a.value()->source, a.value()->destination) : 1e18;
          };
          double const of_tile = found(r.map.tiler), of_whole = found(whole), best = std::min(of_tile, of_whole);
          if (!r.better) continue;
          EXPECT_DOUBLE_EQ(clocks(r.better->source, r.better->destination), best) << thr << val << tensor;
          tile_alone_was_better_than_now += of_tile < now && of_whole < of_tile;
        }
  EXPECT_GT(tile_alone_was_better_than_now, 0) << "no case tells the first improvement from the best";
}

TEST(copy_report, counts_registers_and_shared_memory_of_the_sides_that_have_them) {
  copy_question q = question("(4,8):(1,4)", "(4,1):(1,0)", "(16,8):(1,16)", memory::registers);
  copy_report const r = report_of(q).value();
  EXPECT_EQ(r.takes.shared.count, 0);
  EXPECT_EQ(r.destination.cost.instructions, 0);
  EXPECT_FALSE(r.better);
  q = question("(4,8):(1,4)", "(4,1):(1,0)", "(16,8):(1,16)");
  q.through_registers = false;
  EXPECT_EQ(report_of(q).value().takes.registers, 0);
  q.destination.layout = swizzled({2, 2, 3}, "(16,8):(1,16)");
  EXPECT_EQ(report_of(q).value().takes.shared.count, 512);
}

TEST(copy_report, on_a_cpu_counts_cache_lines) {
  copy_question q = question("(4,8):(1,4)", "(4,1):(1,0)", "(16,8):(1,16)", memory::global);
  q.machine = arch_id::cpu;
  copy_report const r = report_of(q).value();
  EXPECT_EQ(r.source.cost.global.lines, 32);
  EXPECT_EQ(r.source.cost.instructions, 32);
}

TEST(copy_report, sees_threads_that_share_a_byte) {
  copy_question q = question("(32,1):(1,0)", "(1,1):(0,0)", "(32,8):(1,32)");
  q.copy.element = q.copy.atom = {4};
  copy_report const r = report_of(q).value();
  EXPECT_FALSE(r.destination.covers_whole_bytes);
  q.copy.val = parse_layout("(2,1):(1,0)");
  q.copy.atom = {8};
  q.copy.thr = parse_layout("(16,2):(1,16)");
  EXPECT_TRUE(report_of(q).value().destination.covers_whole_bytes);
}

TEST(copy_report, hands_on_the_errors_of_its_parts) {
  EXPECT_EQ(report_of(question("(4,8):(1,5)", "(4,1):(1,0)", "(16,8):(1,16)")).error().code,
            errc::thr_layout_not_compact);
  EXPECT_EQ(report_of(question("(4,8):(1,4)", "(4,1):(1,0)", "(15,8):(1,16)")).error().code, errc::tiler_does_not_fit);
  EXPECT_EQ(report_of(question("(4,8):(1,4)", "(4,1):(1,0)", "128:1")).error().code, errc::rank_mismatch);
}

}  // namespace
}  // namespace tilewright::tests
