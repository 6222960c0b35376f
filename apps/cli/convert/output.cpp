// Writes beside and puts into place. Without --force the name is given by link(2), which fails where there is one, so
// that not even a file that appears in the last moment is lost; with --force by rename(2), which swaps in one step.
#include "apps/cli/convert/output.hpp"

#include "apps/cli/convert/signals.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

namespace tilewright::cli {
namespace {

constexpr std::size_t longest_part = 200;  // of a name in the unique one; file systems allow 255 bytes in all

std::string name_of_descriptor(descriptor const& file) { return fmt::format("/proc/self/fd/{}", file.get()); }

/// A name that no file has: hidden, with ours in it.
std::string unique_name(std::string const& folder, std::string const& target) {
  std::string const own = std::filesystem::path(target).filename().string().substr(0, longest_part);
  std::random_device random;
  return fmt::format("{}/.{}.{}-{:08x}.part", folder, own, getpid(), random());
}

struct replaceable {
  std::string target;  // with links followed
  std::optional<struct stat> there;
};

/// error: file_error
replaceable find_replaceable(std::string const& path, bool replace) {
  replaceable out{path, {}};
  struct stat there {};
  if (lstat(path.c_str(), &there) != 0) {
    if (errno != ENOENT) fail_with(errno, path, "cannot be written");
    if (!std::filesystem::path(path).has_filename())
      throw file_error(fmt::format("{} names no file", shell_name(path)));
    return out;
  }
  if (S_ISLNK(there.st_mode)) {
    std::error_code failed;
    out.target = std::filesystem::canonical(path, failed).string();
    if (failed || stat(out.target.c_str(), &there) != 0)
      throw file_error(fmt::format("{} is a link to a file that does not exist; remove it first", shell_name(path)));
  }
  if (S_ISDIR(there.st_mode)) throw file_error(fmt::format("{} is a folder, not a file", shell_name(path)));
  if (!S_ISREG(there.st_mode))
    throw file_error(
        fmt::format("{} is not a regular file, and only those are replaced; write to standard output (-) "
                    "for pipes and devices",
                    shell_name(path)));
  if (!replace) throw file_error(fmt::format("{} exists; --force replaces it", shell_name(path)));
  out.there = there;
  return out;
}

}  // namespace

std::string folder_of(std::string const& path) {
  std::filesystem::path const target(path);
  return target.has_parent_path() ? target.parent_path().string() : ".";
}

std::string temporary_folder() {
  char const* const given = std::getenv("TMPDIR");
  return given != nullptr && *given != '\0' ? given : "/tmp";
}

void check_replaceable(std::string const& path, bool replace) { (void)find_replaceable(path, replace); }

unnamed_file::unnamed_file(std::string const& folder, std::string const& path) : open_output(path, folder) {
  file_ = descriptor(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file_) return;
  std::string name = folder + "/.tilewright-XXXXXX";
  file_ = descriptor(mkostemp(name.data(), O_CLOEXEC));
  if (!file_) fail_with(errno, folder, "cannot hold a temporary file");
  unlink(name.c_str());
}

new_file::new_file(std::string const& path, bool replace, kind how) : open_output(path, "."), replace_(replace) {
  replaceable const found = find_replaceable(path, replace);
  target_ = found.target;
  replaced_ = found.there;
  folder_ = folder_of(target_);
  if (how == kind::unnamed_if_possible) open_unnamed();
  if (!file_) open_named();
  if (!replaced_) return;
  // Only some users may give the file to its owner; it then belongs to this one, with the same permissions.
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

void open_output::check_room(std::int64_t bytes) const {
  std::int64_t const room = free_bytes(file_.get());
  if (bytes > room)
    throw file_error(fmt::format("{} needs {} and the file system of {} has {} free; make room or write elsewhere",
                                 shell_name(path_), text_of_bytes(bytes), shell_name(folder_), text_of_bytes(room)));
}

void open_output::reserve(std::int64_t bytes) {
  check_room(bytes);
  if (bytes == 0) return;
  int code = EINTR;
  while (code == EINTR) code = posix_fallocate(file_.get(), 0, static_cast<off_t>(bytes));
  if (code == 0) return;
  // What was reserved before the room ran out is given back, so that the sentence has the true figure.
  if (ftruncate(file_.get(), 0) != 0) fail_with(errno, path_, "cannot be written");
  if (code == ENOSPC) check_room(bytes);
  fail_with(code, path_, fmt::format("cannot be given its {}", text_of_bytes(bytes)));
}

void open_output::begin_writing() const {
  // A hint: what fails here shows when the file is flushed.
  (void)sync_file_range(file_.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
}

void open_output::flush() const {
  if (fsync(file_.get()) != 0) fail_with(errno, path_, "cannot be written to its disk");
}

void open_output::forget() const { (void)posix_fadvise(file_.get(), 0, 0, POSIX_FADV_DONTNEED); }

/// error: errno of linkat, as file_error
void new_file::link_to(std::string const& name) const {
  int const code = linkat(AT_FDCWD, name_of_descriptor(file_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  if (code == 0) return;
  if (errno == EEXIST)
    throw file_error(
        fmt::format("{} was created by another program meanwhile and is left as it is", shell_name(path_)));
  fail_with(errno, path_, "cannot be put into place");
}

void new_file::publish() {
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
    throw file_error(
        fmt::format("{} was created by another program meanwhile and is left as it is", shell_name(path_)));
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

}  // namespace tilewright::cli
