// Opens and checks the input; unpacks and stores what cannot be read at any place.
#include "apps/cli/convert/input.hpp"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

namespace tilewright::cli {
namespace {

constexpr std::size_t spooled_at_once = std::size_t{1} << 20;
constexpr std::size_t max_listed = 12;  // names of members in one sentence

std::span<std::byte const> text_bytes(std::string const& text) { return std::as_bytes(std::span(text)); }

}  // namespace

std::string array_name::shown(bool of_input) const {
  if (is_stream()) return of_input ? "standard input" : "standard output";
  return shell_name(text);
}

array_name read_array_name(std::string const& text) {
  array_name out{text, text, ""};
  constexpr std::string_view mark = ".npz:";
  std::size_t const at = text.rfind(mark);
  if (at == std::string::npos || access(text.c_str(), F_OK) == 0) return out;
  out.path = text.substr(0, at + mark.size() - 1);
  out.member = text.substr(at + mark.size());
  if (out.member.size() > 4 && out.member.substr(out.member.size() - 4) == ".npy")
    out.member.resize(out.member.size() - 4);
  return out;
}

npy_input::npy_input(array_name const& name, std::string const& folder, extent what) : shown_(name.shown(true)) {
  open_file(name);
  if (S_ISDIR(opened_.st_mode)) throw file_error(fmt::format("{} is a folder, not a file", shown_));
  bool const is_file = S_ISREG(opened_.st_mode);
  if (!is_file && what == extent::header)
    throw file_error(fmt::format("{} is a pipe or a device, which can be read only once; give a file", shown_));
  if (!is_file) spool_stream(folder, name);
  std::string const head = read_head(file(), begin_);
  if (is_archive(text_bytes(head))) {
    archive const from(file(), name.is_stream() ? "standard input" : name.path);
    std::size_t const which = choose_member(from, name, shown_);
    member_ = from.members()[which].name;
    if (!name.is_stream()) shown_ = shell_name(name.path + ":" + member_);
    try {
      if (what == extent::header) array_ = read_member_header(from, which);
      else spool_member(from, which, folder);
    } catch (npy_error const& e) {
      throw file_error(fmt::format("{} cannot be read as an array: {}", shown_, e.what()));
    }
    return;
  }
  if (!name.member.empty())
    throw file_error(
        fmt::format("{} is not a .npz archive, so it has no member '{}'", shell_name(name.path), name.member));
  struct stat there {};
  if (fstat(file().get(), &there) != 0) throw lost(errno, 0);
  read_header(file(), begin_, there.st_size - begin_);
}

void npy_input::open_file(array_name const& name) {
  if (name.is_stream()) {
    if (isatty(STDIN_FILENO) != 0)
      throw file_error(
          "standard input is a terminal; give it a .npy file, such as tilewright convert - out.npy < in.npy");
    file_ = descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  } else {
    file_ = descriptor(open(name.path.c_str(), O_RDONLY | O_CLOEXEC));
  }
  if (!file_ || fstat(file_.get(), &opened_) != 0)
    throw file_error(
        fmt::format("{} cannot be read: {}", name.is_stream() ? shown_ : shell_name(name.path), std::strerror(errno)));
  if (name.is_stream() && S_ISREG(opened_.st_mode)) begin_ = std::max<off_t>(0, lseek(file_.get(), 0, SEEK_CUR));
}

std::string npy_input::read_head(descriptor const& file, std::int64_t at) const {
  std::string head(npy_longest_header, '\0');
  int code = 0;
  head.resize(read_at(file.get(), at, std::as_writable_bytes(std::span(head)), code));
  if (code != 0) throw lost(code, at);
  return head;
}

void npy_input::read_header(descriptor const& file, std::int64_t begin, std::int64_t bytes) {
  std::string const head = read_head(file, begin);
  try {
    array_ = read_npy(text_bytes(head), bytes);
  } catch (npy_error const& e) {
    throw file_error(fmt::format("{} cannot be read as an array: {}", shown_, e.what()));
  }
}

/// Reads the header first, so that a stream without an end is refused at once.
void npy_input::spool_stream(std::string const& folder, array_name const& name) {
  std::string head(npy_longest_header, '\0');
  int code = 0;
  head.resize(read_stream(file_.get(), std::as_writable_bytes(std::span(head)), code));
  if (code != 0) throw lost(code, 0);
  std::int64_t wanted = std::numeric_limits<std::int64_t>::max();
  if (!is_archive(text_bytes(head))) {
    try {
      npy_array const array = read_npy_header(text_bytes(head));
      wanted = array.data_begin + array.data_bytes;
    } catch (npy_error const& e) {
      throw file_error(fmt::format("{} cannot be read as an array: {}", shown_, e.what()));
    }
  }
  spool_.emplace(folder, name.is_stream() ? "standard input" : name.path);
  int const to = spool_->file().get();
  if (wanted != std::numeric_limits<std::int64_t>::max() && static_cast<std::int64_t>(head.size()) < wanted)
    spool_->reserve(wanted);
  auto at = static_cast<std::int64_t>(head.size());
  if (int const failed = write_at(to, 0, text_bytes(head)); failed != 0) fail_with(failed, folder, "cannot be written");
  std::vector<std::byte> piece(spooled_at_once);
  while (at <= wanted) {
    std::size_t const got = read_stream(file_.get(), piece, code);
    if (code != 0) throw lost(code, at);
    if (got == 0) break;
    if (int const failed = write_at(to, at, std::span(piece).first(got)); failed != 0)
      fail_with(failed, folder, "cannot be written");
    at += static_cast<std::int64_t>(got);
  }
  // Reserved room that the stream did not fill is no part of it.
  if (ftruncate(to, at) != 0) fail_with(errno, folder, "cannot be written");
}

std::size_t choose_member(archive const& from, array_name const& name, std::string const& shown) {
  std::vector<std::size_t> arrays;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < from.members().size(); ++i) {
    if (!from.members()[i].is_array) continue;
    arrays.push_back(i);
    if (names.size() < max_listed) names.push_back(from.members()[i].name);
  }
  std::string const path = name.is_stream() ? shown : shell_name(name.path);
  if (arrays.empty()) throw file_error(fmt::format("{} has no member that is a .npy file", path));
  std::string const list = fmt::format("{}{}", fmt::join(names, ", "), arrays.size() > names.size() ? " ..." : "");
  if (name.member.empty() && arrays.size() == 1) return arrays[0];
  if (name.member.empty())
    throw file_error(fmt::format("{} has {} arrays; name one of them, such as {} (there are {})", path, arrays.size(),
                                 shell_name(name.path + ":" + names[0]), list));
  std::int64_t const at = from.find(name.member);
  if (at < 0) throw file_error(fmt::format("{} has no member '{}'; there are {}", path, name.member, list));
  return static_cast<std::size_t>(at);
}

