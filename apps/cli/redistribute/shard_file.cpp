#include "apps/cli/redistribute/shard_file.hpp"

#include "apps/cli/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

namespace tilewright::cli {
namespace {

[[noreturn]] void refuse_file(std::string const& path, char const* what, int error) {
  throw usage_error(fmt::format("redistribute: {} {}: {}", path, what, std::strerror(error)));
}

std::byte* map_pages(int file, std::size_t size, int access, std::string const& path) {
  if (size == 0) return nullptr;
  void* const pages = ::mmap(nullptr, size, access, MAP_SHARED, file, 0);
  if (pages == MAP_FAILED) refuse_file(path, "cannot be mapped", errno);
  return static_cast<std::byte*>(pages);
}

}  // namespace

mapped_file::mapped_file(mapped_file&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

mapped_file& mapped_file::operator=(mapped_file&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

mapped_file::~mapped_file() {
  if (data_ != nullptr) ::munmap(data_, size_);
  if (file_ >= 0) ::close(file_);
}

shard_input::shard_input(std::string const& path) {
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) refuse_file(path, "cannot be read", errno);
  struct stat about {};
  if (::fstat(file_, &about) != 0) refuse_file(path, "cannot be read", errno);
  if (!S_ISREG(about.st_mode)) throw usage_error(fmt::format("redistribute: {} is not a file", path));
  size_ = static_cast<std::size_t>(about.st_size);
  data_ = map_pages(file_, size_, PROT_READ, path);
  try {
    array_ = read_npy(std::span(data_, std::min(size_, npy_longest_header)), about.st_size);
  } catch (npy_error const& e) {
    throw usage_error(fmt::format("redistribute: {}: {}", path, e.what()));
  }
}

shard_output::shard_output(std::string path, npy_header const& header, std::size_t element_bytes)
    : path_(std::move(path)),
      partial_(path_ + ".partial") {
  std::string const head = write_npy_header(header);
  begin_ = head.size();
  size_ = begin_ + element_bytes;
  file_ = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) refuse_file(partial_, "cannot be written", errno);
  if (int const error = ::posix_fallocate(file_, 0, static_cast<off_t>(size_)); error != 0) {
    ::unlink(partial_.c_str());
    refuse_file(partial_, fmt::format("cannot have its {} bytes", size_).c_str(), error);
  }
  data_ = map_pages(file_, size_, PROT_READ | PROT_WRITE, partial_);
  std::memcpy(data_, head.data(), head.size());
}

void shard_output::commit() {
  if (::msync(data_, size_, MS_SYNC) != 0 || ::fsync(file_) != 0) refuse_file(partial_, "cannot be written", errno);
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) refuse_file(path_, "cannot be replaced", errno);
  committed_ = true;
}

shard_output::~shard_output() {
  if (!committed_) ::unlink(partial_.c_str());
}

std::string shard_path(std::string const& pattern, int rank) {
  std::size_t const at = pattern.find("{}");
  if (at == std::string::npos)
    throw usage_error(
        fmt::format("redistribute: '{}' names one file, and there is one for each rank; write {{}} where the "
                    "rank's number belongs, as in part_{{}}.npy",
                    pattern));
  return pattern.substr(0, at) + std::to_string(rank) + pattern.substr(at + 2);
}

}  // namespace tilewright::cli
