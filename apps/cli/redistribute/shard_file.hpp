// The .npy file of one rank, mapped into memory: the kernel reads and writes pages as they are touched, so that a file may be
// larger than memory.
#pragma once

#include "tilewright/engine/npy.hpp"

#include <cstddef>
#include <string>

namespace tilewright::cli {

/// Memory that is a file.
class mapped_file {
 public:
  mapped_file() = default;
  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 protected:
  mapped_file(int file, std::byte* data, std::size_t size) : file_(file), data_(data), size_(size) {}
  int file_ = -1;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A shard to read.
class shard_input : public mapped_file {
 public:
  /// error: usage_error with the path
  explicit shard_input(std::string const& path);
  npy_array const& array() const { return array_; }
  std::byte const* elements() const { return data() + array_.data_begin; }

 private:
  npy_array array_;
};

/// A shard to write: PATH.partial until commit() renames it, so that PATH is whole or absent.
class shard_output : public mapped_file {
 public:
  /// All of its space is reserved at once: a full disk is an error here.
  /// error: usage_error with the path
  shard_output(std::string path, npy_header const& header, std::size_t element_bytes);
  shard_output(shard_output&&) = delete;
  /// Removes what is not committed.
  ~shard_output();

  std::byte* elements() const { return data() + begin_; }
  /// Written to the disk, then renamed.
  void commit();

 private:
  std::string path_, partial_;
  std::size_t begin_ = 0;
  bool committed_ = false;
};

/// "part_{}.npy" and 3: "part_3.npy".
/// error: usage_error where the pattern has no {}
std::string shard_path(std::string const& pattern, int rank);

}  // namespace tilewright::cli
