// In a build without libzip: archives are recognised and refused. CMake takes this file or archive_libzip.cpp.
#include "apps/cli/convert/archive.hpp"

namespace tilewright::cli {

namespace {

[[noreturn]] void refuse(std::string const& path) {
  throw file_error(
      fmt::format("{} is a .npz archive, and this build has no libzip to read and write those; install "
                  "libzip-dev and build again",
                  shell_name(path)));
}

}  // namespace

struct archive::handle {};
bool has_archives() { return false; }
archive::archive(descriptor const&, std::string const& path) { refuse(path); }
archive::~archive() = default;
std::int64_t archive::find(std::string_view) const { return -1; }
void archive::unpack(std::size_t, std::function<bool(std::span<std::byte const>)> const&) const { refuse(path_); }
void write_archive(descriptor const&, descriptor const&, new_member const&, std::string const& path) { refuse(path); }

}  // namespace tilewright::cli
