// Pointers that know their memory space.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/arithmetic_tuple.hpp"
#include "cute/pointer_base.hpp"
#include "tilewright/tensor/tmem_pointer.hpp"

namespace cute {

using tilewright::gmem_ptr;
using tilewright::make_gmem_ptr;
using tilewright::make_rmem_ptr;
using tilewright::make_smem_ptr;
using tilewright::make_tmem_ptr;
using tilewright::rmem_ptr;
using tilewright::smem_ptr;
using tilewright::tmem_ptr;

template <class T>
CUTE_HOST_DEVICE constexpr auto recast_ptr(std::nullptr_t) {
  return recast_ptr<T>(static_cast<T*>(nullptr));
}
template <class T>
CUTE_HOST_DEVICE constexpr gmem_ptr<T*> make_gmem_ptr(std::nullptr_t) {
  return {static_cast<T*>(nullptr)};
}
template <class T>
CUTE_HOST_DEVICE constexpr smem_ptr<T*> make_smem_ptr(std::nullptr_t) {
  return {static_cast<T*>(nullptr)};
}
template <class T>
CUTE_HOST_DEVICE constexpr rmem_ptr<T*> make_rmem_ptr(std::nullptr_t) {
  return {static_cast<T*>(nullptr)};
}

namespace detail {

template <class T>
struct iterator_of {
  using type = T;
};
template <class Engine, class L>
struct iterator_of<tilewright::Tensor<Engine, L>> {
  using type = typename Engine::iterator;
};
template <class It>
struct iterator_of<tilewright::ViewEngine<It>> {
  using type = It;
};
template <class It>
struct iterator_of<tilewright::ConstViewEngine<It>> {
  using type = It;
};
template <class T>
inline constexpr tilewright::memory_space space_of =
    tilewright::space_of<typename iterator_of<std::remove_cvref_t<T>>::type>;

}  // namespace detail

/// Of iterators and of tensors. What has no tag counts as registers.
template <class T>
struct is_gmem : bool_constant<detail::space_of<T> == tilewright::memory_space::gmem> {};
template <class T>
struct is_smem : bool_constant<detail::space_of<T> == tilewright::memory_space::smem> {};
template <class T>
struct is_tmem : bool_constant<detail::space_of<T> == tilewright::memory_space::tmem> {};
template <class T>
struct is_rmem : bool_constant<!is_gmem<T>::value && !is_smem<T>::value && !is_tmem<T>::value> {};
template <class T>
inline constexpr bool is_gmem_v = is_gmem<T>::value;
template <class T>
inline constexpr bool is_smem_v = is_smem<T>::value;
template <class T>
inline constexpr bool is_tmem_v = is_tmem<T>::value;
template <class T>
inline constexpr bool is_rmem_v = is_rmem<T>::value;

}  // namespace cute
