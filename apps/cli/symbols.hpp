// The names in an expression: each is a run-time integer of which nothing is known but what the user states as a fact,
// "M%8=0", that it is a positive multiple of 8.
#pragma once

#include "tilewright/layout/text.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

/// What symbols are multiples of.
class facts {
 public:
  /// Is the text meant as a fact rather than an expression?
  static bool is_fact(std::string_view text) { return text.find('=') != std::string_view::npos; }
  /// Reads NAME%K=0; several facts about one name hold together.
  /// error: text_error
  void read(std::string_view text);
  /// 1 where nothing is stated.
  long long divisor_of(std::string_view name) const;

 private:
  std::map<std::string, long long, std::less<>> divisors_;
};

/// The symbols of one expression and the pool its arithmetic happens in.
class symbols {
 public:
  explicit symbols(facts const& stated) : stated_(&stated) {}

  /// The same leaf for the same name.
  leaf leaf_of(std::string_view name);
  arithmetic& pool() { return pool_; }
  /// pre: the symbols outlive the style
  text_style style(bool mark_static) { return {mark_static, &printed(), names_}; }

 private:
  /// The pool with divisions that are known to be exact as such: M/8 instead of ceil_div(M,8).
  arithmetic const& printed();

  facts const* stated_;
  arithmetic pool_{};
  arithmetic printed_{};
  std::vector<std::string> names_;
  std::vector<leaf> leaves_;
};

}  // namespace tilewright::cli
