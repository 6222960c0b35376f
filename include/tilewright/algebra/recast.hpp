// Recasting: the same memory seen with wider (upcast) or narrower (downcast) elements, and a domain distributed over a
// number of workers.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/complement.hpp"

namespace tilewright::algebra {

/// What does not divide by the factor: an error, or rounded. Strides known at run time are then rounded down, 1 / 4 = 0, and extents up:
/// 3:1 by 2 is 2:1, whose last wide element is in part beyond the narrow ones.
enum class remainders { refused, rounded };

/// N narrow elements become one: contiguous extents shrink by N, other strides are divided by it.
/// post: R's offsets are A's divided by N, rounded down; with negative strides, of an A that starts at the last narrow
///       element it may
/// pre: N divides each static stride or is divided by it, and then divides the extent it shrinks or is divided by it;
///      the parts of wide elements that the modes step over add up to less than one
/// error: cannot_upcast, bad_factor
TILEWRIGHT_CONSTEXPR int_tree upcast(arithmetic& c, int_tree a, leaf factor, remainders of = remainders::refused) {
  if (factor.is_static() && factor.number < 1) c.fail(errc::bad_factor, factor.number, 1);
  long long parts = 0;
  for (int i = 0; i < a.leaves && !c.failed(); ++i) {
    leaf const d = a.stride[i];
    if (d.is(0)) continue;
    if (!d.is_static() || !factor.is_static() ||
        !d.basis().empty()) {  // a run-time stride is a multiple of N or an error
      if (d.is_static() || !factor.is_static() || of == remainders::refused)
        c.require_divides(factor, without_basis(d), errc::cannot_upcast);
      leaf const quotient = c.div(without_basis(d), factor);
      a.stride[i] = d.basis().empty() ? quotient : with_basis(quotient, d.basis());
      continue;
    }
    long long const n = factor.number, step = math::abs(d.number);
    if (step % n != 0 && n % step != 0) {
      c.fail(errc::cannot_upcast, step, n);
      break;
    }
    leaf const shrink = constant_leaf(step % n == 0 ? 1 : n / step);
    leaf const s = a.shape[i];
    if (of == remainders::rounded) {
      a.shape[i] = c.ceil_div(s, shrink);
      a.stride[i] = constant_leaf(math::sign(d.number) * (step % n == 0 ? step / n : 1));
      continue;
    }
    if (s.is_static() && s.number % shrink.number != 0 && shrink.number % (s.number == 0 ? 1 : s.number) != 0) {
      c.fail(errc::cannot_upcast, s.number, shrink.number);
      break;
    }
    if (!s.is_static()) c.require_divides(shrink, s, errc::cannot_upcast);
    long long const within = s.is_static() && s.number < shrink.number ? s.number : shrink.number;
    if (within > 1) parts += (within - 1) * step;  // less than n each
    if (parts >= n) {
      c.fail(errc::cannot_upcast, parts, n);
      break;
    }
    a.shape[i] = c.ceil_div(s, shrink);
    a.stride[i] = constant_leaf(math::sign(d.number) * (step % n == 0 ? step / n : 1));
  }
  return a;
}

/// One wide element becomes N: contiguous extents grow by N, other strides are multiplied by it.
TILEWRIGHT_CONSTEXPR int_tree downcast(arithmetic& c, int_tree a, leaf factor) {
  if (factor.is_static() && factor.number < 1) c.fail(errc::bad_factor, factor.number, 1);
  for (int i = 0; i < a.leaves && !c.failed(); ++i) {
    leaf const d = a.stride[i];
    if (d.is(0)) continue;
    if (d.is(1) || d.is(-1)) a.shape[i] = c.mul(a.shape[i], factor);
    else a.stride[i] = c.mul(d, factor);
  }
  return a;
}

/// A layout of elements of `from` bits seen as one of elements of `to` bits.
/// pre: both positive; error: cannot_upcast when the memory does not fall into whole elements
TILEWRIGHT_CONSTEXPR int_tree recast(arithmetic& c, int_tree const& a, long long from, long long to,
                                     remainders of = remainders::refused) {
  if (from < 1 || to < 1) {
    c.fail(errc::bad_factor, from < to ? from : to, 1);
    return a;
  }
  long long const g = math::gcd(from, to);
  int_tree const wide = from / g == 1 ? a : downcast(c, a, constant_leaf(from / g));
  return to / g == 1 ? wide : upcast(c, wide, constant_leaf(to / g), of);
}

/// The domain of a shape dealt out to `workers`, leaf by leaf from the left: from each extent the largest divisor the
/// remaining workers share with it.
/// post: injective and ascending; size(R) divides `workers`;  pre: static, workers >= 1
/// error: shape_is_dynamic, bad_factor, overflow
TILEWRIGHT_CONSTEXPR int_tree domain_distribute(arithmetic& c, int_tree const& shape, leaf workers) {
  mode_list out{};
  leaf position = constant_leaf(1);
  long long left = workers.number;
  if (!workers.is_static()) c.fail(errc::shape_is_dynamic, 0, 1);
  if (left < 1) c.fail(errc::bad_factor, left, 1);
  for (int i = 0; i < shape.leaves && !c.failed(); ++i) {
    if (!shape.shape[i].is_static()) {
      c.fail(errc::shape_is_dynamic, i, shape.leaves);
      break;
    }
    long long const share = math::gcd(shape.shape[i].number, left);
    out.push(constant_leaf(share), position);
    position = c.mul(position, shape.shape[i]);
    left /= share;
  }
  if (c.failed() || out.count == 0) return leaf_tree(constant_leaf(1));
  return coalesce(c, to_layout(out));
}

}  // namespace tilewright::algebra
