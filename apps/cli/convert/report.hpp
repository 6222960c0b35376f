// What a conversion says on standard output: what it wrote, or would write.
#pragma once

#include "apps/cli/convert/destination.hpp"
#include "apps/cli/convert/job.hpp"

namespace tilewright::cli {

/// How the output was, or would be, verified.
enum class verification { none, sums, comparison, reread };

struct convert_report {
  convert_request const& request;
  npy_input const& in;
  destination const& out;
  array_copy const& job;
  std::int64_t out_bytes = 0;  // of the array, header and data
  verification how = verification::none;
  double seconds = 0;
};

/// "(2, 3) of <f4 in Fortran order"
std::string text_of(npy_header const& h);

void print_written(convert_report const& r);
void print_dry_run(convert_report const& r);

}  // namespace tilewright::cli
