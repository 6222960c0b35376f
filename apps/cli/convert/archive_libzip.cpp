// libzip reads the old archive and writes the new one through one source of our own, so that the new one is a file of the
// conversion's: reserved, flushed and put into place like any other. CMake takes this file or archive_none.cpp.
#include "apps/cli/convert/archive.hpp"

#include <zip.h>
#include <algorithm>
#include <cctype>
#include <cerrno>

namespace tilewright::cli {

namespace zip_io {

constexpr std::size_t unpacked_at_once = std::size_t{1} << 18;
constexpr zip_uint16_t dos_date_1980 = 0x21;  // what NumPy gives its members

/// A file that is read where it is and written to another: what libzip's callbacks work on.
class zip_files {
 public:
  zip_files(int from, int to) : from_(from), to_(to) { zip_error_init(&error_); }
  zip_files(zip_files const&) = delete;
  zip_files& operator=(zip_files const&) = delete;
  ~zip_files() { zip_error_fini(&error_); }

  static zip_int64_t call(void* self, void* data, zip_uint64_t bytes, zip_source_cmd_t command) {
    return static_cast<zip_files*>(self)->handle(data, bytes, command);
  }

 private:
  zip_int64_t handle(void* data, zip_uint64_t bytes, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_OPEN: read_ = 0; return 0;
      case ZIP_SOURCE_READ: return read(static_cast<std::byte*>(data), bytes);
      case ZIP_SOURCE_SEEK: return seek(read_, size(), data, bytes);
      case ZIP_SOURCE_TELL: return read_;
      case ZIP_SOURCE_STAT: return state(static_cast<zip_stat_t*>(data));
      case ZIP_SOURCE_WRITE: return write(static_cast<std::byte const*>(data), bytes);
      case ZIP_SOURCE_SEEK_WRITE: return seek(written_, end_, data, bytes);
      case ZIP_SOURCE_TELL_WRITE: return written_;
      case ZIP_SOURCE_ERROR: return zip_error_to_data(&error_, data, bytes);
      case ZIP_SOURCE_BEGIN_WRITE: written_ = end_ = 0; return 0;
      case ZIP_SOURCE_COMMIT_WRITE:
      case ZIP_SOURCE_ROLLBACK_WRITE:
      case ZIP_SOURCE_CLOSE:
      case ZIP_SOURCE_FREE: return 0;
      case ZIP_SOURCE_SUPPORTS: return supported();
      default: zip_error_set(&error_, ZIP_ER_OPNOTSUPP, 0); return -1;
    }
  }

  zip_int64_t supported() const {
    zip_int64_t const reading = zip_source_make_command_bitmap(
        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
        ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
    if (to_ < 0) return reading;
    return reading | zip_source_make_command_bitmap(ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE,
                                                    ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_SEEK_WRITE,
                                                    ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_REMOVE, -1);
  }

  zip_int64_t fail(int reason, int code) {
    zip_error_set(&error_, reason, code);
    return -1;
  }

  zip_int64_t size() const {
    struct stat there {};
    return from_ >= 0 && fstat(from_, &there) == 0 ? there.st_size : 0;
  }

  zip_int64_t state(zip_stat_t* out) {
    if (from_ < 0) return fail(ZIP_ER_READ, ENOENT);
    zip_stat_init(out);
    out->size = static_cast<zip_uint64_t>(size());
    out->valid = ZIP_STAT_SIZE;
    return sizeof(*out);
  }

  zip_int64_t read(std::byte* data, zip_uint64_t bytes) {
    int code = 0;
    std::size_t const got = read_at(from_, read_, std::span(data, static_cast<std::size_t>(bytes)), code);
    if (code != 0) return fail(ZIP_ER_READ, code);
    read_ += static_cast<zip_int64_t>(got);
    return static_cast<zip_int64_t>(got);
  }

  zip_int64_t write(std::byte const* data, zip_uint64_t bytes) {
    int const code = write_at(to_, written_, std::span(data, static_cast<std::size_t>(bytes)));
    if (code != 0) return fail(ZIP_ER_WRITE, code);
    written_ += static_cast<zip_int64_t>(bytes);
    end_ = std::max(end_, written_);
    return static_cast<zip_int64_t>(bytes);
  }

  zip_int64_t seek(zip_int64_t& at, zip_int64_t end, void* data, zip_uint64_t bytes) {
    zip_int64_t const to = zip_source_seek_compute_offset(static_cast<zip_uint64_t>(at), static_cast<zip_uint64_t>(end),
                                                          data, bytes, &error_);
    if (to < 0) return -1;
    at = to;
    return 0;
  }

  int from_, to_;
  zip_int64_t read_ = 0, written_ = 0, end_ = 0;
  zip_error_t error_{};
};

std::string reason_of(zip_error_t* error) {
  std::string out = zip_error_strerror(error);
  zip_error_fini(error);
  if (!out.empty()) out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
  return out;
}

struct close_archive {
  void operator()(zip_t* z) const { zip_discard(z); }
};
using open_archive = std::unique_ptr<zip_t, close_archive>;

open_archive open_with(zip_files& files, int flags, std::string const& path) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_function_create(zip_files::call, &files, &error);
  zip_t* const z = source == nullptr ? nullptr : zip_open_from_source(source, flags, &error);
  if (z != nullptr) return open_archive(z);
  if (source != nullptr) zip_source_free(source);
  throw file_error(fmt::format("{} is not a readable .npz archive: {}", shell_name(path), reason_of(&error)));
}

bool ends_with_npy(std::string_view file) {
  constexpr std::string_view suffix = ".npy";
  return file.size() >= suffix.size() && file.substr(file.size() - suffix.size()) == suffix;
}

std::string text_of_method(zip_uint16_t method) {
  if (method == ZIP_CM_STORE) return "stored";
  return method == ZIP_CM_DEFLATE ? "deflated" : fmt::format("packed by method {}", method);
}

}  // namespace zip_io

