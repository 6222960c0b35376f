// The verbs of the command, in the order of its help. The shell's completion and the man pages are made from this table
// and from the options that each verb parses.
#pragma once

#include "apps/cli/command.hpp"

#include <span>
#include <string_view>

namespace tilewright::cli {

struct verb {
  std::string_view name;
  std::string_view purpose;
  int (*run)(words const&);
};

std::span<verb const> verbs();

}  // namespace tilewright::cli
