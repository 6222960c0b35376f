#include "tilewright/plan/movement.hpp"
#include "tilewright/plan/copy_error.hpp"

#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>

namespace tilewright {
namespace {

movement moved(char const* src, char const* dst, int bits = 32) {
  return make_movement(composed(parse_layout(src)), composed(parse_layout(dst)), bits);
}

copy_errc refusal(char const* src, char const* dst, int bits = 32) {
  try {
    (void)moved(src, dst, bits);
  } catch (copy_error const& e) {
    EXPECT_GT(std::string(e.what()).size(), 30u);
    return e.code();
  }
  return copy_errc::ok;
}

TEST(movement, of_a_transposition_has_two_loops_in_the_order_of_the_destination) {
  movement const m = moved("(64,32):(32,1)", "(64,32):(1,64)");
  EXPECT_EQ(m.loops, (std::vector<loop>{{64, 32, 1}, {32, 1, 64}}));
  EXPECT_EQ(m.elements, 2048);
}

TEST(movement, of_equal_layouts_is_one_run) {
  EXPECT_EQ(moved("((4,2),(3,5)):((1,4),(8,24))", "(8,15):(1,8)").loops, (std::vector<loop>{{120, 1, 1}}));
  EXPECT_EQ(moved("(8,4):(1,10)", "(8,4):(1,10)").loops, (std::vector<loop>{{8, 1, 1}, {4, 10, 10}}));
}

TEST(movement, turns_negative_destination_strides_round) {
  movement const m = moved("(8,4):(4,1)", "(8,4):(-1,8)");
  EXPECT_EQ(m.loops, (std::vector<loop>{{8, -4, 1}, {4, 1, 8}}));
  EXPECT_EQ(m.src_offset, 28);
  EXPECT_EQ(m.dst_offset, -7);
  EXPECT_EQ(destination_range(m).first, -7);
  EXPECT_EQ(source_range(m).last, 31);
}

TEST(movement, drops_modes_that_write_the_same_element_again) {
  movement const m = moved("(8,4):(1,0)", "(8,4):(1,0)");
  EXPECT_EQ(m.elements, 8);
  EXPECT_EQ(m.loops, (std::vector<loop>{{8, 1, 1}}));
}

TEST(movement, splits_modes_to_a_common_domain) {
  EXPECT_EQ(moved("(4,6):(6,1)", "(24):(1)").loops, (std::vector<loop>{{4, 6, 1}, {6, 1, 4}}));
  movement const odd = moved("((4,6)):((6,1))", "((6,4)):((4,1))");
  EXPECT_FALSE(odd.has_loops());
  EXPECT_EQ(odd.src_steps, (std::vector<step>{{4, 6}, {6, 1}}));
  EXPECT_EQ(odd.dst_steps, (std::vector<step>{{6, 4}, {4, 1}}));
}

TEST(movement, of_an_empty_layout_moves_nothing) {
  EXPECT_EQ(moved("(0,4):(1,1)", "(0,4):(4,1)").elements, 0);
  EXPECT_EQ(moved("(1):(0)", "(1):(5)").elements, 1);
}

TEST(movement, widens_runs_as_far_as_everything_divides) {
  movement const m = moved("(8,4,3):(1,24,8)", "(8,4,3):(1,8,32)");
  movement const wide = widened(m, 16, 16);
  EXPECT_EQ(wide.element_bits, 128);
  EXPECT_EQ(wide.loops[0], (loop{2, 1, 1}));
  EXPECT_EQ(widened(m, 16, 8).element_bits, 64);
  EXPECT_EQ(widened(m, 4, 4), m);
  EXPECT_EQ(widened(moved("(6,4):(1,7)", "(6,4):(1,6)"), 16, 16).element_bits, 32);
  EXPECT_EQ(widened(moved("(6,4):(1,6)", "(6,4):(1,10)", 4), 16, 16).element_bits, 8);
}

TEST(movement, refuses_what_is_no_copy) {
  EXPECT_EQ(refusal("(4,4):(1,4)", "(4,5):(1,4)"), copy_errc::different_shapes);
  EXPECT_EQ(refusal("(4,6):(1,4)", "(6,4):(1,6)"), copy_errc::different_shapes);
  EXPECT_EQ(refusal("(4,4):(1,4)", "(4,4):(1,0)"), copy_errc::writes_twice);
  EXPECT_EQ(refusal("(4,4):(1,4)", "(4,4):(1,2)"), copy_errc::writes_twice);
  EXPECT_EQ(refusal("(4,4):(1,4)", "(4,4):(1,4)", 24), copy_errc::bad_element);
  EXPECT_EQ(refusal("(4,4):(1,4)", "(4,4):(1@0,1@1)"), copy_errc::bad_layout);
  EXPECT_EQ(refusal("(4,4):(1,4)", "(4,4):(1,4611686018427387904)"), copy_errc::bad_layout);
}

TEST(movement, names_the_layouts_in_its_refusals) {
  try {
    (void)moved("(4,4):(1,4)", "(4,4):(1,2)");
    FAIL();
  } catch (copy_error const& e) {
    EXPECT_NE(std::string(e.what()).find("(4,4):(1,2)"), std::string::npos);
  }
}

/// All sums of the steps.
std::multiset<std::int64_t> offsets_of(std::vector<step> const& steps, std::int64_t base = 0) {
  std::multiset<std::int64_t> out{base};
  for (step const& s : steps) {
    std::multiset<std::int64_t> next;
    for (std::int64_t const x : out)
      for (std::int64_t k = 0; k < s.extent; ++k) next.insert(x + k * s.stride);
    out = next;
  }
  return out;
}

TEST(has_collision, agrees_with_enumeration) {
  std::mt19937 random(7);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int colliding = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<step> steps;
    for (int i = 0; i < 1 + below(4); ++i) steps.push_back({1 + below(5), below(30) - 10});
    auto const all = offsets_of(steps);
    bool const collides = std::set<std::int64_t>(all.begin(), all.end()).size() != all.size();
    colliding += collides;
    ASSERT_EQ(has_collision(steps), collides ? answer::yes : answer::no) << round;
  }
  EXPECT_GT(colliding, 500);
  EXPECT_LT(colliding, 4500);
}

TEST(share_offset, agrees_with_enumeration) {
  std::mt19937 random(8);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int sharing = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<step> a, b;
    for (int i = 0; i < 1 + below(3); ++i) a.push_back({1 + below(5), below(40) - 12});
    for (int i = 0; i < 1 + below(3); ++i) b.push_back({1 + below(5), below(40) - 12});
    std::int64_t const apart = below(60) - 30;
    auto const left = offsets_of(a, apart), right = offsets_of(b);
    bool const shares = std::any_of(left.begin(), left.end(), [&](std::int64_t x) { return right.contains(x); });
    sharing += shares;
    ASSERT_EQ(share_offset(a, apart, b), shares ? answer::yes : answer::no) << round;
  }
  EXPECT_GT(sharing, 500);
  EXPECT_LT(sharing, 4500);
}

TEST(share_offset, tells_interleaved_tensors_apart) {
  // Even and odd columns of a large matrix.
  std::vector<step> const columns{{4096, 1 << 13}, {4096, 2}};
  EXPECT_EQ(share_offset(columns, 1, columns), answer::no);
  EXPECT_EQ(share_offset(columns, 2, columns), answer::yes);
}

}  // namespace
}  // namespace tilewright