using namespace zip_io;

bool has_archives() { return true; }

struct archive::handle {
  descriptor file;
  std::unique_ptr<zip_files> files;
  open_archive zip;
};

archive::archive(descriptor const& file, std::string const& path)
    : handle_(std::make_unique<handle>(handle{file.duplicate(), nullptr, nullptr})),
      path_(path) {
  handle_->files = std::make_unique<zip_files>(handle_->file.get(), -1);
  handle_->zip = open_with(*handle_->files, ZIP_RDONLY, path);
  zip_t* const z = handle_->zip.get();
  zip_int64_t const count = zip_get_num_entries(z, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t s;
    if (zip_stat_index(z, static_cast<zip_uint64_t>(i), 0, &s) != 0)
      throw file_error(fmt::format("{}: member {} cannot be read: {}", shell_name(path), i, zip_strerror(z)));
    archive_member m;
    m.file = s.name;
    m.is_array = ends_with_npy(m.file);
    m.name = m.is_array ? m.file.substr(0, m.file.size() - 4) : m.file;
    m.is_encrypted = s.encryption_method != ZIP_EM_NONE;
    m.method = text_of_method(s.comp_method);
    m.bytes = static_cast<std::int64_t>(s.size);
    m.packed_bytes = static_cast<std::int64_t>(s.comp_size);
    members_.push_back(m);
  }
}

archive::~archive() = default;

std::int64_t archive::find(std::string_view name) const {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (members_[i].name == name || members_[i].file == name) return static_cast<std::int64_t>(i);
  return -1;
}

void archive::unpack(std::size_t member, std::function<bool(std::span<std::byte const>)> const& sink) const {
  archive_member const& m = members_[member];
  std::string const label = shell_name(path_ + ":" + m.name);
  if (m.is_encrypted) throw file_error(fmt::format("{} is encrypted; unpack the archive with its password", label));
  zip_file_t* const file = zip_fopen_index(handle_->zip.get(), member, 0);
  if (file == nullptr)
    throw file_error(fmt::format("{} cannot be unpacked: {}", label, zip_strerror(handle_->zip.get())));
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> const guard(file, zip_fclose);
  std::vector<std::byte> piece(unpacked_at_once);
  std::int64_t seen = 0;
  while (true) {
    zip_int64_t const got = zip_fread(file, piece.data(), piece.size());
    if (got < 0)
      throw file_error(
          fmt::format("{} is damaged at byte {} of its content: {}", label, seen, zip_file_strerror(file)));
    if (got == 0) break;
    seen += got;
    if (seen > m.bytes) break;
    if (!sink(std::span(piece).first(static_cast<std::size_t>(got)))) return;
  }
  if (seen != m.bytes)
    throw file_error(
        fmt::format("{} is damaged: {} bytes were unpacked, and the archive's table says {}", label, seen, m.bytes));
}

void write_archive(descriptor const& to, descriptor const& old, new_member const& member, std::string const& path) {
  zip_files files(old.get(), to.get());
  zip_files content(member.content.get(), -1);
  open_archive z = open_with(files, ZIP_CREATE, path);
  auto const refuse = [&](zip_t* at) {
    std::string const reason = zip_strerror(at);
    throw file_error(fmt::format("{} cannot be written: {}", shell_name(path), reason));
  };
  zip_source_t* const source = zip_source_function(z.get(), zip_files::call, &content);
  if (source == nullptr) refuse(z.get());
  zip_int64_t const index = zip_file_add(z.get(), member.file.c_str(), source, ZIP_FL_OVERWRITE | ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    refuse(z.get());
  }
  auto const at = static_cast<zip_uint64_t>(index);
  bool const is_set = zip_set_file_compression(z.get(), at, member.deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) == 0 &&
                      zip_file_set_dostime(z.get(), at, 0, dos_date_1980, 0) == 0;
  if (!is_set || zip_close(z.get()) != 0) refuse(z.get());
  (void)z.release();  // closed
}

}  // namespace tilewright::cli
