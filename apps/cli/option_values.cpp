// Reads the values of options.
#include "apps/cli/option_values.hpp"

#include "apps/cli/command.hpp"
#include "apps/cli/layout_argument.hpp"
#include "apps/cli/nearest.hpp"
#include "tilewright/engine/element_type.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cctype>
#include <optional>

namespace tilewright::cli {
namespace {

text_error named(std::string const& option, text_error const& e, std::string const& text) {
  return option.empty() ? e : text_error(fmt::format("{}: {}", option, e.what()), text, e.position());
}

bool has_plain_strides(layout_value const& a) {
  for (int i = 0; i < a.leaves; ++i)
    if (!a.stride[i].basis().empty()) return false;
  return true;
}

/// A swizzle, a composition or a call of a function.
bool is_written_as_expression(std::string const& text) {
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i] == '(' && std::isalpha(static_cast<unsigned char>(text[i - 1]))) return true;
  return text.find('<') != std::string::npos || text.find(" o ") != std::string::npos;
}

}  // namespace

long long read_integer_option(std::string const& option, std::string const& text) {
  try {
    return parse_integer(text);
  } catch (text_error const& e) {
    throw named(option, e, text);
  }
}

long long read_integer_within(std::string const& option, std::string const& text, long long least, long long most) {
  long long const number = read_integer_option(option, text);
  if (number < least || number > most)
    throw usage_error(fmt::format("{} must be from {} to {}, not {}", option, least, most, number));
  return number;
}

composed_value read_layout_option(std::string const& option, std::string const& text) {
  // A layout of integers is read by the plain reader, which knows the place of what is no integer; all else is an
  // expression, whose errors may come from the algebra.
  std::optional<text_error> as_layout;
  try {
    layout_value const plain = parse_layout(text);
    if (has_plain_strides(plain)) return {{}, constant_leaf(0), plain};
  } catch (text_error const& e) {
    if (!is_written_as_expression(text)) as_layout = e;
  }
  try {
    return parse_layout_argument(text);
  } catch (text_error const& e) {
    bool const farther = !as_layout || e.position() > as_layout->position();
    throw named(option, farther ? e : *as_layout, text);
  }
}

layout_value read_plain_layout_option(std::string const& option, std::string const& text) {
  composed_value const out = read_layout_option(option, text);
  if (out.swizzle.bits != 0 || !out.offset.is(0))
    throw named(option, text_error("expected a layout without a swizzle", text, 0), text);
  return out.layout;
}

std::size_t read_word_option(std::string const& option, std::string const& text,
                             std::vector<std::string> const& known) {
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i] == text) return i;
  std::string_view const near = nearest(text, known);
  throw usage_error(fmt::format("{} must be one of {}, not '{}'{}", option, fmt::join(known, ", "), text,
                                near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

std::string choices_of(std::vector<std::string> const& known) { return fmt::format("{{{}}}", fmt::join(known, ",")); }

std::vector<std::string> element_names() {
  std::vector<std::string> out;
  for (int i = 0; i <= static_cast<int>(element_type::c128); ++i)
    out.emplace_back(name_of(static_cast<element_type>(i)));
  return out;
}

}  // namespace tilewright::cli
