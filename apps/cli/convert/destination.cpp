// Opens, reserves, finishes.
#include "apps/cli/convert/destination.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tilewright::cli {
namespace {

constexpr std::size_t sent_at_once = std::size_t{1} << 20;

bool name_ends_with(std::string const& text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

}  // namespace

bool names_archive(array_name const& name) { return !name.member.empty() || name_ends_with(name.path, ".npz"); }

destination::destination(array_name const& name, options const& how)
    : name_(name),
      how_(how),
      shown_(name.shown(false)),
      folder_(name.is_stream() ? temporary_folder() : folder_of(name.path)),
      is_archive_(names_archive(name)) {
  if (name_.is_stream()) {
    if (isatty(STDOUT_FILENO) != 0)
      throw file_error(
          "standard output is a terminal, which cannot show a .npy file; redirect it to a file or a program");
    return;
  }
  struct stat now {};
  if (stat(name_.path.c_str(), &now) == 0) there_ = now;
  if (is_archive_) look_at_archive();
  else check_replaceable(name_.path, how_.force);
}

void destination::look_at_archive() {
  if (name_.member.empty()) name_.member = how_.member.empty() ? "arr_0" : how_.member;
  shown_ = shell_name(name_.path + ":" + name_.member);
  if (!has_archives()) archive(descriptor(), name_.path);  // refuses
  check_replaceable(name_.path, true);
  if (!there_) return;
  old_ = descriptor(::open(name_.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!old_) fail_with(errno, name_.path, "cannot be read");
  archive const present(old_, name_.path);
  if (present.find(name_.member) >= 0 && !how_.force)
    throw file_error(fmt::format("{} has a member '{}'; --force replaces it", shell_name(name_.path), name_.member));
}

open_output& destination::open(std::int64_t bytes) {
  bytes_ = bytes;
  if (!is_stream() && !is_archive_) {
    file_.emplace(name_.path, how_.force);
    file_->reserve(bytes);
    return *file_;
  }
  spool_.emplace(folder_, is_stream() ? shown_ : name_.path);
  spool_->reserve(bytes);
  if (is_archive_) {
    file_.emplace(name_.path, true);
    // Packed, the member is smaller by an amount that is known later.
    file_->check_room((how_.deflated ? 0 : bytes) + (there_ ? there_->st_size : 0));
  }
  return *spool_;
}

void destination::finish(bool reread) {
  if (is_stream()) return finish_stream();
  if (is_archive_) return finish_archive(reread);
  file_->publish();
}

void destination::finish_archive(bool reread) {
  new_member const member{name_.member + ".npy", spool_->file(), bytes_, how_.deflated};
  write_archive(file_->file(), old_, member, name_.path);
  file_->flush();
  if (reread) {
    file_->forget();
    compare_member(file_->file());
  }
  struct stat now {};
  bool const is_there = stat(name_.path.c_str(), &now) == 0;
  bool const same =
      is_there == there_.has_value() &&
      (!is_there || (now.st_ino == there_->st_ino && now.st_size == there_->st_size &&
                     now.st_mtim.tv_sec == there_->st_mtim.tv_sec && now.st_mtim.tv_nsec == there_->st_mtim.tv_nsec));
  if (!same)
    throw file_error(fmt::format("{} was changed by another program meanwhile and is left as it is; try again",
                                 shell_name(name_.path)));
  file_->publish();
}

/// error: file_error unless the archive's member is the file that was written
void destination::compare_member(descriptor const& file) const {
  archive const written(file, name_.path);
  std::int64_t const index = written.find(name_.member);
  std::int64_t at = 0;
  bool same = index >= 0;
  std::vector<std::byte> wanted(sent_at_once);
  if (same)
    written.unpack(static_cast<std::size_t>(index), [&](std::span<std::byte const> piece) {
      int code = 0;
      std::span const here = std::span(wanted).first(std::min(piece.size(), wanted.size()));
      same = read_at(spool_->file().get(), at, here, code) == piece.size() &&
             std::equal(piece.begin(), piece.end(), here.begin());
      at += static_cast<std::int64_t>(piece.size());
      return same;
    });
  if (!same || at != bytes_)
    throw file_error(fmt::format("{} was not written: the member that was read back differs from what was written",
                                 shell_name(name_.path)));
}

void destination::finish_stream() {
  std::fflush(stdout);
  std::vector<std::byte> piece(sent_at_once);
  for (std::int64_t at = 0; at < bytes_;) {
    int code = 0;
    std::size_t const got = read_at(spool_->file().get(), at, piece, code);
    if (got == 0) fail_with(code == 0 ? EIO : code, folder_, "cannot be read");
    code = write_stream(STDOUT_FILENO, std::span(piece).first(got));
    if (code != 0)
      throw file_error(fmt::format("standard output cannot be written at byte {}: {}", at, std::strerror(code)));
    at += static_cast<std::int64_t>(got);
  }
}

}  // namespace tilewright::cli
