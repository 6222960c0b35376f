// The values of convert's options.
#pragma once

#include "apps/cli/convert/job.hpp"

namespace tilewright::cli {

struct convert_settings {
  device where = cpu;
  int threads = 0;
  std::optional<byte_order> order;
  int version = 0;                     // of the output's format; 0: the lowest that will do
  std::optional<std::int64_t> memory;  // for the whole process, in bytes
};

/// error: usage_error, text_error
convert_settings read_settings(convert_request const& r);

/// The layouts and the header of the output.
/// error: usage_error, text_error
conversion read_conversion(convert_request const& r, npy_array const& in);

/// Bytes that a copy's buffers may have, when both files have `data_bytes` of data together.
/// error: usage_error when the given memory is less than the process needs, with the smallest that works
std::int64_t buffer_limit(convert_request const& r, convert_settings const& s, std::int64_t data_bytes);

}  // namespace tilewright::cli
