// Sparse storage: of every S elements in a row one is stored. A layout counts elements, the pointer stores.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/pointer.hpp"

namespace cute {

/// S elements in a row that share one T.
template <int S, class T>
struct sparse_elem {
  static_assert(S > 0, "sparse_elem: at least one element shares a value");
  static constexpr int sparsity = S;
  using raw_type = T;
  T elem_;

  CUTE_HOST_DEVICE constexpr explicit sparse_elem(T const& elem = {}) : elem_(elem) {}
  CUTE_HOST_DEVICE constexpr operator T() const { return elem_; }
  CUTE_HOST_DEVICE friend constexpr bool operator==(sparse_elem const& a, sparse_elem const& b) {
    return a.elem_ == b.elem_;
  }
};

template <class T>
struct is_sparse : false_type {};
template <int S, class T>
struct is_sparse<sparse_elem<S, T>> : true_type {};
template <class T>
struct is_sparse<T const> : is_sparse<T> {};
template <class T>
inline constexpr bool is_sparse_v = is_sparse<T>::value;

/// p + i is `i` elements on, which is i / S stored ones.
/// pre: steps are multiples of S, as a layout's are that counts elements of the dense tensor
template <int S, class It>
struct sparse_ptr {
  using iterator = It;
  using element_type = iter_element_t<It>;
  using value_type = iter_value_t<It>;
  using reference = iter_reference_t<It>;
  It ptr{};

  CUTE_HOST_DEVICE constexpr It get() const { return ptr; }
  CUTE_HOST_DEVICE constexpr reference operator*() const { return *ptr; }
  template <class I>
  CUTE_HOST_DEVICE constexpr reference operator[](I const& i) const {
    return *(*this + i);
  }
  template <class I>
  CUTE_HOST_DEVICE constexpr sparse_ptr operator+(I const& i) const {
    return {ptr + i / C<S>{}};
  }
  friend constexpr bool operator==(sparse_ptr const&, sparse_ptr const&) = default;
};

namespace detail {
template <int S, class It>
inline constexpr bool is_own_iterator<sparse_ptr<S, It>> = true;
}

template <class T>
struct is_sparse_ptr : false_type {};
template <int S, class It>
struct is_sparse_ptr<sparse_ptr<S, It>> : true_type {};
template <class It, tilewright::memory_space Space>
struct is_sparse_ptr<tilewright::tagged_ptr<It, Space>> : is_sparse_ptr<It> {};

template <int S, class It>
CUTE_HOST_DEVICE constexpr sparse_ptr<S, It> make_sparse_ptr(It const& it) {
  return {it};
}
template <int S, class It, tilewright::memory_space Space>
CUTE_HOST_DEVICE constexpr auto make_sparse_ptr(tilewright::tagged_ptr<It, Space> const& it) {
  return tilewright::tagged_ptr<sparse_ptr<S, It>, Space>{{it.ptr}};
}

}  // namespace cute

template <int S, class It>
inline constexpr tilewright::memory_space tilewright::space_of<cute::sparse_ptr<S, It>> = tilewright::space_of<It>;
