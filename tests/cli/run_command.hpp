// Runs the tilewright command as a user does and returns what it printed and its exit status.
#pragma once

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::test {

struct outcome {
  int status = -1;  // -1 where it did not exit by itself
  std::string out;
  std::string err;
};

namespace detail {

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using temporary = std::unique_ptr<std::FILE, close_file>;

inline std::string contents(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int ch = std::fgetc(file); ch != EOF; ch = std::fgetc(file)) text += static_cast<char>(ch);
  return text;
}

}  // namespace detail

/// Standard streams are files, so that nothing waits for a reader.
inline outcome run_command(std::vector<std::string> arguments, std::string_view input = {}) {
  detail::temporary const in(std::tmpfile()), out(std::tmpfile()), err(std::tmpfile());
  EXPECT_TRUE(in && out && err);
  if (!input.empty()) std::fwrite(input.data(), 1, input.size(), in.get());
  std::rewind(in.get());
  std::fflush(nullptr);

  arguments.insert(arguments.begin(), "tilewright");
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  pid_t const child = fork();
  if (child == 0) {
    dup2(fileno(in.get()), STDIN_FILENO);
    dup2(fileno(out.get()), STDOUT_FILENO);
    dup2(fileno(err.get()), STDERR_FILENO);
    execv(TILEWRIGHT_CLI_PATH, words.data());
    _exit(127);
  }
  outcome result;
  int status = 0;
  if (waitpid(child, &status, 0) == child && WIFEXITED(status)) result.status = WEXITSTATUS(status);
  result.out = detail::contents(out.get());
  result.err = detail::contents(err.get());
  return result;
}

/// The one line that an expression prints; whatever goes wrong instead of it.
inline std::string value_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "eval");
  outcome const result = run_command(arguments);
  if (result.status != 0 || !result.err.empty() || result.out.empty() || result.out.back() != '\n')
    return "status " + std::to_string(result.status) + ": " + result.out + result.err;
  return result.out.substr(0, result.out.size() - 1);
}

}  // namespace tilewright::test
