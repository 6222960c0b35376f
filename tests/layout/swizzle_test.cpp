// Swizzles: involutions that permute every aligned block of their period and keep aligned vectors of 2^base together.
#include "tilewright/layout/swizzle_value.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <vector>

#include "laws.hpp"

namespace tilewright::tests {
namespace {

template <class Check>
void for_all_swizzles(Check const& check) {
  for (int bits = 0; bits <= 3; ++bits)
    for (int base = 0; base <= 3; ++base)
      for (int shift = -4; shift <= 4; ++shift)
        if (swizzle_value const s{bits, base, shift}; s.valid()) check(s);
}

constexpr bool is_involution(swizzle_value s) {
  for (long long x = 0; x < 64; ++x)
    if (s(s(x)) != x) return false;
  return true;
}
static_assert(is_involution({2, 1, 3}) && is_involution({1, 0, -2}) && is_involution({0, 0, 0}));
static_assert(swizzle_value{3, 4, 3}(0b1010000000) == 0b1011010000);

TEST(swizzle, undoes_itself_and_permutes_each_period) {
  for_all_swizzles([](swizzle_value s) {
    long long const period = 1LL << (s.base + s.bits + std::abs(s.shift));
    for (long long start : {0LL, period, 8 * period}) {
      std::vector<bool> met(static_cast<std::size_t>(period));
      for (long long x = start; x < start + period; ++x) {
        long long const y = s(x);
        EXPECT_EQ(s(y), x);
        ASSERT_TRUE(y >= start && y < start + period);
        EXPECT_FALSE(met[static_cast<std::size_t>(y - start)]);
        met[static_cast<std::size_t>(y - start)] = true;
      }
    }
  });
}

TEST(swizzle, is_the_exclusive_or_of_its_bits) {
  for_all_swizzles([](swizzle_value s) {
    for (long long x = 0; x < 2048; ++x) {
      long long expected = x;
      for (int bit = 0; bit < s.bits; ++bit) {
        int const low = s.base + bit, high = low + std::abs(s.shift);
        int const from = s.shift > 0 ? high : low, to = s.shift > 0 ? low : high;
        expected ^= (x >> from & 1) << to;
      }
      EXPECT_EQ(s(x), expected);
    }
  });
}

TEST(swizzle, keeps_vectors_together) {
  for_all_swizzles([](swizzle_value s) {
    long long const n = 1LL << s.base;
    for (long long x = 0; x < 1024; x += n)
      for (long long i = 0; i < n; ++i) EXPECT_EQ(s(x + i), s(x) + i);
  });
}

TEST(swizzle, knows_what_it_cannot_be) {
  for (swizzle_value s : {swizzle_value{-1, 0, 0},
                          {3, 0, 2},
                          {1, -1, 1},
                          {20, 20, 30},
                          {INT_MAX, 0, INT_MAX},
                          {1, INT_MAX, 1},
                          {1, 0, INT_MIN},
                          {63, 0, 63},
                          {31, 0, 32}})
    EXPECT_FALSE(s.valid()) << s.bits << ' ' << s.base << ' ' << s.shift;
  EXPECT_TRUE((swizzle_value{31, 0, 31}).valid());
}

}  // namespace
}  // namespace tilewright::tests
