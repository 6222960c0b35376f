// Pointers that know their memory space: gmem_ptr, smem_ptr and rmem_ptr wrap any random-access iterator, so that a copy
// picks the instruction for the pair of spaces and refuses the wrong one. recast_ptr sees the same bytes as elements of
// another type; an iterator of one's own joins in by overloading it.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/ints/basis.hpp"
#include "tilewright/tensor/subbyte.hpp"

namespace tilewright {

// --- what an iterator is ---------------------------------------------------------------------------------------------
template <class It>
struct iterator_traits {
  using element_type = typename It::element_type;
  using value_type = typename It::value_type;
  using reference = typename It::reference;
};
template <class T>
struct iterator_traits<T*> {
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using reference = T&;
};
/// An iterator that is no pointer. Pointers are taken by value, so that arrays decay and `__restrict__` is no part of
/// the type. What has a begin() is a container or an engine.
template <class It>
concept IteratorClass = std::is_class_v<It> && requires {
  typename It::element_type;
} && !requires(It & it) {
  it.begin();
};

template <class It>
using iter_element_t = typename iterator_traits<It>::element_type;
template <class It>
using iter_value_t = typename iterator_traits<It>::value_type;
template <class It>
using iter_reference_t = typename iterator_traits<It>::reference;

// --- memory spaces ---------------------------------------------------------------------------------------------------
/// Where an iterator points; `untagged` promises nothing. tmem: tensor memory (tensor/tmem_pointer.hpp), which no thread
/// addresses by a pointer.
enum class memory_space { untagged, gmem, smem, rmem, tmem };

template <class It, memory_space Space>
struct tagged_ptr {
  static constexpr memory_space space = Space;
  using iterator = It;
  using element_type = iter_element_t<It>;
  using value_type = iter_value_t<It>;
  using reference = iter_reference_t<It>;
  It ptr{};

  /// Another address in the same memory.
  TILEWRIGHT_FN constexpr tagged_ptr& operator=(It const& address) {
    ptr = address;
    return *this;
  }
  TILEWRIGHT_FN constexpr It get() const { return ptr; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN constexpr reference operator*() const { return *ptr; }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class I>
  TILEWRIGHT_FN constexpr reference operator[](I const& i) const {
    return ptr[i];
  }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class I>
  TILEWRIGHT_FN constexpr tagged_ptr operator+(I const& i) const {
    return {ptr + i};
  }
  friend TILEWRIGHT_CONSTEXPR bool operator==(tagged_ptr const&, tagged_ptr const&) = default;
  // In the order of the iterators inside.
  friend TILEWRIGHT_FN constexpr bool operator<(tagged_ptr const& a, tagged_ptr const& b) { return a.ptr < b.ptr; }
  friend TILEWRIGHT_FN constexpr bool operator>(tagged_ptr const& a, tagged_ptr const& b) { return b.ptr < a.ptr; }
  friend TILEWRIGHT_FN constexpr bool operator<=(tagged_ptr const& a, tagged_ptr const& b) { return !(b.ptr < a.ptr); }
  friend TILEWRIGHT_FN constexpr bool operator>=(tagged_ptr const& a, tagged_ptr const& b) { return !(a.ptr < b.ptr); }
  friend TILEWRIGHT_FN constexpr auto operator-(tagged_ptr const& a, tagged_ptr const& b) { return a.ptr - b.ptr; }
  // With what the iterator inside compares with: a plain pointer, nullptr.
  friend TILEWRIGHT_FN constexpr bool operator==(tagged_ptr const& a, It const& b) { return a.ptr == b; }
  friend TILEWRIGHT_FN constexpr bool operator<(tagged_ptr const& a, It const& b) { return a.ptr < b; }
  friend TILEWRIGHT_FN constexpr bool operator>(tagged_ptr const& a, It const& b) { return b < a.ptr; }
  friend TILEWRIGHT_FN constexpr bool operator<=(tagged_ptr const& a, It const& b) { return !(b < a.ptr); }
  friend TILEWRIGHT_FN constexpr bool operator>=(tagged_ptr const& a, It const& b) { return !(a.ptr < b); }
  friend TILEWRIGHT_FN constexpr bool operator<(It const& a, tagged_ptr const& b) { return a < b.ptr; }
  friend TILEWRIGHT_FN constexpr bool operator>(It const& a, tagged_ptr const& b) { return b.ptr < a; }
  friend TILEWRIGHT_FN constexpr bool operator<=(It const& a, tagged_ptr const& b) { return !(b.ptr < a); }
  friend TILEWRIGHT_FN constexpr bool operator>=(It const& a, tagged_ptr const& b) { return !(a < b.ptr); }
};

template <class It>
using gmem_ptr = tagged_ptr<It, memory_space::gmem>;
template <class It>
using smem_ptr = tagged_ptr<It, memory_space::smem>;
template <class It>
using rmem_ptr = tagged_ptr<It, memory_space::rmem>;

template <class It>
inline constexpr memory_space space_of = memory_space::untagged;
template <class It, memory_space S>
inline constexpr memory_space space_of<tagged_ptr<It, S>> = S;

/// The iterator without its tag.
template <class It>
TILEWRIGHT_FN constexpr It untagged(It const& it) {
  return it;
}
template <class It, memory_space S>
TILEWRIGHT_FN constexpr It untagged(tagged_ptr<It, S> const& it) {
  return it.ptr;
}

namespace detail {

template <memory_space Tagged, memory_space Wanted>
struct pointer_is_untagged {
  static constexpr bool value = Tagged == memory_space::untagged || Tagged == Wanted;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_*_ptr: the pointer is already tagged with another memory space; tag the raw pointer "
                  "(docs/errors.md#memory_space)");
    return invalid_layout{};
  }
};

template <memory_space S, class It>
TILEWRIGHT_FN constexpr auto tag(It const& it) {
  if constexpr (space_of<It> == S) {
    return it;
  } else {
    if constexpr (std::is_pointer_v<It>) {
      if constexpr (is_subbyte_v<std::remove_pointer_t<It>>)
        return tagged_ptr<subbyte_iterator<std::remove_pointer_t<It>>, S>{
            subbyte_iterator<std::remove_pointer_t<It>>(it)};
      else return tagged_ptr<It, S>{it};
    } else {
      return tagged_ptr<It, S>{it};
    }
  }
}
template <class T, class Void>
using as_pointee = std::conditional_t<std::is_const_v<Void>, T const, T>;

}  // namespace detail

