// What lookups leave to the processor's prefetcher, and in which order they go: streams counted by hand, plans whose reading is known
// to go along memory or not, and the vectors of a tile before and after they are put in the order of the source.
#include "engine/kernels/cpu/tile/reached_lines.hpp"

#include "engine/kernels/cpu/tile/tile_program.hpp"
#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/prove.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <utility>

namespace tilewright {
namespace {

using cpu_engine::lookup_pattern;
using cpu_engine::stream_follower;
using cpu_engine::tile_program;
using cpu_engine::tile_tables;

std::int64_t surprises(std::size_t streams, std::vector<std::int64_t> const& lines) {
  stream_follower follower(streams);
  for (std::int64_t const l : lines) follower.read(l);
  return follower.surprises;
}

TEST(reached_lines, one_line_of_a_stream_is_a_surprise) {
  EXPECT_EQ(surprises(8, {10, 11, 12, 13, 14, 15}), 1);
  EXPECT_EQ(surprises(8, {15, 14, 13, 12, 11, 10}), 6) << "downwards";
  EXPECT_EQ(surprises(8, {10, 12, 14, 16}), 4) << "every second line";
  EXPECT_EQ(surprises(8, {10, 11, 10, 11, 12, 10}), 1) << "lines that were read are in the caches";
}

TEST(reached_lines, few_streams_are_followed_at_a_time) {
  std::vector<std::int64_t> lines;
  constexpr std::int64_t streams = 5, far = 1000, length = 20;
  for (std::int64_t i = 0; i < length; ++i)
    for (std::int64_t s = 0; s < streams; ++s) lines.push_back(s * far + i);
  EXPECT_EQ(surprises(5, lines), streams);
  EXPECT_EQ(surprises(4, lines), streams * length) << "the next one's turn comes after it was given up";
}

TEST(reached_lines, one_stream_of_a_page_is_followed) {
  EXPECT_EQ(surprises(8, {0, 32, 1, 33, 2, 34}), 6) << "64 lines are a page";
  EXPECT_EQ(surprises(8, {0, 96, 1, 97, 2, 98}), 2);
}

copy_plan planned(char const* src, char const* dst, int bits, cpu_tuning const& tuning = {}) {
  machine_model machine = machine_named("cpu");
  machine.tuning = tuning;
  return plan_copy({composed(parse_layout(src)), composed(parse_layout(dst)), bits, 64, 64}, machine);
}
tile_program compiled(copy_plan const& plan) {
  EXPECT_EQ(std::get<cpu_schedule>(plan.schedule).kernel, cpu_kernel::tile) << explain(plan);
  EXPECT_TRUE(prove(plan)) << prove(plan).failure << explain(plan);
  return cpu_engine::compile_tiles(plan);
}

/// Tokens of 32 heads are read whole, eight at a time and along memory; the matrices' rows are read as columns.
TEST(reached_lines, are_those_of_rows_but_not_of_columns) {
  char const* const heads[] = {"(8,1000,32,64):(2048000,2048,64,1)", "(8,1000,32,64):(2048000,64,64000,1)"};
  EXPECT_TRUE(compiled(planned(heads[0], heads[1], 16)).variants[0].is_reached);
  cpu_tuning all_fetched;
  all_fetched.prefetcher_streams = 0;
  EXPECT_FALSE(compiled(planned(heads[0], heads[1], 16, all_fetched)).variants[0].is_reached);
  char const* const matrices[] = {"(20000,17,23):(391,1,17)", "(20000,17,23):(391,23,1)"};
  EXPECT_FALSE(compiled(planned(matrices[0], matrices[1], 128)).variants[0].is_reached);
}

using places = std::vector<std::pair<std::int32_t, std::int32_t>>;
places places_of(lookup_pattern const& p) {
  places out;
  for (auto const& at : p.places) out.emplace_back(at.src, at.dst);
  return out;
}

/// Rows of 17 windows of 8 columns: what a tile writes is one span, whose vectors come from 8 rows in turns.
TEST(reached_lines, are_more_where_vectors_go_along_the_source) {
  char const* const image = "(5000,17,8,8):(8704,8,136,1)";
  char const* const windows = "(5000,17,8,8):(8704,64,8,1)";
  cpu_tuning as_written;
  as_written.ordered_source_bytes = std::int64_t{1} << 40;
  tile_tables const by_source = compiled(planned(image, windows, 64)).variants[0];
  tile_tables const by_destination = compiled(planned(image, windows, 64, as_written)).variants[0];
  EXPECT_TRUE(by_source.is_reached);
  EXPECT_FALSE(by_destination.is_reached);
  ASSERT_EQ(by_source.patterns.size(), by_destination.patterns.size());
  bool differs = false;
  for (std::size_t i = 0; i < by_source.patterns.size(); ++i) {
    places const one = places_of(by_source.patterns[i]);
    places other = places_of(by_destination.patterns[i]);
    EXPECT_TRUE(std::is_sorted(one.begin(), one.end(), [](auto const& a, auto const& b) { return a.first < b.first; }));
    differs = differs || one != other;
    std::stable_sort(other.begin(), other.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    EXPECT_EQ(one, other) << "the same vectors in another order";
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace tilewright
