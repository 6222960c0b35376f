// The compile-time sentence of an error: the words of base/error_list.def in a static_assert, next to a type that shows
// the operands, such as operation_failed<errc::shape_does_not_divide, 6, 4>.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/base/invalid.hpp"

namespace tilewright {

template <errc Code, long long FirstOperand, long long SecondOperand>
struct operation_failed {
  template <errc Other>
  static constexpr bool is_not = Code != Other;

  TILEWRIGHT_FN static constexpr auto sentence() {
#define TILEWRIGHT_X(code, rule, first, second, remedy)                                                        \
  static_assert(is_not<errc::code>,                                                                            \
                rule " (" first " and " second " are the 2nd and 3rd argument of operation_failed<>); " remedy \
                     " (docs/errors.md#" #code ")");
#include "tilewright/base/error_list.def"
#undef TILEWRIGHT_X
    return invalid_layout{};
  }
};

}  // namespace tilewright
