// A list of types.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/util/type_traits.hpp"

namespace cute {

template <class... T>
struct type_list {};

}  // namespace cute
