// Floats of 4, 6 and 8 bits: every code against the definition of the format, and rounding against a search through the
// table of all codes.
#include <cutlass/numeric_types.h>
#include <gtest/gtest.h>
#include <cute/container/array_subbyte.hpp>
#include <cute/tensor.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace cute;

namespace {

/// The number of a code with a sign, E exponent and M mantissa bits and nothing but numbers.
double by_definition(unsigned code, int E, int M) {
  int const bias = (1 << (E - 1)) - 1;
  int const exponent = int(code >> M) & ((1 << E) - 1), mantissa = int(code) & ((1 << M) - 1);
  double const magnitude =
      exponent == 0 ? std::ldexp(mantissa, 1 - bias - M) : std::ldexp((1 << M) + mantissa, exponent - bias - M);
  return (code >> (E + M) & 1) != 0 ? -magnitude : magnitude;
}

template <class T, int E, int M>
void expect_format(double largest) {
  static_assert(sizeof_bits_v<T> == 1 + E + M && sizeof(T) == 1 && is_subbyte<T>::value);
  unsigned const codes = 1u << (1 + E + M);
  std::vector<double> table;
  for (unsigned code = 0; code < codes; ++code) {
    table.push_back(by_definition(code, E, M));
    auto const value = T::bitcast(std::uint8_t(code));
    ASSERT_EQ(double(float(value)), table[code]) << code;
    ASSERT_EQ(std::signbit(float(value)), std::signbit(table[code])) << code;
    ASSERT_EQ(T(float(value)).raw(), code);
  }
  EXPECT_EQ(table[codes / 2 - 1], largest);

  /// The nearest code by search; of two at one distance the even one; beyond the largest the largest.
  auto const nearest = [&](double x) {
    unsigned best = 0;
    for (unsigned code = 0; code < codes / 2; ++code) {
      double const closer = std::abs(std::abs(x) - table[code]) - std::abs(std::abs(x) - table[best]);
      if (closer < 0 || (closer == 0 && code % 2 == 0)) best = code;
    }
    return best | (std::signbit(x) ? codes / 2 : 0u);
  };
  double const step = std::ldexp(1.0, -8);
  for (double x = -1.25 * largest; x <= 1.25 * largest; x += step) ASSERT_EQ(T(float(x)).raw(), nearest(x)) << x;
  for (unsigned code = 0; code + 1 < codes / 2; ++code) {
    double const middle = (table[code] + table[code + 1]) / 2;
    for (float x : {float(middle), std::nextafter(float(middle), 0.0f), std::nextafter(float(middle), 1e9f)}) {
      ASSERT_EQ(T(x).raw(), nearest(double(x))) << x;
      ASSERT_EQ(T(-x).raw(), nearest(double(-x))) << x;
    }
  }
  float const infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(double(float(T(infinity))), largest);
  EXPECT_EQ(double(float(T(-infinity))), -largest);
  EXPECT_EQ(double(float(T(std::numeric_limits<float>::quiet_NaN()))), largest);
  EXPECT_EQ(T(std::numeric_limits<float>::denorm_min()).raw(), 0u);
}

TEST(CuteNarrowFloats, EveryCodeAndRounding) {
  expect_format<float_e2m1_t, 2, 1>(6.0);
  expect_format<float_e2m3_t, 2, 3>(7.5);
  expect_format<float_e3m2_t, 3, 2>(28.0);
  static_assert(is_same_v<cutlass::float_e2m1_t, float_e2m1_t> && is_same_v<cutlass::float_ue8m0_t, float_ue8m0_t>);
}

TEST(CuteNarrowFloats, PowersOfTwo) {
  static_assert(sizeof_bits_v<float_ue8m0_t> == 8);
  for (int code = 0; code < 255; ++code) {
    auto const value = float_ue8m0_t::bitcast(std::uint8_t(code));
    ASSERT_EQ(double(float(value)), std::ldexp(1.0, code - 127));
    ASSERT_EQ(float_ue8m0_t(float(value)).raw(), code);
    // Any number above it, and no more than twice it, is the next one.
    float const above = std::nextafter(float(value), std::numeric_limits<float>::infinity());
    int const next = code < 254 ? code + 1 : 254;
    ASSERT_EQ(float_ue8m0_t(above).raw(), next);
    ASSERT_EQ(float_ue8m0_t(-above).raw(), next);
    ASSERT_EQ(float_ue8m0_t(1.5f * float(value)).raw(), next);
  }
  EXPECT_TRUE(std::isnan(float(float_ue8m0_t::bitcast(0xff))));
  EXPECT_EQ(float_ue8m0_t(std::numeric_limits<float>::quiet_NaN()).raw(), 0xff);
  EXPECT_EQ(float_ue8m0_t(std::numeric_limits<float>::infinity()).raw(), 0xff);
  EXPECT_EQ(float_ue8m0_t(std::numeric_limits<float>::max()).raw(), 0xfe);
  float const nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(float_e5m2_t(-nan).raw() == 0x7f && float_e4m3_t(-nan).raw() == 0x7f);
  EXPECT_TRUE(half_t(-nan).raw() == 0x7fff && bfloat16_t(-nan).raw() == 0x7fff);
  EXPECT_EQ(float(float_ue4m3_t(-1.5f)), 1.5f);
  EXPECT_EQ(float(float_ue4m3_t::bitcast(0xf0)), 128.f);  // bit 7 is not read
  EXPECT_EQ(float_ue8m0_t(0.0f).raw(), 0);
}

TEST(CuteNarrowFloats, PackedInTensors) {
  std::vector<unsigned char> memory(48);
  Tensor t = make_tensor(make_gmem_ptr<float_e2m1_t>(memory.data()), Shape<_8, _8>{});
  Tensor s = make_tensor(make_gmem_ptr<float_e3m2_t>(memory.data()), Shape<_64>{});
  for (int i = 0; i < 64; ++i) t(i) = float_e2m1_t::bitcast(std::uint8_t(i % 16));
  for (int i = 0; i < 32; ++i) ASSERT_EQ(memory[std::size_t(i)], (2 * i % 16) | (2 * i + 1) % 16 << 4);
  EXPECT_EQ(float(float_e2m1_t(t(3, 0))), 1.5f);
  for (int i = 0; i < 64; ++i) s(i) = float_e3m2_t(float(i % 5));
  for (int i = 0; i < 64; ++i) ASSERT_EQ(float(float_e3m2_t(s(i))), float(i % 5));
  Tensor registers = make_tensor<float_e2m1_t>(Shape<_16>{});
  static_assert(sizeof(registers) == 8);
  array_subbyte<float_e2m3_t, 4> packed;
  packed.fill(float_e2m3_t(1.125f));
  packed[2] = float_e2m3_t(-7.5f);
  EXPECT_EQ(float(float_e2m3_t(packed[1])), 1.125f);
  EXPECT_EQ(float(float_e2m3_t(packed[2])), -7.5f);
  static_assert(sizeof(packed) == 3);
}

TEST(CuteNarrowFloats, ConversionsHaveCutlasssNames) {
  EXPECT_EQ(float_e4m3_t::from_float(1.1f).raw(), float_e4m3_t(1.125f).raw());
  EXPECT_EQ(float_e5m2_t::to_float(float_e5m2_t::bitcast(0x3e)), 1.5f);
  EXPECT_EQ(half_t::convert(0.5f).raw(), 0x3800);
  EXPECT_EQ(half_t::convert(half_t::bitcast(0xc000)), -2.f);
}

}  // namespace
