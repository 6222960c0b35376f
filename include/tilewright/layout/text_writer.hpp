// Writing layouts as the field does; run-time leaves become symbolic expressions when their pool is at hand. Host only.
#pragma once

#include "tilewright/base/config.hpp"

#include <string>
#include <vector>

#include "tilewright/layout/swizzle_value.hpp"

namespace tilewright {

/// How values are written: constants with or without a mark; run-time leaves by name, where a pool knows them.
struct text_style {
  bool mark_static = false;             // `_4` for a compile-time 4
  arithmetic const* pool = nullptr;     // prints run-time leaves as expressions over `names`
  std::vector<std::string> names = {};  // of the inputs, in order of their creation
};

namespace text {

inline std::string of(leaf a, text_style const& style);

inline std::string of_expression(int id, text_style const& style) {
  expression const& e = style.pool->nodes[id];
  auto const operand = [&](leaf x) {
    std::string const s = of(x, style);
    bool const is_sum = !x.is_static() && (style.pool->nodes[x.number].op == op_code::add ||
                                           style.pool->nodes[x.number].op == op_code::sub);
    bool const is_quotient = !x.is_static() && (style.pool->nodes[x.number].op == op_code::div ||
                                                style.pool->nodes[x.number].op == op_code::mod);
    return is_sum || is_quotient ? "(" + s + ")" : s;
  };
  auto const call = [&](char const* name) {
    return std::string(name) + "(" + of(e.a, style) + "," + of(e.b, style) + ")";
  };
  switch (e.op) {
    case op_code::input: {
      int input = 0;
      for (int i = 0; i < id; ++i) input += style.pool->nodes[i].op == op_code::input;
      auto const at = static_cast<std::size_t>(input);
      return at < style.names.size() ? style.names[at] : "x" + std::to_string(input);
    }
    case op_code::add: return of(e.a, style) + "+" + operand(e.b);
    case op_code::sub: return of(e.a, style) + "-" + operand(e.b);
    case op_code::mul: return operand(e.a) + "*" + operand(e.b);
    case op_code::div: return operand(e.a) + "/" + operand(e.b);
    case op_code::mod: return operand(e.a) + "%" + operand(e.b);
    case op_code::ceil_div: return call("ceil_div");
    case op_code::min: return call("min");
    case op_code::max: return call("max");
    case op_code::abs: return "abs(" + of(e.a, style) + ")";
    case op_code::sign: return "sign(" + of(e.a, style) + ")";
  }
  return "?";
}

inline std::string of(leaf a, text_style const& style) {
  std::string out;
  if (a.is_static()) out = (style.mark_static ? "_" : "") + std::to_string(a.number);
  else out = style.pool != nullptr ? of_expression(static_cast<int>(a.number), style) : "?";
  for (int level = a.basis().depth() - 1; level >= 0; --level) out += "@" + std::to_string(a.basis().index(level));
  return out;
}

inline void write(std::string& out, int_tree const& t, bool strides, int& node, int& next_leaf,
                  text_style const& style) {
  node_kind const kind = t.profile[node++];
  if (kind == kept_node) {
    out += '_';
  } else if (kind == leaf_node) {
    out += of(strides ? t.stride[next_leaf] : t.shape[next_leaf], style);
    ++next_leaf;
  } else if (kind == layout_node) {
    int stride_node = node, stride_leaf = next_leaf;
    write(out, t, false, node, next_leaf, style);
    out += ':';
    write(out, t, true, stride_node, stride_leaf, style);
  } else {
    out += '(';
    for (int i = 0; i < kind; ++i) {
      if (i > 0) out += ',';
      write(out, t, strides, node, next_leaf, style);
    }
    out += ')';
  }
}

}  // namespace text

/// The tuple of extents, `_` for kept modes, tilers with their layouts.
inline std::string format_tuple(int_tree const& t, text_style const& style = {}) {
  std::string out;
  int node = 0, next_leaf = 0;
  if (t.nodes > 0) text::write(out, t, false, node, next_leaf, style);
  return out;
}

inline std::string format_tuple(tiler_value const& t, text_style const& style = {}) {
  return format_tuple(t.tree, style);
}

/// SHAPE:STRIDE
inline std::string format_layout(int_tree const& a, text_style const& style = {}) {
  std::string out = format_tuple(a, style) + ":";
  int node = 0, next_leaf = 0;
  if (a.nodes > 0) text::write(out, a, true, node, next_leaf, style);
  return out;
}

inline std::string format_swizzle(swizzle_value const& s) {
  return "Sw<" + std::to_string(s.bits) + "," + std::to_string(s.base) + "," + std::to_string(s.shift) + ">";
}

/// Sw<B,M,S> o OFFSET o SHAPE:STRIDE
inline std::string format_composed(composed_value const& a, text_style const& style = {}) {
  return format_swizzle(a.swizzle) + " o " + text::of(a.offset, style) + " o " + format_layout(a.layout, style);
}

}  // namespace tilewright
