// How far a long step is: one line that is written over on a terminal; elsewhere a plain line now and then.
#pragma once

#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <string_view>

namespace tilewright::cli {

class progress {
 public:
  /// Quiet: nothing is shown, because standard output is for a program.
  explicit progress(bool quiet = false) : on_terminal_(!quiet && isatty(STDOUT_FILENO) != 0), quiet_(quiet) {}
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress() { clear(); }

  bool on_terminal() const { return on_terminal_; }

  /// Where only lines can be printed, at most one in two seconds.
  void show(std::string_view text) {
    if (quiet_) return;
    auto const now = std::chrono::steady_clock::now();
    auto const pause = on_terminal_ ? std::chrono::milliseconds(50) : std::chrono::milliseconds(2000);
    if (now - shown_at_ < pause) return;
    shown_at_ = now;
    // What goes wrong with it shows when the result is written.
    (void)std::printf(on_terminal_ ? "\r\033[K%.*s" : "%.*s ...\n", static_cast<int>(text.size()), text.data());
    (void)std::fflush(stdout);
    written_ = true;
  }
  /// What comes next begins at an empty line.
  void clear() {
    if (!written_) return;
    if (on_terminal_) (void)std::printf("\r\033[K");
    (void)std::fflush(stdout);
    written_ = false;
  }

 private:
  bool on_terminal_;
  bool quiet_;
  bool written_ = false;
  std::chrono::steady_clock::time_point shown_at_ = std::chrono::steady_clock::now();
};

}  // namespace tilewright::cli
