// A folder of compiled kernels, shared by processes. An entry is found by the whole text of its key, so that two keys
// never share one; a file that is truncated, damaged or of another format counts as absent and is written anew. Files
// are written beside and renamed into place, so that a reader sees all of an entry or none. A folder that cannot be
// written, or none at all, only makes later processes compile again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::gpu {

/// FNV-1a, 64 bits.
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t start = 0xcbf29ce484222325u);

class disk_cache {
 public:
  static constexpr std::int64_t default_limit = 256 << 20;  // bytes

  /// `folder` empty: nothing is kept. The folder is made when something is first written.
  explicit disk_cache(std::filesystem::path folder, std::int64_t limit_bytes = default_limit);

  std::filesystem::path const& folder() const { return folder_; }

  /// What was stored under the key; never fails.
  std::optional<std::string> load(std::string_view key) const;

  /// Stores it, and drops the entries that were not used for longest when the folder has grown beyond its limit.
  /// false when it could not be written: nothing is changed then.
  bool store(std::string_view key, std::string_view value) const;

  /// The file of a key, whether it exists or not.
  std::filesystem::path file_of(std::string_view key) const;

 private:
  void evict() const;

  std::filesystem::path folder_;
  std::int64_t limit_;
};

/// TILEWRIGHT_CACHE_DIR, else XDG_CACHE_HOME/tilewright, else HOME/.cache/tilewright; empty when none is set, or when
/// TILEWRIGHT_CACHE_DIR is set to nothing.
std::filesystem::path cache_folder();

}  // namespace tilewright::gpu
