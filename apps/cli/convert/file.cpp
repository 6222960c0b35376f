// Calls of the system, each repeated when a signal interrupts it.
#include "apps/cli/convert/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

namespace tilewright::cli {
namespace {

template <class Call>
std::size_t transfer(std::size_t bytes, Call const& call, int& code) {
  std::size_t done = 0;
  code = 0;
  while (done < bytes) {
    ssize_t const n = call(done, std::min(bytes - done, std::size_t{1} << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) code = errno;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

}  // namespace

std::string shell_name(std::string_view path) {
  auto const is_control = [](char ch) {
    auto const code = static_cast<unsigned char>(ch);
    return code < 0x20 || code == 0x7f;
  };
  bool const has_control = std::any_of(path.begin(), path.end(), is_control);
  std::string out = has_control ? "$'" : "'";
  for (char const ch : path) {
    if (is_control(ch)) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(ch));
    else if (ch == '\'') out += has_control ? "\\'" : "'\\''";
    else if (ch == '\\' && has_control) out += "\\\\";
    else out += ch;
  }
  return out + "'";
}

void fail_with(int code, std::string const& path, std::string const& what) {
  throw file_error(fmt::format("{} {}: {}", shell_name(path), what, std::strerror(code)));
}

descriptor::~descriptor() {
  if (number_ >= 0) ::close(number_);
}

descriptor descriptor::duplicate() const { return descriptor(fcntl(number_, F_DUPFD_CLOEXEC, 0)); }

mapping::mapping(descriptor const& file, std::size_t bytes, std::string const& path) {
  if (bytes == 0) return;
  void* const begin = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.get(), 0);
  if (begin == MAP_FAILED) fail_with(errno, path, "cannot be mapped");
  begin_ = static_cast<std::byte*>(begin);
  bytes_ = bytes;
}

mapping::~mapping() {
  if (begin_ != nullptr) ::munmap(begin_, bytes_);
}

void mapping::give_back() const {
  if (begin_ != nullptr) (void)madvise(begin_, bytes_, MADV_DONTNEED);
}

block_memory::block_memory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  void* const begin = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  begin_ = static_cast<std::byte*>(begin);
  (void)madvise(begin_, bytes_, MADV_HUGEPAGE);
}

block_memory::~block_memory() { ::munmap(begin_, bytes_); }

std::size_t read_at(int file, std::int64_t at, std::span<std::byte> into, int& code) {
  return transfer(
      into.size(),
      [&](std::size_t done, std::size_t bytes) {
        return pread(file, into.data() + done, bytes, static_cast<off_t>(at) + static_cast<off_t>(done));
      },
      code);
}

std::size_t read_stream(int file, std::span<std::byte> into, int& code) {
  return transfer(
      into.size(), [&](std::size_t done, std::size_t bytes) { return read(file, into.data() + done, bytes); }, code);
}

int write_at(int file, std::int64_t at, std::span<std::byte const> bytes) {
  int code = 0;
  std::size_t const done = transfer(
      bytes.size(),
      [&](std::size_t before, std::size_t n) {
        return pwrite(file, bytes.data() + before, n, static_cast<off_t>(at) + static_cast<off_t>(before));
      },
      code);
  return done < bytes.size() && code == 0 ? ENOSPC : code;
}

int write_stream(int file, std::span<std::byte const> bytes) {
  int code = 0;
  std::size_t const done = transfer(
      bytes.size(), [&](std::size_t before, std::size_t n) { return write(file, bytes.data() + before, n); }, code);
  return done < bytes.size() && code == 0 ? EIO : code;
}

std::int64_t free_bytes(int file) {
  struct statvfs room {};
  constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();
  if (fstatvfs(file, &room) != 0 || room.f_blocks == 0) return unknown;
  auto const blocks = static_cast<std::int64_t>(geteuid() == 0 ? room.f_bfree : room.f_bavail);
  auto const unit = static_cast<std::int64_t>(room.f_frsize);
  return unit > 0 && blocks > unknown / unit ? unknown : blocks * unit;
}

std::string text_of_bytes(std::int64_t bytes) {
  auto const number = static_cast<double>(bytes);
  if (bytes < 1'000'000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB ({} bytes)", number / 1e6, bytes);
  return fmt::format("{:.1f} GB ({} bytes)", number / 1e9, bytes);
}

}  // namespace tilewright::cli
