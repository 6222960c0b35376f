// The programs of examples/, which the command can run: one row for each.
#pragma once

#include <span>
#include <string_view>

namespace tilewright::cli {

struct example_program {
  std::string_view name;  // of its file
  std::string_view title;
  int (*run)();  // 0: everything came out right
};

/// Those that tilewright demo shows, in its order.
std::span<example_program const> demo_programs();

/// All, those of the demo first.
std::span<example_program const> example_programs();

}  // namespace tilewright::cli
