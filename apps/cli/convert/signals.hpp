// Signals that end the process take its unfinished file with them.
#pragma once

#include <array>
#include <csignal>
#include <string>

namespace tilewright::cli {

/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT print a sentence and remove the file that remove() named, before
/// they do what they do. Signals that were ignored stay ignored. SIGXFSZ is ignored, so that a limit on file sizes is an
/// error of the call. One at a time.
class stop_signals {
 public:
  explicit stop_signals(std::string const& sentence);
  stop_signals(stop_signals const&) = delete;
  stop_signals& operator=(stop_signals const&) = delete;
  ~stop_signals();

  /// From now on that file goes; "" for none. May be called without any stop_signals.
  static void remove(std::string const& path);

  static constexpr std::array caught{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ};

 private:
  std::array<struct sigaction, caught.size()> previous_{};
};

}  // namespace tilewright::cli
