// Constants that depend on template parameters, for assertions in branches that no instance may reach.
#pragma once

#include "tilewright/base/config.hpp"

namespace cutlass::detail {

template <bool Value, class... Args>
inline constexpr bool dependent_bool_value = Value;
template <class... Args>
inline constexpr bool dependent_false = dependent_bool_value<false, Args...>;

}  // namespace cutlass::detail
