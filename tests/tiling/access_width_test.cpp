// The widest access against trying every width on every thread and round, and each reason why it is not wider.
#include "tilewright/tiling/access_width.hpp"

#include <gtest/gtest.h>

#include "copies_to_analyse.hpp"

namespace tilewright::tests {
namespace {

using tiling::access_width;
using tiling::width_limit;

access_width width(tiling::declaration const& d, composed_value const& tensor, long long alignment = 256,
                   long long widest = 128) {
  tiling::tiled_map const map = map_of(d).value();
  return width_of(map, side_of(map, tensor, h200()).value(), tensor, {alignment}, {widest});
}
tiling::declaration floats(std::string_view thr, std::string_view val, long long atom = 128) {
  return {{atom}, {32}, parse_layout(thr), parse_layout(val)};
}

TEST(vector_width, agrees_with_trying_every_width) {
  for (copy_case const& c : some_copies()) {
    access_width const w = width(c.copy, c.tensor);
    EXPECT_EQ(w.vector.count, widest_vector(walk(c.copy, c.tensor), 4)) << c;
    EXPECT_EQ(w.width.count, w.vector.count * c.copy.element.count);
    bool const whole = w.vector.count == 4;
    EXPECT_EQ(w.limited(), !whole) << c;
  }
}

TEST(vector_width, is_the_atoms_or_the_machines) {
  access_width const w = width(floats("(4,8):(1,4)", "(4,1):(1,0)"), plain("(16,8):(1,16)"));
  EXPECT_EQ(w.width.count, 128);
  EXPECT_EQ(w.limit, width_limit::machine);
  EXPECT_EQ(w.along, 0);
  EXPECT_EQ(width(floats("(4,8):(1,4)", "(4,1):(1,0)", 64), plain("(16,8):(1,16)")).limit, width_limit::atom);
  access_width const wide = width(floats("(4,8):(1,4)", "(8,1):(1,0)", 256), plain("(32,8):(1,32)"), 256, 256);
  EXPECT_EQ(wide.width.count, 256);
}

TEST(vector_width, row_major_misuse_of_document_001) {
  access_width const w = width(floats("(4,8):(1,4)", "(4,1):(1,0)"), plain("(16,8):(8,1)"));
  EXPECT_EQ(w.width.count, 32);
  EXPECT_EQ(w.limit, width_limit::stride);
  EXPECT_EQ(w.mode, 0);
  EXPECT_EQ(w.found, 8);
  EXPECT_EQ(w.along, -1);
  EXPECT_EQ(w.wanted.count, 4);
}

TEST(vector_width, says_why_not_wider) {
  auto const limit = [](access_width const& w, width_limit why, int mode, long long found, long long needed) {
    return w.limit == why && w.mode == mode && w.found == found && w.needed == needed;
  };
  auto const column = floats("(4,8):(1,4)", "(4,1):(1,0)");
  EXPECT_TRUE(limit(width(floats("(4,8):(1,4)", "(2,2):(1,2)"), plain("(8,16):(1,8)")), width_limit::run, 1, 7, 4));
  EXPECT_TRUE(limit(width(column, plain("(16,8):(1,18)")), width_limit::start, 1, 18, 4));
  EXPECT_TRUE(limit(width(column, plain("(16,8):(1,17)")), width_limit::start, 1, 17, 2));
  EXPECT_TRUE(limit(width(column, swizzled({2, 1, 3}, "(16,8):(1,16)")), width_limit::swizzle, -1, 2, 4));
  EXPECT_TRUE(limit(width(column, plain("(16,8):(1,16)"), 8), width_limit::base, -1, 8, 16));
  EXPECT_TRUE(
      limit(width(floats("(4,8):(1,4)", "(6,1):(1,0)", 96), plain("(24,8):(1,24)")), width_limit::atom, -1, 3, 0));
  EXPECT_TRUE(limit(width({{24}, {24}, parse_layout("32:1"), parse_layout("1:0")}, plain("32:1")), width_limit::atom,
                    -1, 1, 0));
  EXPECT_TRUE(limit(width({{48}, {24}, parse_layout("16:1"), parse_layout("2:1")}, plain("32:1")), width_limit::element,
                    -1, 24, 0));
  composed_value shifted = plain("(16,8):(1,16)");
  shifted.offset = constant_leaf(2);
  EXPECT_TRUE(limit(width(column, shifted), width_limit::offset, -1, 2, 4));
  // Mode 0 is broken after two elements: ((2,8),8):((1,16),2)
  EXPECT_TRUE(limit(width(column, plain("((2,8),8):((1,16),2)")), width_limit::run, 0, 15, 4));
}

TEST(vector_width, of_a_divisor_holds_for_every_multiple) {
  auto const column = floats("(4,8):(1,4)", "(4,1):(1,0)");
  auto const of_stride = [&](long long stride) {
    return width(column, {{}, {}, make({{16, 1}, {8, stride}})}).vector.count;
  };
  for (long long const divisor : {1, 2, 3, 4, 6, 8, 12}) {
    long long const proved = of_stride(tiling::any_multiple_of(divisor));
    long long least = 4;
    for (long long times = 1; times < 40; ++times) least = std::min(least, of_stride(times * divisor));
    EXPECT_EQ(proved, least) << divisor;
  }
}

TEST(vector_width, names_a_thread_for_whom_it_does_not_hold) {
  access_width const w = width(floats("(4,8):(1,4)", "(4,1):(1,0)"), plain("(16,8):(1,18)"));
  EXPECT_EQ(w.vector.count, 2);
  EXPECT_EQ(w.thread, 4);  // the first of column 1, at offset 18
  EXPECT_EQ(w.value, 0);
}

}  // namespace
}  // namespace tilewright::tests
