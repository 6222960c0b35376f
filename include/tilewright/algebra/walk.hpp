// Walks: one mode of a layout, extent:step, as a walk of constant step through another layout's coalesced modes, again
// described by extents and strides or refused; and the bookkeeping of how far several walks step together. Composition
// is made of them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/coalesce.hpp"

namespace tilewright::algebra {

/// The offset of index x in a mode list, the last mode unbounded; A(-x) is -A(x).
/// post: false when it does not fit 64 bits;  pre: plain and static
TILEWRIGHT_CONSTEXPR bool offset_of(mode_list const& f, long long x, long long& offset) {
  offset = 0;
  for (int i = 0; i < f.count; ++i) {
    bool const last = i + 1 == f.count;
    long long const digit = last ? x : x % f.shape[i].number;
    long long term = 0;
    if (!math::multiply(digit, f.stride[i].number, term) || !math::add(offset, term, offset)) return false;
    if (!last) x /= f.shape[i].number;
  }
  return true;
}

TILEWRIGHT_CONSTEXPR bool is_plain_and_static(mode_list const& f) {
  for (int i = 0; i < f.count; ++i)
    if (!f.shape[i].is_static() || f.shape[i].number <= 0 || !f.stride[i].is_static() || !f.stride[i].basis().empty())
      return false;
  return true;
}

/// Finds extents and strides for i -> A(i * step), i < extent, by looking at every value; decides the walks that the
/// rule of divisibility refuses although they are layouts, such as the diagonal 4:5 of (4,4):(1,8).
/// post: false when there are none, or the extent exceeds `fit_limit`.
/// cost: O(extent * modes(A))
inline constexpr long long fit_limit = 1024;

TILEWRIGHT_CONSTEXPR bool fit_walk(mode_list const& f, long long extent, long long step, mode_list& out) {
  if (!is_plain_and_static(f) || extent > fit_limit || extent < 1) return false;
  long long farthest = 0, offset = 0, expected = 0;
  if (!math::multiply(extent, step, farthest)) return false;
  out = {};
  for (long long done = 1; done < extent;) {
    long long stride = 0;
    if (!offset_of(f, done * step, stride)) return false;
    long long run = 1;
    while (done * run < extent && offset_of(f, done * run * step, offset) && math::multiply(stride, run, expected) &&
           offset == expected)
      ++run;
    if (run == 1 || (extent / done) % run != 0 || out.count == int_tree::leaf_capacity) return false;
    out.push(constant_leaf(run), constant_leaf(stride));
    done *= run;
  }
  if (out.count == 0) out.push(constant_leaf(1), constant_leaf(0));
  for (long long i = 0; i < extent; ++i)
    if (!offset_of(f, i * step, expected) || !offset_of(out, i, offset) || offset != expected) return false;
  return true;
}

/// How far the walks of B's modes together step within each mode of A. One walk alone never leaves its mode; two may
/// carry into the next, and then their sum is no layout: (2,2):(1,3) through (4,2):(1,8).
struct walked_sum {
  int walks[int_tree::leaf_capacity]{};
  leaf taken[int_tree::leaf_capacity]{};    // of the first walk, until a second one makes a sum of it
  leaf reached[int_tree::leaf_capacity]{};  // one more than the largest sum
  bool by_rule = true;                      // every walk was found by the rule of divisibility, so the sums are known
  bool upwards = false, downwards = false;

