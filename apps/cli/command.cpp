// Parses arguments, reports errors, reads tables.
#include "apps/cli/command.hpp"

#include "apps/cli/nearest.hpp"

#include <fmt/format.h>
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
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  return names;
}

[[noreturn]] void refuse_word(CLI::App const& app, std::string const& word) {
  std::string sentence = fmt::format("{} does not take '{}'", verb_of(app), word);
  bool const negative = word.size() > 1 && word[0] == '-' && word[1] != '-' && !std::isalpha(word[1]);
  std::vector<std::string> const names = option_names(app);
  std::string_view const near = nearest(word.substr(0, word.find('=')), names);
  if (negative) sentence += "; write -- in front of what begins with '-' and is no option";
  else if (!near.empty()) sentence += fmt::format("; did you mean '{}'?", near);
  else sentence += fmt::format("; {} --help lists what it takes", app.get_name());
  throw usage_error(sentence);
}

}  // namespace

bool parse(CLI::App& app, words const& arguments) {
  if (observer != nullptr) {
    (*observer)(app);
    return false;
  }
  app.allow_extras();
  words reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (CLI::CallForHelp const&) {
    fmt::print("{}", app.help());
    return false;
  } catch (CLI::ArgumentMismatch const& e) {
    std::string const sentence = e.what();
    throw usage_error(fmt::format("{} {} needs a value, once", verb_of(app), sentence.substr(0, sentence.find(':'))));
  } catch (CLI::ParseError const& e) {
    throw usage_error(fmt::format("{}: {}", verb_of(app), e.what()));
  }
  for (std::string const& word : app.remaining())
    if (word != "--") refuse_word(app, word);
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
  bool const wanted = isatty(STDOUT_FILENO) == 1 && set("NO_COLOR").empty() && set("TERM") != "dumb";
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
  std::fflush(stdout);
  std::string sentence = fmt::format("tilewright: {}{}{}", place, place.empty() ? "" : ": ", error.what());
  std::replace_if(
      sentence.begin(), sentence.end(), [](char ch) { return printable(ch) != ch; }, ' ');
  fmt::print(stderr, "{}\n", sentence);
  if (auto const* with_text = dynamic_cast<text_error const*>(&error)) fmt::print(stderr, "{}\n", excerpt(*with_text));
}

int for_each_row(std::string const& path,
                 std::function<std::string(std::string_view, std::string_view)> const& result_of) {
  std::ifstream file;
  if (path != "-") {
    if (std::filesystem::is_directory(path)) throw usage_error(fmt::format("'{}' is a folder, not a file", path));
    errno = 0;
    file.open(path);
    if (!file) throw usage_error(fmt::format("'{}' cannot be read: {}", path, std::strerror(errno)));
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
      fmt::print("{}\t{}\t{}\n", operation, arguments, result_of(operation, arguments));
    } catch (std::exception const& e) {
      report(e, fmt::format("{}:{}", path == "-" ? "standard input" : path, row));
      status = bad_input;
    }
  }
  return status;
}

}  // namespace tilewright::cli
