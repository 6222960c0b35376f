// The sentences, word for word where the documents' copies are explained, and for each finding once.
#include "tilewright/analysis/explain.hpp"

#include <gtest/gtest.h>

#include "plain_analysis.hpp"

namespace tilewright::tests {
namespace {

using analysis::explain;
using analysis::lines;
using tiling::access_kind;
using tiling::memory;

analysis::copy_question question(std::string_view val, std::string_view tensor) {
  analysis::copy_question q{};
  q.copy = {{128}, {32}, parse_layout("(4,8):(1,4)"), parse_layout(val)};
  q.source = {plain(tensor), memory::global, {256}};
  q.destination = {plain(tensor), memory::shared, {256}};
  return q;
}
lines lines_of(analysis::copy_question const& q) { return explain(report_of(q).value()); }

TEST(explain, document_001) {
  lines const expected{
      "covers (16,8) exactly once: 32 threads x 4 values = 128 elements",
      "source, global memory: 128-bit loads along mode 0, 4 elements each: the machine's widest",
      "source, global memory: 16 sectors per warp request of 16 needed (100 %), 4 lines of 4; 1 request",
      "destination, shared memory: 128-bit stores along mode 0, 4 elements each: the machine's widest",
      "destination, shared memory: no bank conflicts: 4 phases of 8 threads x 16 bytes, 32 words on 32 banks each: 4 "
      "wavefronts of 4 needed",
      "4 registers of a thread and 512 bytes of shared memory for 32 threads; 32 blocks of an SM at a time",
      "at least 8 clocks of an SM, bound by global memory (global memory 8, shared memory 4, instructions 2)"};
  EXPECT_EQ(lines_of(question("(4,1):(1,0)", "(16,8):(1,16)")), expected);
}

TEST(explain, its_row_major_misuse) {
  lines const expected{
      "covers (16,8) exactly once: 32 threads x 4 values = 128 elements",
      "source, global memory: 32-bit loads, although the atom carries 128 bits: a thread's values run along mode 0, "
      "whose stride is 8, not 1",
      "source, global memory: 4 sectors per warp request of 4 needed (100 %), 4 lines of 1; 4 requests",
      "destination, shared memory: 32-bit stores, although the atom carries 128 bits: a thread's values run along mode "
      "0, whose stride is 8, not 1",
      "destination, shared memory: 12 bank conflicts: 16 wavefronts in 4 phases of 4 instructions, 4 times the least; "
      "the first: 1 phase of 32 threads x 4 bytes, 32 words on 8 banks, 4 of them on bank 0: 4 wavefronts of 1 needed",
      "let the values run along mode 1: thr (16,2):(2,1) with val (1,4):(0,1) makes 128-bit accesses on both sides, 16 "
      "sectors per warp request of 16 needed (100 %), 4 lines of 4; 1 request of the source",
      "4 registers of a thread and 512 bytes of shared memory for 32 threads; 32 blocks of an SM at a time",
      "at least 16 clocks of an SM, bound by shared memory (global memory 8, shared memory 16, instructions 8)"};
  EXPECT_EQ(lines_of(question("(4,1):(1,0)", "(16,8):(8,1)")), expected);
}

TEST(explain, a_swizzle_that_helps) {
  lines const all = lines_of(question("(4,1):(1,0)", "(32,32):(1,32)"));
  EXPECT_EQ(all[4],
            "destination, shared memory: 32 bank conflicts: 64 wavefronts in 32 phases of 8 instructions, 2 times the "
            "least; the first: 4 phases of 8 threads x 16 bytes, 32 words on 16 banks each, 2 of them on bank 0: 8 "
            "wavefronts of 4 needed");
  EXPECT_EQ(all[5],
            "destination: better with Sw<1,4,1>: no bank conflicts, 32 wavefronts for 32 phases, 64 without; no "
            "permutation of aligned vectors needs fewer than 32");
}

TEST(explain, a_cpu) {
  analysis::copy_question q = question("(4,1):(1,0)", "(16,8):(1,16)");
  q.destination.space = memory::global;
  q.machine = arch_id::cpu;
  EXPECT_EQ(lines_of(q)[2], "source, global memory: 1 cache line of a thread in a round of 1 needed (25 %)");
}

TEST(explain, what_covers_and_what_does_not) {
  auto const said = [](std::string_view tv, std::string_view tile) {
    return explain(tiling::cover(parse_layout(tv), parse_tuple(tile)).value());
  };
  EXPECT_EQ(
      said("(3,4):(2,1)", "(4,2)"),
      "does not cover (4,2) once: element (2,0) is copied twice, by thread 1 (value 0) and by thread 0 (value 2)");
  EXPECT_EQ(said("(2,2):(4,1)", "(4,2)"),
            "does not cover (4,2): no thread copies element (2,0) (2 threads x 2 values for 8 elements)");
  EXPECT_EQ(said("(4,4):(2,1)", "(4,2)"),
            "reaches outside (4,2): thread 3 (value 2) copies index 8, and the tile has 8 elements");
}

TEST(explain, aliasing_and_images) {
  auto const alias = [](std::string_view a) { return explain(analysis::find_aliasing(parse_layout(a)).value()); };
  EXPECT_EQ(alias("(4,2):(1,2)"), "aliased: (2,0) and (0,1) share offset 2");
  EXPECT_EQ(alias("(4,2):(1,4)"), "injective: each stride steps over all that the smaller ones reach");
  EXPECT_EQ(alias("(3,2):(2,3)"), "injective: no two coordinates were found to share an offset");
  auto const image = [](std::string_view a) { return explain(analysis::image_of(parse_layout(a)).value()); };
  EXPECT_EQ(image("(4,2):(1,4)"), "contiguous: 8 offsets in [0, 7]");
  EXPECT_EQ(image("(2,2):(1,4)"), "4 offsets in [0, 5], 2 gaps, the first at 2");
  EXPECT_EQ(image("0:1"), "reaches no offset");
}

TEST(explain, proofs_of_conflicts) {
  std::vector<long long> column;
  for (int lane = 0; lane < 32; ++lane) column.push_back(32 * 32 * lane);
  auto const said = [&] { return explain(analysis::prove_conflicts(column, {32}, access_kind::load, h200())); };
  EXPECT_EQ(said(), "32 wavefronts for 1 phase at 1 position, by ranks over F2: 2^5 words of a phase on 2^0 banks");
  for (int lane = 0; lane < 32; ++lane) column[static_cast<std::size_t>(lane)] = 32 * 3 * lane;
  EXPECT_EQ(said(), "no bank conflicts at 1 position, each looked at");
}

TEST(explain, every_limit_of_a_width) {
  std::set<std::string> all;
  for (int limit = 0; limit <= static_cast<int>(tiling::width_limit::base); ++limit) {
    tiling::access_width w{};
    w.limit = static_cast<tiling::width_limit>(limit);
    w.mode = 1;
    w.found = 3;
    w.needed = 4;
    w.wanted = {8};
    w.width = {32};
    std::string const line = explain(w, {128}, {32}, access_kind::load);
    EXPECT_TRUE(all.insert(line).second) << line;
    EXPECT_TRUE(line.starts_with("32-bit loads, although the atom carries 128 bits: ")) << line;
  }
  EXPECT_TRUE(
      all.contains("32-bit loads, although the atom carries 128 bits: mode 1 steps by 3, not a multiple of 4 elements; "
                   "pad mode 1 so that its stride is a multiple of 8"));
}

TEST(explain, shares_never_round_to_all_or_nothing) {
  EXPECT_EQ(analysis::detail::percent(1), "100 %");
  EXPECT_EQ(analysis::detail::percent(0.999), "above 99 %");
  EXPECT_EQ(analysis::detail::percent(0.001), "below 1 %");
  EXPECT_EQ(analysis::detail::percent(0.125), "13 %");
  EXPECT_EQ(analysis::detail::mean(7, 2), "3.5");
}

}  // namespace
}  // namespace tilewright::tests
