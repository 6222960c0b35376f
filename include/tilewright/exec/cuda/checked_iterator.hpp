// An iterator over watched memory on a GPU: the interface of checked_iterator, for kernels that run there. Every access
// of any width is checked before it happens.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/cuda/checked_memory.hpp"
#include "tilewright/tensor/sparse.hpp"

namespace tilewright {

/// Represents a T in watched memory. Copies of it name the same element; to keep a value, convert it: `float x = a(i)`.
template <class T>
class device_checked_reference {
 public:
  using value_type = std::remove_cv_t<T>;

  TILEWRIGHT_FN device_checked_reference(exec::watched_range const& memory, long long bit)
      : memory_(memory),
        bit_(bit) {}
  device_checked_reference(device_checked_reference const&) = default;

  TILEWRIGHT_FN operator value_type() const { return load(); }

  TILEWRIGHT_FN device_checked_reference const& operator=(value_type const& value) const requires(!std::is_const_v<T>) {
    store(value);
    return *this;
  }
  TILEWRIGHT_FN device_checked_reference const& operator=(device_checked_reference const& other) const
      requires(!std::is_const_v<T>) {
    store(other.load());
    return *this;
  }
  TILEWRIGHT_FN device_checked_reference& operator=(device_checked_reference const& other) requires(
      !std::is_const_v<T>) {
    store(other.load());
    return *this;
  }
  template <class U>
  TILEWRIGHT_FN device_checked_reference const& operator=(device_checked_reference<U> const& other) const
      requires(!std::is_const_v<T>) {
    store(static_cast<value_type>(static_cast<std::remove_const_t<U>>(other)));
    return *this;
  }

  TILEWRIGHT_FN auto const& operator+=(value_type const& v) const { return set(load() + v); }
  TILEWRIGHT_FN auto const& operator-=(value_type const& v) const { return set(load() - v); }
  TILEWRIGHT_FN auto const& operator*=(value_type const& v) const { return set(load() * v); }
  TILEWRIGHT_FN auto const& operator/=(value_type const& v) const { return set(load() / v); }
  TILEWRIGHT_FN auto const& operator%=(value_type const& v) const { return set(load() % v); }
  TILEWRIGHT_FN auto const& operator&=(value_type const& v) const { return set(load() & v); }
  TILEWRIGHT_FN auto const& operator|=(value_type const& v) const { return set(load() | v); }
  TILEWRIGHT_FN auto const& operator^=(value_type const& v) const { return set(load() ^ v); }
  TILEWRIGHT_FN auto const& operator++() const { return set(load() + 1); }
  TILEWRIGHT_FN auto const& operator--() const { return set(load() - 1); }
  TILEWRIGHT_FN value_type operator++(int) const {
    value_type const before = load();
    store(static_cast<value_type>(before + 1));
    return before;
  }
  TILEWRIGHT_FN value_type operator--(int) const {
    value_type const before = load();
    store(static_cast<value_type>(before - 1));
    return before;
  }

  TILEWRIGHT_FN friend void swap(device_checked_reference const& a, device_checked_reference const& b) {
    value_type const kept = a.load();
    a = b;
    b = kept;
  }

 private:
  static constexpr int width = detail::stored_bits<value_type>;

  template <class V>
  TILEWRIGHT_FN device_checked_reference const& set(V const& value) const {
    store(static_cast<value_type>(value));
    return *this;
  }
  TILEWRIGHT_FN value_type load() const {
    if (!may_access()) return value_type{};
    if constexpr (is_subbyte_v<value_type>)
      return subbyte_reference<value_type const>(memory_.begin + (bit_ >> 3), bit_ & 7);
    else return *reinterpret_cast<value_type const*>(memory_.begin + (bit_ >> 3));
  }
  TILEWRIGHT_FN void store(value_type const& value) const {
    if (!may_access()) return;
    if constexpr (is_subbyte_v<value_type>)
      subbyte_reference<value_type>(memory_.begin + (bit_ >> 3), bit_ & 7) = value;
    else *reinterpret_cast<value_type*>(memory_.begin + (bit_ >> 3)) = value;
  }
  TILEWRIGHT_FN bool may_access() const {
    if constexpr (is_subbyte_v<value_type>) {
      return memory_.allows(bit_ >> 3, (bit_ & 7) + width > 8 ? 2 : 1, 1);  // the bytes it is in
    } else {
      if (bit_ % 8 != 0) return memory_.note(fault::misaligned, bit_ >> 3);
      return memory_.allows(bit_ >> 3, sizeof(value_type), alignof(value_type));
    }
  }

