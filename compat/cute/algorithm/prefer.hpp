// Tags that rank overloads: prefer<1> is taken before prefer<0>.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"

namespace cute {

template <std::size_t N>
struct prefer : prefer<N - 1> {};
template <>
struct prefer<0> {};

}  // namespace cute
