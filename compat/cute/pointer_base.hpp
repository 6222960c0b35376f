// Iterators: raw pointers, tagged pointers and their untagged inside; questions about them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/array_subbyte.hpp"
#include "tilewright/tensor/tensor.hpp"

namespace cute {

using tilewright::counting_iterator;
using tilewright::iterator_traits;
using tilewright::recast_ptr;

template <class It>
using iter_value_t = tilewright::iter_value_t<It>;
template <class It>
using iter_element_t = tilewright::iter_element_t<It>;
template <class It>
using iter_reference_t = tilewright::iter_reference_t<It>;

/// The plain pointer (or iterator) inside of any number of tags.
template <class T>
CUTE_HOST_DEVICE constexpr T* raw_pointer_cast(T* p) {
  return p;
}
template <class It>
requires(std::is_class_v<It>) CUTE_HOST_DEVICE constexpr auto raw_pointer_cast(It const& it) {
  if constexpr (tilewright::space_of<It> != tilewright::memory_space::untagged) return cute::raw_pointer_cast(it.get());
  else if constexpr (requires { it.get(); }) return cute::raw_pointer_cast(it.get());
  else return it;
}

}  // namespace cute
