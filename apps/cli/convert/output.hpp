// Files that a conversion writes: one that appears under its name when it is complete, or not at all, and one that never
// has a name.
#pragma once

#include "apps/cli/convert/file.hpp"

#include <sys/stat.h>
#include <optional>

namespace tilewright::cli {

/// A file that is being written.
class open_output {
 public:
  open_output(open_output&&) = default;

  /// The name that messages have for it.
  std::string const& path() const { return path_; }
  descriptor const& file() const { return file_; }

  /// Has the file system room for that many bytes?
  /// error: file_error with the room that there is
  void check_room(std::int64_t bytes) const;

  /// Reserves room on the disk for all bytes, so that no later write can fail because the disk is full.
  /// error: file_error with the room that there is; nothing is reserved then
  void reserve(std::int64_t bytes);

  /// Lets the disk begin to write.
  void begin_writing() const;

  /// post: all bytes are on the disk
  /// error: file_error
  void flush() const;

  /// The system forgets what it remembers of the file where it can, so that the disk is read next.
  /// pre: flush() was called after the last write
  void forget() const;

 protected:
  open_output(std::string path, std::string folder) : path_(std::move(path)), folder_(std::move(folder)) {}
  ~open_output() = default;
  std::string path_;
  std::string folder_;
  descriptor file_;
};

/// A file without a name, which goes with the process.
class unnamed_file : public open_output {
 public:
  /// In `folder`; messages call it `path`.
  /// error: file_error
  unnamed_file(std::string const& folder, std::string const& path);
};

/// A file that appears under its name when it is complete, or not at all. Until then it has no name where the file system
/// can do that, and else a unique one beside; signals that end the process remove it.
class new_file : public open_output {
 public:
  /// May the data be in a file without a name? `named` is for file systems that have none, and for tests.
  enum class kind { unnamed_if_possible, named };

  /// Where `path` is a symbolic link, the file it leads to is meant. A file that is replaced hands on its permissions.
  /// error: file_error when there is such a file and `replace` is false, when it is no regular file, and for what the
  ///        system refuses
  new_file(std::string const& path, bool replace, kind how = kind::unnamed_if_possible);
  new_file(new_file const&) = delete;
  new_file& operator=(new_file const&) = delete;
  ~new_file();

  /// The file that was there when this one was begun.
  std::optional<struct stat> const& replaced() const { return replaced_; }
  bool has_name() const { return !temporary_.empty(); }

  /// The file gets its name, and that is on the disk as well.
  /// pre: flush() was called after the last write
  /// error: file_error, also when a file appeared there meanwhile that may not be replaced
  void publish();

 private:
  void open_unnamed();
  void open_named();
  void link_to(std::string const& name) const;
  void sync_folder() const;

  std::string target_;     // with links followed
  std::string temporary_;  // "": the file has no name now
  bool replace_;
  std::optional<struct stat> replaced_;
};

/// The folder of a file's name: "." where it has none.
std::string folder_of(std::string const& path);

/// Where unnamed files go that no output is beside: TMPDIR, or /tmp.
std::string temporary_folder();

/// Is there something of that name that cannot be replaced, or may not be? Says so, and writes nothing.
/// error: file_error
void check_replaceable(std::string const& path, bool replace);

}  // namespace tilewright::cli
