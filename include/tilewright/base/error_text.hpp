// An error's sentence as a std::string, for those who print or compare it. Host only.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"

#include <string>

namespace tilewright {

/// One sentence: rule (operands with values); remedy (page).
inline std::string to_string(error const& e) { return sentence_of(e).c_str(); }

}  // namespace tilewright
