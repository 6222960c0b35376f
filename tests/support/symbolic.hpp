// Evaluates what an operation on run-time leaves promises: some leaves of a layout become inputs of an arithmetic, the
// operation runs once, and its result is worked out with the inputs' numbers, so that it can be held against the same
// operation on constants.
#pragma once

#include <optional>
#include <vector>

#include "families.hpp"

namespace tilewright::tests {

struct symbolic_run {
  arithmetic c{};
  std::vector<long long> numbers{};  // of the inputs, in the order of their creation

  /// A leaf whose number is known to this run only; `divisor` states a fact about it.
  leaf input(long long number, number_type type = number_type::int32, long long divisor = 1) {
    numbers.push_back(number);
    return c.input(type, divisor);
  }

  /// The value of each expression; none where one divides by zero or leaves 64 bits.
  std::optional<std::vector<long long>> values() const {
    std::vector<long long> out;
    std::size_t inputs = 0;
    arithmetic exact{};
    auto const value = [&](leaf a) {
      return a.is_static() ? a : constant_leaf(out[static_cast<std::size_t>(a.number)]);
    };
    for (int i = 0; i < c.size; ++i) {
      expression const& e = c.nodes[i];
      if (e.op == op_code::input) {
        out.push_back(numbers[inputs++]);
        continue;
      }
      leaf const a = value(e.a), b = value(e.b);
      leaf r{};
      switch (e.op) {
        case op_code::add: r = exact.add(a, b); break;
        case op_code::sub: r = exact.sub(a, b); break;
        case op_code::mul: r = exact.mul(a, b); break;
        case op_code::div: r = exact.div(a, b); break;
        case op_code::mod: r = exact.mod(a, b); break;
        case op_code::ceil_div: r = exact.ceil_div(a, b); break;
        case op_code::min: r = exact.min(a, b); break;
        case op_code::max: r = exact.max(a, b); break;
        case op_code::abs: r = exact.abs(a); break;
        case op_code::sign: r = exact.sign(a); break;
        case op_code::input: break;
      }
      out.push_back(r.number);
    }
    if (exact.failed()) return std::nullopt;
    return out;
  }

  /// The tree with numbers for its leaves; none when the operation failed or an obligation does not hold.
  std::optional<int_tree> worked_out(int_tree t) const {
    if (c.failed()) return std::nullopt;
    auto const known = values();
    if (!known) return std::nullopt;
    for (int i = 0; i < c.obligations; ++i)
      if ((*known)[static_cast<std::size_t>(c.required[i].id)] != 0) return std::nullopt;
    auto const number = [&](leaf a) {
      return a.is_static() ? a : with_basis(constant_leaf((*known)[static_cast<std::size_t>(a.number)]), a.basis());
    };
    for (int i = 0; i < t.leaves; ++i) {
      t.shape[i] = number(t.shape[i]);
      t.stride[i] = number(t.stride[i]);
    }
    return t;
  }
};

}  // namespace tilewright::tests
