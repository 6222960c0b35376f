// A layout as a value: the function from coordinates to offsets that nested extents and strides describe,
//   (4,2):(2,1)  maps (i, j), i < 4, j < 2, to 2*i + 1*j,  and the index k to the coordinate (k % 4, k / 4) first.
// Here are its measures (size, cosize), the comparisons of shapes, the ways to fill strides, and the maps between
// coordinate, index and offset. The operations that make layouts from layouts are in algebra/.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/ints/int_tree.hpp"

namespace tilewright {

namespace algebra {

/// The offset of an index, taken apart with the first leaf fastest and the last unbounded.
/// pre: static extents, static strides without basis, not overflowed()
/// error: throws layout_error (so no constant) when the offset does not fit 64 bits, or an extent before the last is 0
TILEWRIGHT_CONSTEXPR long long offset_of_index(int_tree const& a, long long index) {
  long long offset = 0;
  for (int i = 0; i < a.leaves; ++i) {
    bool const last = i + 1 == a.leaves;
    if (!last && a.shape[i].number == 0) raise(error{errc::division_by_zero, index, 0});
    long long const digit = last ? index : index % a.shape[i].number;
    long long term = 0;
    if (!math::multiply(digit, a.stride[i].number, term) || !math::add(offset, term, offset))
      raise(error{errc::overflow, digit, a.stride[i].number});
    if (!last) index /= a.shape[i].number;
  }
  return offset;
}

/// The product of a subtree's extents: the number of coordinates.
TILEWRIGHT_CONSTEXPR leaf size(arithmetic& c, int_tree const& a, subtree u) {
  leaf n = constant_leaf(1);
  for (int i = u.leaf; i < u.leaf_end; ++i) n = c.mul(n, a.shape[i]);
  return n;
}
TILEWRIGHT_CONSTEXPR leaf size(arithmetic& c, int_tree const& a) { return size(c, a, a.root()); }

/// The span of offsets, 1 + sum of (extent - 1) * |stride|; a negative stride spans as far downwards. 0 when empty.
TILEWRIGHT_CONSTEXPR leaf cosize(arithmetic& c, int_tree const& a, subtree u) {
  leaf n = constant_leaf(0);
  for (int i = u.leaf; i < u.leaf_end; ++i)
    if (a.shape[i].is(0)) return n;
  for (int i = u.leaf; i < u.leaf_end; ++i)
    if (!a.stride[i].is(0)) n = c.add(n, c.mul(c.sub(a.shape[i], constant_leaf(1)), c.abs(a.stride[i])));
  return c.add(n, constant_leaf(1));
}
TILEWRIGHT_CONSTEXPR leaf cosize(arithmetic& c, int_tree const& a) { return cosize(c, a, a.root()); }

/// post: strides that count up from `start` with the first leaf fastest; extents of 1 get stride 0.
TILEWRIGHT_CONSTEXPR int_tree compact_left(arithmetic& c, int_tree a, leaf start = constant_leaf(1)) {
  leaf current = start;
  for (int i = 0; i < a.leaves; ++i) {
    bool const one = a.shape[i].is(1);
    a.stride[i] = one ? constant_leaf(0) : current;
    if (!one) current = c.mul(current, a.shape[i]);
  }
  return a;
}

/// The same with the last leaf fastest.
TILEWRIGHT_CONSTEXPR int_tree compact_right(arithmetic& c, int_tree a, leaf start = constant_leaf(1)) {
  leaf current = start;
  for (int i = a.leaves - 1; i >= 0; --i) {
    bool const one = a.shape[i].is(1);
    a.stride[i] = one ? constant_leaf(0) : current;
    if (!one) current = c.mul(current, a.shape[i]);
  }
  return a;
}

/// The modes of equal constants in an order: one after the other, or all with the stride that the first one has.
enum class equal_orders { left_to_right, share_a_stride };

/// How an order ranks a leaf of a shape: by an integer, of a leaf of the order.
struct leaf_rank {
  long long key = 0;
  bool is_static = true;
  int leaf = 0;