template <class T>
TILEWRIGHT_FN constexpr auto make_gmem_ptr(T* p) {
  return detail::tag<memory_space::gmem>(p);
}
template <IteratorClass It>
TILEWRIGHT_FN constexpr auto make_gmem_ptr(It const& it) {
  using check = detail::pointer_is_untagged<space_of<It>, memory_space::gmem>;
  if constexpr (!check::value) return check::sentence();
  else return detail::tag<memory_space::gmem>(it);
}
template <class T>
TILEWRIGHT_FN constexpr auto make_smem_ptr(T* p) {
  return detail::tag<memory_space::smem>(p);
}
template <IteratorClass It>
TILEWRIGHT_FN constexpr auto make_smem_ptr(It const& it) {
  using check = detail::pointer_is_untagged<space_of<It>, memory_space::smem>;
  if constexpr (!check::value) return check::sentence();
  else return detail::tag<memory_space::smem>(it);
}
template <class T>
TILEWRIGHT_FN constexpr auto make_rmem_ptr(T* p) {
  return detail::tag<memory_space::rmem>(p);
}
template <IteratorClass It>
TILEWRIGHT_FN constexpr auto make_rmem_ptr(It const& it) {
  using check = detail::pointer_is_untagged<space_of<It>, memory_space::rmem>;
  if constexpr (!check::value) return check::sentence();
  else return detail::tag<memory_space::rmem>(it);
}
/// A raw address with its element type.
template <class T>
TILEWRIGHT_FN auto make_gmem_ptr(void* p) {
  return make_gmem_ptr(static_cast<T*>(p));
}
template <class T>
TILEWRIGHT_FN auto make_gmem_ptr(void const* p) {
  return make_gmem_ptr(static_cast<T const*>(p));
}
template <class T>
TILEWRIGHT_FN auto make_smem_ptr(void* p) {
  return make_smem_ptr(static_cast<T*>(p));
}
template <class T>
TILEWRIGHT_FN auto make_smem_ptr(void const* p) {
  return make_smem_ptr(static_cast<T const*>(p));
}
template <class T>
TILEWRIGHT_FN auto make_rmem_ptr(void* p) {
  return make_rmem_ptr(static_cast<T*>(p));
}
template <class T>
TILEWRIGHT_FN auto make_rmem_ptr(void const* p) {
  return make_rmem_ptr(static_cast<T const*>(p));
}

template <class It>
inline constexpr bool is_gmem_v = space_of<It> == memory_space::gmem;
template <class It>
inline constexpr bool is_smem_v = space_of<It> == memory_space::smem;
template <class It>
inline constexpr bool is_rmem_v = space_of<It> == memory_space::rmem || space_of<It> == memory_space::untagged;

// --- another element type over the same bytes ------------------------------------------------------------------------
namespace detail {

/// error: in a checked host build, layout_error misaligned
TILEWRIGHT_FN void check_alignment(void const* p, unsigned long long alignment) {
#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (address % alignment != 0)
    raise(error{errc::misaligned, static_cast<long long>(address % 256), static_cast<long long>(alignment)});
#else
  (void)p;
  (void)alignment;
#endif
}

}  // namespace detail

