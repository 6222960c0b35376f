// print: every object as the field writes it; with a format, as printf does.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/small_float.hpp"
#include "cute/util/stream.hpp"
#include "tilewright/algorithm/print.hpp"

namespace cute {

using tilewright::print;
using tilewright::print_layout;

template <class First, class... More>
CUTE_HOST_DEVICE void print(char const* format, First const& first, More const&... more) {
  printf(format, first, more...);
}

// Numbers and characters as CuTe prints them; an 8-bit integer is a number, a char is a character.
CUTE_HOST_DEVICE void print(char c) { printf("%c", c); }
CUTE_HOST_DEVICE void print(double v) { printf("%f", v); }
CUTE_HOST_DEVICE void print(bool v) { printf("%d", static_cast<int>(v)); }

template <int... I>
CUTE_HOST_DEVICE void print(tilewright::seq<I...> const&) {
  print(tilewright::make_tuple(C<I>{}...));
}

/// The digits of a number.
CUTE_HOST_DEVICE constexpr int num_digits(int n) {
  int digits = 1;
  for (; n >= 10; n /= 10) ++digits;
  return digits;
}

/// An element as print_tensor prints it.
template <class T>
CUTE_HOST_DEVICE void pretty_print(T const& v) {
  if constexpr (std::is_convertible_v<T, float> && !tilewright::is_constant_v<T>) {
    tilewright::detail::print_element<T>(v);
  } else {
    printf("  ");
    print(v);
  }
}

}  // namespace cute
