// Swizzle<B,M,S>: xor of B bits of an offset, S apart, above the lowest M.
#pragma once

#include "cute/layout.hpp"

namespace cute {

using tilewright::Swizzle;

template <class T>
struct is_swizzle : bool_constant<tilewright::is_swizzle_v<std::remove_cvref_t<T>>> {};

}  // namespace cute