npy_array read_member_header(archive const& from, std::size_t member) {
  std::string head;
  from.unpack(member, [&](std::span<std::byte const> piece) {
    std::size_t const wanted = std::min(piece.size(), npy_longest_header - head.size());
    head.append(reinterpret_cast<char const*>(piece.data()), wanted);
    return head.size() < npy_longest_header;
  });
  return read_npy(text_bytes(head), from.members()[member].bytes);
}

void npy_input::spool_member(archive const& from, std::size_t which, std::string const& folder) {
  archive_member const& m = from.members()[which];
  unnamed_file unpacked(folder, folder + "/" + m.file);
  unpacked.reserve(m.bytes);
  std::int64_t at = 0;
  from.unpack(which, [&](std::span<std::byte const> piece) {
    if (int const failed = write_at(unpacked.file().get(), at, piece); failed != 0)
      fail_with(failed, folder, "cannot be written");
    at += static_cast<std::int64_t>(piece.size());
    return true;
  });
  begin_ = 0;
  read_header(unpacked.file(), 0, at);
  spool_.emplace(std::move(unpacked));
}

void npy_input::check_unchanged() const {
  if (!S_ISREG(opened_.st_mode)) return;
  struct stat now {};
  if (fstat(file_.get(), &now) != 0) throw lost(errno, 0);
  bool const same = now.st_size == opened_.st_size && now.st_mtim.tv_sec == opened_.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == opened_.st_mtim.tv_nsec;
  if (!same)
    throw file_error(fmt::format("{} was written to while it was read, so no output is kept; try again", shown_));
}

file_error npy_input::lost(int code, std::int64_t at) const {
  struct stat now {};
  bool const is_shorter = fstat(file_.get(), &now) == 0 && now.st_size < opened_.st_size;
  if (code == 0 && is_shorter)
    return file_error(fmt::format("{} was cut from {} to {} bytes while it was read, so no output is kept", shown_,
                                  opened_.st_size, now.st_size));
  return file_error(fmt::format("{} cannot be read at byte {}: {}", shown_, at,
                                code == 0 ? "the file ends there" : std::strerror(code)));
}

}  // namespace tilewright::cli
