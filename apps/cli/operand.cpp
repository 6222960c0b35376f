// Writes operands and the conditions of symbolic results.
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

bool is(expression const& e, op_code op) { return e.op == op; }

/// What `id` must be zero for, in words: relations that a reader would write down.
std::string condition(int id, text_style const& style) {
  arithmetic const& pool = *style.pool;
  auto const node = [&](leaf a) -> expression const* { return a.is_static() ? nullptr : &pool.nodes[a.number]; };
  auto const text_of = [&](leaf a) {
    check_length(leaf_tree(a), style);
    return text::of(a, style);
  };
  expression const& e = pool.nodes[id];
  // max(a,b)-b: a is at most b.
  if (auto const* m = node(e.a); is(e, op_code::sub) && m != nullptr && is(*m, op_code::max) && m->b == e.b)
    return text_of(m->a) + "<=" + text_of(m->b);
  // (d*min(a%d,1))%a: a or d divides the other.
  if (auto const* product = node(e.a); is(e, op_code::mod) && product != nullptr && is(*product, op_code::mul)) {
    for (leaf const factor : {product->a, product->b}) {
      auto const* least = node(factor);
      if (least == nullptr || !is(*least, op_code::min) || !least->b.is(1)) continue;
      auto const* rest = node(least->a);
      if (rest == nullptr || !is(*rest, op_code::mod) || !(rest->a == e.b)) continue;
      return text_of(least->a) + "=0 or " + text_of(rest->b) + "%" + text_of(rest->a) + "=0";
    }
  }
  return text_of(dynamic_leaf(id, e.type)) + "=0";
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

std::string format(operand const& x, text_style const& style) { return std::visit(write{style}, x); }

std::string conditions(text_style const& style) {
  std::string out;
  for (int i = 0; i < style.pool->obligations; ++i) {
    if (!out.empty()) out += ", ";
    out += condition(style.pool->required[i].id, style);
  }
  return out;
}

}  // namespace tilewright::cli