  exec::watched_range memory_;
  long long bit_;  // from the range's begin
};

/// Random access over Ts in watched memory. Arithmetic may leave the range, dereferencing may not.
template <class T>
class device_checked_iterator {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using difference_type = long long;
  using reference = device_checked_reference<T>;
  using pointer = void;

  device_checked_iterator() = default;
  TILEWRIGHT_FN device_checked_iterator(exec::watched_range const& memory, long long bit)
      : memory_(memory),
        bit_(bit) {}
  /// From T to T const.
  template <class U>
  requires(std::is_same_v<U const, T> && !std::is_same_v<U, T>) TILEWRIGHT_FN
      device_checked_iterator(device_checked_iterator<U> const& other)
      : memory_(other.memory()),
        bit_(other.bit()) {}

  TILEWRIGHT_FN reference operator*() const { return {memory_, bit_}; }
  TILEWRIGHT_FN reference operator[](difference_type n) const { return *(*this + n); }

  TILEWRIGHT_FN device_checked_iterator& operator+=(difference_type n) {
    bit_ += n * detail::stored_bits<T>;
    return *this;
  }
  TILEWRIGHT_FN device_checked_iterator& operator-=(difference_type n) { return *this += -n; }
  TILEWRIGHT_FN device_checked_iterator& operator++() { return *this += 1; }
  TILEWRIGHT_FN device_checked_iterator& operator--() { return *this += -1; }
  TILEWRIGHT_FN device_checked_iterator operator++(int) {
    device_checked_iterator const before = *this;
    ++*this;
    return before;
  }
  TILEWRIGHT_FN device_checked_iterator operator--(int) {
    device_checked_iterator const before = *this;
    --*this;
    return before;
  }
  TILEWRIGHT_FN friend device_checked_iterator operator+(device_checked_iterator i, difference_type n) {
    return i += n;
  }
  TILEWRIGHT_FN friend device_checked_iterator operator+(difference_type n, device_checked_iterator i) {
    return i += n;
  }
  TILEWRIGHT_FN friend device_checked_iterator operator-(device_checked_iterator i, difference_type n) {
    return i -= n;
  }
  /// pre: both are into one range
  TILEWRIGHT_FN friend difference_type operator-(device_checked_iterator const& a, device_checked_iterator const& b) {
    return (a.bit_ - b.bit_) / detail::stored_bits<T>;
  }
  friend constexpr bool operator==(device_checked_iterator const&, device_checked_iterator const&) = default;
  TILEWRIGHT_FN friend bool operator<(device_checked_iterator const& a, device_checked_iterator const& b) {
    return a.bit_ < b.bit_;
  }

  /// The address for an instruction that accesses a whole T there by itself; one that may be accessed where this one
  /// may not, since all threads of a warp take part in such instructions.
  /// pre: shared memory
  TILEWRIGHT_FN value_type* checked_address() const {
    if (bit_ % 8 != 0) memory_.note(fault::misaligned, bit_ >> 3);
    else if (memory_.allows(bit_ >> 3, sizeof(T), alignof(T)))
      return reinterpret_cast<value_type*>(memory_.begin + (bit_ >> 3));
#if TILEWRIGHT_ON_DEVICE
    return static_cast<value_type*>(ptx::spare_shared_row());
#else
    return nullptr;
#endif
  }

  /// The iterator at the swizzled address.
  template <class SwizzleFn>
  TILEWRIGHT_FN device_checked_iterator swizzled() const {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.begin) + static_cast<std::uintptr_t>(bit_ >> 3);
    return {memory_, bit_ + 8 * detail::swizzle_distance<SwizzleFn>(address)};
  }

  TILEWRIGHT_FN exec::watched_range const& memory() const { return memory_; }
  TILEWRIGHT_FN long long bit() const { return bit_; }

 private:
  exec::watched_range memory_;
  long long bit_ = 0;  // from the range's begin
};

/// The same bytes seen as Us; constness carries over.
template <class U, class T>
TILEWRIGHT_FN auto recast_ptr(device_checked_iterator<T> const& i) {
  device_checked_iterator<detail::as_pointee<U, T>> const there(i.memory(), i.bit());
  if constexpr (is_sparse_v<U> && !is_sparse_v<T>) return make_sparse_ptr<detail::sparsity_of<U>>(there);
  else return there;
}

/// A thread beyond a tiled copy's own gets a null iterator, as it would a null pointer.
template <class T>
inline constexpr bool detail::can_be_null<device_checked_iterator<T>> = true;

}  // namespace tilewright
