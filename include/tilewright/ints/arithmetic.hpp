// Integer arithmetic over leaves. Constants fold at once; anything dynamic becomes a node of an expression pool, by
// CuTe's folding rules (0*x, 1*x, x/1, …), so that an algorithm's control flow depends on constants only and its result
// is a straight-line program over the inputs. An input can carry a divisor ("multiple of 8"), which the pool propagates
// and uses to fold more. The first error is kept; after it every answer is harmless.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/ints/leaf.hpp"

namespace tilewright {

enum class op_code : int { input, add, sub, mul, div, mod, ceil_div, min, max, abs, sign };

struct expression {
  op_code op;
  number_type type;
  long long divisor;  // the value is a multiple of it
  bool tracked;       // does the divisor rest on a stated fact? only then does it fold anything
  leaf a, b;
  bool positive;  // follows from the stated facts, which are about positive numbers
};

/// A relation between run-time values that the result rests on: expression `id` must be zero, else `what` is the error.
struct obligation {
  int id;
  errc what;
};

/// The expression pool and the first error of one run of an algorithm. The arrays are not initialised beyond `size` and
/// `obligations`: most runs have few expressions, and constant evaluation would write each of the rest.
struct arithmetic {
  static constexpr int capacity = 512;
  static constexpr int max_obligations = 32;

  int size = 0;
  int obligations = 0;
  bool narrow = false;  // products computed now are known to fit 32 bits
  tilewright::error error{};
  expression nodes[capacity];
  obligation required[max_obligations];

  TILEWRIGHT_CONSTEXPR arithmetic() {}

  TILEWRIGHT_CONSTEXPR bool failed() const { return static_cast<bool>(error); }
  TILEWRIGHT_CONSTEXPR void fail(errc code, long long first = 0, long long second = 0) {
    if (!failed()) error = {code, first, second};
  }

  /// A run-time input of the given type; `divisor` > 1 states that it is a positive multiple of it.
  TILEWRIGHT_CONSTEXPR leaf input(number_type type, long long divisor = 1) {
    return push({op_code::input, type, divisor, divisor > 1, constant_leaf(size), {}, divisor > 1});
  }

  TILEWRIGHT_CONSTEXPR leaf add(leaf a, leaf b) { return binary(op_code::add, a, b); }
  TILEWRIGHT_CONSTEXPR leaf sub(leaf a, leaf b) { return binary(op_code::sub, a, b); }
  TILEWRIGHT_CONSTEXPR leaf div(leaf a, leaf b) { return binary(op_code::div, a, b); }
  TILEWRIGHT_CONSTEXPR leaf mod(leaf a, leaf b) { return binary(op_code::mod, a, b); }
  TILEWRIGHT_CONSTEXPR leaf ceil_div(leaf a, leaf b) { return binary(op_code::ceil_div, a, b); }
  TILEWRIGHT_CONSTEXPR leaf min(leaf a, leaf b) { return binary(op_code::min, a, b); }
  TILEWRIGHT_CONSTEXPR leaf max(leaf a, leaf b) { return binary(op_code::max, a, b); }
  TILEWRIGHT_CONSTEXPR leaf abs(leaf a) { return binary(op_code::abs, a, constant_leaf(0)); }
  TILEWRIGHT_CONSTEXPR leaf sign(leaf a) { return binary(op_code::sign, a, constant_leaf(0)); }
  /// A basis element on one side stays on the product; a product of two is an error.
  TILEWRIGHT_CONSTEXPR leaf mul(leaf a, leaf b) {
    if ((a.flags | b.flags) >> 3 == 0) return binary(op_code::mul, a, b);
    if (!a.basis().empty() && !b.basis().empty()) {
      fail(errc::basis_mismatch, a.basis().index(0), b.basis().index(0));
      return constant_leaf(0);
    }
    leaf const scaled = binary(op_code::mul, without_basis(a), without_basis(b));
    return scaled.is(0) ? scaled : with_basis(scaled, a.basis().empty() ? b.basis() : a.basis());
  }

