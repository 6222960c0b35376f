// Parses arguments, reports errors, reads tables.
#include "apps/cli/command.hpp"

#include "apps/cli/errors_page.hpp"
#include "apps/cli/nearest.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace tilewright::cli {
namespace {

constexpr std::size_t excerpt_width = 100;  // characters

/// Set while options_of() looks at a verb.
std::function<void(CLI::App const&)> const* observer = nullptr;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; }

/// Control characters could do anything to a terminal.
char printable(char byte) {
  auto const code = static_cast<unsigned char>(byte);
  return code < 0x20 || code == 0x7f ? ' ' : byte;
}

/// The app's name without the command's.
std::string verb_of(CLI::App const& app) { return app.get_name().substr(app.get_name().find(' ') + 1); }

std::vector<std::string> option_names(CLI::App const& app) {
  std::vector<std::string> names;
  for (CLI::Option const* option : app.get_options())
    if (!option->get_lnames().empty() && !option->get_group().empty())
      names.push_back("--" + option->get_lnames().front());
  return names;
}

[[noreturn]] void refuse_word(CLI::App const& app, std::string const& word) {
  std::string sentence = fmt::format("{} does not take '{}'", verb_of(app), word);
  bool const negative = word.size() > 1 && word[0] == '-' && word[1] != '-' && !std::isalpha(word[1]);
  std::vector<std::string> const names = option_names(app);
  std::string_view const near = nearest(word.substr(0, word.find('=')), names);
  if (negative) sentence += "; write -- in front of what begins with '-' and is not an option";
  else if (!near.empty()) sentence += fmt::format("; did you mean '{}'?", near);
  else if (word.starts_with("--")) sentence += fmt::format("; its options are {}", fmt::join(names, ", "));
  else sentence += fmt::format("; {} --help lists what it takes", app.get_name());
  throw usage_error(sentence);
}

bool knows(CLI::App const& app, std::string const& option) { return app.get_option_no_throw(option) != nullptr; }

/// Options that may be given once; words after "--" are not options.
long long times_given(words const& arguments, CLI::Option const& option) {
  auto const end = std::find(arguments.begin(), arguments.end(), "--");
  return std::count_if(arguments.begin(), end, [&](std::string const& word) {
    return word.starts_with("-") && option.check_name(word.substr(0, word.find('=')));
  });
}

/// What is wrong with the number of values that options got; a sentence.
std::string mismatch(CLI::App const& app, words const& arguments) {
  for (CLI::Option const* option : app.get_options()) {
    if (option->get_positional() || option->get_expected_max() == 0) continue;
    long long const times = times_given(arguments, *option);
    std::string const name = option->get_name();
    if (times > 1) return fmt::format("{} takes {} once, and it is given {} times", verb_of(app), name, times);
    if (times == 1 && (arguments.back() == name || option->count() == 0))
      return fmt::format("{} {} needs a value", verb_of(app), name);
  }
  return "";
}

/// An empty value says nothing. Texts and lists may be empty.
void refuse_empty_values(CLI::App const& app) {
  for (CLI::Option const* option : app.get_options()) {
    if (option->get_positional() || option->get_expected_max() == 0) continue;
    if (option->get_type_name() == "TEXT" || option->get_type_name() == "AXES") continue;
    for (std::string const& value : option->results())
      if (value.empty())
        throw usage_error(fmt::format("{} {} needs a value, not ''", verb_of(app), option->get_name()));
  }
}

}  // namespace

bool parse(CLI::App& app, words const& arguments) {
  if (observer != nullptr) {
    (*observer)(app);
    return false;
  }
  app.allow_extras();
  words current = arguments;
  for (auto at = current.begin(), end = std::find(current.begin(), current.end(), "--"); at != end; ++at)
    *at = current_spelling(*at, knows, app);
  words reversed(current.rbegin(), current.rend());
  try {
    app.parse(reversed);
  } catch (CLI::CallForHelp const&) {
    say("{}", app.help());
    return false;
  } catch (CLI::ArgumentMismatch const& e) {
    std::string const sentence = mismatch(app, current);
    throw usage_error(sentence.empty() ? fmt::format("{}: {}", verb_of(app), e.what()) : sentence);
  } catch (CLI::ParseError const& e) {
    throw usage_error(fmt::format("{}: {}", verb_of(app), e.what()));
  }
  for (std::string const& word : app.remaining())
    if (word != "--") refuse_word(app, word);
  refuse_empty_values(app);
  return true;
}

