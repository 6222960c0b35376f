// Conversions of numbers as function objects, single and by arrays.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/array.h"
#include "cutlass/coord.h"
#include "cutlass/fast_math.h"
#include "cutlass/half.h"
#include "cutlass/numeric_types.h"

namespace cutlass {

/// How a number that the target lacks is rounded. Conversions to floating-point types round to nearest, ties to even.
enum class FloatRoundStyle {
  round_indeterminate,
  round_toward_zero,
  round_to_nearest,
  round_to_nearest_satfinite,
  round_toward_infinity,
  round_toward_neg_infinity
};

namespace detail {

/// A floating-point number as a whole one.
template <FloatRoundStyle Round>
CUTLASS_HOST_DEVICE constexpr double whole(double x) {
  if (!(x > -4503599627370496.0 && x < 4503599627370496.0)) return x;  // from 2^52 on every double is whole
  double const down = [&] {
    auto const toward_zero = static_cast<double>(static_cast<long long>(x));
    return toward_zero > x ? toward_zero - 1 : toward_zero;
  }();
  if constexpr (Round == FloatRoundStyle::round_toward_zero) {
    return x < 0 && down != x ? down + 1 : down;
  } else if constexpr (Round == FloatRoundStyle::round_toward_infinity) {
    return down != x ? down + 1 : down;
  } else if constexpr (Round == FloatRoundStyle::round_toward_neg_infinity) {
    return down;
  } else {
    double const rest = x - down;
    bool const is_odd = static_cast<long long>(down) % 2 != 0;
    return rest > 0.5 || (rest == 0.5 && is_odd) ? down + 1 : down;
  }
}

/// The bounds of an integer type as powers of two: [-lowest, end).
template <class T>
inline constexpr double end_of = (std::is_signed_v<T> ? 1.0 : 2.0) * static_cast<double>(1ull << (8 * sizeof(T) - 1));
template <class T>
inline constexpr T greatest = static_cast<T>(static_cast<std::make_unsigned_t<T>>(~std::make_unsigned_t<T>(0)) >>
                                             (std::is_signed_v<T> ? 1 : 0));

template <class T, FloatRoundStyle Round>
CUTLASS_HOST_DEVICE constexpr T saturated(double x) {
  double const n = whole<Round>(x);
  if (n != n) return T(0);
  if (n >= end_of<T>) return greatest<T>;
  if constexpr (std::is_signed_v<T>) {
    if (n < -end_of<T>) return static_cast<T>(-greatest<T> - 1);
  } else {
    if (n < 0) return T(0);
  }
  return static_cast<T>(n);
}

template <class T>
inline constexpr bool is_a_float =
    !std::is_integral_v<T> && std::is_convertible_v<T, float> && (std::is_floating_point_v<T> || requires(T const& t) {
      t.storage;
      t.raw();
    });

}  // namespace detail

/// NumericConverter<To, From>{}(x). Integers that would overflow saturate; NaN becomes the integer 0.
template <class T, class S, FloatRoundStyle Round = FloatRoundStyle::round_to_nearest>
struct NumericConverter {
  using result_type = T;
  using source_type = S;
  static constexpr FloatRoundStyle round_style = Round;

  CUTLASS_HOST_DEVICE static constexpr result_type convert(source_type const& s) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && std::is_floating_point_v<S>)
      return detail::saturated<T, Round>(static_cast<double>(s));
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && detail::is_a_float<S>)
      return detail::saturated<T, Round>(static_cast<double>(static_cast<float>(s)));
    else if constexpr (detail::is_a_float<T> && detail::is_a_float<S> && !std::is_arithmetic_v<S>)
      return static_cast<T>(static_cast<float>(s));
    else return static_cast<T>(s);
  }
  CUTLASS_HOST_DEVICE constexpr result_type operator()(source_type const& s) const { return convert(s); }
};

template <class T, class S, int N, FloatRoundStyle Round = FloatRoundStyle::round_to_nearest>
struct NumericArrayConverter {
  using result_type = Array<T, N>;
  using source_type = Array<S, N>;
  static constexpr FloatRoundStyle round_style = Round;

  CUTLASS_HOST_DEVICE static constexpr result_type convert(source_type const& s) {
    result_type out{};
    CUTLASS_PRAGMA_UNROLL
    for (int i = 0; i < N; ++i) {
      auto const at = static_cast<std::size_t>(i);
      out[at] = NumericConverter<T, S, Round>::convert(s[at]);
    }
    return out;
  }
  CUTLASS_HOST_DEVICE constexpr result_type operator()(source_type const& s) const { return convert(s); }
};

/// CUTLASS's name of conversions that are only right for some numbers; these are right for all.
template <class T, class S, int N, FloatRoundStyle Round = FloatRoundStyle::round_to_nearest, class Enable = void>
struct FastNumericArrayConverter : NumericArrayConverter<T, S, N, Round> {};

}  // namespace cutlass
