// Writes beside and puts into place. Without --force the name is given by link(2), which fails where there is one, so
// that not even a file that appears in the last moment is lost; with --force by rename(2), which swaps in one step.
#include "apps/cli/convert/output.hpp"

#include "apps/cli/convert/signals.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>

namespace tilewright::cli {
namespace {

constexpr std::size_t longest_part = 200;  // of a name in the unique one; file systems allow 255 bytes in all

std::string name_of_descriptor(descriptor const& file) { return fmt::format("/proc/self/fd/{}", file.get()); }

/// A name that nobody has: hidden, with ours in it.
std::string unique_name(std::string const& folder, std::string const& target) {
  std::string const own = std::filesystem::path(target).filename().string().substr(0, longest_part);
  std::random_device random;
  return fmt::format("{}/.{}.{}-{:08x}.part", folder, own, getpid(), random());
}

}  // namespace

new_file::new_file(std::string const& path, bool replace, kind how) : path_(path), target_(path), replace_(replace) {
  struct stat there {};
  if (lstat(path.c_str(), &there) == 0) {
    if (S_ISLNK(there.st_mode)) {
      std::error_code failed;
      target_ = std::filesystem::canonical(path, failed).string();
      if (failed || stat(target_.c_str(), &there) != 0)
        throw file_error(fmt::format("'{}' is a link that leads to no file; remove it first", path));
    }
    if (S_ISDIR(there.st_mode)) throw file_error(fmt::format("'{}' is a folder, not a file", path));
    if (!S_ISREG(there.st_mode))
      throw file_error(fmt::format("'{}' is no regular file; only those are replaced", path));
    if (!replace) throw file_error(fmt::format("'{}' exists; --force replaces it", path));
    replaced_ = there;
  } else if (errno != ENOENT) {
    fail_with(errno, path, "cannot be written");
  }
  std::filesystem::path const target(target_);
  if (!target.has_filename()) throw file_error(fmt::format("'{}' names no file", path));
  folder_ = target.has_parent_path() ? target.parent_path().string() : ".";
  if (how == kind::unnamed_if_possible) open_unnamed();
  if (!file_) open_named();
  if (!replaced_) return;
  // The owner may be somebody else's to give, and then stays; the permissions are ours.
  if (fchown(file_.get(), replaced_->st_uid, replaced_->st_gid) != 0) errno = 0;
  if (fchmod(file_.get(), replaced_->st_mode & 0777) != 0) fail_with(errno, path_, "cannot be given its permissions");
}

new_file::~new_file() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  stop_signals::remove("");
}

/// post: no file where the file system, or the lack of /proc, does not allow it
void new_file::open_unnamed() {
  descriptor file(open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
  if (file && access(name_of_descriptor(file).c_str(), F_OK) == 0) file_ = std::move(file);
}

void new_file::open_named() {
  for (int attempt = 0; !file_ && attempt < 100; ++attempt) {
    std::string const name = unique_name(folder_, target_);
    stop_signals::remove(name);
    file_ = descriptor(open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (file_) temporary_ = name;
    else if (errno != EEXIST) {
      int const code = errno;
      stop_signals::remove("");
      fail_with(code, path_, "cannot be written");
    }
  }
  if (!file_) fail_with(EEXIST, path_, "cannot be written");
}

void new_file::allocate(std::size_t bytes) {
  auto const wanted = static_cast<off_t>(bytes);
  if (wanted < 0 || static_cast<std::size_t>(wanted) != bytes) fail_with(EFBIG, path_, "cannot be written");
  int code = EINTR;
  while (code == EINTR) code = posix_fallocate(file_.get(), 0, wanted);
  if (code == ENOSPC) {
    struct statvfs room {};
    std::string const left = fstatvfs(file_.get(), &room) == 0
                                 ? fmt::format("{} are free", static_cast<std::size_t>(room.f_bavail) * room.f_frsize)
                                 : "fewer are free";
    throw file_error(
        fmt::format("'{}' needs {} bytes and the file system of '{}' is full: {}", path_, bytes, folder_, left));
  }
  if (code != 0) fail_with(code, path_, fmt::format("cannot be given its {} bytes", bytes));
  void* const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (begin == MAP_FAILED) fail_with(errno, path_, "cannot be mapped");
  memory_ = mapping(begin, bytes);
}

void new_file::begin_writing() const {
  // A hint: what fails here shows when the file is flushed.
  (void)sync_file_range(file_.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
}

void new_file::flush() const {
  if (fsync(file_.get()) != 0) fail_with(errno, path_, "cannot be written to its disk");
}

void new_file::reread() {
  std::size_t const bytes = memory_.bytes();
  memory_ = mapping();
  (void)posix_fadvise(file_.get(), 0, 0, POSIX_FADV_DONTNEED);
  void* const begin = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_.get(), 0);
  if (begin == MAP_FAILED) fail_with(errno, path_, "cannot be mapped");
  memory_ = mapping(begin, bytes);
}

/// error: errno of linkat, as file_error
void new_file::link_to(std::string const& name) const {
  int const code = linkat(AT_FDCWD, name_of_descriptor(file_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  if (code == 0) return;
  if (errno == EEXIST) throw file_error(fmt::format("'{}' appeared meanwhile and is left as it is", path_));
  fail_with(errno, path_, "cannot be put into place");
}

void new_file::publish() {
  memory_ = mapping();
  if (temporary_.empty() && !replace_) {
    link_to(target_);
    return sync_folder();
  }
  if (temporary_.empty()) {
    std::string const name = unique_name(folder_, target_);
    stop_signals::remove(name);
    link_to(name);
    temporary_ = name;
  }
  int code = replace_ ? rename(temporary_.c_str(), target_.c_str())
                      : renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE);
  if (code != 0 && !replace_ && (errno == EINVAL || errno == ENOSYS)) {  // the file system knows no such rename
    code = link(temporary_.c_str(), target_.c_str());
    if (code == 0) unlink(temporary_.c_str());
  }
  if (code != 0 && errno == EEXIST)
    throw file_error(fmt::format("'{}' appeared meanwhile and is left as it is", path_));
  if (code != 0) fail_with(errno, path_, "cannot be put into place");
  temporary_.clear();
  stop_signals::remove("");
  sync_folder();
}

/// The name is on the disk too. A folder that may be written but not read cannot be flushed by us.
void new_file::sync_folder() const {
  descriptor const folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder && fsync(folder.get()) != 0 && errno != EINVAL)
    fail_with(errno, path_, "is in place, but its name may not be on the disk yet");
}

file_error new_file::lost_byte(std::size_t at) const {
  return file_error(fmt::format("'{}' cannot be written at byte {}: its disk is full or reports an error", path_, at));
}

}  // namespace tilewright::cli
