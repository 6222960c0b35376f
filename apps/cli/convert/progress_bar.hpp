// How far a conversion is, how fast it goes and when it will be done; on a terminal alone.
#pragma once

#include "apps/cli/progress.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::cli {

/// "writing  45 % [#########           ]   3.2 GB/s  0:12 left"
inline std::string progress_text(std::string_view doing, std::int64_t done, std::int64_t total, double seconds) {
  constexpr int width = 30;
  double const share = total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 1.0;
  auto const full = static_cast<int>(share * width);
  double const rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string const bar =
      std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(width - full), ' ');
  std::string out = fmt::format("{} {:3.0f} % [{}]", doing, share * 100, bar);
  if (rate <= 0) return out;
  out += rate >= 1e9 ? fmt::format("  {:6.2f} GB/s", rate / 1e9) : fmt::format("  {:6.1f} MB/s", rate / 1e6);
  auto const left = static_cast<std::int64_t>(static_cast<double>(total - done) / rate + 0.5);
  if (left >= 3600) return out + fmt::format("  {}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60);
  return out + fmt::format("  {}:{:02} left", left / 60, left % 60);
}

class progress_bar {
 public:
  progress_bar(std::string_view doing, std::int64_t total_bytes) : doing_(doing), total_(total_bytes) {}

  void show(std::int64_t done_bytes) {
    if (!line_.on_terminal()) return;
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    line_.show(progress_text(doing_, done_bytes, total_, seconds));
  }

 private:
  std::string doing_;
  std::int64_t total_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  progress line_;
};

}  // namespace tilewright::cli
