// Where a conversion's array goes: a .npy file, a member of a .npz archive, or standard output. The array is written to
// one open file; finish() writes the format that was asked for.
#pragma once

#include "apps/cli/convert/input.hpp"
#include "apps/cli/convert/output.hpp"

#include <optional>

namespace tilewright::cli {

/// Does the name mean a member of an archive?
bool names_archive(array_name const& name);

class destination {
 public:
  struct options {
    bool force = false;     // replace what is there
    bool deflated = false;  // pack the member of an archive
    std::string member;     // the name of a member where the output's name has none
  };

  /// Looks at what is there and writes nothing.
  /// error: file_error
  destination(array_name const& name, options const& how);

  /// For messages.
  std::string const& shown() const { return shown_; }
  bool is_stream() const { return name_.is_stream(); }
  bool is_archive() const { return is_archive_; }
  /// Where unnamed files go.
  std::string const& folder() const { return folder_; }
  /// The file of that name that is there now.
  std::optional<struct stat> const& there() const { return there_; }

  /// Opens the file that the array is written to, with room for it, and sees to room for the archive.
  /// error: file_error
  open_output& open(std::int64_t bytes);

  /// The output is in place, and on the disk; or in standard output.
  /// pre: open() was called, and all of its bytes are written
  /// error: file_error
  void finish(bool reread);

 private:
  void look_at_archive();
  void finish_archive(bool reread);
  void compare_member(descriptor const& file) const;
  void finish_stream();

  array_name name_;
  options how_;
  std::string shown_, folder_;
  bool is_archive_ = false;
  std::optional<struct stat> there_;
  descriptor old_;  // the archive that is there
  std::optional<new_file> file_;
  std::optional<unnamed_file> spool_;
  std::int64_t bytes_ = 0;
};

}  // namespace tilewright::cli
