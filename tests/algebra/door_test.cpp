// The public door: whatever a value holds, an operation answers with a layout or an error, never with wrapped numbers or
// a touch beyond its arrays.
#include "families.hpp"

namespace tilewright::tests {
namespace {

int_tree many_leaves(int n, long long extent = 2) {
  int_tree t{};
  t.open(n);
  for (int i = 0; i < n; ++i) t.add_leaf(constant_leaf(extent), constant_leaf(i % 3));
  return t;
}
/// n nested tuples around a leaf.
int_tree nested(int n) {
  int_tree t{};
  for (int i = 0; i < n; ++i) t.open(1);
  t.add_leaf(constant_leaf(2), constant_leaf(1));
  return t;
}
int_tree many_empty_tuples(int n) {
  int_tree t{};
  t.open(n);
  for (int i = 0; i < n; ++i) t.open(0);
  return t;
}

/// Every operation on every pair of operands answers, whatever they are said to be.
void answer_all(std::vector<int_tree> const& operands) {
  auto const touch = [](auto const& r) { EXPECT_TRUE(r || r.error().code != errc::ok); };
  for (int_tree const& tree : operands) {
    layout_value const a(tree);
    shape_value const s(tree);
    touch(size(a)), touch(size(s)), touch(cosize(a)), touch(product_each(a)), touch(coalesce(a));
    touch(coalesce_each(a)), touch(filter(a)), touch(filter_zeros(a)), touch(complement(a)), touch(right_inverse(a));
    touch(left_inverse(a)), touch(nullspace(a)), touch(flatten(a)), touch(flatten(s)), touch(compact_left(s));
    touch(compact_right(s)), touch(identity_layout(s)), (void)shape_of(a), (void)stride_of(a);
    for (long long n : {-1LL, 0LL, 1LL, 3LL, int64_max, int64_min}) {
      touch(upcast(a, n)), touch(downcast(a, n)), touch(domain_distribute(s, n)), touch(complement(a, n));
      touch(crd2idx(n, a)), touch(idx2crd(n, s)), touch(offset2crd(n, a)), touch(recast(a, bits{n}, bits{8}));
    }
    for (int i : {-1, 0, 1, 63, 64, 126, 127, 128})
      touch(mode(a, i)), touch(mode(s, i)), touch(group(a, 0, i)), touch(take(a, 0, i));
    touch(select(a, std::vector<int>(200, 0)));
    for (int_tree const& other : operands) {
      layout_value const b(other);
      shape_value const extents(other);
      stride_value const strides(other);
      coord_value const x(other);
      tiler_value const t{other};
      touch(composition(a, b)), touch(complement(a, extents)), touch(coalesce(a, x)), touch(with_shape(a, extents));
      touch(logical_divide(a, b)), touch(zipped_divide(a, b)), touch(tiled_divide(a, b)), touch(flat_divide(a, b));
      touch(logical_product(a, b)), touch(zipped_product(a, b)), touch(tiled_product(a, b)), touch(flat_product(a, b));
      touch(composition(a, t)), touch(zipped_divide(a, t)), touch(flat_divide(a, t)), touch(flat_product(a, t));
      touch(blocked_product(a, b)), touch(raked_product(a, b)), touch(tile_to_shape(a, extents)),
          touch(tile_to_shape(a, extents, stride_value(tree)));
      touch(max_common_vector(a, b)), touch(compact_order(s, strides)), touch(append(a, b)), touch(prepend(s, extents));
      touch(replace(a, 0, b)), touch(unflatten(a, x)), touch(slice(x, a)), touch(dice(x, a)), touch(offset_at(x, a));
      touch(make_layout(s, strides));
      (void)congruent(a, b), (void)compatible(a, b), (void)weakly_compatible(a, b);
      composed_value const swizzled{{2, 1, 3}, constant_leaf(1), a};
      touch(composition(swizzled, b)), touch(slice(x, swizzled)), touch(cosize(swizzled)),
          touch(max_common_vector(swizzled, b)), touch(upcast(swizzled, 2));
    }
  }
}

TEST(door, answers_at_the_capacity) {
  answer_all({many_leaves(63), many_leaves(64), many_leaves(65), many_leaves(64, 1), nested(127), nested(128),
              many_empty_tuples(127), many_empty_tuples(200), parse_layout("2:1"), int_tree{}});
}

TEST(door, answers_at_the_ends_of_64_bits) {
  long long const half = 1LL << 62;
  answer_all({make({{int64_max, 1}}), make({{2, int64_max}, {2, 1}}), make({{half, half}}), make({{3, -int64_max}}),
              make({{2, int64_min}}), make({{int64_min, 1}}), make({{1LL << 32, 1LL << 31}, {1LL << 32, 1}}),
              make({{int64_max, 0}, {int64_max, 0}}), make({{0, int64_max}, {int64_max, 2}}),
              make({{8, 1}, {8, half}})});
}

TEST(door, answers_to_odd_values) {
  int_tree kept{}, layout{}, liar{}, wild{}, dynamic{};
  kept.open(2), kept.add_kept(), kept.add_leaf(constant_leaf(1));
  layout.add_layout_marker(), layout.add_leaf(constant_leaf(4), constant_leaf(1));
  liar.open(3), liar.add_leaf(constant_leaf(4));
  wild.open(-9);
  dynamic.add_leaf(dynamic_leaf(0, number_type::int32));
  answer_all({kept, layout, liar, wild, dynamic, leaf_tree(with_basis(constant_leaf(1), basis_path{}.then(3))),
              leaf_tree(constant_leaf(4), with_basis(constant_leaf(1), basis_path{}.then(3))), make({{-4, 1}}),
              make({{0, 1}, {4, 0}}), parse_layout("((4,2),8):((1,16),4)")});
}

TEST(door, names_what_it_refuses) {
  auto const a = parse_layout("(8,8)");
  EXPECT_EQ(text_of(coalesce(layout_value(many_leaves(65)))), "too_many_leaves");
  EXPECT_EQ(text_of(coalesce(make({{-4, 1}}))), "bad_extent");
  EXPECT_EQ(text_of(coalesce(make({{4, int64_min}}))), "overflow");
  EXPECT_EQ(text_of(coalesce(layout_value(parse_tuple("(4,_)")))), "kept_mode");
  EXPECT_EQ(text_of(coalesce(layout_value(int_tree{}))), "not_congruent");
  EXPECT_EQ(text_of(coalesce(layout_value(leaf_tree(dynamic_leaf(0, number_type::int32))))), "not_static");
  EXPECT_EQ(text_of(size(make({{1LL << 32, 1}, {1LL << 32, 1}}))), "overflow");
  EXPECT_EQ(text_of(cosize(make({{4, int64_max}}))), "overflow");
  EXPECT_EQ(text_of(append(layout_value(many_leaves(64)), a)), "too_many_leaves");
  EXPECT_THROW((void)coalesce(make({{-4, 1}})).value(), layout_error);
}

TEST(door, a_layout_called_outside_its_numbers_throws) {
  EXPECT_THROW((void)make({{4, int64_max}})(2), layout_error);
  EXPECT_THROW((void)make({{0, 1}, {4, 1}})(0), layout_error);
  EXPECT_EQ(make({{4, 2}, {3, 8}})(5), 10);
}

}  // namespace
}  // namespace tilewright::tests
