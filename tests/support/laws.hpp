// The laws of the algebra as predicates that look at every value, written without the code they judge: only a layout's
// own function, layout_value::operator(), is taken as given. All are constexpr, so that the same law runs over large
// families at run time and over small ones in static_assert.
#pragma once

#include "tilewright/algebra/value_face.hpp"

namespace tilewright::tests {

inline constexpr int table_capacity = 512;

/// The values of a function on [0, count).
struct table {
  int count = 0;
  long long value[table_capacity]{};

  constexpr void push(long long v) {
    if (count == table_capacity) raise({errc::too_many_leaves, count, table_capacity});
    value[count++] = v;
  }
  constexpr bool contains(long long v) const {
    for (int i = 0; i < count; ++i)
      if (value[i] == v) return true;
    return false;
  }
  constexpr bool distinct() const {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < i; ++j)
        if (value[i] == value[j]) return false;
    return true;
  }
  constexpr bool rising() const {
    for (int i = 1; i < count; ++i)
      if (value[i] <= value[i - 1]) return false;
    return true;
  }
};

constexpr long long extent(int_tree const& a, subtree u) {
  long long n = 1;
  for (int i = u.leaf; i < u.leaf_end; ++i) n *= a.shape[i].number;
  return n;
}
constexpr long long extent(int_tree const& a) { return extent(a, a.root()); }

constexpr table table_of(layout_value const& a) {
  table out{};
  for (long long i = 0; i < extent(a); ++i) out.push(a(i));
  return out;
}
constexpr layout_value mode_of(layout_value const& a, int i) { return layout_value(copy_of(a, a.mode(i))); }

constexpr bool same_function(layout_value const& a, layout_value const& b) {
  if (extent(a) != extent(b)) return false;
  for (long long i = 0; i < extent(a); ++i)
    if (a(i) != b(i)) return false;
  return true;
}
constexpr bool same_image(table const& a, table const& b) {
  for (int i = 0; i < a.count; ++i)
    if (!b.contains(a.value[i])) return false;
  for (int i = 0; i < b.count; ++i)
    if (!a.contains(b.value[i])) return false;
  return true;
}

/// Outward from 0: A(-x) is -A(x), the last mode unbounded.
constexpr long long at(layout_value const& a, long long x) { return x < 0 ? -a(-x) : a(x); }

/// Is there any layout with these values, one extent and stride for each factor of the count? Tries every
/// factorisation.
constexpr bool is_a_layout(table const& t) {
  if (t.count <= 1) return true;
  for (int p = 2; p <= t.count; ++p) {
    if (t.count % p != 0) continue;
    bool fits = true;
    for (int i = 0; i < p && fits; ++i)
      for (int j = 0; j < t.count / p && fits; ++j) fits = t.value[i + p * j] == i * t.value[1] + t.value[p * j];
    if (!fits) continue;
    table rest{};
    for (int j = 0; j < t.count / p; ++j) rest.push(t.value[p * j]);
    if (is_a_layout(rest)) return true;
  }
  return false;
}

/// Is there any R with R(i) == A(B(i)) whose profile refines B's? R is the sum of what each mode of B does alone, so
/// there is one just when each alone is a layout and they add up.
constexpr bool composable_by_search(layout_value const& a, layout_value const& b, bool inside = true) {
  if (extent(b) == 0) return true;
  long long farthest = 0;
  for (int i = 0; i < b.leaves; ++i) farthest += (b.shape[i].number - 1) * math::abs(b.stride[i].number);
  if (inside && farthest >= extent(a)) return false;
  for (int i = 0; i < b.leaves; ++i) {
    table alone{};
    for (long long k = 0; k < b.shape[i].number; ++k) alone.push(at(a, k * b.stride[i].number));
    if (!is_a_layout(alone)) return false;
  }
  for (long long x = 0; x < extent(b); ++x) {
    long long sum = 0, rest = x;
    for (int i = 0; i < b.leaves; ++i) {
      sum += at(a, rest % b.shape[i].number * b.stride[i].number);
      rest /= b.shape[i].number;
    }
    if (sum != at(a, b(x))) return false;
  }
  return true;
}

/// Does B refine A's modes, leaf by leaf?
constexpr bool refines(int_tree const& a, subtree u, int_tree const& b, subtree w) {
  if (!a.is_tuple(u)) return extent(a, u) == extent(b, w);
  if (!b.is_tuple(w) || a.rank(u) != b.rank(w)) return false;
  for (int i = 0; i < a.rank(u); ++i)
    if (!refines(a, a.mode(u, i), b, b.mode(w, i))) return false;
  return true;
}
constexpr bool refines(int_tree const& a, int_tree const& b) { return refines(a, a.root(), b, b.root()); }

constexpr bool composition_law(layout_value const& a, layout_value const& b) {
  auto const r = composition(a, b);
  if (!r) return !composable_by_search(a, b);
  if (!refines(b, *r)) return false;
  for (long long i = 0; i < extent(b); ++i)
    if ((*r)(i) != at(a, b(i))) return false;
  return true;
}

