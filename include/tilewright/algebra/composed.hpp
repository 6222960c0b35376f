// Composed layouts, x -> swizzle(offset + layout(x)): what a swizzled tile in shared memory is. Operations act on the
// layout below the swizzle, whose function they rearrange; slicing moves into the offset, so it stays exact.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/value_operations.hpp"
#include "tilewright/layout/swizzle_value.hpp"

namespace tilewright {

namespace detail {

/// Offsets below the swizzle must be in [0, 2^63).
/// error: bad_swizzle, not_static, negative_stride, basis_mismatch, overflow
constexpr void check(arithmetic& c, composed_value const& a) {
  check(c, a_layout(a.layout));
  if (!a.swizzle.valid()) c.fail(errc::bad_swizzle, a.swizzle.bits, a.swizzle.shift);
  if (a.offset.flags != 0) c.fail(errc::not_static, 0, 1);
  if (c.failed()) return;
  leaf lowest = a.offset, highest = c.add(a.offset, algebra::cosize(c, a.layout));
  for (int i = 0; i < a.layout.leaves; ++i) {
    leaf const d = a.layout.stride[i];
    if (d.number < 0) lowest = c.add(lowest, c.mul(c.sub(a.layout.shape[i], constant_leaf(1)), d));
  }
  if (lowest.number < 0) c.fail(errc::negative_stride, lowest.number, highest.number);
}

/// f(layout) -> result<layout_value>, below the swizzle.
template <class F>
constexpr result<composed_value> below_swizzle(composed_value const& a, F const& f) {
  arithmetic c{};
  check(c, a);
  if (c.failed()) return c.error;
  result<layout_value> const inner = f(a.layout);
  if (!inner) return inner.error();
  return composed_value{a.swizzle, a.offset, *inner};
}

}  // namespace detail

constexpr result<long long> size(composed_value const& a) { return size(a.layout); }
constexpr int rank(composed_value const& a) { return rank(a.layout); }

/// The offset of a coordinate.  error: as for a layout, bad_swizzle, negative_stride
constexpr result<long long> crd2idx(coord_value const& coordinate, composed_value const& a) {
  arithmetic c{};
  detail::check(c, a);
  if (c.failed()) return c.error;
  result<long long> const inner = crd2idx(coordinate, a.layout);
  if (!inner) return inner.error();
  return a.swizzle(a.offset.number + *inner);  // below offset + cosize, which was found to fit
}
constexpr result<long long> crd2idx(long long index, composed_value const& a) {
  return crd2idx(leaf_tree(constant_leaf(index)), a);
}

/// A bound on the offsets: every offset is below it.
/// post: offset + cosize rounded up to the swizzle's period 2^(base + bits + |shift|); without bits, not rounded
constexpr result<long long> cosize(composed_value const& a) {
  return detail::evaluate({}, [&](arithmetic& c) {
    detail::check(c, a);
    if (c.failed()) return 0LL;
    leaf const end = c.add(a.offset, algebra::cosize(c, a.layout));
    if (a.swizzle.bits == 0) return end.number;
    leaf const period = constant_leaf(a.swizzle.period());
    return c.mul(c.ceil_div(end, period), period).number;
  });
}

/// S ∘ A.  error: bad_swizzle; negative_stride when A reaches below 0
constexpr result<composed_value> composition(swizzle_value const& s, layout_value const& a) {
  composed_value const out{s, constant_leaf(0), a};
  return detail::below_swizzle(out, [](layout_value const& x) { return result<layout_value>(x); });
}
/// S ∘ (T ∘ A).  pre: T is S, which undoes itself, or one of the two has no bits;  error: bad_swizzle
/// post: R(i) == S(T(offset + A(i)))
constexpr result<composed_value> composition(swizzle_value const& s, composed_value const& a) {
  arithmetic c{};
  detail::check(c, a);
  if (!s.valid() || (s.bits != 0 && a.swizzle.bits != 0 && !(s == a.swizzle)))
    c.fail(errc::bad_swizzle, s.bits, s.shift);
  if (c.failed()) return c.error;
  swizzle_value const both = s == a.swizzle ? swizzle_value{} : s.bits != 0 ? s : a.swizzle;
  return composed_value{both, a.offset, a.layout};
}

/// post: R(i) == A(B(i));  error: those of composition on the layout below the swizzle
constexpr result<composed_value> composition(composed_value const& a, layout_value const& b) {
  return detail::below_swizzle(a, [&](layout_value const& x) { return composition(x, b); });
}
constexpr result<composed_value> with_shape(composed_value const& a, int_tree const& shape) {
  return detail::below_swizzle(a, [&](layout_value const& x) { return with_shape(x, shape); });
}
constexpr result<composed_value> coalesce(composed_value const& a, int_tree const& profile) {
  return detail::below_swizzle(a, [&](layout_value const& x) { return coalesce(x, profile); });
}
/// The block repeated below the swizzle until it covers the target.
constexpr result<composed_value> tile_to_shape(composed_value const& block, shape_value const& target) {
  return detail::below_swizzle(block, [&](layout_value const& x) { return tile_to_shape(x, target); });
}
constexpr result<composed_value> tile_to_shape(composed_value const& block, shape_value const& target,
                                               stride_value const& order) {
  return detail::below_swizzle(block, [&](layout_value const& x) { return tile_to_shape(x, target, order); });
}

// Operations of the table: laws and errors are those of the layout below the swizzle, R(i) is A at the same index.
#define TILEWRIGHT_X_SIMPLIFY(NAME, ...)                                            \
  constexpr result<composed_value> NAME(composed_value const& a) {                  \
    return detail::below_swizzle(a, [](layout_value const& x) { return NAME(x); }); \
  }
#define TILEWRIGHT_X_INVERT(NAME, ...)
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                     \
  constexpr result<composed_value> NAME(composed_value const& a, tiler_value const& tiler) { \
    return detail::below_swizzle(a, [&](layout_value const& x) { return NAME(x, tiler); });  \
  }
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                                 \
  constexpr result<composed_value> NAME(composed_value const& a, layout_value const& b) { \
    return detail::below_swizzle(a, [&](layout_value const& x) { return NAME(x, b); });   \
  }
#include "tilewright/algebra/operations.def"

/// post: A at the coordinate with y in place of the kept modes is R(y): the fixed part goes into the offset.
constexpr result<composed_value> slice(coord_value const& coordinate, composed_value const& a) {
  arithmetic c{};
  detail::check(c, a);
  if (c.failed()) return c.error;
  result<sliced_value> const inner = slice_and_offset(coordinate, a.layout);
  if (!inner) return inner.error();
  return composed_value{a.swizzle, constant_leaf(a.offset.number + inner->offset), inner->layout};
}

/// `factor` narrow elements become one; the swizzle must keep them together.
/// post: R(i) is A's offset divided by the factor, for the wide elements of the upcast layout
/// error: cannot_upcast unless the factor is a power of two that divides 2^base and the offset; those of upcast
constexpr result<composed_value> upcast(composed_value const& a, long long factor) {
  bool const fits = factor > 0 && math::has_single_bit(static_cast<unsigned long long>(factor)) &&
                    a.offset.number % factor == 0 && (a.swizzle.bits == 0 || factor <= 1LL << (a.swizzle.base & 63));
  result<composed_value> out = detail::below_swizzle(a, [&](layout_value const& x) { return upcast(x, factor); });
  if (!out) return out;
  if (!fits) return error{errc::cannot_upcast, a.offset.number, factor};
  composed_value wide = *out;
  wide.offset = constant_leaf(a.offset.number / factor);
  if (wide.swizzle.bits != 0) wide.swizzle.base -= math::countr_zero(static_cast<unsigned long long>(factor));
  return wide;
}

/// How many elements one vector access may carry between a swizzled layout and a plain one.
/// post: n divides 2^base and A's offset; with V the first n of max_common_layout(A.layout, B):
///       A(V(i)) == A(0) + i and B(V(i)) == i for i < n; and swizzle(x + i) == swizzle(x) + i wherever n divides x
constexpr result<long long> max_common_vector(composed_value const& a, layout_value const& b) {
  arithmetic c{};
  detail::check(c, a);
  if (c.failed()) return c.error;
  result<long long> const plain = max_common_vector(a.layout, b);
  if (!plain || a.swizzle.bits == 0) return plain;
  return math::gcd(math::gcd(*plain, 1LL << a.swizzle.base), a.offset.number);
}
constexpr result<long long> max_common_vector(layout_value const& a, composed_value const& b) {
  return max_common_vector(b, a);
}

}  // namespace tilewright
