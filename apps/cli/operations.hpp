// The operations of the expression language: what each takes, what it is for, and how it is computed on the value face.
#pragma once

#include "apps/cli/expression.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tilewright::cli {

class call;

struct operation {
  std::string_view name;
  std::string_view parameters{};  // as the help shows them: "A, shape[, order]", "A, i[, j, ...]"
  std::string_view purpose{};     // one line of the help
  operand (*run)(call const&) = nullptr;
  bool below_swizzle = false;  // on a swizzled layout it acts on the layout below

  /// The fewest and the most arguments: 2 and 3 for "A, shape[, order]".
  constexpr int least() const { return 1 + commas(parameters.substr(0, parameters.find('['))); }
  constexpr int most() const { return parameters.ends_with("...]") ? max_arguments : 1 + commas(parameters); }

  static constexpr int max_arguments = 64;

 private:
  static constexpr int commas(std::string_view text) {
    int n = 0;
    for (char const c : text) n += c == ',';
    return n;
  }
};

/// The operations in groups, in the order of the help.
struct operation_group {
  std::string_view title;
  std::span<operation const> operations;
};
std::span<operation_group const> operation_groups();

/// Null when there is none of the name.
operation const* find_operation(std::string_view name);
/// The operation that is spelled most alike; empty when none is near.
std::string_view nearest_operation(std::string_view name);
/// All names, for messages.
std::string operation_names();

/// "composition(A, B)"
std::string signature(operation const& op);

/// One use of an operation: its arguments, each fetched as what the operation needs it to be.
class call {
 public:
  /// pre: as many arguments as the operation takes
  call(operation const& op, std::vector<argument> arguments, layout_reader const& text, arithmetic& pool)
      : numbers(pool),
        op_(op),
        arguments_(std::move(arguments)),
        text_(text) {}

  /// error: text_error at the argument that does not fit; errors of the algebra stay in `numbers`
  operand result();

  arithmetic& numbers;

  int count() const { return static_cast<int>(arguments_.size()); }
  operand const& value(int i) const { return at(i).value; }
  template <class T>
  T const* get(int i) const {
    return i < count() ? std::get_if<T>(&value(i)) : nullptr;
  }
  /// A layout, or a shape for its compact column-major layout.
  layout_value layout(int i) const;
  /// The extents of a shape or a layout.
  int_tree shape(int i) const;
  /// Integers only.
  int_tree tuple(int i) const;
  /// Integers and `_`.
  int_tree coordinate(int i) const;
  int_tree tiler(int i) const;
  leaf integer(int i) const;
  /// An integer that is a constant.
  long long constant(int i) const;
  /// A constant that can name a mode.
  int mode(int i) const;
  /// What a composed layout's function on the value face answers, or its error.
  template <class T>
  T answer_of(tilewright::result<T> const& r) const {
    if (!r) numbers.fail(r.error().code, r.error().first, r.error().second);
    return *r;
  }
  [[noreturn]] void refuse(int i, char const* expected) const;

 private:
  argument const& at(int i) const { return arguments_[static_cast<std::size_t>(i)]; }
  /// The tuple with every integer checked to be an extent.
  int_tree const& extents(int i) const;

  operation const& op_;
  std::vector<argument> arguments_;
  layout_reader const& text_;
};

/// A swizzled layout whose constants fit the swizzle; else the error is in `numbers`.
composed_value swizzled(arithmetic& numbers, swizzle_value const& s, leaf offset, layout_value const& below);

/// Refuses constant coordinates outside of the layout; symbols count as inside.
void require_in_range(arithmetic& numbers, int_tree const& coordinate, int_tree const& layout);

}  // namespace tilewright::cli
