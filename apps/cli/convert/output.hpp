// A file that appears under its name when it is complete, or not at all. Until then it has no name where the file system
// can do that, and else a unique one beside; signals that end the process remove it.
#pragma once

#include "apps/cli/convert/file.hpp"

#include <sys/stat.h>
#include <optional>

namespace tilewright::cli {

class new_file {
 public:
  /// May the data lie in a file without a name? `named` is for file systems that have none, and for tests.
  enum class kind { unnamed_if_possible, named };

  /// Where `path` is a symbolic link, the file it leads to is meant. A file that is replaced hands on its permissions.
  /// error: file_error when there is such a file and `replace` is false, when it is no regular file, and for what the
  ///        system refuses
  new_file(std::string const& path, bool replace, kind how = kind::unnamed_if_possible);
  new_file(new_file const&) = delete;
  new_file& operator=(new_file const&) = delete;
  ~new_file();

  /// The file that stood there when this one was begun.
  std::optional<struct stat> const& replaced() const { return replaced_; }
  std::string const& path() const { return path_; }
  bool has_name() const { return !temporary_.empty(); }

  /// Reserves room on the disk for all bytes, so that no later write can fail for want of it, and maps them, zeros.
  /// error: file_error with the room that there is
  void allocate(std::size_t bytes);
  mapping const& memory() const { return memory_; }

  /// Lets the disk begin to write.
  void begin_writing() const;

  /// post: all bytes are on the disk
  /// error: file_error
  void flush() const;

  /// What the disk has now, to read: what the system remembers of the file is forgotten where it can be.
  /// pre: flush() was called after the last write
  /// post: a new mapping, read-only
  /// error: file_error
  void reread();

  /// The file gets its name, and that is on the disk as well.
  /// pre: flush() was called after the last write
  /// error: file_error, also when a file appeared there meanwhile that may not be replaced
  void publish();

  /// What to say of a byte that could not be written.
  file_error lost_byte(std::size_t at) const;

 private:
  void open_unnamed();
  void open_named();
  void link_to(std::string const& name) const;
  void sync_folder() const;

  std::string path_;    // as given, for messages
  std::string target_;  // with links followed
  std::string folder_;
  std::string temporary_;  // "": the file has no name now
  bool replace_;
  std::optional<struct stat> replaced_;
  descriptor file_;
  mapping memory_;
};

}  // namespace tilewright::cli
