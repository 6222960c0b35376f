// The expression language of `tilewright eval`: layouts as the field writes them, with names for run-time integers,
// arithmetic on them, and the operations of the algebra as functions.
//   expression  operand {"o" operand} {"(" coordinate ")"}      composition; the offset or slice at a coordinate
//   operand     sum [":" strides]                               an integer, a tuple, a layout
//   sum         + - * / % on integers, f(…), (…), <…>, _, names, Sw<B,M,S>, 1@0 for basis strides
#pragma once

#include "apps/cli/operand.hpp"
#include "apps/cli/symbols.hpp"

#include <vector>

namespace tilewright::cli {

/// A value and where its text begins.
struct argument {
  operand value;
  std::size_t at = 0;
};

class expression_reader : private layout_reader {
 public:
  /// pre: text and names outlive the reader
  expression_reader(std::string_view text, symbols& names) : layout_reader(text), names_(names) {}

  /// The whole text as one expression.
  /// error: text_error, also for operations that have no answer
  operand read();
  /// The whole text as the arguments of an operation, separated by ',' or ';', and the operation's answer.
  operand read_call(std::string_view operation);

 private:
  class nesting;

  operand expression();
  operand operand_or_layout();
  operand scaled_sum();
  operand sum();
  operand product();
  operand negation();
  operand primary();
  operand integer();
  operand kept();
  operand list(char close, char const* where);
  operand symbol_or_call();
  void strides(layout_value& out, int& node, int& next_leaf);
  void strides_of_call(layout_value& out, int& node, int& next_leaf);
  basis_path basis();

  std::vector<argument> arguments(char close);
  operand chain(std::vector<argument> parts, std::size_t start);
  operand apply(operand const& to, std::size_t at);
  leaf integer_of(operand const& x, std::size_t at);
  bool accept_composition();
  std::size_t here();
  void check_pool(std::size_t at);

  symbols& names_;
  int depth_ = 0;
};

}  // namespace tilewright::cli
