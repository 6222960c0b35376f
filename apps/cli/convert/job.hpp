// One conversion from its options to the finished output.
#pragma once

#include "apps/cli/convert/copy_array.hpp"

#include <optional>
#include <string>

namespace tilewright::cli {

/// What the user asked for, as text; nothing where an option was not given.
struct convert_request {
  std::string in, out;
  std::optional<std::string> permute, to, order, byte_order, version, memory;
  std::string device = "cpu", threads = "0";
  bool verify = false;     // read the output back from the disk
  bool no_verify = false;  // nor by sums
  bool force = false, compress = false, dry_run = false, json = false;
};

/// Reads all options before the first file is opened, converts, and says what was written.
/// post: the exit status; 1 when verification found a difference, in which case nothing is written
/// error: usage_error, text_error, file_error, copy_error
int run_conversion(convert_request const& request, std::optional<copy_function> copier = {});

}  // namespace tilewright::cli
