// Numbers of bytes, and times, as people read them.
#pragma once

#include <fmt/format.h>
#include <cstdint>
#include <string>

namespace tilewright::plan {

/// "512 bytes", "16.4 kB", "134.2 MB"
inline std::string bytes_text(std::int64_t n) {
  if (n < 10'000) return fmt::format("{} bytes", n);
  if (n < 10'000'000) return fmt::format("{:.1f} kB", static_cast<double>(n) * 1e-3);
  return fmt::format("{:.1f} MB", static_cast<double>(n) * 1e-6);
}

/// "1.5 us", "2.31 ms", "1.02 s"
inline std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.2f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

}  // namespace tilewright::plan