  /// What the value is known to be a multiple of; 0 for the constant 0.
  TILEWRIGHT_CONSTEXPR long long divisor(leaf a) const {
    return a.is_static() ? math::abs(a.number) : nodes[a.number].divisor;
  }
  TILEWRIGHT_CONSTEXPR bool tracked(leaf a) const { return !a.is_static() && nodes[a.number].tracked; }
  /// Is `a` proved to be a multiple of the constant n > 0, by its value or by a stated fact?
  TILEWRIGHT_CONSTEXPR bool divides(long long n, leaf a) const {
    return a.is_static() ? a.number % n == 0 : tracked(a) && divisor(a) % n == 0;
  }

  /// States that a % b must be 0: an error now for constants, a check in checked builds for run-time values.
  TILEWRIGHT_CONSTEXPR void require_divides(leaf b, leaf a, errc what) {
    leaf const rest = mod(a, b);
    if (rest.is_static()) {
      if (rest.number != 0) fail(what, a.number, b.number);
      return;
    }
    require_zero(rest, what);
  }

  /// States that a <= b: an error now for constants, a check in checked builds for run-time values.
  TILEWRIGHT_CONSTEXPR void require_at_most(leaf a, leaf b, errc what) {
    if (a == b || (a.is_static() && positive(b) && a.number <= divisor(b))) return;
    if (!a.is_static() || !b.is_static()) return require_zero(sub(max(a, b), b), what);
    if (a.number > b.number) fail(what, a.number, b.number);
  }

 private:
  // pre: a dynamic leaf
  TILEWRIGHT_CONSTEXPR void require_zero(leaf rest, errc what) {
    for (int i = 0; i < obligations; ++i)
      if (required[i].id == rest.number) return;
    if (obligations == max_obligations) return fail(errc::too_many_expressions, obligations + 1, max_obligations);
    required[obligations++] = {static_cast<int>(rest.number), what};
  }

  TILEWRIGHT_CONSTEXPR bool positive(leaf a) const { return a.is_static() ? a.number > 0 : nodes[a.number].positive; }

  TILEWRIGHT_CONSTEXPR leaf push(expression const& e) {
    for (int i = 0; i < size && e.op != op_code::input; ++i)
      if (nodes[i].op == e.op && nodes[i].a == e.a && nodes[i].b == e.b) return dynamic_leaf(i, nodes[i].type);
    if (size == capacity) {
      fail(errc::too_many_expressions, size + 1, capacity);
      return constant_leaf(1);
    }
    nodes[size] = e;
    return dynamic_leaf(size++, e.type);
  }

  // int64_min has no negative: it is no leaf, so that every magnitude and difference of two leaves is defined.
  TILEWRIGHT_CONSTEXPR leaf fold(op_code op, long long a, long long b) {
    long long r = 0;
    if (a == int64_min || b == int64_min) {
      fail(errc::overflow, a, b);
      return constant_leaf(0);
    }
    switch (op) {
      case op_code::add:
        if (!math::add(a, b, r)) fail(errc::overflow, a, b);
        break;
      case op_code::sub:
        if (!math::add(a, -b, r)) fail(errc::overflow, a, b);
        break;
      case op_code::mul:
        if (!math::multiply(a, b, r)) fail(errc::overflow, a, b);
        break;
      case op_code::div: r = a / b; break;
      case op_code::mod: r = a % b; break;
      case op_code::ceil_div: r = b < 0 ? math::ceil_div(-a, -b) : math::ceil_div(a, b); break;
      case op_code::min: r = a < b ? a : b; break;
      case op_code::max: r = a < b ? b : a; break;
      case op_code::abs: r = math::abs(a); break;
      case op_code::sign: r = math::sign(a); break;
      case op_code::input: break;
    }
    return constant_leaf(r);
  }

