// A line that opens a section of the demonstration.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tilewright::cli {

inline void print_title(std::string_view title) {
  constexpr std::size_t width = 114;
  std::string const line(title.size() < width ? width - title.size() : 0, '-');
  std::printf("\n--- %.*s %s\n\n", static_cast<int>(title.size()), title.data(), line.c_str());
}

}  // namespace tilewright::cli
