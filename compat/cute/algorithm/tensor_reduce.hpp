// Reductions of tensors.
#pragma once

#include "cute/algorithm/functional.hpp"
#include "cute/algorithm/tensor_algorithms.hpp"

namespace cute {

/// f(…f(f(init, t(0)), t(1))…)
template <class T, class Value, class F = plus>
requires(tilewright::TensorType<T>) CUTE_HOST_DEVICE
    constexpr auto reduce(T const& tensor, Value init, F const& f = {}) {
  auto const n = size(tensor);
  CUTE_UNROLL
  for (int i = 0; i < static_cast<int>(n); ++i) init = f(init, static_cast<typename T::value_type>(tensor(i)));
  return init;
}

}  // namespace cute
