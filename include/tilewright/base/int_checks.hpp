// The checks of the floor ints/, which every header includes in the end. They are here, and headers include this file early,
// because compilers list the includes that lead to a sentence.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/invalid.hpp"

namespace tilewright::detail {

/// A range with a begin, such as std::vector, std::array and std::span.
template <class T>
concept Container = std::is_class_v<T> && requires(T const& x) {
  x.begin();
  x.end();
};
/// What cannot be an extent, a stride or a coordinate: numbers with a fraction, addresses, containers, and the standard
/// library's constants, which are no Int<N>.
template <class T>
inline constexpr bool is_no_entry =
    std::is_floating_point_v<T> || std::is_pointer_v<T> || std::is_array_v<T> || std::is_enum_v<T> || Container<T>;
template <class T, T v>
inline constexpr bool is_no_entry<std::integral_constant<T, v>> = true;

template <class... T>
struct entries_are_integers {
  static constexpr bool value = !(is_no_entry<T> || ...);
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_shape, make_stride, make_coord: an entry is an integer, a constant Int<N>{} or a nested tuple of "
        "these, here an entry is of another type; convert floating-point numbers with static_cast<int>, and "
        "pass the elements of a container one by one (docs/errors.md#no_integer)");
    return invalid_layout{};
  }
};

template <int N, int Size>
struct entry_lies_in_tuple {
  static constexpr bool value = N >= 0 && N < Size;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "get: the tuple has no such entry; name an entry below its size, an integer has entry 0 alone "
                  "(docs/errors.md#no_such_entry)");
    return invalid_layout{};
  }
};

template <int Begin, int End, int Size>
struct range_lies_in_tuple {
  static constexpr bool value = 0 <= Begin && Begin <= End && End <= Size;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "take: the tuple has no such entries; name a range within its size (docs/errors.md#no_such_entry)");
    return invalid_layout{};
  }
};

template <int SizeA, int SizeB>
struct tuples_have_one_size {
  static constexpr bool value = SizeA == SizeB;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "transform_tuple: the tuples differ in size; give both one entry for each mode "
                  "(docs/errors.md#tuple_sizes)");
    return invalid_layout{};
  }
};

template <auto b>
struct divisor_is_not_zero {
  static constexpr bool value = b != 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "operator%: the divisor is the constant 0; divide by an extent of at least 1 "
                  "(docs/errors.md#division_by_zero)");
    return invalid_layout{};
  }
};

template <int D>
struct divisor_is_positive {
  static constexpr bool value = D > 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "multiple_of: the divisor must be at least 1; state one that the integer has (docs/errors.md#not_a_multiple)");
    return invalid_layout{};
  }
};

template <int D, long long v>
struct constant_has_divisor {
  static constexpr bool value = D > 0 && v % (D > 0 ? D : 1) == 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "multiple_of: the constant is not a multiple of the divisor; state a divisor it has "
                  "(docs/errors.md#not_a_multiple)");
    return invalid_layout{};
  }
};

/// A plain 0 is no step in any direction; any other number has none.
template <bool IsZero>
struct number_is_no_step {
  static constexpr bool value = IsZero;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "a coordinate and a number do not add; use basis strides E<i> throughout (docs/errors.md#basis_and_number)");
    return invalid_layout{};
  }
};

}  // namespace tilewright::detail
