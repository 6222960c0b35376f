// The values of options: integers, layouts and names, each refused with the option that it was given to and, where there
// is text, the place in it.
#pragma once

#include "tilewright/layout/swizzle_value.hpp"

#include <string>
#include <vector>

namespace tilewright::cli {

/// error: text_error that names the option
long long read_integer_option(std::string const& option, std::string const& text);

/// An integer within [least, most].
/// error: text_error, usage_error
long long read_integer_within(std::string const& option, std::string const& text, long long least, long long most);

/// A layout, a swizzled one, or a shape for its compact layout, in the language of eval, made of integers.
/// error: text_error that names the option, with the place that the reader got farthest to
composed_value read_layout_option(std::string const& option, std::string const& text);

/// The same, without a swizzle.
layout_value read_plain_layout_option(std::string const& option, std::string const& text);

/// The position of the word among those that the option takes.
/// error: usage_error, with the words and the one that is spelled most alike
std::size_t read_word_option(std::string const& option, std::string const& text, std::vector<std::string> const& known);

/// "{a,b,c}": what an option takes, for its help, its man page and the shell's completion.
std::string choices_of(std::vector<std::string> const& known);

/// The names of the element types, the short ones.
std::vector<std::string> element_names();

}  // namespace tilewright::cli
