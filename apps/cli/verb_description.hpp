// The verbs and their options as data, read off the parsers of the verbs themselves: what the shell's completion and the
// manual pages are made from.
#pragma once

#include "apps/cli/command.hpp"

#include <string>
#include <vector>

namespace tilewright::cli {

struct option_description {
  words names;  // "--output", "-o"; of an argument its name, "EXPR"
  bool argument = false;
  std::string value;  // its argument, "LAYOUT" or "{a,b}"; empty for a flag
  words choices;      // all words it takes, where there are such
  bool file = false;  // it takes the name of a file
  bool repeats = false;
  std::string purpose;
};

struct verb_description {
  std::string name, purpose;
  std::string introduction;  // lines that begin with blanks are examples
  std::string footer;        // text as it is
  std::vector<option_description> options;
};

/// All verbs, in the order of the help.
std::vector<verb_description> describe_verbs();

}  // namespace tilewright::cli
