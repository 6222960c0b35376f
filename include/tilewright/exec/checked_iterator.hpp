// An iterator over watched memory: what pointers become in a checked launch. Dereferencing yields a proxy, so that
// reads and writes are distinguished; every access of any width is checked byte by byte before it happens.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/checked_memory.hpp"
#include "tilewright/tensor/sparse.hpp"

#include <compare>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace tilewright {

namespace exec {
template <class T>
struct elements_are_copied_bytewise {
  static constexpr bool value = std::is_trivially_copyable_v<T>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "checked_reference: elements in watched memory are copied bytewise; use a trivially copyable type "
                  "(docs/errors.md#watched_elements)");
    return invalid_layout{};
  }
};
}  // namespace exec

/// Represents a T in watched memory. Copies of it name the same element; to keep a value, convert it: `float x = a(i)`.
template <class T>
class checked_reference {
 public:
  using value_type = std::remove_cv_t<T>;

  checked_reference(exec::checked_allocation& memory, std::ptrdiff_t bit) : memory_(&memory), bit_(bit) {}
  checked_reference(checked_reference const&) = default;

  operator value_type() const { return load(); }

  checked_reference const& operator=(value_type const& value) const requires(!std::is_const_v<T>) {
    store(value);
    return *this;
  }
  checked_reference const& operator=(checked_reference const& other) const requires(!std::is_const_v<T>) {
    store(other.load());
    return *this;
  }
  checked_reference& operator=(checked_reference const& other) requires(!std::is_const_v<T>) {
    store(other.load());
    return *this;
  }
  template <class U>
  checked_reference const& operator=(checked_reference<U> const& other) const requires(!std::is_const_v<T>) {
    store(static_cast<value_type>(static_cast<std::remove_const_t<U>>(other)));
    return *this;
  }

  checked_reference const& operator+=(value_type const& v) const { return *this = static_cast<value_type>(load() + v); }
  checked_reference const& operator-=(value_type const& v) const { return *this = static_cast<value_type>(load() - v); }
  checked_reference const& operator*=(value_type const& v) const { return *this = static_cast<value_type>(load() * v); }
  checked_reference const& operator/=(value_type const& v) const { return *this = static_cast<value_type>(load() / v); }
  checked_reference const& operator%=(value_type const& v) const { return *this = static_cast<value_type>(load() % v); }
  checked_reference const& operator&=(value_type const& v) const { return *this = static_cast<value_type>(load() & v); }
  checked_reference const& operator|=(value_type const& v) const { return *this = static_cast<value_type>(load() | v); }
  checked_reference const& operator^=(value_type const& v) const { return *this = static_cast<value_type>(load() ^ v); }
  checked_reference const& operator++() const { return *this = static_cast<value_type>(load() + 1); }
  checked_reference const& operator--() const { return *this = static_cast<value_type>(load() - 1); }
  value_type operator++(int) const {
    value_type const before = load();
    store(static_cast<value_type>(before + 1));
    return before;
  }
  value_type operator--(int) const {
    value_type const before = load();
    store(static_cast<value_type>(before - 1));
    return before;
  }

  /// The element's address, for accesses that are not watched.
  value_type* unwatched() const requires(!is_subbyte_v<value_type>) {
    return reinterpret_cast<value_type*>(memory_->unwatched(whole_byte(), sizeof(value_type), alignof(value_type)));
  }

  friend void swap(checked_reference const& a, checked_reference const& b) {
    value_type const kept = a.load();
    a = b;
    b = kept;
  }

 private:
  static constexpr int width = detail::stored_bits<value_type>;

  value_type load() const {
    if constexpr (is_subbyte_v<value_type>) {
      auto const* const bytes = reinterpret_cast<unsigned char const*>(memory_->read(bit_ >> 3, touched(), 1));
      return subbyte_reference<value_type const>(bytes, bit_ & 7);
    } else {
      alignas(value_type) std::byte bytes[sizeof(value_type)];
      std::memcpy(bytes, memory_->read(whole_byte(), sizeof(value_type), alignof(value_type)), sizeof(value_type));
      return *reinterpret_cast<value_type const*>(bytes);
    }
  }
  void store(value_type const& value) const {
    if constexpr (is_subbyte_v<value_type>) {
      auto* const bytes = reinterpret_cast<unsigned char*>(memory_->write(bit_ >> 3, touched(), 1));
      subbyte_reference<value_type>(bytes, bit_ & 7) = value;
    } else {
      std::memcpy(memory_->write(whole_byte(), sizeof(value_type), alignof(value_type)), &value, sizeof(value_type));
    }
  }
  /// The bytes that contain an element narrower than one.
  std::size_t touched() const { return (bit_ & 7) + width > 8 ? 2 : 1; }
  std::ptrdiff_t whole_byte() const {
    if (bit_ % 8 != 0) memory_->refuse_alignment(bit_ >> 3);
    return bit_ / 8;
  }

