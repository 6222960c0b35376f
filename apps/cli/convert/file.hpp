// Small pieces of POSIX that both files of a conversion need: a descriptor that closes itself, a mapping that unmaps
// itself, and the system's reasons in a sentence.
#pragma once

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace tilewright::cli {

/// A file cannot be read or written; `what()` is the sentence.
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "'PATH' WHAT: the system's reason for `code`"
[[noreturn]] inline void fail_with(int code, std::string const& path, std::string const& what) {
  throw file_error(fmt::format("'{}' {}: {}", path, what, std::strerror(code)));
}

class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  descriptor(descriptor const&) = delete;
  descriptor(descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
  descriptor& operator=(descriptor from) noexcept {
    std::swap(number_, from.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

/// A whole file as memory.
class mapping {
 public:
  mapping() = default;
  mapping(void* begin, std::size_t bytes) : begin_(static_cast<std::byte*>(begin)), bytes_(bytes) {}
  mapping(mapping const&) = delete;
  mapping(mapping&& from) noexcept
      : begin_(std::exchange(from.begin_, nullptr)),
        bytes_(std::exchange(from.bytes_, 0)) {}
  mapping& operator=(mapping from) noexcept {
    std::swap(begin_, from.begin_);
    std::swap(bytes_, from.bytes_);
    return *this;
  }
  ~mapping() {
    if (begin_ != nullptr) ::munmap(begin_, bytes_);
  }
  std::byte* begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace tilewright::cli
