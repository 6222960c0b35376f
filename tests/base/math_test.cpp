// Integer helpers: they agree with 128-bit arithmetic near and at the ends of 64 bits, and never wrap.
#include "tilewright/base/math.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <numeric>
#include <vector>

namespace tilewright {
namespace {

__extension__ using wide = __int128;

std::vector<long long> const edges{0,
                                   1,
                                   -1,
                                   2,
                                   -2,
                                   3,
                                   7,
                                   -8,
                                   1LL << 31,
                                   -(1LL << 31),
                                   1LL << 32,
                                   3037000499LL,
                                   3037000500LL,
                                   -3037000500LL,
                                   1LL << 62,
                                   -(1LL << 62),
                                   int64_max - 1,
                                   int64_max,
                                   -int64_max,
                                   int64_min};

bool fits(wide x) { return x >= -wide(int64_max) && x <= wide(int64_max); }
bool is_number(long long a) { return a != int64_min; }

static_assert(math::abs(int64_min) == int64_max);
static_assert(math::gcd(12, -18) == 6 && math::gcd(0, -5) == 5 && math::gcd(0, 0) == 0);
static_assert(math::lcm(4, 6) == 12 && math::lcm(0, 6) == 0);
static_assert(math::ceil_div(7, 2) == 4 && math::ceil_div(-7, 2) == -3 && math::ceil_div(0, 2) == 0);
static_assert(math::bit_width(0) == 0 && math::bit_width(255) == 8 && math::countr_zero(40) == 3);
static_assert(math::has_single_bit(64) && !math::has_single_bit(0) && !math::has_single_bit(6));

TEST(math, multiply_and_add_report_overflow) {
  for (long long a : edges)
    for (long long b : edges) {
      long long r = 7;
      bool const product = is_number(a) && is_number(b) && fits(wide(a) * b);
      EXPECT_EQ(math::multiply(a, b, r), product) << a << " * " << b;
      EXPECT_EQ(r, product ? a * b : 0);
      bool const sum = is_number(a) && is_number(b) && fits(wide(a) + b);
      EXPECT_EQ(math::add(a, b, r), sum) << a << " + " << b;
      EXPECT_EQ(r, sum ? a + b : 0);
    }
}

RC_GTEST_PROP(math, multiply_agrees_with_128_bits, (long long a, long long b)) {
  long long const x = a >> *rc::gen::inRange(0, 63), y = b >> *rc::gen::inRange(0, 63);
  long long r = 0;
  RC_ASSERT(math::multiply(x, y, r) == (is_number(x) && is_number(y) && fits(wide(x) * y)));
  RC_ASSERT(math::add(a, b, r) == (is_number(a) && is_number(b) && fits(wide(a) + b)));
}

RC_GTEST_PROP(math, gcd_agrees_with_the_library, (int a, int b)) {
  RC_ASSERT(math::gcd(a, b) == std::gcd(static_cast<long long>(a), static_cast<long long>(b)));
}

TEST(math, gcd_of_the_extremes_is_defined) {
  for (long long a : edges)
    for (long long b : edges) EXPECT_GE(math::gcd(a, b), 0);
}

}  // namespace
}  // namespace tilewright
