// The structural value: building in preorder, reading modes, depth and profile, and outgrowing the arrays.
#include "tilewright/ints/int_tree.hpp"

#include <gtest/gtest.h>

#include "families.hpp"

namespace tilewright {
namespace {

TEST(int_tree, reads_back_what_was_built) {
  int_tree const t = parse_layout("((4,2),8,()):((1,16),4,())");
  EXPECT_EQ(t.rank(), 3);
  EXPECT_EQ(t.leaves, 3);
  EXPECT_EQ(t.nodes, 6);
  EXPECT_EQ(depth(t, t.root()), 2);
  EXPECT_EQ(format_layout(copy_of(t, t.mode(0))), "(4,2):(1,16)");
  EXPECT_EQ(format_layout(copy_of(t, t.mode(1))), "8:4");
  EXPECT_EQ(format_layout(copy_of(t, t.mode(2))), "():()");
  EXPECT_EQ(format_layout(copy_of(t, t.mode(t.mode(0), 1))), "2:16");
  int_tree const leaf = leaf_tree(constant_leaf(5));
  EXPECT_EQ(leaf.rank(), 1);
  EXPECT_EQ(copy_of(leaf, leaf.mode(0)), leaf);
  EXPECT_EQ(depth(leaf, leaf.root()), 0);
}

TEST(int_tree, compares_profiles) {
  auto const same = [](char const* a, char const* b) {
    int_tree const x = parse_tuple(a), y = parse_tuple(b);
    return same_profile(x, x.root(), y, y.root());
  };
  EXPECT_TRUE(same("(1,(2,3))", "(4,(5,6))"));
  EXPECT_FALSE(same("(1,(2,3))", "((4,5),6)"));
  EXPECT_FALSE(same("1", "(1)"));
  EXPECT_FALSE(same("1", "_"));
}

TEST(int_tree, counts_what_it_cannot_hold_and_writes_nothing_beyond) {
  int_tree t{};
  for (int i = 0; i < 300; ++i) t.add_leaf(constant_leaf(i));
  EXPECT_TRUE(t.overflowed());
  EXPECT_EQ(t.leaves, 300);
  arithmetic c{};
  EXPECT_EQ(checked(c, t), leaf_tree(constant_leaf(1)));
  EXPECT_EQ(c.error, (error{errc::too_many_leaves, 300, int_tree::leaf_capacity}));
  int_tree deep{};
  for (int i = 0; i < int_tree::node_capacity; ++i) deep.open(1);
  EXPECT_EQ(depth(deep, deep.root()), int_tree::node_capacity);
}

TEST(basis_path, holds_four_levels) {
  basis_path const p = basis_path{}.then(0).then(62).then(5);
  EXPECT_EQ(p.depth(), 3);
  EXPECT_EQ(p.index(0), 0);
  EXPECT_EQ(p.index(1), 62);
  EXPECT_EQ(p.index(2), 5);
  EXPECT_EQ(p.rest(), basis_path{}.then(62).then(5));
  EXPECT_TRUE(basis_path{}.empty());
  leaf const scaled = with_basis(constant_leaf(3), p);
  EXPECT_FALSE(scaled.is(3));
  EXPECT_EQ(without_basis(scaled), constant_leaf(3));
}

}  // namespace
}  // namespace tilewright
