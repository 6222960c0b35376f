// An array with a stated alignment, for vector accesses.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/alignment.hpp"
#include "cute/container/array.hpp"

namespace cute {

template <class T, std::size_t N, std::size_t Alignment = 16>
struct alignas(Alignment) array_aligned : array<T, N> {};

}  // namespace cute