  TILEWRIGHT_CONSTEXPR void add(arithmetic& c, int mode, leaf extent, leaf step) {
    auto const farthest = [&](leaf e, leaf d) { return c.mul(c.sub(e, constant_leaf(1)), c.abs(d)); };
    if (++walks[mode] == 1) {
      taken[mode] = extent;
      reached[mode] = step;
      return;
    }
    if (walks[mode] == 2) reached[mode] = c.add(farthest(taken[mode], reached[mode]), constant_leaf(1));
    reached[mode] = c.add(reached[mode], farthest(extent, step));
  }
};

/// States for run-time values what `walk` checks for constants: the step divides the extent or is a multiple of it, or
/// the walk ends before the extent does.
TILEWRIGHT_CONSTEXPR void require_walkable(arithmetic& c, leaf have, leaf extent, leaf step) {
  if (step.is(1) || extent.is(1)) return;
  leaf const overhang = c.mod(have, step);
  if (overhang.is(0)) return;
  leaf const beyond = c.div(c.mul(c.sub(extent, constant_leaf(1)), step), have);
  leaf const wrong = c.min(c.min(overhang, beyond), constant_leaf(1));  // 0 when one of the two is
  c.require_divides(have, c.mul(step, wrong), errc::stride_does_not_divide);
}

/// May the right-hand side reach beyond the last mode of the left (divisions do, for tiles that overhang)? With `apart`, each of
/// its modes does so by itself: what they reach together is not asked, and R is then A ∘ B along each mode alone. A step of such a
/// mode need not divide the extent that it is in, and the number of steps is rounded up: (3,3):(3,1) ∘ 6:2 = (2,3):(6,1).
/// Of extents known at run time, what is left after a mode is rounded down: (4,3):(3,1) ∘ 6:1 = (4,1):(3,1).
enum class reach { inside, beyond, apart };

/// One mode of B, extent:step, walked through A's modes by the rule of divisibility.
/// post: the modes of A ∘ (extent:step), noted in `sum`; an error in `c` when the walk does not divide.
TILEWRIGHT_CONSTEXPR mode_list walk(arithmetic& c, mode_list const& f, leaf extent, leaf step, walked_sum* sum,
                                    reach r) {
  mode_list out{};
  for (int i = 0; i + 1 < f.count && !c.failed(); ++i) {
    leaf const have = f.shape[i];
    bool const constants = have.is_static() && step.is_static();
    long long const size = math::abs(step.number);
    bool inside = false;  // the whole walk stays in this mode, whether or not its step divides the extent
    if (constants && have.number > 0 && step.number != 0) {
      long long span = 0;
      inside = extent.is_static() && math::multiply(extent.number - 1, size, span) && span < have.number;
      bool const divides = size % have.number == 0 || have.number % size == 0;
      if (!inside && !divides && (r != reach::apart || size > have.number)) {
        c.fail(errc::stride_does_not_divide, step.number, have.number);
        return out;
      }
    }
    leaf const magnitude = c.abs(step);
    if (!constants && r != reach::apart) require_walkable(c, have, extent, magnitude);
    leaf const room = c.ceil_div(have, magnitude);
    leaf const next_step = c.mul(c.ceil_div(magnitude, have), c.sign(step));
    if (!room.is(1) && !extent.is(1)) {
      leaf const taken = inside ? extent : c.min(room, extent);
      if (taken.is_static() && extent.is_static() && (taken.number == 0 || extent.number % taken.number != 0)) {
        c.fail(errc::shape_does_not_divide, extent.number, taken.number);
        return out;
      }
      if (r != reach::apart && (!taken.is_static() || !extent.is_static()))
        c.require_divides(taken, extent, errc::shape_does_not_divide);
      out.push(taken, c.mul(step, f.stride[i]));
      if (sum != nullptr) sum->add(c, i, taken, step);
      extent = c.div(extent, taken);
    }
    step = next_step;
  }
  if (out.count == 0 || !extent.is(1)) {
    if (out.count == int_tree::leaf_capacity) c.fail(errc::too_many_leaves, out.count + 1, int_tree::leaf_capacity);
    else out.push(extent, c.mul(step, f.stride[f.count - 1]));
  }
  return out;
}

/// A ∘ (extent:step) as modes, by divisibility first and by looking at each value where that refuses.
TILEWRIGHT_CONSTEXPR mode_list compose_mode(arithmetic& c, mode_list const& f, leaf extent, leaf step, reach r,
                                            walked_sum* sum = nullptr) {
  mode_list out{};
  if (step.is(0)) {
    out.push(extent, step);
    return out;
  }
  if (f.count == 1) {
    out.push(extent, c.mul(step, f.stride[0]));
    return out;
  }
  if (!extent.is_static() || !step.is_static()) return walk(c, f, extent, step, sum, r);
  error const before = c.error;
  out = walk(c, f, extent, step, sum, r);
  if (!before && c.failed() && fit_walk(f, extent.number, step.number, out)) {
    c.error = {};
    if (sum != nullptr) sum->by_rule = false;
  }
  return out;
}

}  // namespace tilewright::algebra
