// Algorithms on the elements of tensors.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor_impl.hpp"
#include "tilewright/algorithm/elementwise.hpp"

namespace cute {

using tilewright::transform;

/// f of every element, in the order of the index.
template <class T, class F>
requires(tilewright::TensorType<T>) CUTE_HOST_DEVICE constexpr void for_each(T&& tensor, F&& f) {
  tilewright::detail::for_each_number<4, tilewright::detail::element_count<T>, int>(size(tensor),
                                                                                    [&](int i) { f(tensor(i)); });
}

}  // namespace cute
