// Sparse storage: of S elements in a row one is stored. Layouts count all elements, the pointer steps over the stored ones:
//   sparse_ptr<2, half_t*> p;  *(p + 6) is stored element 3
// An operand of a sparse matrix operation is such a tensor; other data, the metadata, name the places of the stored elements.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/pointer_swizzle.hpp"

namespace tilewright {

/// S elements in a row that share one T.
template <int S, class T>
struct TILEWRIGHT_CUTLASS_NAME sparse_elem {
  static_assert(S > 0, "sparse_elem: at least one element shares a value");
  static constexpr int sparsity = S;
  using raw_type = T;
  T elem_;

  constexpr sparse_elem() = default;
  TILEWRIGHT_HOST_DEVICE constexpr explicit sparse_elem(T const& elem) : elem_(elem) {}
  TILEWRIGHT_HOST_DEVICE constexpr operator T() const { return elem_; }
  TILEWRIGHT_HOST_DEVICE friend constexpr bool operator==(sparse_elem const& a, sparse_elem const& b) {
    return a.elem_ == b.elem_;
  }
};

/// The bits of storage that an element has; 0 where it has less than one.
template <int S, class T>
struct sizeof_bits<sparse_elem<S, T>> {
  static constexpr int value = sizeof_bits_v<T> / S;
};
template <int S, class T>
inline constexpr bool is_subbyte_v<sparse_elem<S, T>> = false;

template <class T>
struct is_sparse : std::false_type {};
template <int S, class T>
struct is_sparse<sparse_elem<S, T>> : std::true_type {};
template <class T>
struct is_sparse<T const> : is_sparse<T> {};
template <class T>
inline constexpr bool is_sparse_v = is_sparse<T>::value;

/// p + i is `i` elements on, which is i / S stored ones.
/// pre: a step is a whole number of stored elements, or begins at one: any position in [nS, nS + S) is stored element n
template <int S, class It>
struct sparse_ptr {
  using iterator = It;
  using element_type = iter_element_t<It>;
  using value_type = iter_value_t<It>;
  using reference = iter_reference_t<It>;
  It ptr{};