/// Do the modes, 1s and 0-strides apart, each start at or beyond the span of those of smaller stride? And do their
/// strides divide one another?
struct stacking {
  bool stacked = true, dividing = true, negative = false;
};
constexpr stacking stacking_of(layout_value a) {
  stacking out{};
  long long span = 1;
  for (;;) {
    int smallest = -1;
    for (int i = 0; i < a.leaves; ++i) {
      if (a.shape[i].number == 1 || a.stride[i].number == 0) continue;
      bool const less =
          smallest < 0 || a.stride[i].number < a.stride[smallest].number ||
          (a.stride[i].number == a.stride[smallest].number && a.shape[i].number < a.shape[smallest].number);
      if (less) smallest = i;
    }
    if (smallest < 0) return out;
    long long const d = a.stride[smallest].number;
    if (d < 0) out.negative = true;
    if (d < span) out.stacked = false;
    if (span == 0 || d % span != 0) out.dividing = false;
    span = d * a.shape[smallest].number;
    a.shape[smallest] = constant_leaf(1);
  }
}

/// Every offset of A plus every offset of R.
constexpr table sums(layout_value const& a, layout_value const& r) {
  table out{};
  for (long long i = 0; i < extent(r); ++i)
    for (long long k = 0; k < extent(a); ++k) out.push(a(k) + r(i));
  return out;
}

constexpr bool complement_law(layout_value const& a, long long target) {
  auto const r = complement(a, target);
  stacking const s = stacking_of(a);
  if (extent(a) == 0) return true;  // nothing to complete
  if (!r) return s.negative || !s.stacked;
  layout_value const once = *filter(a);
  table const all = sums(once, *r), steps = table_of(*r);
  if (!all.distinct() || !steps.rising()) return false;
  for (long long i = 0; i < target && s.dividing; ++i)
    if (!all.contains(i)) return false;
  long long period = 1;  // of the repetitions beyond A: they end with the one that reaches the target
  for (int i = 0; i < once.leaves; ++i) {
    long long const reach = once.shape[i].number * once.stride[i].number;
    period = reach > period ? reach : period;
  }
  long long const bound = (target + period - 1) / period * period;
  return *cosize(*r) <= (bound < 1 ? 1 : bound);
}

constexpr bool right_inverse_law(layout_value const& a) {
  auto const r = right_inverse(a);
  if (!r) return false;
  if (extent(a) == 0) return true;
  for (long long i = 0; i < extent(*r); ++i)
    if (a((*r)(i)) != i) return false;
  table const offsets = table_of(a);
  if (!(*r == *coalesce(*r))) return false;
  // A bijection onto [0, size) has a full inverse.
  bool compact = offsets.distinct();
  for (int i = 0; i < offsets.count && compact; ++i) compact = offsets.contains(i);
  return !compact || extent(*r) == extent(a);
}

constexpr bool left_inverse_law(layout_value const& a) {
  auto const r = left_inverse(a);
  stacking const s = stacking_of(a);
  if (!r) return s.negative || !s.dividing || !s.stacked || !table_of(a).distinct() || extent(a) == 0;
  for (long long i = 0; i < extent(a); ++i)
    if ((*r)(a(i)) != i) return false;
  return true;
}

constexpr bool nullspace_law(layout_value const& a) {
  auto const r = nullspace(a);
  if (!r) return false;
  long long expected = 1;
  for (int i = 0; i < a.leaves; ++i)
    if (a.stride[i].number == 0) expected *= a.shape[i].number;
  if (extent(*r) != expected) return false;
  if (extent(a) == 0) return true;
  for (long long i = 0; i < extent(*r); ++i)
    if (a((*r)(i)) != 0) return false;
  return table_of(*r).distinct() && (extent(*r) == 1 || (*r)(extent(*r) - 1) < extent(a));
}

constexpr bool max_common_layout_law(layout_value const& a, layout_value const& b) {
  auto const r = max_common_layout(a, b);
  if (!r || *max_common_vector(a, b) != extent(*r)) return false;
  if (extent(a) == 0 || extent(b) == 0) return true;
  for (long long i = 0; i < extent(*r); ++i)
    if (a((*r)(i)) != i || b((*r)(i)) != i) return false;
  return true;
}

/// The compact layout of A's shape, extents of 1 included: its offsets are A's indices, beyond the last mode too.
constexpr layout_value indices_of(layout_value a) {
  if (a.leaves == 0) return layout_value(leaf_tree(constant_leaf(1), constant_leaf(1)));
  long long position = 1;
  for (int i = 0; i < a.leaves; ++i) {
    a.stride[i] = constant_leaf(position);
    position *= a.shape[i].number;
  }
  return a;
}

