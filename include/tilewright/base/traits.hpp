// The few pieces of the standard library that the typed face needs, from <type_traits> and <utility>, or from CUDA's
// own library where NVRTC has no standard one.
#pragma once

#include "tilewright/base/config.hpp"

#if TILEWRIGHT_HOSTED
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#else
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace std = cuda::std;
#endif

namespace tilewright {

template <int... N>
using seq = std::integer_sequence<int, N...>;
template <int N>
using make_seq = std::make_integer_sequence<int, N>;

template <class T>
struct type_tag {};

}  // namespace tilewright
