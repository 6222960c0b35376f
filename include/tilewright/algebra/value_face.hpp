// The whole value face in one include: layouts, tuples, tilers, swizzled layouts and every operation on them, as
// constexpr functions that return a result or an error.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/composed.hpp"
#include "tilewright/algebra/value_operations.hpp"
#include "tilewright/algebra/value_query.hpp"
