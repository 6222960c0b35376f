// Iterators: raw pointers, tagged pointers and their untagged inside; questions about them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/array_subbyte.hpp"
#include "tilewright/tensor/pointer_swizzle.hpp"
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
/// Of packed elements: where the byte of the first one is, as CuTe names it.
template <class T>
CUTE_HOST_DEVICE T* raw_pointer_cast(subbyte_iterator<T> const& it) {
  return reinterpret_cast<T*>(it.base + (it.bit >> 3));
}
namespace detail {
/// Iterators of this library, so that those of others (thrust's) keep a raw_pointer_cast of their own.
template <class It>
inline constexpr bool is_own_iterator = tilewright::space_of<It> != tilewright::memory_space::untagged;
template <class T>
inline constexpr bool is_own_iterator<subbyte_iterator<T>> = true;
template <class T>
inline constexpr bool is_own_iterator<counting_iterator<T>> = true;
template <class C_>
inline constexpr bool is_own_iterator<tilewright::ArithmeticTupleIterator<C_>> = true;
template <class F, class It>
inline constexpr bool is_own_iterator<tilewright::swizzle_ptr<F, It>> = true;
}  // namespace detail
template <class It>
requires(detail::is_own_iterator<It>) CUTE_HOST_DEVICE constexpr auto raw_pointer_cast(It const& it) {
  if constexpr (tilewright::space_of<It> == tilewright::memory_space::tmem) return it.get();
  else if constexpr (tilewright::space_of<It> != tilewright::memory_space::untagged)
    return cute::raw_pointer_cast(it.get());
  else if constexpr (requires { it.get(); }) return cute::raw_pointer_cast(it.get());
  else return it;
}

template <class It>
struct iter_value {
  using type = iter_value_t<It>;
};
template <class It>
struct iter_element {
  using type = iter_element_t<It>;
};
template <class It>
struct iter_reference {
  using type = iter_reference_t<It>;
};
/// Can `*it` be written?
template <class It>
    struct has_dereference : bool_constant < requires(It& it) {
  *it;
} > {};

/// What an iterator class of one's own derives from: it behaves as the iterator inside, and steps as itself.
template <class It, class Derived>
struct iter_adaptor {
  using iterator = It;
  using reference = iter_reference_t<It>;
  using element_type = iter_element_t<It>;
  using value_type = iter_value_t<It>;
  It ptr_;

  CUTE_HOST_DEVICE constexpr iter_adaptor(It ptr = {}) : ptr_(ptr) {}
  CUTE_HOST_DEVICE constexpr It get() const { return ptr_; }
  CUTE_HOST_DEVICE constexpr reference operator*() const { return *ptr_; }
  template <class I>
  CUTE_HOST_DEVICE constexpr reference operator[](I const& i) const {
    return ptr_[i];
  }
  template <class I>
  CUTE_HOST_DEVICE constexpr Derived operator+(I const& i) const {
    return {ptr_ + i};
  }
  CUTE_HOST_DEVICE friend constexpr bool operator==(Derived const& a, Derived const& b) { return a.ptr_ == b.ptr_; }
  CUTE_HOST_DEVICE friend constexpr bool operator!=(Derived const& a, Derived const& b) { return !(a.ptr_ == b.ptr_); }
};

}  // namespace cute
