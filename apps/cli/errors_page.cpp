// Finds the installed page of errors.
#include "apps/cli/errors_page.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

namespace tilewright::cli {

std::string with_installed_page(std::string sentence) {
  namespace fs = std::filesystem;
  constexpr std::string_view cited = "docs/errors.md";
  std::size_t const at = sentence.find(cited);
  std::error_code none;
  if (at == std::string::npos || fs::exists(cited, none)) return sentence;
  fs::path const command = fs::read_symlink("/proc/self/exe", none);
  fs::path const page = command.parent_path().parent_path() / "share/doc/tilewright" / cited;
  if (none || !fs::is_regular_file(page, none)) return sentence;
  return sentence.replace(at, cited.size(), page.string());
}

}  // namespace tilewright::cli
