// A .npy file as memory to read from.
#pragma once

#include "apps/cli/convert/file.hpp"
#include "tilewright/engine/npy.hpp"

#include <sys/stat.h>

namespace tilewright::cli {

class npy_input {
 public:
  /// error: file_error with the path; for a broken header with the byte where it is broken
  explicit npy_input(std::string const& path);

  std::string const& path() const { return path_; }
  npy_array const& array() const { return array_; }
  /// The whole file, header first.
  mapping const& memory() const { return memory_; }
  std::byte const* data() const { return memory_.begin() + array_.data_begin; }

  /// Is that file this one, perhaps under another name?
  bool is(struct stat const& other) const { return other.st_dev == opened_.st_dev && other.st_ino == opened_.st_ino; }

  /// error: file_error when somebody wrote to the file since it was opened
  void check_unchanged() const;

  /// What to say of a byte that could not be read.
  file_error lost_byte(std::size_t at) const;

 private:
  std::string path_;
  descriptor file_;
  struct stat opened_ {};
  mapping memory_;
  npy_array array_;
};

}  // namespace tilewright::cli
