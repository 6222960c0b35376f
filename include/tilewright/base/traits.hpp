// The few pieces of the standard library that the typed face needs: from <type_traits> and <utility>, or written out
// where NVRTC has no standard library.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/freestanding.hpp"

#if TILEWRIGHT_HOSTED
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#endif

namespace tilewright {

template <int... N>
using seq = std::integer_sequence<int, N...>;
template <int N>
using make_seq = std::make_integer_sequence<int, N>;

template <class T>
struct type_tag {};

/// T[N] for an int N, without a warning about the sign of N.
template <class T, int N>
using array_of = T[static_cast<std::size_t>(N)];

}  // namespace tilewright
