// What the verbs of the command share: how arguments are parsed, and how an error becomes one sentence on stderr, with
// the text and a caret where there is text.
#pragma once

#include "tilewright/layout/text.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

inline constexpr int success = 0;
inline constexpr int check_failed = 1;
inline constexpr int bad_input = 2;  // exit status of every refusal

/// The user asks for what cannot be done; `what()` is the sentence.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A verb's function gets the arguments behind the verb and returns the exit status.
using words = std::vector<std::string>;
int run_eval(words const& arguments);
int run_tiled_copy(words const& arguments);
int run_plot(words const& arguments);
int run_plan(words const& arguments);
int run_bench(words const& arguments);
int run_convert(words const& arguments);
int run_redistribute(words const& arguments);
int run_info(words const& arguments);
int run_mma(words const& arguments);
int run_demo(words const& arguments);
int run_explain(words const& arguments);
int run_check(words const& arguments);
int run_doctor(words const& arguments);
int run_examples(words const& arguments);
int run_completion(words const& arguments);
int run_man(words const& arguments);

/// Parses into the app's options; false when help was asked for, which is then printed, or while options_of() looks.
/// error: usage_error for unknown and incomplete options
bool parse(CLI::App& app, words const& arguments);

/// Runs a verb up to the point where it parses, and gives its options to `look` instead.
void options_of(int (*run)(words const&), std::function<void(CLI::App const&)> const& look);

enum class colour { green, red };

/// The text in that colour where standard output is a terminal that wants colours; the text elsewhere.
std::string highlighted(std::string_view text, colour as);

/// An option's integer.
/// error: text_error
long long parse_integer(std::string_view text);

/// Writes "tilewright: [place: ]sentence" to stderr, and the text with its caret.
void report(std::exception const& error, std::string_view place = {});

/// Text and caret, two lines; of a long text the part around the caret.
std::string excerpt(text_error const& error);

/// For each row operation⇥arguments[⇥…] of the file ("-": standard input), prints operation⇥arguments⇥result; rows
/// without a result are reported and left out. post: the exit status
int for_each_row(std::string const& path,
                 std::function<std::string(std::string_view operation, std::string_view arguments)> const& result_of);

}  // namespace tilewright::cli
