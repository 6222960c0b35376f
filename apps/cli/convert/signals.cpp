// The handler may do next to nothing: all its words and names are in fixed memory.
#include "apps/cli/convert/signals.hpp"

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>

namespace tilewright::cli {
namespace {

char path_to_remove[PATH_MAX + 1];
std::atomic<bool> has_path{false};
char sentence_to_print[PATH_MAX + 256];
std::atomic<bool> on_terminal{false};

extern "C" void tilewright_cli_on_stop(int signal) {
  if (has_path) unlink(path_to_remove);
  constexpr char clear_line[] = "\r\033[K";
  ssize_t written = 0;
  if (on_terminal) written = ::write(STDOUT_FILENO, clear_line, sizeof(clear_line) - 1);
  written = ::write(STDERR_FILENO, sentence_to_print, std::strlen(sentence_to_print));
  (void)written;  // what cannot be printed any more cannot be helped
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  ::raise(signal);
}

}  // namespace

stop_signals::stop_signals(std::string const& sentence) {
  std::size_t const length = std::min(sentence.size(), sizeof(sentence_to_print) - 1);
  std::memcpy(sentence_to_print, sentence.data(), length);
  sentence_to_print[length] = '\0';
  on_terminal = isatty(STDOUT_FILENO) != 0;
  for (std::size_t i = 0; i < caught.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = caught[i] == SIGXFSZ ? SIG_IGN : tilewright_cli_on_stop;
    sigfillset(&action.sa_mask);
    sigaction(caught[i], nullptr, &previous_[i]);
    if (previous_[i].sa_handler != SIG_IGN) sigaction(caught[i], &action, nullptr);
  }
}

stop_signals::~stop_signals() {
  for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &previous_[i], nullptr);
}

void stop_signals::remove(std::string const& path) {
  has_path = false;
  if (path.empty() || path.size() >= sizeof(path_to_remove)) return;
  std::memcpy(path_to_remove, path.c_str(), path.size() + 1);
  has_path = true;
}

}  // namespace tilewright::cli
