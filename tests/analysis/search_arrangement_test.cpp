// The search for threads and values: the arrangements that the field would choose, and none cheaper among all that were
// tried by hand.
#include "tilewright/analysis/search_arrangement.hpp"

#include <gtest/gtest.h>

#include "copies_to_analyse.hpp"

namespace tilewright::tests {
namespace {

using analysis::arrangement;
using analysis::search_arrangement;
using analysis::side_question;
using tiling::memory;

arrangement search(std::string_view tile, long long threads, long long element, std::string_view source,
                   std::string_view destination, memory to = memory::global) {
  side_question const from{plain(source), memory::global, {256}}, into{plain(destination), to, {256}};
  auto const found = search_arrangement(parse_tuple(tile), threads, {128}, {element}, from, into, h200()).value();
  return found.value();
}

TEST(search_arrangement, runs_along_the_contiguous_mode) {
  arrangement const column = search("(64,64)", 128, 32, "(64,64):(1,64)", "(64,64):(1,64)");
  EXPECT_EQ(format_layout(column.val), "(4,1):(1,0)");
  EXPECT_EQ(column.source.width.width.count, 128);
  EXPECT_EQ(column.source.global.sectors, column.source.global.sectors_least);
  arrangement const row = search("(64,64)", 128, 16, "(64,64):(64,1)", "(64,64):(64,1)");
  EXPECT_EQ(format_layout(row.val), "(1,8):(0,1)");
  EXPECT_EQ(format_layout(row.thr), "(16,8):(8,1)");
  EXPECT_EQ(row.source.global.sectors, row.source.global.sectors_least);
}

TEST(search_arrangement, restores_the_vectors_of_document_001) {
  arrangement const a = search("(16,8)", 32, 32, "(16,8):(8,1)", "(16,8):(8,1)", memory::shared);
  EXPECT_EQ(format_layout(a.thr), "(16,2):(2,1)");
  EXPECT_EQ(format_layout(a.val), "(1,4):(0,1)");
  EXPECT_EQ(a.source.global.sectors, 16);
  EXPECT_EQ(a.destination.shared.conflicts(), 0);
}

TEST(search_arrangement, narrows_the_vectors_where_the_tile_is_small) {
  arrangement const a = search("(8,8)", 32, 32, "(8,8):(1,8)", "(8,8):(1,8)");  // two elements a thread
  EXPECT_EQ(a.source.width.width.count, 64);
  auto const none =
      search_arrangement(parse_tuple("(8,8)"), 48, {128}, {32}, {plain("(8,8):(1,8)"), memory::global, {}},
                         {plain("(8,8):(1,8)"), memory::global, {}}, h200());
  EXPECT_FALSE(none.value().has_value());
}

/// Clocks of the model, from sets: a sector of 32 bytes is half a clock, a wavefront one, an instruction one.
double plain_clocks(tiling::declaration const& d, composed_value const& tensor, memory space) {
  plain_copy const all = walk(d, tensor);
  long long const bytes = d.element.count / 8;
  double clocks = 0;
  for_each_plain_access(all, widest_vector(all, 16 / bytes), bytes, false, [&](plain_access const& a) {
    clocks += 1 + (space == memory::global ? static_cast<double>(units(a, 32).size()) / 2 : conflicts(a).wavefronts);
  });
  return clocks;
}

TEST(search_arrangement, nothing_tried_by_hand_is_cheaper) {
  struct pair {
    char const *source, *destination;
    memory to;
  };
  for (pair const p : {pair{"(16,16):(1,16)", "(16,16):(16,1)", memory::shared},
                       pair{"(16,16):(16,1)", "(16,16):(17,1)", memory::shared},
                       pair{"(16,16):(1,20)", "(16,16):(16,1)", memory::global}}) {
    arrangement const best = search("(16,16)", 32, 32, p.source, p.destination, p.to);
    double const clocks = best.source.clocks(h200()) + best.destination.clocks(h200());
    double least = 1e9;
    for (long long m = 1; m <= 32; m *= 2)
      for (long long vm : {1, 2, 4})
        for (long long vn : {1, 2, 4}) {
          if ((vm > 1 && vn > 1) || m * vm > 16 || 32 / m * vn > 16) continue;
          for (bool const columns : {true, false}) {
            long long const n = 32 / m;
            layout_value const thr = columns ? make({{m, 1}, {n, m}}) : make({{m, n}, {n, 1}});
            tiling::declaration const d{{vm * vn * 32}, {32}, thr, make({{vm, 1}, {vn, vm}})};
            least = std::min(
                least, plain_clocks(d, plain(p.source), memory::global) + plain_clocks(d, plain(p.destination), p.to));
          }
        }
    EXPECT_DOUBLE_EQ(clocks, least) << p.source << ' ' << p.destination;
  }
}

TEST(search_arrangement, takes_any_rank) {
  arrangement const a = search("(4,8,16)", 32, 32, "(4,8,16):(128,16,1)", "(4,8,16):(128,16,1)");
  EXPECT_EQ(format_layout(a.val), "(1,1,4):(0,0,1)");
  EXPECT_EQ(a.source.global.sectors, a.source.global.sectors_least);
  arrangement const line = search("1024", 128, 8, "1024:1", "1024:1");
  EXPECT_EQ(line.source.width.vector.count, 8);
}

TEST(search_arrangement, refuses_what_it_cannot_read) {
  side_question const side{plain("(8,8):(1,8)"), memory::global, {}};
  EXPECT_EQ(search_arrangement(parse_tuple("(8,8)"), 4, {100}, {32}, side, side, h200()).error().code,
            errc::atom_not_divisible);
  EXPECT_EQ(search_arrangement(parse_tuple("(8,8)"), 0, {128}, {32}, side, side, h200()).error().code,
            errc::thr_layout_not_compact);
  EXPECT_EQ(search_arrangement(parse_tuple("(16,8)"), 128, {32}, {32}, side, side, h200()).error().code,
            errc::tiler_does_not_fit);
}

}  // namespace
}  // namespace tilewright::tests
