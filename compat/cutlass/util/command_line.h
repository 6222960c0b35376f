// Options as --name or --name=value, lists as --name=a,b,c.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace cutlass {

struct CommandLine {
  std::string program_path;
  std::vector<std::string> keys, values, args;

  CommandLine(int argc, char const** argv) {
    if (argc > 0) program_path = argv[0];
    for (int i = 1; i < argc; ++i) {
      std::string const word = argv[i];
      if (word.rfind("--", 0) != 0) {
        args.push_back(word);
        continue;
      }
      auto const equals = word.find('=');
      keys.push_back(word.substr(2, equals == std::string::npos ? equals : equals - 2));
      values.push_back(equals == std::string::npos ? std::string() : word.substr(equals + 1));
    }
  }

  bool check_cmd_line_flag(char const* name) const { return find(name) != nullptr; }
  int num_naked_args() const { return static_cast<int>(args.size()); }
  template <class T>
  void get_cmd_line_argument(int index, T& value) const {
    if (index >= 0 && index < num_naked_args()) read(args[static_cast<std::size_t>(index)], value);
  }
  /// The option's value, or the default where it is absent or empty.
  template <class T>
  void get_cmd_line_argument(char const* name, T& value, T const& otherwise) const {
    value = otherwise;
    get_cmd_line_argument(name, value);
  }
  template <class T>
  void get_cmd_line_argument(char const* name, T& value) const {
    std::string const* const text = find(name);
    if (text != nullptr && !text->empty()) read(*text, value);
  }
  /// The parts of a text between separators, added to `out`: "64x32x8" at x is 64, 32, 8.
  static void tokenize(std::vector<std::string>& out, std::string const& text, char separator = ',') {
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, separator);) out.push_back(part);
  }
  template <class T>
  void get_cmd_line_arguments(char const* name, std::vector<T>& list, char separator = ',') const {
    std::string const* const text = find(name);
    if (text == nullptr) return;
    list.clear();
    std::istringstream parts(*text);
    for (std::string part; std::getline(parts, part, separator);) {
      T value{};
      read(part, value);
      list.push_back(std::move(value));
    }
  }
  /// A list of pairs, --name=uniform,min:-1,max:1; of a part without a colon the second string is empty.
  void get_cmd_line_argument_pairs(char const* name, std::vector<std::pair<std::string, std::string>>& list,
                                   char separator = ',', char between = ':') const {
    std::string const* const text = find(name);
    if (text == nullptr) return;
    list.clear();
    std::istringstream parts(*text);
    for (std::string part; std::getline(parts, part, separator);) {
      auto const at = part.find(between);
      list.emplace_back(part.substr(0, at), at == std::string::npos ? std::string() : part.substr(at + 1));
    }
  }
  int parsed_argc() const { return static_cast<int>(keys.size()); }

 private:
  std::string const* find(char const* name) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i] == name) return &values[i];
    return nullptr;
  }
  static void read(std::string const& text, std::string& value) { value = text; }
  static void read(std::string const& text, bool& value) { value = text != "0" && text != "false"; }
  template <class T>
  static void read(std::string const& text, T& value) {
    std::istringstream(text) >> value;
  }
};

}  // namespace cutlass
