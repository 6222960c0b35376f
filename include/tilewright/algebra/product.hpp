// Products: a layout repeated. logical_product gives (block, repetition); blocked_product and raked_product pair the two
// mode by mode, blocks kept whole or interleaved element by element. The raked product of a thread layout and a value
// layout is the inverse of a tiled copy's thread-value map.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/divide.hpp"

namespace tilewright::algebra {

/// post: (A, A* ∘ T) with A* the complement of A: mode 1 repeats A as T says, disjointly.
/// error: those of complement and composition; out_of_domain when A's gaps do not hold so many repetitions
TILEWRIGHT_CONSTEXPR int_tree product_within(arithmetic& c, int_tree const& a, subtree u, int_tree const& t, subtree w,
                                             reach r) {
  leaf const target = c.mul(size(c, a, u), cosize(c, t, w));
  int_tree const rest = complement(c, a, u, one_extent(target));
  if (c.failed()) return leaf_tree(constant_leaf(1));
  int_tree const tile = copy_of(t, w);
  return checked(c, pair_of(a, u, composition(c, rest, tile, r)));
}

TILEWRIGHT_CONSTEXPR int_tree product_subtree(arithmetic& c, int_tree const& a, subtree u, int_tree const& t,
                                              subtree w) {
  return product_within(c, a, u, t, w, reach::inside);
}

TILEWRIGHT_CONSTEXPR int_tree logical_product(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                              reach r = reach::inside) {
  int_tree out{};
  auto const multiply = [r](arithmetic& k, int_tree const& layout, subtree u, int_tree const& tile, subtree w) {
    return product_within(k, layout, u, tile, w, r);
  };
  apply_by_tiler(c, out, a, a.root(), tiler, tiler.root(), multiply);
  return checked(c, out);
}

TILEWRIGHT_CONSTEXPR int_tree zipped_product(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                             reach r = reach::inside) {
  int_tree const product = logical_product(c, a, tiler, r);
  return c.failed() ? product : checked(c, zip_by(c, product, product.root(), tiler, tiler.root(), r));
}

TILEWRIGHT_CONSTEXPR int_tree tiled_product(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                            reach r = reach::inside) {
  int_tree const zipped = zipped_product(c, a, tiler, r);
  return c.failed() ? zipped : checked(c, unpack(zipped, false, true));
}

TILEWRIGHT_CONSTEXPR int_tree flat_product(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                           reach r = reach::inside) {
  int_tree const zipped = zipped_product(c, a, tiler, r);
  return c.failed() ? zipped : checked(c, unpack(zipped, true, true));
}

/// post: at least `rank` modes, 1:0 appended.
TILEWRIGHT_CONSTEXPR int_tree padded_to_rank(int_tree const& a, int rank) {
  subtree const u = a.root();
  if (a.is_tuple(u) ? a.rank(u) >= rank : rank == 1) return a;
  int_tree out{};
  out.open(rank);
  subtree m = a.first_mode(u);
  int const have = a.rank(u);
  for (int i = 0; i < have; ++i) {
    out.add(a, m);
    if (i + 1 < have) m = a.next(m);
  }
  for (int i = have; i < rank; ++i) out.add_leaf(constant_leaf(1), constant_leaf(0));
  return out;
}

/// ((a0,a1,…),(b0,b1,…)) -> ((a0,b0),(a1,b1),…).  pre: both tuples, of one rank
TILEWRIGHT_CONSTEXPR int_tree zip_modes(int_tree const& p, subtree a, subtree b) {
  int_tree out{};
  int const rank = p.rank(a);
  out.open(rank);
  subtree m = p.first_mode(a), n = p.first_mode(b);
  for (int i = 0; i < rank; ++i) {
    out.open(2);
    out.add(p, m);
    out.add(p, n);
    if (i + 1 < rank) {
      m = p.next(m);
      n = p.next(n);
    }
  }
  return out;
}

/// The product with modes paired: block-wise (a_i, t_i) or raked (t_i, a_i).
TILEWRIGHT_CONSTEXPR int_tree product_by_rank(arithmetic& c, int_tree const& a, int_tree const& t, bool raked,
                                              reach r = reach::inside) {
  int const rank = a.rank() > t.rank() ? a.rank() : t.rank();
  int_tree const block = checked(c, padded_to_rank(a, rank)), tile = checked(c, padded_to_rank(t, rank));
  int_tree const product = product_within(c, block, block.root(), tile, tile.root(), r);
  if (c.failed()) return product;
  subtree const inner = product.mode(raked ? 1 : 0), outer = product.mode(raked ? 0 : 1);
  if (rank == 1) {  // ((4,3)) of 4 and 3, and of (4) and (3); ((4,(3))) of 4 and (3)
    bool const tuples = block.is_tuple(block.root()) && tile.is_tuple(tile.root());
    auto const only = [&](subtree m) { return tuples ? product.mode(m, 0) : m; };
    int_tree out{};
    out.open(1);
    out.open(2);
    out.add(product, only(inner));
    out.add(product, only(outer));
    return checked(c, out);
  }
  if (!product.is_tuple(inner) || !product.is_tuple(outer) || product.rank(outer) != product.rank(inner)) {
    c.fail(errc::rank_mismatch, product.rank(inner), product.rank(outer));
    return leaf_tree(constant_leaf(1));
  }
  return checked(c, zip_modes(product, inner, outer));
}

TILEWRIGHT_CONSTEXPR int_tree blocked_product(arithmetic& c, int_tree const& a, int_tree const& t,
                                              reach r = reach::inside) {
  return product_by_rank(c, a, t, false, r);
}
TILEWRIGHT_CONSTEXPR int_tree raked_product(arithmetic& c, int_tree const& a, int_tree const& t,
                                            reach r = reach::inside) {
  return product_by_rank(c, a, t, true, r);
}

/// The extents of a shape's modes, each multiplied up: a flat tuple.
TILEWRIGHT_CONSTEXPR int_tree product_each(arithmetic& c, int_tree const& shape) {
  int_tree out{};
  if (!shape.is_tuple(shape.root())) return leaf_tree(size(c, shape));
  out.open(shape.rank());
  subtree m = shape.first_mode(shape.root());
  for (int i = 0; i < shape.rank(); ++i, m = shape.next(m)) out.add_leaf(size(c, shape, m));
  return checked(c, out);
}

/// How often a block is repeated along each mode to cover a target: ceil(target_i / block_i).
/// pre: target_i >= block_i, of one rank
TILEWRIGHT_CONSTEXPR int_tree repetitions(arithmetic& c, int_tree const& block, int_tree const& target) {
  int_tree const have = product_each(c, block), want = product_each(c, target);
  int_tree times{};
  times.open(have.leaves);
  if (want.leaves != have.leaves) {
    c.fail(errc::rank_mismatch, have.leaves, want.leaves);
    return target;
  }
  for (int i = 0; i < have.leaves; ++i) {
    leaf const w = want.shape[i], h = have.shape[i];
    if (w.is_static() && h.is_static() && w.number < h.number) c.fail(errc::unordered_target, w.number, h.number);
    times.add_leaf(c.ceil_div(w, h));
  }
  return times;
}

/// The block repeated, first mode fastest or in the given order of the modes, until the target's shape is covered.
/// post: mode i is (block_i, ceil(target_i / block_i));  pre: target_i >= block_i
TILEWRIGHT_CONSTEXPR int_tree tile_to_shape(arithmetic& c, int_tree const& block, int_tree const& target,
                                            reach r = reach::inside) {
  int_tree const padded =
      checked(c, padded_to_rank(block, block.rank() > target.rank() ? block.rank() : target.rank()));
  int_tree const times = repetitions(c, padded, target);
  return c.failed() ? block : blocked_product(c, padded, compact_left(c, times), r);
}
TILEWRIGHT_CONSTEXPR int_tree tile_to_shape(arithmetic& c, int_tree const& block, int_tree const& target,
                                            int_tree const& order, equal_orders equals = equal_orders::left_to_right,
                                            reach r = reach::inside) {
  int_tree const padded =
      checked(c, padded_to_rank(block, block.rank() > target.rank() ? block.rank() : target.rank()));
  int_tree const times = repetitions(c, padded, target);
  return c.failed() ? block : blocked_product(c, padded, compact_order(c, times, order, equals), r);
}

}  // namespace tilewright::algebra
