// The array to read: a .npy file, a member of a .npz archive, or a stream. What cannot be read at any place, a pipe or a
// packed member, is first written to a file without a name.
#pragma once

#include "apps/cli/convert/archive.hpp"
#include "apps/cli/convert/file.hpp"
#include "apps/cli/convert/output.hpp"
#include "tilewright/engine/npy.hpp"

#include <sys/stat.h>
#include <optional>

namespace tilewright::cli {

/// "in.npy", "-", or "a.npz:name".
struct array_name {
  std::string text;    // as given
  std::string path;    // of the file
  std::string member;  // of the archive; "": none was named
  bool is_stream() const { return text == "-"; }
  /// For messages: the name quoted, or "standard input" or "standard output".
  std::string shown(bool of_input) const;
};

/// A file that exists under the whole name is that file; else ".npz:" divides it.
array_name read_array_name(std::string const& text);

class npy_input {
 public:
  /// `header`: only what the header says can be asked for; nothing is written anywhere.
  enum class extent { all, header };

  /// Unnamed files are made in `folder`.
  /// error: file_error; for a broken header with the byte where it is broken
  npy_input(array_name const& name, std::string const& folder, extent what = extent::all);

  npy_array const& array() const { return array_; }
  /// For messages.
  std::string const& shown() const { return shown_; }
  /// The file with the array's data, and the byte where they begin in it.
  descriptor const& file() const { return spool_ ? spool_->file() : file_; }
  std::int64_t data_begin() const { return begin_ + array_.data_begin; }
  /// Of the array in its own file, header and data.
  std::int64_t bytes() const { return array_.data_begin + array_.data_bytes; }
  /// The member that was read; "" for others.
  std::string const& member() const { return member_; }
  bool is_spooled() const { return spool_.has_value(); }

  /// Is that file this one, perhaps under another name?
  bool is(struct stat const& other) const { return other.st_dev == opened_.st_dev && other.st_ino == opened_.st_ino; }

  /// error: file_error when another program wrote to the file since it was opened
  void check_unchanged() const;

  /// What to say of bytes that could not be read: errno, or 0 for the end of the file, and the byte.
  file_error lost(int code, std::int64_t at) const;

 private:
  void open_file(array_name const& name);
  std::string read_head(descriptor const& file, std::int64_t at) const;
  void spool_stream(std::string const& folder, array_name const& name);
  void spool_member(archive const& from, std::size_t which, std::string const& folder);
  void read_header(descriptor const& file, std::int64_t begin, std::int64_t bytes);

  std::string shown_;
  descriptor file_;
  struct stat opened_ {};
  std::int64_t begin_ = 0;  // of the .npy file in file()
  std::optional<unnamed_file> spool_;
  std::string member_;
  npy_array array_;
};

/// The header of an archive's member, and does its data have the size that it says?
/// error: file_error, npy_error
npy_array read_member_header(archive const& from, std::size_t member);

/// The member that a name means: the one it names, or the only array of the archive.
/// error: file_error that lists the arrays
std::size_t choose_member(archive const& from, array_name const& name, std::string const& shown);

}  // namespace tilewright::cli