  // CuTe's static-dynamic folds, and those that a stated divisor allows. post: true when `out` is the answer.
  TILEWRIGHT_CONSTEXPR bool simplify(op_code op, leaf a, leaf b, leaf& out) const {
    leaf const zero = constant_leaf(0);
    bool const exact = tracked(a) && b.is_static() && b.number > 0 && divisor(a) % b.number == 0;
    switch (op) {
      case op_code::add: return a.is(0) ? (out = b, true) : b.is(0) && (out = a, true);
      case op_code::sub: return b.is(0) && (out = a, true);
      case op_code::mul:
        if (a.is(0) || b.is(0)) return out = zero, true;
        return a.is(1) ? (out = b, true) : b.is(1) && (out = a, true);
      case op_code::div:
        if (a.is(0)) return out = zero, true;
        return b.is(1) && (out = a, true);
      case op_code::ceil_div: return b.is(1) && (out = a, true);
      case op_code::mod: return (a.is(0) || b.is(1) || b.is(-1) || exact) && (out = zero, true);
      case op_code::min:
        if (exact && positive(a)) return out = b, true;
        if (!tracked(b) || !positive(b) || !a.is_static() || a.number <= 0) return false;
        return divisor(b) % a.number == 0 && (out = a, true);
      default: return false;
    }
  }

  TILEWRIGHT_CONSTEXPR long long divisor_of(op_code op, leaf a, leaf b) const {
    long long const da = divisor(a), db = divisor(b);
    long long r = 1;
    switch (op) {
      case op_code::mul: return math::multiply(da, db, r) && r != 0 ? r : 1;
      case op_code::div:
      case op_code::ceil_div: return b.is_static() && b.number > 0 && da % b.number == 0 ? da / b.number : 1;
      case op_code::sign: return 1;
      default: r = math::gcd(da, db); return r == 0 ? 1 : r;
    }
  }

  TILEWRIGHT_CONSTEXPR bool positive_of(op_code op, leaf a, leaf b) const {
    switch (op) {
      case op_code::add:
      case op_code::mul:
      case op_code::ceil_div:
      case op_code::min:
      case op_code::max: return positive(a) && positive(b);
      case op_code::div: return positive(a) && b.is_static() && b.number > 0 && divisor(a) % b.number == 0;
      case op_code::abs:
      case op_code::sign: return positive(a);
      default: return false;
    }
  }

  // A product of run-time factors can leave 32 bits, so it is computed in 64, unless its bound is known (`narrow`).
  // So can a 32-bit sum of a signed and an unsigned value, or a difference of unsigned ones.
  TILEWRIGHT_CONSTEXPR number_type type_of(op_code op, leaf a, leaf b) const {
    number_type const t = a.type() < b.type() ? b.type() : a.type();
    if (t >= number_type::int64) return t;
    if (op == op_code::mul) return narrow ? number_type::int32 : number_type::int64;
    bool const mixed = t == number_type::uint32 && !(is_unsigned(a) && is_unsigned(b));
    bool const wraps = t == number_type::uint32 && op == op_code::sub;
    return mixed || wraps ? number_type::int64 : t;
  }
  static TILEWRIGHT_CONSTEXPR bool is_unsigned(leaf a) {
    return a.is_static() ? a.number >= 0 : a.type() == number_type::uint32;
  }

  TILEWRIGHT_CONSTEXPR leaf binary(op_code op, leaf a, leaf b) {
    bool const divides = op == op_code::div || op == op_code::mod || op == op_code::ceil_div;
    // Two plain constants come first: in constant evaluation each question asked costs a call.
    if ((a.flags | b.flags) == 0 && !(divides && b.number == 0)) return fold(op, a.number, b.number);
    if (!a.basis().empty() || !b.basis().empty()) {
      fail(errc::basis_mismatch, a.basis().empty() ? b.basis().index(0) : a.basis().index(0), 0);
      return constant_leaf(0);
    }
    if (divides && b.is(0)) {
      fail(errc::division_by_zero, a.is_static() ? a.number : 0, 0);
      return constant_leaf(0);
    }
    if (leaf out{}; simplify(op, a, b, out)) return out;
    return push({op, type_of(op, a, b), divisor_of(op, a, b), tracked(a) || tracked(b), a, b, positive_of(op, a, b)});
  }
};

}  // namespace tilewright