void options_of(int (*run)(words const&), std::function<void(CLI::App const&)> const& look) {
  observer = &look;
  try {
    run({});
  } catch (...) {
    observer = nullptr;
    throw;
  }
  observer = nullptr;
}

std::string highlighted(std::string_view text, colour as) {
  auto const set = [](char const* name) {
    char const* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  bool const wanted = writes_to_terminal() && set("NO_COLOR").empty() && set("TERM") != "dumb";
  return wanted ? fmt::format("\x1b[{}m{}\x1b[0m", as == colour::green ? 32 : 31, text) : std::string(text);
}

long long parse_integer(std::string_view text) {
  layout_reader reader(text);
  long long const number = reader.read_integer();
  reader.expect_end();
  return number;
}

std::string excerpt(text_error const& error) {
  std::string text = error.caret();
  std::size_t at = error.position();
  text.resize(text.size() - at - 2);  // the caret's line
  std::size_t begin = 0, end = text.size();
  if (end > excerpt_width) {
    begin = at > excerpt_width / 2 ? at - excerpt_width / 2 : 0;
    while (begin > 0 && begin < text.size() && continues_character(text[begin])) --begin;
    end = std::min(text.size(), begin + excerpt_width);
    while (end < text.size() && continues_character(text[end])) ++end;
  }
  std::string line = begin > 0 ? "..." : "";
  std::string below(line.size(), ' ');
  for (std::size_t i = begin; i < end; ++i) {
    line += printable(text[i]);
    if (i < at && !continues_character(text[i])) below += ' ';
  }
  if (end < text.size()) line += "...";
  return "  " + line + "\n  " + below + "^";
}

void report(std::exception const& error, std::string_view place) {
  std::string sentence =
      fmt::format("tilewright: {}{}{}", place, place.empty() ? "" : ": ", with_installed_page(error.what()));
  std::replace_if(
      sentence.begin(), sentence.end(), [](char ch) { return printable(ch) != ch; }, ' ');
  sentence += '\n';
  if (auto const* with_text = dynamic_cast<text_error const*>(&error)) sentence += excerpt(*with_text) + "\n";
  complain(sentence);
}

int for_each_row(std::string const& path,
                 std::function<std::string(std::string_view, std::string_view)> const& result_of) {
  std::ifstream file;
  if (path != "-") {
    if (std::filesystem::is_directory(path))
      throw usage_error(fmt::format("{} is a folder, not a file", in_quotation(path)));
    errno = 0;
    file.open(path);
    if (!file) throw usage_error(fmt::format("{} cannot be read: {}", in_quotation(path), std::strerror(errno)));
  }
  std::istream& in = path == "-" ? std::cin : file;
  int status = success;
  std::string line;
  for (long long row = 1; std::getline(in, line); ++row) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    try {
      std::string_view const whole = line;
      std::size_t const first = whole.find('\t');
      if (first == std::string_view::npos) throw text_error("expected a tab behind the operation", line, line.size());
      std::string_view const operation = whole.substr(0, first);
      std::string_view const arguments = whole.substr(first + 1, whole.find('\t', first + 1) - first - 1);
      say("{}\t{}\t{}\n", operation, arguments, result_of(operation, arguments));
    } catch (output_error const&) {
      throw;
    } catch (std::exception const& e) {
      report(e, fmt::format("{}:{}", path == "-" ? "standard input" : path, row));
      status = bad_input;
    }
  }
  if (in.bad() || (path == "-" && std::ferror(stdin) != 0))
    throw usage_error(fmt::format("{} cannot be read to its end: {}",
                                  path == "-" ? "standard input" : in_quotation(path), std::strerror(errno)));
  return status;
}

}  // namespace tilewright::cli
