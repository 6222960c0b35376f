// What the opaque handles of the C interface hold.
#pragma once

#include "engine/c_api/guard.hpp"
#include "tilewright/engine/copy.hpp"

#include <cstdint>
#include <mutex>
#include <string>

/// law: no run-time leaves, no basis strides, size and cosize fit 63 bits
struct tw_layout {
  tilewright::composed_value value{};
  std::string text;
  std::int64_t size = 0;
  std::int64_t cosize = 0;
};

struct tw_plan {
  tilewright::copy_plan plan;
  bool can_run = false;
  std::int64_t src_alignment = 1;  // of the pointers that it was made for, in bytes
  std::int64_t dst_alignment = 1;

  // Both texts are made when first asked for.
  mutable std::mutex guard;
  mutable std::string explanation;
  mutable std::string json;
};

namespace tilewright::c_api {

/// error: copy_error bad_layout
tw_layout checked_layout(composed_value const& value);

/// error: copy_error bad_option, bad_element
tensor_view read_tensor(tw_tensor const* given, char const* function, char const* argument);

/// Null gives the defaults.  error: copy_error bad_option
copy_options read_options(tw_copy_options const* given, char const* function);

/// error: copy_error bad_element
element_type read_element(tw_element element, char const* function);

/// error: copy_error bad_option
device read_device(tw_device kind, std::int32_t ordinal, char const* function);

}  // namespace tilewright::c_api
