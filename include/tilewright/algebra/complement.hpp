// The complement of a layout within a target: the layout that fills what the first leaves out, so that (A, complement)
// reaches every offset of the target once. Divisions and products are built from it.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/coalesce.hpp"

namespace tilewright::algebra {

/// Removes and returns the mode of smallest stride.
/// pre: static strides, count > 0
TILEWRIGHT_CONSTEXPR void take_smallest(mode_list& f, leaf& shape, leaf& stride) {
  int m = 0;
  for (int j = 1; j < f.count; ++j)
    if (f.stride[j].number < f.stride[m].number) m = j;
  shape = f.shape[m];
  stride = f.stride[m];
  for (int j = m; j + 1 < f.count; ++j) {
    f.shape[j] = f.shape[j + 1];
    f.stride[j] = f.stride[j + 1];
  }
  --f.count;
}

/// Neighbouring extents of a target merged, constants with constants and run-time extents with run-time extents.
TILEWRIGHT_CONSTEXPR mode_list merged_extents(arithmetic& c, mode_list const& target) {
  mode_list out{};
  for (int i = 0; i < target.count; ++i) {
    int const top = out.count - 1;
    if (top >= 0 && out.shape[top].is_static() == target.shape[i].is_static())
      out.shape[top] = c.mul(out.shape[top], target.shape[i]);
    else out.push(target.shape[i], constant_leaf(0));
  }
  return out;
}

/// ceil_div(target, covered), the divisor used up from left to right.
/// post: the product is exact: extents that neither divide the divisor nor are divided by it are multiplied up first
TILEWRIGHT_CONSTEXPR mode_list repetitions(arithmetic& c, mode_list const& target, leaf covered) {
  mode_list out{};
  for (int i = 0; i < target.count; ++i)
    if (target.shape[i].is(0)) {
      out.push(target.shape[i], constant_leaf(0));
      return out;
    }
  mode_list const merged = merged_extents(c, target);
  leaf divisor = covered, extent = constant_leaf(1);
  for (int i = 0; i < merged.count && !c.failed(); ++i) {
    extent = c.mul(extent, merged.shape[i]);
    if (i + 1 < merged.count) {
      if (extent.is_static() && divisor.is_static()) {
        if (extent.number % divisor.number != 0 && divisor.number % extent.number != 0) continue;
      } else {  // stated for run-time values: one of the two divides
        leaf const wrong = c.min(c.mod(extent, divisor), constant_leaf(1));
        c.require_divides(extent, c.mul(divisor, wrong), errc::shape_does_not_divide);
      }
    }
    out.push(c.ceil_div(extent, divisor), constant_leaf(0));
    divisor = c.ceil_div(divisor, extent);
    extent = constant_leaf(1);
  }
  return out;
}

/// ceil_div(target, covered), each extent by itself: (4,2) by 6 = (1,1), where the product of the extents would go twice.
TILEWRIGHT_CONSTEXPR mode_list repetitions_apart(arithmetic& c, mode_list const& target, leaf covered) {
  mode_list out{};
  for (int i = 0; i < target.count && !c.failed(); ++i) {
    out.push(c.ceil_div(target.shape[i], covered), constant_leaf(0));
    if (i + 1 < target.count && !target.shape[i].is(0)) covered = c.ceil_div(covered, target.shape[i]);
  }
  return out;
}

/// Must (A, R) reach every offset below the target, or only be injective? With `apart` injective, and R has no more than the extents
/// of the target have room for, each by itself.
enum class covering { disjoint, exact, apart };

/// post: disjoint from A and ordered: its strides rise, (A, R) is injective; and where A's strides divide one another,
///       as covering::exact demands, (A, R) reaches every offset below the target's size
/// pre:  A's modes, once filtered and sorted by stride, each start at or beyond the span of those before;
///       static strides when there are several
/// error: not_injective, tile_leaves_gaps, stride_is_dynamic, negative_stride
/// cost: O(leaves^2)
TILEWRIGHT_CONSTEXPR int_tree complement(arithmetic& c, int_tree const& a, subtree u, mode_list const& target,
                                         covering cover = covering::disjoint) {
  mode_list f{};
  {
    int_tree const kept = filter_zeros(c, copy_of(a, u));
    f = coalesced(c, kept, kept.root());
  }
  if (f.count == 1 && f.stride[0].is(0)) return compact_left(c, to_layout(merged_extents(c, target)));
  for (int i = 0; i < f.count; ++i) {
    if (!f.stride[i].basis().empty()) c.fail(errc::basis_mismatch, f.stride[i].basis().index(0), f.count);
    if (f.count > 1 && !f.stride[i].is_static()) c.fail(errc::stride_is_dynamic, i, f.count);
    if (f.stride[i].is_static() && f.stride[i].number < 0)
      c.fail(errc::negative_stride, f.stride[i].number, f.shape[i].number);
  }
  mode_list out{};
  leaf covered = constant_leaf(1);
  while (f.count > 0 && !c.failed()) {
    leaf s{}, d{};
    take_smallest(f, s, d);
    c.require_at_most(covered, d, errc::not_injective);
    if (cover == covering::exact) c.require_divides(covered, d, errc::tile_leaves_gaps);
    leaf const gap = c.div(d, covered);
    if (gap.is(0)) {
      c.fail(errc::not_injective, covered.number, d.number);
      break;
    }
    out.push(gap, covered);
    covered = c.mul(d, s);
  }
  if (c.failed()) return leaf_tree(constant_leaf(1));
  mode_list const rest =
      cover == covering::apart ? repetitions_apart(c, target, covered) : repetitions(c, target, covered);
  int_tree const tail = compact_left(c, to_layout(merged_extents(c, rest)), covered);
  if (out.count + tail.leaves > int_tree::leaf_capacity) {
    c.fail(errc::too_many_leaves, out.count + tail.leaves, int_tree::leaf_capacity);
    return leaf_tree(constant_leaf(1));
  }
  for (int i = 0; i < tail.leaves; ++i) out.push(tail.shape[i], tail.stride[i]);
  return coalesce(c, to_layout(out));
}

TILEWRIGHT_CONSTEXPR mode_list one_extent(leaf extent) {
  mode_list out{};
  out.push(extent, constant_leaf(0));
  return out;
}

/// The extents of a shape as a target.
TILEWRIGHT_CONSTEXPR mode_list extents_of(int_tree const& shape) {
  mode_list out{};
  for (int i = 0; i < shape.leaves; ++i) out.push(shape.shape[i], constant_leaf(0));
  return out;
}

TILEWRIGHT_CONSTEXPR int_tree complement(arithmetic& c, int_tree const& a, int_tree const& target,
                                         covering cover = covering::disjoint) {
  return complement(c, a, a.root(), extents_of(target), cover);
}

/// Within its own cosize: the gaps of A.
TILEWRIGHT_CONSTEXPR int_tree complement(arithmetic& c, int_tree const& a) {
  return complement(c, a, a.root(), one_extent(cosize(c, filter_zeros(c, a))));
}

}  // namespace tilewright::algebra
