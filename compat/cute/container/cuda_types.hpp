// CUDA's three-component types as tuples: get<0>(blockIdx) is blockIdx.x.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/cuda_vectors.hpp"
#include "cute/container/tuple.hpp"

namespace cute {

/// Any type with x, y, z, as CUDA's dim3 and uint3 have.
template <int I, class T>
requires requires(T const& t) {
  t.x;
  t.y;
  t.z;
}
CUTE_HOST_DEVICE constexpr auto get(T const& t) {
  static_assert(I >= 0 && I < 3, "get: the entries are 0, 1 and 2");
  if constexpr (I == 0) return t.x;
  else if constexpr (I == 1) return t.y;
  else return t.z;
}

template <class T>
requires requires(T const& t) {
  t.x;
  t.y;
  t.z;
}
CUTE_HOST_DEVICE void print(T const& t) { print(tilewright::make_tuple(t.x, t.y, t.z)); }

}  // namespace cute
