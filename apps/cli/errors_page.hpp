// The page that errors cite, where it is on this machine.
#pragma once

#include <string>

namespace tilewright::cli {

/// "docs/errors.md" in the sentence, a path within the repository, becomes the path of the installed page: beside the
/// command in ../share/doc/tilewright/docs/. Where that is not installed, or the caller is in the repository, the sentence
/// stays as it is.
std::string with_installed_page(std::string sentence);

}  // namespace tilewright::cli
