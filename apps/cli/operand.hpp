// The value of an expression of the command line: an integer or a tuple (of integers, kept modes and layouts, so also
// a coordinate, a shape, a tiler), a layout, a swizzle, a swizzled layout, or the answer to a question.
#pragma once

#include "tilewright/layout/text.hpp"

#include <cstddef>
#include <string>
#include <variant>

namespace tilewright::cli {

inline constexpr std::size_t nowhere = std::string_view::npos;

/// An integer or a tuple; for messages, the places in the text of what not every use allows.
struct tuple_operand {
  int_tree tree{};
  std::size_t negative_at = nowhere;
  std::size_t kept_at = nowhere;
  std::size_t layout_at = nowhere;
};

struct layout_operand {
  layout_value layout{};
};

using operand = std::variant<tuple_operand, layout_operand, swizzle_value, composed_value, bool>;

inline operand integer_operand(leaf number) { return tuple_operand{leaf_tree(number)}; }

/// The integer that the operand is, perhaps in parentheses; null for anything else.
inline leaf const* integer_in(operand const& x) {
  auto const* t = std::get_if<tuple_operand>(&x);
  if (t == nullptr || t->tree.leaves != 1 || t->kept_at != nowhere || t->layout_at != nowhere) return nullptr;
  bool const alone = t->tree.nodes == 1 || (t->tree.nodes == 2 && t->tree.profile[0] == 1);
  return alone ? &t->tree.shape[0] : nullptr;
}

/// "a layout", "an integer", … for messages.
std::string describe(operand const& x);

/// The operand as it would be written in an expression.
/// pre: style.pool is the pool that its run-time leaves live in
/// error: std::length_error when run-time leaves have too many terms to print
std::string format(operand const& x, text_style const& style);

std::string format(leaf a, text_style const& style);

}  // namespace tilewright::cli