constexpr bool logical_divide_law(layout_value const& a, layout_value const& t) {
  auto const r = logical_divide(a, t);
  stacking const s = stacking_of(t);
  auto const rest = complement(t, extent(a));
  if (!r) {
    if (s.negative || !s.stacked || !s.dividing || !rest || extent(t) == 0) return true;
    layout_value pair{};
    pair.open(2);
    pair.add(t);
    pair.add(*rest);
    return !composable_by_search(a, pair, false);
  }
  if (r->rank() != 2 || extent(mode_of(*r, 0)) != extent(t)) return false;
  layout_value const index = *logical_divide(indices_of(a), t);  // which index of A each (tile, rest) is
  if (!refines(index, *r) && extent(index) != extent(*r)) return false;
  if (extent(a) == 0) return true;
  for (long long i = 0; i < extent(*r); ++i)
    if ((*r)(i) != a(index(i))) return false;
  for (long long i = 0; i < extent(t); ++i)
    if (index(i) != t(i)) return false;
  bool broadcast = false;  // a tile that meets an element twice meets it twice here
  for (int i = 0; i < t.leaves; ++i) broadcast = broadcast || (t.stride[i].number == 0 && t.shape[i].number > 1);
  table const met = table_of(index);
  for (long long i = 0; i < extent(a); ++i)
    if (!met.contains(i)) return false;
  return broadcast || met.distinct();
}

constexpr bool logical_product_law(layout_value const& a, layout_value const& t) {
  auto const r = logical_product(a, t);
  auto const rest = complement(a, extent(a) * *cosize(t));
  if (!r) return !rest || !composable_by_search(*rest, t);
  if (r->rank() != 2 || !(mode_of(*r, 0) == a) || extent(mode_of(*r, 1)) != extent(t)) return false;
  layout_value const over = mode_of(*r, 1);
  for (long long i = 0; i < extent(t); ++i)
    if (over(i) != at(*rest, t(i))) return false;
  return !table_of(a).distinct() || !table_of(t).distinct() || table_of(*r).distinct();
}

/// Blocked: mode i is (a_i, t_i); raked: (t_i, a_i). The parts are those of the logical product.
constexpr bool paired_product_law(layout_value const& a, layout_value const& t, bool raked) {
  auto const r = raked ? raked_product(a, t) : blocked_product(a, t);
  auto const whole = logical_product(a, t);
  if (!r) return !whole;
  if (!whole) return false;
  layout_value const over = mode_of(*whole, 1);
  int const rank_a = a.rank(), rank_t = t.rank(), rank = rank_a > rank_t ? rank_a : rank_t;
  if (r->rank() != rank) return false;
  for (int i = 0; i < rank; ++i) {
    layout_value const pair = mode_of(*r, i);
    if (pair.rank() != 2) return false;
    layout_value const block = mode_of(pair, raked ? 1 : 0), repeat = mode_of(pair, raked ? 0 : 1);
    layout_value const one(leaf_tree(constant_leaf(1), constant_leaf(0)));
    if (!(block == (i < rank_a ? mode_of(a, i) : one))) return false;
    if (extent(repeat) != (i < rank_t ? extent(mode_of(t, i)) : 1)) return false;
    if (i < rank_t && !same_function(repeat, rank_t == 1 ? over : mode_of(over, i))) return false;
  }
  return true;
}

constexpr long long floor_div(long long a, long long n) { return a >= 0 ? a / n : -((-a + n - 1) / n); }

constexpr bool upcast_law(layout_value const& a, long long n) {
  auto const r = upcast(a, n);
  if (extent(a) == 0) return true;
  if (!r) {  // some leaf's steps do not fall into whole elements, or the leaves together step over one
    long long parts = 0;
    for (int i = 0; i < a.leaves; ++i) {
      long long const s = a.shape[i].number, d = math::abs(a.stride[i].number);
      if (d % n == 0) continue;
      if (n % d != 0 || (s % (n / d) != 0 && (s == 0 || n / d % s != 0))) return true;
      parts += ((s < n / d ? s : n / d) - 1) * d;
    }
    return parts >= n;
  }
  long long start = 0;  // within its wide element: as far in as the negative strides reach back
  for (int i = 0; i < a.leaves; ++i) {
    long long const s = a.shape[i].number, d = -a.stride[i].number;
    if (d > 0 && d % n != 0) start += ((s < n / d ? s : n / d) - 1) * d;
  }
  table narrow{};
  for (long long i = 0; i < extent(a); ++i) narrow.push(floor_div(a(i) + start, n));
  return same_image(narrow, table_of(*r));
}

constexpr bool downcast_law(layout_value const& a, long long n) {
  auto const r = downcast(a, n);
  if (!r) return false;
  int contiguous_leaves = 0;
  for (int i = 0; i < a.leaves; ++i) {  // a contiguous leaf shows every part of its elements, any other the first part
    long long const d = a.stride[i].number;
    bool const contiguous = d == 1 || d == -1;
    contiguous_leaves += contiguous;
    if (r->shape[i].number != a.shape[i].number * (contiguous ? n : 1)) return false;
    if (r->stride[i].number != d * (contiguous ? 1 : n)) return false;
  }
  auto const back = upcast(*r, n);
  return back ? *back == a : contiguous_leaves > 1;
}

}  // namespace tilewright::tests
