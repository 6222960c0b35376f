// The small floating-point types: every code of 8 and 16 bits there and back, and rounding to nearest even.
#include <cutlass/half.h>
#include <gtest/gtest.h>
#include <cute/container/bit_field.hpp>
#include <cute/numeric/complex.hpp>
#include <cute/numeric/integer_subbyte.hpp>
#include <cute/numeric/numeric_types.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <typeinfo>

using namespace cute;

namespace {

template <class T, class Storage>
void expect_every_code_returns() {
  for (unsigned code = 0; code <= std::numeric_limits<Storage>::max(); ++code) {
    auto const value = T::bitcast(static_cast<Storage>(code));
    if (float(value) != float(value)) continue;
    if (std::isinf(float(value)) && T(float(value)).raw() != code) {
      EXPECT_LT(code & 0x7f, 0x7du) << "only a saturating type has no way back from infinity";
      continue;
    }
    ASSERT_EQ(T(float(value)).raw(), code);
  }
}

template <class... T>
int types_named_cutlass() {
  return (0 + ... + static_cast<int>(std::string(typeid(T).name()).find("cutlass") != std::string::npos));
}

TEST(CuteNumeric, KernelsAreNamedAsWithCute) {
  EXPECT_EQ((types_named_cutlass<half_t, bfloat16_t, tfloat32_t, float_e4m3_t, float_e5m2_t, float_ue8m0_t,
                                 float_ue4m3_t, float_e2m1_t, float_e2m3_t, float_e3m2_t>()),
            10);
  EXPECT_EQ((types_named_cutlass<uint128_t, uint256_t, uint1_t, int2_t, uint4_t, int4_t, int6_t, complex<float>>()), 8);
  EXPECT_EQ((types_named_cutlass<float, std::uint64_t, Int<4>, int*>()), 0);
}

TEST(CuteNumeric, EveryCodeReturns) {
  expect_every_code_returns<half_t, std::uint16_t>();
  expect_every_code_returns<bfloat16_t, std::uint16_t>();
  expect_every_code_returns<float_e4m3_t, std::uint8_t>();
}

TEST(CuteNumeric, KnownValues) {
  EXPECT_EQ(half_t(1.0f).raw(), 0x3c00);
  EXPECT_EQ(half_t(65504.0f).raw(), 0x7bff);
  EXPECT_EQ(half_t(65520.0f).raw(), 0x7c00);
  EXPECT_EQ(half_t(5.9604645e-8f).raw(), 0x0001);
  EXPECT_EQ(half_t(2.9802322e-8f).raw(), 0x0000);  // half of the smallest: ties to even
  EXPECT_EQ(half_t(-2.0f).raw(), 0xc000);
  EXPECT_EQ(half_t(1.0f + 1.0f / 2048).raw(), 0x3c00);
  EXPECT_EQ(half_t(1.0f + 3.0f / 2048).raw(), 0x3c02);
  EXPECT_EQ(bfloat16_t(1.0f).raw(), 0x3f80);
  EXPECT_EQ(bfloat16_t(3.1415927f).raw(), 0x4049);
  EXPECT_EQ(float_e4m3_t(448.0f).raw(), 0x7e);
  EXPECT_EQ(float_e4m3_t(1000.0f).raw(), 0x7e);
  EXPECT_EQ(float_e5m2_t(57344.0f).raw(), 0x7b);
  EXPECT_EQ(float_e5m2_t(1e9f).raw(), 0x7b);
  EXPECT_TRUE(std::isnan(float(float_e4m3_t::bitcast(0x7f))));
  EXPECT_EQ(float(tfloat32_t(1.0f + 1.0f / 4096)), 1.0f);
  EXPECT_EQ(float(half_t(1.5f) * half_t(2.0f) + half_t(1)), 4.0f);
}

TEST(CuteNumeric, BitsOfConstantsAndHalfFunctions) {
  static_assert(bytes_to_bits(_3{}) == 24 && bits_to_bytes(_12{}) == 2 && bits_to_bytes(12) == 2);
  static_assert(std::is_same_v<decltype(static_value<_3>()), _3>);
  EXPECT_TRUE(is_standard_layout_v<half_t>);
  EXPECT_EQ(float(cutlass::sqrt(half_t(4))), 2.0f);
  auto const infinite = half_t::bitcast(0x7c00), none = half_t::bitcast(0xfe00);
  EXPECT_TRUE(cutlass::isinf(infinite) && !cutlass::isnan(infinite) && !cutlass::isfinite(infinite));
  EXPECT_TRUE(cutlass::isnan(none) && !cutlass::isinf(none) && cutlass::isfinite(half_t(1)));
}

TEST(CuteNumeric, ComplexAndFields) {
  complex<float> a(1, 2), b(3, -1);
  EXPECT_TRUE(a * b == complex<float>(5, 5));
  EXPECT_EQ(real(conj(a)), 1);
  EXPECT_EQ(imag(conj(a)), -2);
  bit_field<4, 3> field;
  field = 5;
  EXPECT_EQ(field.data_[0], 0x50u);
  EXPECT_EQ(field, 5u);
}

}  // namespace