  exec::checked_allocation* memory_;
  std::ptrdiff_t bit_;  // from the allocation's start
};

/// Random access over Ts in watched memory. Arithmetic may leave the allocation, dereferencing may not.
template <class T>
class checked_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = checked_reference<T>;
  using pointer = void;

  checked_iterator() = default;
  checked_iterator(exec::checked_allocation& memory, std::ptrdiff_t bit) : memory_(&memory), bit_(bit) {}
  /// From T to T const.
  template <class U>
  requires(std::is_same_v<U const, T> && !std::is_same_v<U, T>) checked_iterator(checked_iterator<U> const& other)
      : memory_(&other.memory()),
        bit_(other.bit()) {}

  reference operator*() const { return {*memory_, bit_}; }
  reference operator[](difference_type n) const { return *(*this + n); }

  checked_iterator& operator+=(difference_type n) {
    bit_ += n * detail::stored_bits<T>;
    return *this;
  }
  checked_iterator& operator-=(difference_type n) { return *this += -n; }
  checked_iterator& operator++() { return *this += 1; }
  checked_iterator& operator--() { return *this += -1; }
  checked_iterator operator++(int) {
    checked_iterator const before = *this;
    ++*this;
    return before;
  }
  checked_iterator operator--(int) {
    checked_iterator const before = *this;
    --*this;
    return before;
  }
  friend checked_iterator operator+(checked_iterator i, difference_type n) { return i += n; }
  friend checked_iterator operator+(difference_type n, checked_iterator i) { return i += n; }
  friend checked_iterator operator-(checked_iterator i, difference_type n) { return i -= n; }
  /// pre: both are into one allocation
  friend difference_type operator-(checked_iterator const& a, checked_iterator const& b) {
    return (a.bit_ - b.bit_) / detail::stored_bits<T>;
  }
  friend bool operator==(checked_iterator const& a, checked_iterator const& b) = default;
  friend auto operator<=>(checked_iterator const& a, checked_iterator const& b) { return a.bit_ <=> b.bit_; }

  value_type* unwatched() const requires(!is_subbyte_v<value_type>) { return (**this).unwatched(); }

  /// The iterator at the swizzled address.
  template <class SwizzleFn>
  checked_iterator swizzled() const {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_->begin()) + static_cast<std::uintptr_t>(bit_ >> 3);
    return {*memory_, bit_ + 8 * detail::swizzle_distance<SwizzleFn>(address)};
  }

  exec::checked_allocation& memory() const { return *memory_; }
  std::ptrdiff_t bit() const { return bit_; }

 private:
  exec::checked_allocation* memory_ = nullptr;
  std::ptrdiff_t bit_ = 0;  // from the allocation's start
};

/// The same bytes seen as Us; constness carries over.
template <class U, class T>
auto recast_ptr(checked_iterator<T> const& i) {
  using element = std::conditional_t<std::is_const_v<T>, U const, U>;
  checked_iterator<element> const there(i.memory(), i.bit());
  if constexpr (is_sparse_v<U> && !is_sparse_v<T>) return make_sparse_ptr<detail::sparsity_of<U>>(there);
  else return there;
}

/// What an instruction that moves n whole bytes does to watched memory.
template <class T>
unsigned char* bytes_to_write(checked_iterator<T> const& i, std::size_t n) {
  return reinterpret_cast<unsigned char*>(i.memory().write(i.bit() / 8, n, 1));
}
template <class T>
unsigned char* bytes_to_read(checked_iterator<T> const& i, std::size_t n) {
  return reinterpret_cast<unsigned char*>(const_cast<std::byte*>(i.memory().read(i.bit() / 8, n, 1)));
}

/// A thread beyond a tiled copy's own gets a null iterator, as it would a null pointer.
template <class T>
inline constexpr bool detail::can_be_null<checked_iterator<T>> = true;

}  // namespace tilewright
