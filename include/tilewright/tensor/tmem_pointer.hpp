// Addresses of tensor memory (Blackwell; PTX ISA, "Tensor Memory Addressing"): 128 lanes, which CuTe calls data paths, of 512
// columns of 32 bits. Bits 31 to 16 of an address are the lane, bits 15 to 0 the column. Only instructions reach what is
// there, so an iterator says where elements are and gives none of them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {

namespace TMEM {
/// From one lane to the next, in bits and in elements of T; the bits that an address reaches.
using DP_b = C<1 << 21>;
template <class T>
using DP = C<(1 << 21) / sizeof_bits_v<T>>;
inline constexpr int MAX_CAPACITY_BITS = 128 * 512 * 32;
}  // namespace TMEM

/// Elements of T, at most 32 bits each. The upper bits of addr_ count elements within a column: 16-bit element 1 of a column is
/// its address + 2^31.
template <class T>
struct tmem_ptr {
  static_assert(sizeof_bits_v<T> <= 32 && 32 % sizeof_bits_v<T> == 0,
                "tmem_ptr: a column of tensor memory has 32 bits; use elements of 32 bits or less");
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using reference = value_type;
  std::uint32_t addr_ = 0;

  constexpr tmem_ptr() = default;
  TILEWRIGHT_HOST_DEVICE constexpr tmem_ptr(std::uint32_t address) : addr_(address) {}

  TILEWRIGHT_FN constexpr std::uint32_t get() const { return addr_; }
  TILEWRIGHT_FN constexpr std::uint32_t& get() { return addr_; }
  /// The address of the column, for instructions. Of 32-bit elements as it is, so that constants fold into the instructions.
  TILEWRIGHT_FN constexpr std::uint32_t column() const { return sizeof_bits_v<T> == 32 ? addr_ : addr_ & 0x00ffffffu; }
  template <class I>
  TILEWRIGHT_FN constexpr tmem_ptr operator+(I const& i) const {
    constexpr unsigned sub = sub_bits();
    auto const step = static_cast<std::uint32_t>(static_cast<int>(i));
    if constexpr (sub == 0) {
      return {addr_ + step};
    } else {
      std::uint32_t const elements = (addr_ << sub | addr_ >> (32 - sub)) + step;
      return {elements >> sub | elements << (32 - sub)};
    }
  }
  template <class I = int>
  TILEWRIGHT_FN constexpr reference operator*() const {
    return (*this)[I{}];
  }
  /// Refused.
  template <class I>
  TILEWRIGHT_FN constexpr reference operator[](I const&) const {
    static_assert(sizeof(I) == 0,
                  "tensor memory: no thread reads or writes an element of it; copy it to registers with "
                  "make_tmem_copy(SM100_TMEM_LOAD_32dp32b1x{}, tensor) (docs/errors.md#tensor_memory)");
    return {};
  }
  friend TILEWRIGHT_CONSTEXPR bool operator==(tmem_ptr const&, tmem_ptr const&) = default;

 private:
  TILEWRIGHT_FN static constexpr unsigned sub_bits() {
    unsigned n = 0;
    while (sizeof_bits_v<T> << n < 32) ++n;
    return n;
  }
};

template <class T>
inline constexpr memory_space space_of<tmem_ptr<T>> = memory_space::tmem;
template <class It>
inline constexpr bool is_tmem_v = space_of<It> == memory_space::tmem;

template <class T = std::uint32_t>
TILEWRIGHT_FN constexpr tmem_ptr<T> make_tmem_ptr(std::uint32_t address = 0) {
  return {address};
}

/// The same place seen as elements of U.  pre: of narrower elements, the first of a column
template <class U, class T>
TILEWRIGHT_FN constexpr auto recast_ptr(tmem_ptr<T> const& p) {
  return tmem_ptr<detail::as_pointee<U, T>>{p.addr_};
}

}  // namespace tilewright
