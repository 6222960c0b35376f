// Small pieces of POSIX that the files of a conversion need: a descriptor that closes itself, a mapping that unmaps
// itself, reads and writes that go on after an interruption, and the system's reasons in a sentence.
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tilewright::cli {

/// A file cannot be read or written; `what()` is the sentence.
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The name of a file as a shell reads it: 'in.npy', 'it'\''s', $'a\nb'.
std::string shell_name(std::string_view path);

/// "'PATH' WHAT: the system's reason for `code`"
[[noreturn]] void fail_with(int code, std::string const& path, std::string const& what);

class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  descriptor(descriptor const&) = delete;
  descriptor(descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
  descriptor& operator=(descriptor from) noexcept {
    std::swap(number_, from.number_);
    return *this;
  }
  ~descriptor();
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  /// Another number for the same open file; none when the system refuses.
  descriptor duplicate() const;

 private:
  int number_;
};

/// A whole file as memory to read.
class mapping {
 public:
  mapping() = default;
  /// error: file_error; an empty file gives an empty mapping
  mapping(descriptor const& file, std::size_t bytes, std::string const& path);
  mapping(mapping const&) = delete;
  mapping(mapping&& from) noexcept
      : begin_(std::exchange(from.begin_, nullptr)),
        bytes_(std::exchange(from.bytes_, 0)) {}
  mapping& operator=(mapping from) noexcept {
    std::swap(begin_, from.begin_);
    std::swap(bytes_, from.bytes_);
    return *this;
  }
  ~mapping();
  std::byte const* begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }
  /// The process keeps none of its pages; the next access maps them again.
  void give_back() const;

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Memory for a block, in huge pages where the system has them; zeros at first.
class block_memory {
 public:
  explicit block_memory(std::size_t bytes);
  block_memory(block_memory const&) = delete;
  block_memory& operator=(block_memory const&) = delete;
  ~block_memory();
  std::byte* data() const { return begin_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Reads until `into` is full or the file ends.
/// post: the bytes that were read; errno in `code` when that was an error, else 0
std::size_t read_at(int file, std::int64_t at, std::span<std::byte> into, int& code);
/// The same from where the stream is.
std::size_t read_stream(int file, std::span<std::byte> into, int& code);

/// post: errno of what went wrong, or 0 when all bytes were written
int write_at(int file, std::int64_t at, std::span<std::byte const> bytes);
int write_stream(int file, std::span<std::byte const> bytes);

/// Bytes that this user may still write to the file system of an open file; a huge number where it does not say.
std::int64_t free_bytes(int file);

/// "1536 bytes", "1.5 GB (1536000000 bytes)"
std::string text_of_bytes(std::int64_t bytes);

}  // namespace tilewright::cli
