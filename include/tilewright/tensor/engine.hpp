// Engines: what a tensor holds its elements by, an iterator to elements elsewhere or an array of its own.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/pointer.hpp"

namespace tilewright {

/// Elements elsewhere.
template <class It>
struct ViewEngine {
  using iterator = It;
  using element_type = iter_element_t<It>;
  using value_type = iter_value_t<It>;
  using reference = iter_reference_t<It>;
  It storage{};
  TILEWRIGHT_FN constexpr It begin() const { return storage; }
  /// The iterator itself, for a view that is moved elsewhere: tensor.data() = iterator.
  TILEWRIGHT_FN constexpr It& begin() { return storage; }
};
/// The same for a view that a constant tensor gave.
template <class It>
struct ConstViewEngine : ViewEngine<It> {};

/// N elements of its own, in registers on a GPU; packed when T is narrower than a byte. Aligned for an access
/// of 256 bits where the size is a multiple, else of 128 whatever the size, since programs read the first registers as one vector;
/// packed ones take no more bytes than they have, and are aligned for the widest access that divides these.
template <class T, std::size_t N>
struct ArrayEngine {
  static constexpr bool is_packed = is_subbyte_v<T>;
  static constexpr int storage_bytes = (static_cast<int>(N) * sizeof_bits_v<T> + 7) / 8;
  static constexpr int alignment = storage_bytes % 32 == 0                 ? 32
                                   : !is_packed || storage_bytes % 16 == 0 ? 16
                                   : storage_bytes % 8 == 0                ? 8
                                   : storage_bytes % 4 == 0                ? 4
                                                                           : 1;
  using element_type = T;
  using value_type = T;
  using unit = std::conditional_t<is_packed, unsigned char, T>;
  using iterator = std::conditional_t<is_packed, subbyte_iterator<T>, T*>;
  using const_iterator = std::conditional_t<is_packed, subbyte_iterator<T const>, T const*>;
  using reference = iter_reference_t<iterator>;
  static constexpr int units = N < 1 ? 1 : (is_packed ? storage_bytes : static_cast<int>(N));
  alignas(alignment > static_cast<int>(alignof(unit))
              ? alignment
              : static_cast<int>(alignof(unit))) unit storage[static_cast<std::size_t>(units)];
  TILEWRIGHT_FN constexpr iterator begin() { return iterator(storage); }
  TILEWRIGHT_FN constexpr const_iterator begin() const { return const_iterator(storage); }
};

/// For code that spells Tensor<Engine, Layout> itself.
template <class T>
inline constexpr bool is_engine_v = false;
template <class It>
inline constexpr bool is_engine_v<ViewEngine<It>> = true;
template <class It>
inline constexpr bool is_engine_v<ConstViewEngine<It>> = true;
template <class T, std::size_t N>
inline constexpr bool is_engine_v<ArrayEngine<T, N>> = true;
template <class T>
concept EngineType = is_engine_v<T>;

}  // namespace tilewright
