// Products: a layout repeated disjointly, in the order of another; the blocked and raked forms pair the modes.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

constexpr bool blocked_law(layout_value const& a, layout_value const& t) { return paired_product_law(a, t, false); }
constexpr bool raked_law(layout_value const& a, layout_value const& t) { return paired_product_law(a, t, true); }

static_assert(holds_for(family(2, {1, 2, 4}, {1, 2, 8}), 8, family(1, {1, 2, 3}, {0, 1, 2}), 2, logical_product_law));
static_assert(holds_for(family(2, {2, 4}, {1, 4}), 5, family(2, {1, 2}, {1, 2}), 3, blocked_law));
static_assert(holds_for(family(2, {2, 4}, {1, 4}), 5, family(2, {1, 2}, {1, 2}), 3, raked_law));

families blocks() { return {{1, {1, 2, 4}, {0, 1, 2}}, {2, {1, 2, 3}, {0, 1, 2, 3, 6}}}; }
families repetitions() { return {{1, {0, 1, 2, 3, 4}, {0, 1, 2, 3}}, {2, {1, 2, 3}, {0, 1, 2, 3, 6}}}; }

TEST(logical_product, repeats_the_block_disjointly_or_there_is_no_such_layout) {
  expect_for_all(blocks(), repetitions(), logical_product_law);
}

TEST(blocked_product, pairs_block_and_repetition) { expect_for_all(blocks(), repetitions(), blocked_law); }

TEST(raked_product, pairs_repetition_and_block) { expect_for_all(blocks(), repetitions(), raked_law); }

TEST(product, in_four_forms) {
  auto const a = parse_layout("(2,3):(1,2)");
  tiler_value const tiler{parse_tiler("<4,4>")};
  EXPECT_EQ(text_of(logical_product(parse_layout("(2,5):(5,1)"), parse_layout("(3,4):(1,3)"))),
            "((2,5),(3,4)):((5,1),(10,30))");
  EXPECT_EQ(text_of(logical_product(a, tiler)), "((2,4),(3,(2,2))):((1,2),(2,(1,6)))");
  EXPECT_EQ(text_of(zipped_product(a, tiler)), "((2,3),(4,(2,2))):((1,2),(2,(1,6)))");
  EXPECT_EQ(text_of(tiled_product(a, tiler)), "((2,3),4,(2,2)):((1,2),2,(1,6))");
  EXPECT_EQ(text_of(flat_product(a, tiler)), "(2,3,4,(2,2)):(1,2,2,(1,6))");
}

TEST(product, in_pictures) {
  auto const a = parse_layout("(2,5):(5,1)"), t = parse_layout("(3,4):(1,3)");
  EXPECT_EQ(text_of(blocked_product(a, t)), "((2,3),(5,4)):((5,10),(1,30))");
  EXPECT_EQ(text_of(raked_product(a, t)), "((3,2),(4,5)):((10,5),(30,1))");
}

bool covers_target(layout_value const& block, int_tree const& target) {
  auto const r = tile_to_shape(block, target);
  int const rank = std::max(block.rank(), target.rank());
  auto const mode_size = [](int_tree const& x, int i) { return i < x.rank() ? extent(x, x.mode(i)) : 1; };
  if (!r) {
    bool smaller = target.rank() < rank, empty = false;
    for (int i = 0; i < rank; ++i) {
      smaller = smaller || mode_size(target, i) < mode_size(block, i);
      empty = empty || mode_size(block, i) == 0;
    }
    if (smaller || empty) return true;
    int_tree times{};
    times.open(rank);
    for (int i = 0; i < rank; ++i) {
      long long const b = mode_size(block, i);
      times.add_leaf(constant_leaf((mode_size(target, i) + b - 1) / b));
    }
    return !logical_product(block, *compact_left(times));
  }
  if (r->rank() != rank) return false;
  for (int i = 0; i < rank; ++i) {
    long long const b = mode_size(block, i), times = (mode_size(target, i) + b - 1) / b;
    layout_value const both = mode_of(*r, i);
    if (extent(mode_of(both, 0)) != b || extent(mode_of(both, 1)) != times) return false;
  }
  return !table_of(block).distinct() || table_of(*r).distinct();
}

TEST(tile_to_shape, repeats_the_block_until_the_target_is_covered) {
  expect_for_all(blocks(), {{1, {0, 2, 4}, {0}}, {2, {1, 3, 4}, {0}}}, covers_target);
}

TEST(tile_to_shape, in_a_given_order) {
  auto const block = parse_layout("(8,4):(1,8)");
  EXPECT_EQ(text_of(tile_to_shape(block, parse_tuple("(16,8)"))), "((8,2),(4,2)):((1,32),(8,64))");
  EXPECT_EQ(text_of(tile_to_shape(block, parse_tuple("(16,8)"), parse_tuple("(2,1)"))),
            "((8,2),(4,2)):((1,64),(8,32))");
  EXPECT_EQ(text_of(tile_to_shape(block, parse_tuple("(4,8)"))), "unordered_target");
}

}  // namespace
}  // namespace tilewright::tests
