// half_t, bfloat16_t and the 8-bit floats: every code against the definition of its format, and rounding at every boundary
// between two neighbouring codes, from float and from double.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tilewright/tilewright.hpp"

namespace tilewright {
namespace {

/// The number of a code's magnitude by the definition of a format with E exponent and M mantissa bits.
double by_definition(unsigned code, int E, int M) {
  int const bias = (1 << (E - 1)) - 1;
  int const exponent = static_cast<int>(code >> M), mantissa = static_cast<int>(code & ((1u << M) - 1));
  return exponent == 0 ? std::ldexp(mantissa, 1 - bias - M) : std::ldexp((1 << M) + mantissa, exponent - bias - M);
}

/// codes 0 to largest are numbers; of_overflow is what rounds beyond the largest.
template <class T>
void expect_format(int E, int M, unsigned largest, unsigned of_overflow) {
  unsigned const sign = 1u << (E + M);
  for (unsigned code = 0; code <= largest; ++code) {
    double const number = by_definition(code, E, M);
    auto const raw = [](auto const& x) { return static_cast<unsigned>(x.raw()); };
    auto const of_raw = [](unsigned bits) { return T::bitcast(static_cast<decltype(T{}.raw())>(bits)); };
    ASSERT_EQ(static_cast<double>(static_cast<float>(of_raw(code))), number) << code;
    ASSERT_EQ(static_cast<double>(static_cast<float>(of_raw(code | sign))), -number) << code;
    ASSERT_EQ(raw(T(number)), code);
    ASSERT_EQ(raw(T(static_cast<float>(number))), code);
    ASSERT_EQ(raw(T(-number)), code | sign);
    // The boundary to the next code: below it this one, above it the next, on it the even one.
    double const next = by_definition(code + 1, E, M), middle = (number + next) / 2;  // exact: a bit more than a code
    unsigned const above = code == largest ? of_overflow : code + 1;
    unsigned const tie = code % 2 == 0 ? code : above;
    ASSERT_EQ(raw(T(std::nextafter(middle, 0.0))), code) << code;
    ASSERT_EQ(raw(T(middle)), tie) << code;
    ASSERT_EQ(raw(T(std::nextafter(middle, 1e300))), above) << code;
    ASSERT_EQ(raw(T(-std::nextafter(middle, 1e300))), above | sign) << code;
    auto const narrow = static_cast<float>(middle);
    if (static_cast<double>(narrow) != middle || !std::isfinite(narrow)) continue;
    ASSERT_EQ(raw(T(std::nextafterf(narrow, 0.0f))), code) << code;
    ASSERT_EQ(raw(T(narrow)), tie) << code;
    ASSERT_EQ(raw(T(std::nextafterf(narrow, std::numeric_limits<float>::infinity()))), above) << code;
  }
}

TEST(SmallFloat, EveryCodeAndEveryBoundary) {
  expect_format<half_t>(5, 10, 0x7bff, 0x7c00);
  expect_format<bfloat16_t>(8, 7, 0x7f7f, 0x7f80);
  expect_format<float_e5m2_t>(5, 2, 0x7b, 0x7b);  // saturates
  expect_format<float_e4m3_t>(4, 3, 0x7e, 0x7e);  // saturates
}

TEST(SmallFloat, InfinityAndNaN) {
  float const inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(static_cast<float>(half_t(inf)), inf);
  EXPECT_EQ(static_cast<float>(bfloat16_t(-inf)), -inf);
  EXPECT_EQ(half_t(1e300).raw(), 0x7c00);
  EXPECT_TRUE(std::isnan(static_cast<float>(half_t(nan))) && std::isnan(static_cast<float>(bfloat16_t(nan))));
  EXPECT_TRUE(std::isnan(static_cast<float>(float_e4m3_t(nan))) && std::isnan(static_cast<float>(float_e5m2_t(nan))));
  unsigned nans = 0;
  for (unsigned code = 0; code < 65536; ++code)
    nans += std::isnan(static_cast<float>(half_t::bitcast(static_cast<std::uint16_t>(code)))) ? 1u : 0u;
  EXPECT_EQ(nans, 2u * 1023u);
}

// As elements of tensors they are what their widths say, and a copy moves their bits.
/// half_t takes numbers by assignment, rounded as its constructor rounds them; the other formats are asked by name.
TEST(SmallFloat, HalfTakesNumbersByAssignment) {
  half_t h;
  for (int i = -70000; i <= 70000; i += 7) {
    h = i;
    EXPECT_EQ(h.raw(), half_t(i).raw()) << i;
    h = static_cast<float>(i) * 0.37f;
    EXPECT_EQ(h.raw(), half_t(static_cast<float>(i) * 0.37f).raw()) << i;
    h = i / 3.0;
    EXPECT_EQ(h.raw(), half_t(i / 3.0).raw()) << i;
  }
  static_assert(std::is_assignable_v<half_t&, float> && !std::is_convertible_v<float, half_t>);
  static_assert(!std::is_assignable_v<bfloat16_t&, float> && !std::is_assignable_v<half_t&, bfloat16_t>);
  static_assert(std::is_trivially_copyable_v<half_t>);
}

TEST(SmallFloat, InTensors) {
  static_assert(sizeof_bits_v<half_t> == 16 && sizeof_bits_v<float_e4m3_t> == 8 && sizeof_bits_v<float_e2m1_t> == 4);
  std::vector<half_t> in(32), out(32);
  for (int i = 0; i < 32; ++i) in[static_cast<std::size_t>(i)] = half_t(i);
  copy(make_tensor(in.data(), Layout<Shape<_8, _4>>{}),
       make_tensor(out.data(), Layout<Shape<_8, _4>, Stride<_4, _1>>{}));
  for (int m = 0; m < 8; ++m)
    for (int n = 0; n < 4; ++n) EXPECT_EQ(out[static_cast<std::size_t>(4 * m + n)], half_t(m + 8 * n));
}

}  // namespace
}  // namespace tilewright