  /// Constants come first, smaller ones before larger ones.
  TILEWRIGHT_CONSTEXPR bool comes_before(leaf_rank const& b) const {
    return is_static && (!b.is_static || key < b.key);
  }
};

/// The rank of each leaf of the shape; a leaf of the order ranks the whole mode that it is at.
/// error: kept_mode, rank_mismatch
TILEWRIGHT_CONSTEXPR void rank_leaves(arithmetic& c, int_tree const& a, int_tree const& order, leaf_rank* ranks) {
  subtree stack[int_tree::node_capacity]{};
  subtree guide[int_tree::node_capacity]{};
  int top = 0;
  stack[top] = a.root();
  guide[top++] = order.root();
  while (top > 0) {
    subtree const u = stack[--top], w = guide[top];
    if (!order.is_tuple(w) && !order.is_leaf(w)) return c.fail(errc::kept_mode, w.node, order.nodes);
    if (order.is_leaf(w)) {
      for (int i = u.leaf; i < u.leaf_end; ++i)
        ranks[i] = {order.shape[w.leaf].number, order.shape[w.leaf].is_static(), w.leaf};
      continue;
    }
    int const rank = order.rank(w);
    if (a.rank(u) != rank) return c.fail(errc::rank_mismatch, a.rank(u), rank);
    for (int i = 0; i < rank; ++i) {
      stack[top] = a.mode(u, i);
      guide[top++] = order.mode(w, i);
    }
  }
}

/// Compact strides in the order that `order`'s leaves rank: the smallest is fastest, equals as `equals` says, run-time
/// entries come last, left to right.  (2,3,4) in the order (1,0,1) = (3,1,6), or (3,1,3) with a shared stride
/// pre: order's profile covers the shape's
TILEWRIGHT_CONSTEXPR int_tree compact_order(arithmetic& c, int_tree a, int_tree const& order,
                                            equal_orders equals = equal_orders::left_to_right) {
  leaf_rank keys[int_tree::leaf_capacity]{};
  rank_leaves(c, a, order, keys);
  if (c.failed()) return a;
  bool done[int_tree::leaf_capacity]{};
  leaf current = constant_leaf(1);
  leaf shared = current, own = current;  // the first stride of equals, the next one within a leaf of the order
  int last = -1;
  for (int n = 0; n < a.leaves; ++n) {
    int best = -1;
    for (int i = 0; i < a.leaves; ++i) {
      if (done[i]) continue;
      if (best < 0 || keys[i].comes_before(keys[best])) best = i;
    }
    done[best] = true;
    bool const shares = equals == equal_orders::share_a_stride;
    if (shares && (last < 0 || keys[best].leaf != keys[last].leaf)) {
      bool const equal = last >= 0 && keys[best].is_static && keys[last].is_static && keys[best].key == keys[last].key;
      if (!equal) shared = current;
      own = shared;
    }
    last = best;
    bool const one = a.shape[best].is(1);
    a.stride[best] = one ? constant_leaf(0) : shares ? own : current;
    if (one) continue;
    if (shares) own = c.mul(own, a.shape[best]);
    current = c.mul(current, a.shape[best]);
  }
  return a;
}

/// Is the profile of `a` that of `b` up to deeper nesting in `b`, with every leaf of `a` as large as the mode of `b` it
/// is at? (Weakly: dividing it instead.)  pre: static extents where they are compared.
TILEWRIGHT_CONSTEXPR bool is_compatible(arithmetic& c, int_tree const& a, subtree u, int_tree const& b, subtree w,
                                        bool weakly) {
  if (!a.is_tuple(u)) {
    leaf const x = a.shape[u.leaf], y = size(c, b, w);
    if (!x.is_static() || !y.is_static()) return x == y;
    return weakly ? (x.number == 0 ? y.number == 0 : y.number % x.number == 0) : x == y;
  }
  if (!b.is_tuple(w) || a.rank(u) != b.rank(w)) return false;
  subtree p = a.first_mode(u), q = b.first_mode(w);
  for (int i = 0; i < a.rank(u); ++i, p = a.next(p), q = b.next(q))
    if (!is_compatible(c, a, p, b, q, weakly)) return false;
  return true;
}

/// May tensors of these shapes be paired, element by element? Shapes of one nesting when they are equal. Others when, read
/// from left to right and without extents of 1, each extent of one is the product of consecutive extents of the other or
/// the other way round: (8,4) pairs with 32, ((4,2),4) and (2,4,(2,2)), but not with (4,8).
/// pre: static extents
TILEWRIGHT_CONSTEXPR bool shapes_match(int_tree const& a, int_tree const& b) {
  if (same_profile(a, a.root(), b, b.root())) {
    for (int i = 0; i < a.leaves; ++i)
      if (a.shape[i].number != b.shape[i].number) return false;
    return true;
  }
  // The product of x and further extents of t until it reaches the goal; -1 when it exceeds 64 bits.
  auto const grown = [](long long x, long long goal, int_tree const& t, int& next) {
    while (x < goal && next < t.leaves)
      if (!math::multiply(x, t.shape[next++].number, x)) return -1LL;
    return x;
  };
  for (int i = 0, j = 0;;) {
    while (i < a.leaves && a.shape[i].number == 1) ++i;
    while (j < b.leaves && b.shape[j].number == 1) ++j;
    if (i == a.leaves || j == b.leaves) return i == a.leaves && j == b.leaves;
    long long const x = a.shape[i++].number, y = b.shape[j++].number;
    if (grown(x, y, a, i) != grown(y, x, b, j)) return false;
  }
}

/// Is an integer of the coordinate certainly outside of the mode that it indexes? Run-time values are not looked at.
TILEWRIGHT_CONSTEXPR bool certainly_outside(int_tree const& x, subtree w, int_tree const& shape, subtree u) {
  if (x.is_kept(w)) return false;
  if (x.is_leaf(w)) {
    leaf const at = x.shape[w.leaf];
    if (!at.is_static()) return false;
    if (at.number < 0) return true;
    long long n = 1;
    for (int i = u.leaf; i < u.leaf_end; ++i)
      if (!shape.shape[i].is_static() || !math::multiply(n, shape.shape[i].number, n)) return false;
    return at.number >= n;
  }
  if (!shape.is_tuple(u) || shape.rank(u) != x.rank(w)) return false;  // the layout itself reports the rank
  subtree p = x.first_mode(w), q = shape.first_mode(u);
  for (int i = 0; i < shape.rank(u); ++i, p = x.next(p), q = shape.next(q))
    if (certainly_outside(x, p, shape, q)) return true;
  return false;
}

// --- coordinates, indices, offsets -----------------------------------------------------------------------------------

/// An offset is a number, or with basis strides one number for each basis element. `terms` holds them by basis.
struct offset_sum {
  int terms = 0;
  bool static_part_is_narrow = false;  // (extent - 1) * |stride| over the static leaves sums up below 2^31
  basis_path basis[int_tree::leaf_capacity]{};
  leaf value[int_tree::leaf_capacity]{};

