// Writes results and complaints.
#include "apps/cli/output.hpp"

#include "tilewright/render/writers.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

namespace tilewright::cli {
namespace {

bool sigpipe_was_default = false;

struct collected {
  std::string file, text;
};
std::optional<collected> into_file;
thread_local std::string* into_text = nullptr;  // of a captured_output

std::string sentence_of(int reason) {
  if (reason == EBADF)
    return "standard output is closed, so the result cannot be written; open it, or use --output FILE";
  return fmt::format("the result cannot be written to standard output{}{}", reason == 0 ? "" : ": ",
                     reason == 0 ? "" : std::strerror(reason));
}

/// Why standard output failed: errno where the call set it. A program of the examples may have failed before; then what can
/// still be seen is whether the reader of the pipe is gone.
int reason_of_failure() {
  if (errno != 0) return errno;
  pollfd at{STDOUT_FILENO, POLLOUT, 0};
  return poll(&at, 1, 0) == 1 && (at.revents & POLLERR) != 0 ? EPIPE : 0;
}

}  // namespace

output_error::output_error(int reason) : std::runtime_error(sentence_of(reason)), pipe_closed_(reason == EPIPE) {}

void guard_standard_streams() {
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest number that is free is this one. Opened the wrong way round: every read or write of it fails.
    int const opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != -1 && opened != stream) close(opened);
  }
  struct sigaction now {};
  sigpipe_was_default = sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL;
  if (sigpipe_was_default) (void)std::signal(SIGPIPE, SIG_IGN);  // so that destructors run before the end
}

captured_output::captured_output() { into_text = &text_; }
captured_output::~captured_output() {
  into_text = nullptr;
  into_file.reset();  // a verb that failed has left it
}

void put(std::string_view text) {
  if (into_file) {
    into_file->text += text;
    return;
  }
  if (into_text != nullptr) {
    *into_text += text;
    return;
  }
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::ferror(stdout) != 0)
    throw output_error(reason_of_failure());
}

void put_into(std::string const& file) {
  if (file != "-") into_file = collected{file, {}};
}

bool writes_to_terminal() { return !into_file && into_text == nullptr && isatty(STDOUT_FILENO) == 1; }

void finish_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw output_error(reason_of_failure());
  if (!into_file) return;
  collected const all = std::move(*into_file);
  into_file.reset();
  render::save_text(all.text, all.file);
}

void complain(std::string_view text) noexcept {
  (void)std::fflush(stdout);  // earlier output appears before it
  while (!text.empty()) {
    ssize_t const written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void end_by_closed_pipe() {
  if (!sigpipe_was_default) return;
  (void)std::signal(SIGPIPE, SIG_DFL);
  (void)std::raise(SIGPIPE);
}

std::string in_quotation(std::string_view name) {
  bool const has_quote = name.find('\'') != std::string_view::npos;
  return fmt::format("{0}{1}{0}", has_quote && name.find('"') == std::string_view::npos ? '"' : '\'', name);
}

}  // namespace tilewright::cli
