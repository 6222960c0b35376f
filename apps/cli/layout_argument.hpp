// A layout that the user writes as one argument, in the language of `tilewright eval`, and that must be made of integers.
#pragma once

#include "tilewright/layout/swizzle_value.hpp"

#include <string_view>

namespace tilewright::cli {

/// A layout, a swizzled one, or a shape, which gets compact strides with the first mode fastest.
/// error: text_error, with the place
composed_value parse_layout_argument(std::string_view text);

}  // namespace tilewright::cli