  TILEWRIGHT_CONSTEXPR void add(arithmetic& c, leaf coordinate, leaf extent, leaf stride) {
    c.narrow = static_part_is_narrow && extent.is_static() && stride.is_static();
    leaf const product = c.mul(coordinate, without_basis(stride));
    c.narrow = false;
    if (product.is(0) && stride.basis().empty()) return;
    for (int i = 0; i < terms; ++i)
      if (basis[i] == stride.basis()) {
        value[i] = c.add(value[i], product);
        return;
      }
    if (terms == int_tree::leaf_capacity) {
      c.fail(errc::too_many_leaves, terms + 1, int_tree::leaf_capacity);
      return;
    }
    basis[terms] = stride.basis();
    value[terms++] = product;
  }
};

/// post: `sum` plus the offset of index `x` (taken apart left to right, the last leaf unbounded) in a's subtree.
TILEWRIGHT_CONSTEXPR void add_index(arithmetic& c, offset_sum& sum, leaf x, int_tree const& a, subtree u) {
  for (int i = u.leaf; i < u.leaf_end; ++i) {
    bool const last = i + 1 == u.leaf_end;
    sum.add(c, last ? x : c.mod(x, a.shape[i]), a.shape[i], a.stride[i]);
    if (!last) x = c.div(x, a.shape[i]);
  }
}

/// The same for a coordinate tree; kept modes `_` count as 0.
TILEWRIGHT_CONSTEXPR void add_coordinate(arithmetic& c, offset_sum& sum, int_tree const& x, subtree w,
                                         int_tree const& a, subtree u) {
  if (x.is_kept(w)) return;
  if (x.is_leaf(w)) {
    add_index(c, sum, x.shape[w.leaf], a, u);
    return;
  }
  if (!a.is_tuple(u) || a.rank(u) != x.rank(w)) {
    c.fail(errc::rank_mismatch, a.rank(u), x.rank(w));
    return;
  }
  subtree p = x.first_mode(w), q = a.first_mode(u);
  for (int i = 0; i < a.rank(u); ++i, p = x.next(p), q = a.next(q)) add_coordinate(c, sum, x, p, a, q);
}

/// post: the sum as a tree: one leaf for a plain offset; for basis elements the nested coordinate they span.
TILEWRIGHT_CONSTEXPR void add_terms(arithmetic& c, int_tree& out, offset_sum const& sum, int const* member, int count,
                                    int level) {
  if (count == 1 && sum.basis[member[0]].depth() == level) {
    out.add_leaf(sum.value[member[0]]);
    return;
  }
  int widest = -1;
  for (int i = 0; i < count; ++i) {
    if (sum.basis[member[i]].depth() <= level) {
      c.fail(errc::basis_mismatch, level, count);
      return;
    }
    int const index = sum.basis[member[i]].index(level);
    if (index > widest) widest = index;
  }
  out.open(widest + 1);
  for (int k = 0; k <= widest; ++k) {
    int below[int_tree::leaf_capacity]{};
    int n = 0;
    for (int i = 0; i < count; ++i)
      if (sum.basis[member[i]].index(level) == k) below[n++] = member[i];
    if (n == 0) out.add_leaf(constant_leaf(0));
    else add_terms(c, out, sum, below, n, level + 1);
  }
}

TILEWRIGHT_CONSTEXPR int_tree to_tree(arithmetic& c, offset_sum const& sum) {
  if (sum.terms == 0) return leaf_tree(constant_leaf(0));
  int all[int_tree::leaf_capacity]{};
  for (int i = 0; i < sum.terms; ++i) all[i] = i;
  int_tree out{};
  add_terms(c, out, sum, all, sum.terms, 0);
  return checked(c, out);
}

/// The offset of a coordinate: an integer, a tuple congruent to the top of the shape, or any nesting between.
TILEWRIGHT_CONSTEXPR int_tree crd2idx(arithmetic& c, int_tree const& x, int_tree const& a) {
  offset_sum sum{};
  long long bound = 0, span = 0;
  bool bounded = true;
  for (int i = 0; i < a.leaves && bounded; ++i)
    if (a.shape[i].is_static() && a.stride[i].is_static())
      bounded = math::multiply(a.shape[i].number, a.stride[i].number, span) && math::add(bound, math::abs(span), bound);
  sum.static_part_is_narrow = bounded && bound <= int32_max;
  add_coordinate(c, sum, x, x.root(), a, a.root());
  return to_tree(c, sum);
}

/// The coordinate of an index: inverse of crd2idx for a compact column-major layout of the same shape.
/// post: congruent to the shape of `a`; with the layout's strides, leaf i is (x / stride_i) % extent_i.
TILEWRIGHT_CONSTEXPR int_tree idx2crd(arithmetic& c, leaf x, int_tree const& a) {
  int_tree out = a;
  for (int i = 0; i < a.leaves; ++i) {
    bool const last = i + 1 == a.leaves;
    out.shape[i] = last ? x : c.mod(x, a.shape[i]);
    out.stride[i] = constant_leaf(0);
    if (!last) x = c.div(x, a.shape[i]);
  }
  return out;
}

/// The coordinate that a compact layout maps to offset `x`: at each leaf (x / stride) % extent; extents of 1 give 0.
/// post: congruent to the shape
TILEWRIGHT_CONSTEXPR int_tree coordinate_of_offset(arithmetic& c, leaf x, int_tree const& a) {
  int_tree out = a;
  for (int i = 0; i < a.leaves; ++i) {
    bool const fixed = a.shape[i].is(1) || a.stride[i].is(0);
    out.shape[i] = fixed ? constant_leaf(0) : c.mod(c.div(x, a.stride[i]), a.shape[i]);
    out.stride[i] = constant_leaf(0);
  }
  return out;
}

/// The same with each top-level mode's coordinate as one index.
/// post: a flat tuple of rank(a); one index for a layout without a tuple on top
TILEWRIGHT_CONSTEXPR int_tree flat_coordinate_of_offset(arithmetic& c, leaf x, int_tree const& a) {
  int_tree const nested = coordinate_of_offset(c, x, a);
  auto const index_of = [&](subtree u) {
    leaf index = constant_leaf(0), position = constant_leaf(1);
    for (int i = u.leaf; i < u.leaf_end; ++i) {
      index = c.add(index, c.mul(nested.shape[i], position));
      position = c.mul(position, a.shape[i]);
    }
    return index;
  };
  if (!a.is_tuple(a.root())) return leaf_tree(index_of(a.root()));
  int_tree out{};
  out.open(a.rank());
  for (int i = 0; i < a.rank(); ++i) out.add_leaf(index_of(a.mode(i)));
  return out;
}

/// The identity layout of a shape: stride E<i, j, …> at the leaf reached by modes i, j, …; offsets are coordinates.
TILEWRIGHT_CONSTEXPR int_tree identity(arithmetic& c, int_tree a) {
  struct frame {
    int remaining = 0;
    int index = 0;
  };
  frame path[int_tree::node_capacity + 1]{};
  int level = 0, at = 0;
  for (int i = 0; i < a.nodes; ++i) {
    while (level > 0 && path[level].remaining == 0) --level;
    if (level > 0) {
      --path[level].remaining;
      ++path[level].index;
    }
    if (a.profile[i] >= 0) {
      path[++level] = {a.profile[i], -1};
      continue;
    }
    basis_path basis{};
    for (int k = 1; k <= level; ++k) {
      if (k > basis_path::max_depth || path[k].index > basis_path::max_index) {
        c.fail(errc::basis_mismatch, path[k].index, k);
        return a;
      }
      basis = basis.then(path[k].index);
    }
    a.stride[at++] = with_basis(constant_leaf(1), basis);
  }
  return a;
}

}  // namespace algebra

}  // namespace tilewright