/// The same memory seen as elements of U.
/// pre: the address is aligned for U (checked builds verify it)
template <class U, class T>
TILEWRIGHT_FN auto recast_ptr(T* p) {
  using Target = detail::as_pointee<U, T>;
  if constexpr (std::is_same_v<std::remove_const_t<U>, std::remove_const_t<T>>) {
    return p;
  } else if constexpr (is_subbyte_v<U>) {
    return subbyte_iterator<Target>(reinterpret_cast<typename subbyte_iterator<Target>::byte*>(p));
  } else {
    detail::check_alignment(p, alignof(U));
    return reinterpret_cast<Target*>(p);
  }
}
template <class U, class T>
TILEWRIGHT_FN auto recast_ptr(subbyte_iterator<T> const& it) {
  using Target = detail::as_pointee<U, T>;
  if constexpr (is_subbyte_v<U>) {
    return subbyte_iterator<Target>(it.base, it.bit);
  } else {
#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
    if (it.bit % 8 != 0) raise(error{errc::misaligned, it.bit % 8, 8});
#endif
    detail::check_alignment(it.base + (it.bit >> 3), alignof(U));
    return reinterpret_cast<Target*>(it.base + (it.bit >> 3));
  }
}
TILEWRIGHT_NO_EXEC_CHECK
template <class U, class It, memory_space S>
TILEWRIGHT_FN auto recast_ptr(tagged_ptr<It, S> const& it) {
  auto const inner = recast_ptr<U>(it.ptr);
  return tagged_ptr<std::remove_const_t<decltype(inner)>, S>{inner};
}

// --- iterators without memory ----------------------------------------------------------------------------------------
/// Its own index: *it is the number of its position.
template <class T = int>
struct counting_iterator {
  using element_type = T;
  using value_type = T;
  using reference = T;
  T number{};
  TILEWRIGHT_FN constexpr T operator*() const { return number; }
  template <class I>
  TILEWRIGHT_FN constexpr T operator[](I const& i) const {
    return number + static_cast<T>(i);
  }
  template <class I>
  TILEWRIGHT_FN constexpr counting_iterator operator+(I const& i) const {
    return {number + static_cast<T>(i)};
  }
  friend TILEWRIGHT_CONSTEXPR bool operator==(counting_iterator const&, counting_iterator const&) = default;
  friend TILEWRIGHT_FN constexpr bool operator<(counting_iterator const& a, counting_iterator const& b) {
    return a.number < b.number;
  }
  friend TILEWRIGHT_FN constexpr bool operator>(counting_iterator const& a, counting_iterator const& b) {
    return b < a;
  }
  friend TILEWRIGHT_FN constexpr bool operator<=(counting_iterator const& a, counting_iterator const& b) {
    return !(b < a);
  }
  friend TILEWRIGHT_FN constexpr bool operator>=(counting_iterator const& a, counting_iterator const& b) {
    return !(a < b);
  }
};

/// Its own coordinate: *it is an ArithmeticTuple. A step is a coordinate, or an element of a basis: it + E<0>{}.
template <class Coordinate>
struct ArithmeticTupleIterator {
  using element_type = Coordinate;
  using value_type = Coordinate;
  using reference = Coordinate;
  Coordinate coord_{};
  TILEWRIGHT_FN constexpr Coordinate operator*() const { return coord_; }
  template <class Step>
  TILEWRIGHT_FN constexpr auto operator[](Step const& step) const {
    return *(*this + step);
  }
  template <class Step>
  TILEWRIGHT_FN constexpr auto operator+(Step const& step) const {
    auto const sum = detail::add_coordinates(coord_, detail::step_as_coordinate(step));
    return ArithmeticTupleIterator<std::remove_const_t<decltype(sum)>>{sum};
  }
};

// --- no element at all -----------------------------------------------------------------------------------------------
namespace detail {

/// Can an iterator point to nothing?  A thread that takes no part in a tiled copy gets such a one, and copy() moves
/// nothing for it. An iterator of one's own joins in by specialising this; its default value then compares as null.
template <class It>
inline constexpr bool can_be_null = std::is_pointer_v<It>;
template <class T>
inline constexpr bool can_be_null<subbyte_iterator<T>> = true;
template <class It, memory_space S>
inline constexpr bool can_be_null<tagged_ptr<It, S>> = can_be_null<It>;

template <class It>
TILEWRIGHT_FN constexpr bool is_null(It const& it) {
  if constexpr (can_be_null<It>) return it == It{};
  else return false;
}

}  // namespace detail

}  // namespace tilewright
