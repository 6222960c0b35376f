// The codes of errors, one for each row of base/error_list.def.
#pragma once

#include "tilewright/base/config.hpp"

namespace tilewright {

#define TILEWRIGHT_X(code, rule, first, second, remedy) code,
enum class errc : int {
  ok = 0,
#include "tilewright/base/error_list.def"
};
#undef TILEWRIGHT_X

}  // namespace tilewright
