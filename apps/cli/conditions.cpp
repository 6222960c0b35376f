// Recognises the shapes in which the algebra states its conditions, and drops those that are always true: both sides are
// multiplied out, and their difference is looked at.
#include "apps/cli/conditions.hpp"

#include "apps/cli/operand.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace tilewright::cli {
namespace {

/// A sum of products: for each product, which nodes of the pool it multiplies (sorted), its factor.
using polynomial = std::map<std::vector<int>, long long>;

constexpr std::size_t max_terms = 64;

/// post: a + factor * b; nothing when that does not fit
std::optional<polynomial> sum(polynomial a, polynomial const& b, long long factor) {
  for (auto const& [product, count] : b) {
    long long& term = a[product];
    long long scaled = 0;
    if (!math::multiply(count, factor, scaled) || !math::add(term, scaled, term)) return std::nullopt;
    if (term == 0) a.erase(product);
  }
  if (a.size() > max_terms) return std::nullopt;
  return a;
}

std::optional<polynomial> product(polynomial const& a, polynomial const& b) {
  std::optional<polynomial> out = polynomial{};
  for (auto const& [left, factor] : a) {
    polynomial shifted;
    for (auto const& [right, count] : b) {
      std::vector<int> both = left;
      both.insert(both.end(), right.begin(), right.end());
      if (both.size() > 16) return std::nullopt;
      std::sort(both.begin(), both.end());
      shifted[both] = count;
    }
    out = sum(*out, shifted, factor);
    if (!out) return out;
  }
  return out;
}

bool is_multiple(polynomial const& a, long long n) {
  return std::all_of(a.begin(), a.end(), [n](auto const& term) { return term.second % n == 0; });
}

class condition_writer {
 public:
  explicit condition_writer(text_style const& style) : style_(style), pool_(*style.pool) {
    for (int i = 0; i < pool_.size; ++i) multiplied_out_.push_back(of_node(i));
  }

  /// What node `id` must be zero for; empty when it always is.
  std::string operator()(int id) const {
    expression const& e = pool_.nodes[id];
    if (e.op == op_code::sub && is(e.a, op_code::max) && node(e.a).b == e.b) return at_most(node(e.a).a, e.b);
    if (e.op != op_code::mod) return format(dynamic_leaf(id, e.type), style_) + "=0";
    if (e.b.is_static() && is_multiple(of(e.a), e.b.number)) return "";
    // (d*min(a%d,1))%a: one of a and d divides the other.
    if (is(e.a, op_code::mul)) {
      for (leaf const factor : {node(e.a).a, node(e.a).b}) {
        if (!is(factor, op_code::min) || !node(factor).b.is(1) || !is(node(factor).a, op_code::mod)) continue;
        leaf const rest = node(factor).a;
        if (node(rest).a == e.b) return format(rest, style_) + "=0 or " + remainder(node(rest).b, node(rest).a) + "=0";
      }
    }
    return format(dynamic_leaf(id, e.type), style_) + "=0";
  }

 private:
  expression const& node(leaf a) const { return pool_.nodes[a.number]; }
  bool is(leaf a, op_code op) const { return !a.is_static() && node(a).op == op; }
  std::string remainder(leaf a, leaf b) const { return format(a, style_) + "%" + format(b, style_); }

  std::string at_most(leaf a, leaf b) const {
    auto const room = sum(of(b), of(a), -1);
    bool const constant = room && (room->empty() || (room->size() == 1 && room->begin()->first.empty()));
    if (constant && (room->empty() || room->begin()->second >= 0)) return "";
    return format(a, style_) + "<=" + format(b, style_);
  }

  polynomial of(leaf a) const {
    if (!a.is_static()) return multiplied_out_[static_cast<std::size_t>(a.number)];
    return a.number == 0 ? polynomial{} : polynomial{{{}, a.number}};
  }
  polynomial of_node(int id) const {
    expression const& e = pool_.nodes[id];
    polynomial itself{{{id}, 1}};
    switch (e.op) {
      case op_code::add: return sum(of(e.a), of(e.b), 1).value_or(itself);
      case op_code::sub: return sum(of(e.a), of(e.b), -1).value_or(itself);
      case op_code::mul: return product(of(e.a), of(e.b)).value_or(itself);
      case op_code::div:
      case op_code::ceil_div: {
        polynomial out = e.a.is_static() ? polynomial{} : of(e.a);
        if (out.empty() || !e.b.is_static() || e.b.number < 1 || !is_multiple(out, e.b.number)) return itself;
        for (auto& term : out) term.second /= e.b.number;
        return out;
      }
      default: return itself;
    }
  }

  text_style const& style_;
  arithmetic const& pool_;
  std::vector<polynomial> multiplied_out_;  // by node; operands come before what is made of them
};

}  // namespace

std::string conditions(text_style const& style) {
  if (style.pool->obligations == 0) return "";
  condition_writer const write(style);
  std::string out;
  for (int i = 0; i < style.pool->obligations; ++i) {
    std::string const condition = write(style.pool->required[i].id);
    if (!condition.empty()) out += (out.empty() ? "" : ", ") + condition;
  }
  return out;
}

}  // namespace tilewright::cli
