// Where the command writes: results on standard output or into a file, complaints on standard error. All verbs write
// through here, so that no result is lost silently and no complaint can fail.
//
//   standard output full or closed   one sentence, exit status 2, at the first write that fails
//   reader of a pipe gone            the process ends by SIGPIPE and says nothing, as cat and grep do; where the caller
//                                    ignores SIGPIPE: one sentence, exit status 2
//   standard error full or closed    the sentence is lost, the exit status is not
#pragma once

#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tilewright::cli {

/// Standard output takes no more; `what()` is the sentence.
class output_error : public std::runtime_error {
 public:
  explicit output_error(int reason);  // of errno; 0: not known
  bool pipe_closed() const { return pipe_closed_; }

 private:
  bool pipe_closed_;
};

/// The first call of main. A standard stream that is closed is replaced by one that refuses every access: otherwise the
/// next file to be opened would take its place, and a sentence meant for the terminal would go into that file.
void guard_standard_streams();

/// A result.
/// error: output_error
void put(std::string_view text);
template <class... Values>
void say(fmt::format_string<Values...> form, Values&&... values) {
  put(fmt::format(form, std::forward<Values>(values)...));
}

/// What is put from here on goes into that file, which appears whole when finish_output() is called; "-" is standard output.
void put_into(std::string const& file);

/// While one lives, what this thread puts is kept instead, for a caller inside the process. One at a time.
class captured_output {
 public:
  captured_output();
  ~captured_output();
  captured_output(captured_output const&) = delete;
  captured_output& operator=(captured_output const&) = delete;
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};

/// Is standard output a terminal that results appear on?
bool writes_to_terminal();

/// Hands all that was put, or printed by a program of the examples, to the system.
/// error: output_error; render_error where the file of put_into() cannot be written
void finish_output();

/// Writes to standard error; does nothing where that cannot be written.
void complain(std::string_view text) noexcept;

/// Ends the process by SIGPIPE where main's caller has not asked to ignore it.
void end_by_closed_pipe();

/// The name of a file, or a word, within a sentence: 'a b.npy', "it's.npy".
std::string in_quotation(std::string_view name);

}  // namespace tilewright::cli