  TILEWRIGHT_FN constexpr It get() const { return ptr; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN constexpr reference operator*() const { return *ptr; }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class I>
  TILEWRIGHT_FN constexpr reference operator[](I const& i) const {
    return *(*this + i);
  }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class I>
  TILEWRIGHT_FN constexpr sparse_ptr operator+(I const& i) const {
    return {ptr + i / C<S>{}};
  }
  /// The stored element at the swizzled address.
  template <class SwizzleFn>
  TILEWRIGHT_FN auto swizzled() const {
    return detail::swizzled<SwizzleFn>(ptr);
  }
  friend TILEWRIGHT_CONSTEXPR bool operator==(sparse_ptr const&, sparse_ptr const&) = default;
};

template <class T>
struct is_sparse_ptr : std::false_type {};
template <int S, class It>
struct is_sparse_ptr<sparse_ptr<S, It>> : std::true_type {};
template <class It, memory_space Space>
struct is_sparse_ptr<tagged_ptr<It, Space>> : is_sparse_ptr<It> {};

template <int S, class It>
inline constexpr memory_space space_of<sparse_ptr<S, It>> = space_of<It>;
namespace detail {
template <int S, class It>
inline constexpr bool can_be_null<sparse_ptr<S, It>> = can_be_null<It>&& is_sparse_v<iter_value_t<It>>;
template <class It>
TILEWRIGHT_FN constexpr It without_sparsity(It const& it) {
  return it;
}
template <int S, class It>
TILEWRIGHT_FN constexpr It without_sparsity(sparse_ptr<S, It> const& it) {
  return it.ptr;
}
}  // namespace detail

template <int S, class It>
TILEWRIGHT_FN constexpr sparse_ptr<S, It> make_sparse_ptr(It const& it) {
  return {it};
}
template <int S, class It, memory_space Space>
TILEWRIGHT_FN constexpr auto make_sparse_ptr(tagged_ptr<It, Space> const& it) {
  return tagged_ptr<sparse_ptr<S, It>, Space>{{it.ptr}};
}

/// Stored elements as elements of a sparse tensor, and back as whatever they are.
template <class U, class T>
requires(is_sparse_v<U> && !is_sparse_v<T>) TILEWRIGHT_FN auto recast_ptr(T* p) {
  using Target = detail::as_pointee<U, T>;
  return sparse_ptr<U::sparsity, Target*>{reinterpret_cast<Target*>(p)};
}
template <class U, int S, class It>
TILEWRIGHT_FN auto recast_ptr(sparse_ptr<S, It> const& it) {
  if constexpr (std::is_same_v<std::remove_const_t<U>, iter_value_t<It>>) return it;
  else return recast_ptr<U>(it.ptr);
}

/// A raw address of stored elements.
template <class T>
requires(is_sparse_v<T>) TILEWRIGHT_FN auto make_gmem_ptr(void* p) {
  return make_gmem_ptr(recast_ptr<T>(static_cast<typename T::raw_type*>(p)));
}
template <class T>
requires(is_sparse_v<T>) TILEWRIGHT_FN auto make_gmem_ptr(void const* p) {
  return make_gmem_ptr(recast_ptr<T>(static_cast<typename T::raw_type const*>(p)));
}
template <class T>
requires(is_sparse_v<T>) TILEWRIGHT_FN auto make_smem_ptr(void* p) {
  return make_smem_ptr(recast_ptr<T>(static_cast<typename T::raw_type*>(p)));
}
template <class T>
requires(is_sparse_v<T>) TILEWRIGHT_FN auto make_smem_ptr(void const* p) {
  return make_smem_ptr(recast_ptr<T>(static_cast<typename T::raw_type const*>(p)));
}
template <class T>
requires(is_sparse_v<T>) TILEWRIGHT_FN auto make_rmem_ptr(void* p) {
  return make_rmem_ptr(recast_ptr<T>(static_cast<typename T::raw_type*>(p)));
}

/// Owning: N elements of which N / S are stored.
template <int S, class T, std::size_t N>
struct ArrayEngine<sparse_elem<S, T>, N> {
  static_assert(N % S == 0, "ArrayEngine: a sparse array has a whole number of stored elements");
  using stored = ArrayEngine<T, N / S>;
  static constexpr int alignment = stored::alignment;
  using element_type = sparse_elem<S, T>;
  using value_type = element_type;
  using iterator = sparse_ptr<S, element_type*>;
  using const_iterator = sparse_ptr<S, element_type const*>;
  using reference = element_type&;
  alignas(alignment > static_cast<int>(alignof(T))
              ? alignment
              : static_cast<int>(alignof(T))) element_type storage[N / S < 1 ? 1 : N / S];
  TILEWRIGHT_FN constexpr iterator begin() { return {storage}; }
  TILEWRIGHT_FN constexpr const_iterator begin() const { return {storage}; }
};

namespace detail {
/// The stored elements of a sparse tensor as a dense one of 1 / S of the columns; other tensors as they are.
template <class T>
TILEWRIGHT_FN constexpr auto stored_elements(T&& tensor) {
  using Element = typename std::remove_cvref_t<T>::value_type;
  if constexpr (is_sparse_v<Element>)
    return make_tensor(recast_ptr<typename Element::raw_type>(tensor.data()),
                       upcast<Element::sparsity>(tensor.layout()));
  else return make_tensor(tensor.data(), tensor.layout());
}
/// S of elements, 1 of dense ones.
template <class T>
inline constexpr int sparsity_of = 1;
template <int S, class T>
inline constexpr int sparsity_of<sparse_elem<S, T>> = S;
template <class T>
inline constexpr int sparsity_of<T const> = sparsity_of<T>;
/// The bits of what is stored.
template <class T>
inline constexpr int stored_bits = sizeof_bits_v<T>;
template <int S, class T>
inline constexpr int stored_bits<sparse_elem<S, T>> = sizeof_bits_v<T>;
}  // namespace detail

}  // namespace tilewright
