// .npz files: zip archives whose members are .npy files, stored or deflated. Reads and writes them with libzip; a build
// without libzip refuses them with a sentence.
#pragma once

#include "apps/cli/convert/file.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

struct archive_member {
  std::string file;       // "weights.npy"
  std::string name;       // "weights"; of other files the file's name
  bool is_array = false;  // does the name end in .npy?
  bool is_encrypted = false;
  std::string method;      // "stored", "deflated", or zip's number
  std::int64_t bytes = 0;  // unpacked
  std::int64_t packed_bytes = 0;
};

/// Can this build read and write archives?
bool has_archives();

/// Do the first bytes of a file say that it is a zip archive?
inline bool is_archive(std::span<std::byte const> head) {
  if (head.size() < 4) return false;
  std::string_view const first(reinterpret_cast<char const*>(head.data()), 4);
  return first == "PK\x03\x04" || first == "PK\x05\x06";
}

class archive {
 public:
  /// The archive in an open file that can be read at any place; messages call it `path`.
  /// error: file_error
  archive(descriptor const& file, std::string const& path);
  ~archive();

  std::vector<archive_member> const& members() const { return members_; }
  /// The position of the member of that name, with or without ".npy"; -1 where no member has it.
  std::int64_t find(std::string_view name) const;

  /// Unpacks a member, piece by piece, until `sink` returns false or the member ends, whose checksum is compared then.
  /// error: file_error
  void unpack(std::size_t member, std::function<bool(std::span<std::byte const>)> const& sink) const;

 private:
  struct handle;
  std::unique_ptr<handle> handle_;
  std::string path_;
  std::vector<archive_member> members_;
};

struct new_member {
  std::string file;           // its name in the archive, "weights.npy"
  descriptor const& content;  // an open file, all of which becomes the member
  std::int64_t bytes = 0;
  bool deflated = false;
};

/// Writes an archive to `to`: the members of `old`, where it is one, as they are, then the new one, which takes the place
/// of one with its name.
/// pre:  `to` is empty; `old` can be read at any place
/// error: file_error that names `path`
void write_archive(descriptor const& to, descriptor const& old, new_member const& member, std::string const& path);

}  // namespace tilewright::cli
