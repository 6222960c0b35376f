// cutlass/constants.h against the functions of the standard library.
#include <cutlass/constants.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

namespace constants = cutlass::constants;

TEST(Constants, OfDouble) {
  double const pi = std::acos(-1.0);
  EXPECT_DOUBLE_EQ(constants::zero<double>(), 0);
  EXPECT_DOUBLE_EQ(constants::one<double>() + constants::two<double>(), 3);
  EXPECT_DOUBLE_EQ(constants::half<double>(), 0.5);
  EXPECT_DOUBLE_EQ(constants::third<double>() * 3, 1);
  EXPECT_DOUBLE_EQ(constants::twothirds<double>() * 3, 2);
  EXPECT_DOUBLE_EQ(constants::pi<double>(), pi);
  EXPECT_DOUBLE_EQ(constants::two_pi<double>(), 2 * pi);
  EXPECT_DOUBLE_EQ(constants::half_pi<double>(), pi / 2);
  EXPECT_DOUBLE_EQ(constants::root_pi<double>(), std::sqrt(pi));
  EXPECT_DOUBLE_EQ(constants::root_half_pi<double>(), std::sqrt(pi / 2));
  EXPECT_DOUBLE_EQ(constants::root_two_pi<double>(), std::sqrt(2 * pi));
  EXPECT_DOUBLE_EQ(constants::root_ln_four<double>(), std::sqrt(std::log(4.0)));
  EXPECT_DOUBLE_EQ(constants::root_two<double>(), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(constants::half_root_two<double>(), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(constants::e<double>(), std::exp(1.0));
  EXPECT_DOUBLE_EQ(constants::ln_two<double>(), std::log(2.0));
  EXPECT_DOUBLE_EQ(constants::ln_ln_two<double>(), std::log(std::log(2.0)));
  EXPECT_NEAR(constants::pi_minus_three<double>(), pi - 3, 1e-15);
  EXPECT_NEAR(constants::four_minus_pi<double>(), 4 - pi, 1e-15);
}

TEST(Constants, OfOtherTypes) {
  EXPECT_EQ(constants::pi<float>(), std::numbers::pi_v<float>);
  EXPECT_EQ(float(constants::pi<cutlass::half_t>()), 3.140625f);
  EXPECT_EQ(float(constants::pi<cutlass::bfloat16_t>()), 3.140625f);
  EXPECT_EQ(float(constants::half<cutlass::float_e4m3_t>()), 0.5f);
  auto const z = constants::two<cutlass::complex<float>>();
  EXPECT_EQ(z.real(), 2.0f);
  EXPECT_EQ(z.imag(), 0.0f);
}

}  // namespace
