// Opens, checks and maps the input.
#include "apps/cli/convert/input.hpp"

#include <fcntl.h>
#include <algorithm>
#include <cerrno>

namespace tilewright::cli {

npy_input::npy_input(std::string const& path)
    : path_(path),
      file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (!file_) fail_with(errno, path, "cannot be read");
  if (fstat(file_.get(), &opened_) != 0) fail_with(errno, path, "cannot be read");
  if (S_ISDIR(opened_.st_mode)) throw file_error(fmt::format("'{}' is a folder, not a file", path));
  if (!S_ISREG(opened_.st_mode))
    throw file_error(fmt::format("'{}' is no regular file; only those can be mapped, so write it to one first", path));
  auto const bytes = static_cast<std::size_t>(opened_.st_size);
  if (bytes > 0) {
    void* const begin = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_.get(), 0);
    if (begin == MAP_FAILED) fail_with(errno, path, "cannot be mapped");
    memory_ = mapping(begin, bytes);
  }
  // The header is read by pread: the file may shrink before anybody watches its mapping.
  std::string head(std::min(bytes, npy_longest_header), '\0');
  std::size_t got = 0;
  while (got < head.size()) {
    ssize_t const n = pread(file_.get(), head.data() + got, head.size() - got, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_with(errno, path, "cannot be read");
    if (n == 0) throw lost_byte(got);
    got += static_cast<std::size_t>(n);
  }
  try {
    array_ = read_npy(std::as_bytes(std::span(head)), opened_.st_size);
  } catch (npy_error const& e) {
    throw file_error(fmt::format("'{}' cannot be converted: {}", path, e.what()));
  }
}

void npy_input::check_unchanged() const {
  struct stat now {};
  if (fstat(file_.get(), &now) != 0) fail_with(errno, path_, "cannot be read any more");
  bool const same = now.st_size == opened_.st_size && now.st_mtim.tv_sec == opened_.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == opened_.st_mtim.tv_nsec;
  if (!same)
    throw file_error(
        fmt::format("'{}' was written to while it was read, so the output was given up; try again", path_));
}

file_error npy_input::lost_byte(std::size_t at) const {
  struct stat now {};
  bool const is_shorter = fstat(file_.get(), &now) == 0 && now.st_size < opened_.st_size;
  if (is_shorter)
    return file_error(fmt::format("'{}' was cut from {} to {} bytes while it was read, so the output was given up",
                                  path_, opened_.st_size, now.st_size));
  return file_error(fmt::format("'{}' cannot be read at byte {}: its disk reports an error", path_, at));
}

}  // namespace tilewright::cli
