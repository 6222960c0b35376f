// Writes operands.
#include "apps/cli/operand.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tilewright::cli {
namespace {

// Expressions share their parts, text does not: nested calls can double it again and again.
constexpr std::size_t longest_expression = 20'000;  // characters

/// Refuses leaves whose text would be too long.
/// cost: O(nodes of the pool)
void check_length(int_tree const& t, text_style const& style) {
  if (style.pool == nullptr) return;
  std::array<std::size_t, arithmetic::capacity> length{};
  auto const length_of = [&](leaf a) {
    return a.is_static() ? std::size_t{20} : length[static_cast<std::size_t>(a.number)];
  };
  for (int i = 0; i < style.pool->size; ++i) {
    expression const& e = style.pool->nodes[i];
    std::size_t const own = e.op == op_code::input ? 40 : 12 + length_of(e.a) + length_of(e.b);
    length[static_cast<std::size_t>(i)] = std::min(own, longest_expression);
  }
  for (int i = 0; i < t.leaves; ++i) {
    if (std::max(length_of(t.shape[i]), length_of(t.stride[i])) >= longest_expression) {
      throw std::length_error("a result has more than " + std::to_string(longest_expression) +
                              " characters; give fewer symbols, or state what they are multiples of (M%8=0)");
    }
  }
}

struct describe_kind {
  std::string operator()(tuple_operand const& t) const {
    if (t.tree.is_kept(t.tree.root())) return "'_'";
    return t.tree.is_tuple(t.tree.root()) ? "a tuple" : "an integer";
  }
  std::string operator()(layout_operand const&) const { return "a layout"; }
  std::string operator()(swizzle_value const&) const { return "a swizzle"; }
  std::string operator()(composed_value const&) const { return "a swizzled layout"; }
  std::string operator()(bool) const { return "true or false"; }
};

struct write {
  text_style const& style;

  std::string operator()(tuple_operand const& t) const {
    check_length(t.tree, style);
    return format_tuple(t.tree, style);
  }
  std::string operator()(layout_operand const& a) const {
    check_length(a.layout, style);
    return format_layout(a.layout, style);
  }
  std::string operator()(swizzle_value const& s) const { return format_swizzle(s); }
  std::string operator()(composed_value const& a) const {
    check_length(a.layout, style);
    check_length(leaf_tree(a.offset), style);
    return format_composed(a, style);
  }
  std::string operator()(bool truth) const { return truth ? "true" : "false"; }
};

}  // namespace

std::string describe(operand const& x) { return std::visit(describe_kind{}, x); }

std::string format(leaf a, text_style const& style) {
  check_length(leaf_tree(a), style);
  return text::of(a, style);
}

std::string format(operand const& x, text_style const& style) { return std::visit(write{style}, x); }

}  // namespace tilewright::cli
