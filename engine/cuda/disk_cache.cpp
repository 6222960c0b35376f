#include "engine/cuda/disk_cache.hpp"

#include "engine/environment.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <system_error>
#include <vector>

namespace tilewright::gpu {
namespace {

namespace fs = std::filesystem;

constexpr char const* suffix = ".kernel";
constexpr char const* unfinished_suffix = ".unfinished";
// What a process that died left behind is removed after this long.
constexpr auto unfinished_for = std::chrono::hours(1);

/// A file is this header, the key, the value. Numbers are in the machine's own order: a folder shared by machines of
/// both orders looks damaged to one of them.
struct file_header {
  char magic[8] = {'T', 'I', 'L', 'E', 'K', 'R', 'N', 'L'};
  std::uint64_t version = 1;
  std::uint64_t key_bytes = 0;
  std::uint64_t value_bytes = 0;
  std::uint64_t checksum = 0;  // of the header with 0 here, the key and the value
};

std::uint64_t checksum_of(file_header header, std::string_view key, std::string_view value) {
  header.checksum = 0;
  std::uint64_t const of_header = fnv1a({reinterpret_cast<char const*>(&header), sizeof header});
  return fnv1a(value, fnv1a(key, of_header));
}

/// Closes the file on every way out.
class file_handle {
 public:
  file_handle(fs::path const& path, int flags, mode_t mode = 0) : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~file_handle() { close(); }
  file_handle(file_handle const&) = delete;
  file_handle& operator=(file_handle const&) = delete;
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// false when what was written did not reach the file.
  bool close() {
    int const fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    auto const done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

std::optional<std::string> read_all(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > std::numeric_limits<int>::max())
    return std::nullopt;
  std::string out(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t at = 0;
  while (at < out.size()) {
    auto const done = ::read(fd, out.data() + at, out.size() - at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return std::nullopt;
    at += static_cast<std::size_t>(done);
  }
  return out;
}

}  // namespace

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t start) {
  std::uint64_t hash = start;
  for (char const c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

disk_cache::disk_cache(fs::path folder, std::int64_t limit_bytes) : folder_(std::move(folder)), limit_(limit_bytes) {}

fs::path disk_cache::file_of(std::string_view key) const {
  // Two keys of one hash replace each other; load() tells them apart.
  return folder_ / fmt::format("{:016x}{}", fnv1a(key), suffix);
}

std::optional<std::string> disk_cache::load(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  file_handle const file(file_of(key), O_RDONLY);
  if (!file) return std::nullopt;
  auto const bytes = read_all(file.get());
  if (!bytes || bytes->size() < sizeof(file_header)) return std::nullopt;
  file_header header, expected;
  std::memcpy(&header, bytes->data(), sizeof header);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.version != expected.version ||
      header.key_bytes != key.size() || bytes->size() < sizeof header + key.size() ||
      header.value_bytes != bytes->size() - sizeof header - key.size())
    return std::nullopt;
  std::string_view const rest = std::string_view(*bytes).substr(sizeof header);
  std::string_view const value = rest.substr(key.size());
  if (rest.substr(0, key.size()) != key || header.checksum != checksum_of(header, key, value)) return std::nullopt;
  ::futimens(file.get(), nullptr);  // used now; without the right to say so it only goes sooner
  return std::string(value);
}

bool disk_cache::store(std::string_view key, std::string_view value) const {
  if (folder_.empty()) return false;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) return false;
  static std::atomic<unsigned> count{0};
  fs::path const target = file_of(key);
  fs::path const beside = fmt::format("{}.{}.{}{}", target.string(), ::getpid(), count.fetch_add(1), unfinished_suffix);
  file_header header;
  header.key_bytes = key.size();
  header.value_bytes = value.size();
  header.checksum = checksum_of(header, key, value);
  file_handle file(beside, O_WRONLY | O_CREAT | O_EXCL, 0644);
  if (!file) return false;
  bool const written = write_all(file.get(), {reinterpret_cast<char const*>(&header), sizeof header}) &&
                       write_all(file.get(), key) && write_all(file.get(), value);
  if (!file.close() || !written || ::rename(beside.c_str(), target.c_str()) != 0) {
    ::unlink(beside.c_str());
    return false;
  }
  evict();
  return true;
}

void disk_cache::evict() const {
  struct entry {
    fs::file_time_type used;
    std::int64_t bytes;
    fs::path path;
  };
  std::vector<entry> entries;
  std::int64_t total = 0;
  std::error_code failed;
  auto const now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
    // Another process may remove any of them meanwhile.
    std::error_code gone;
    auto const used = at->last_write_time(gone);
    if (gone) continue;
    auto const extension = at->path().extension();
    if (extension == unfinished_suffix && now - used > unfinished_for) fs::remove(at->path(), gone);
    if (extension != suffix) continue;
    auto const bytes = at->file_size(gone);
    if (gone) continue;
    entries.push_back({used, static_cast<std::int64_t>(bytes), at->path()});
    total += entries.back().bytes;
  }
  if (total <= limit_) return;
  std::sort(entries.begin(), entries.end(), [](entry const& a, entry const& b) { return a.used < b.used; });
  // Down to three quarters, so that not every new entry looks through the folder in vain.
  for (auto const& one : entries) {
    if (total <= limit_ / 4 * 3) break;
    std::error_code gone;
    fs::remove(one.path, gone);
    total -= one.bytes;
  }
}

fs::path cache_folder() {
  if (std::getenv("TILEWRIGHT_CACHE_DIR") != nullptr) return environment("TILEWRIGHT_CACHE_DIR");
  if (std::string const cache = environment("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "tilewright";
  if (std::string const home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "tilewright";
  return {};
}

}  // namespace tilewright::gpu
