// Elements narrower than a byte: every width packs without gaps, straddles bytes where it must, and an
// assignment changes its own bits and no others; all checked against the bits of the memory, one at a time.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <type_traits>

#include "tilewright/tensor/partition.hpp"

namespace tilewright {
namespace {

constexpr int bytes = 24;
using memory = std::array<unsigned char, bytes>;

constexpr int bit(memory const& m, int at) { return m[static_cast<std::size_t>(at / 8)] >> (at % 8) & 1; }
constexpr memory pattern(unsigned seed) {
  memory m{};
  for (auto& b : m) {
    seed = seed * 1664525u + 1013904223u;
    b = static_cast<unsigned char>(seed >> 24);
  }
  return m;
}

// --- values
// ----------------------------------------------------------------------------------------------------------
template <int Bits>
constexpr bool holds_its_range() {
  for (int v = 0; v < 1 << Bits; ++v) {
    int const is_signed = v >> (Bits - 1) != 0 ? v - (1 << Bits) : v;
    if (integer_subbyte<Bits, false>(v) != v || integer_subbyte<Bits, true>(v) != is_signed) return false;
    if (integer_subbyte<Bits, false>(v + (5 << Bits)) != v || integer_subbyte<Bits, true>(is_signed) != is_signed)
      return false;
  }
  return true;
}
static_assert(holds_its_range<1>() && holds_its_range<2>() && holds_its_range<4>() && holds_its_range<6>() &&
              holds_its_range<7>());
static_assert(sizeof_bits_v<int4b_t> == 4 && sizeof_bits_v<uint6b_t const> == 6 && sizeof_bits_v<bool> == 8);
static_assert(is_subbyte_v<int6b_t> && !is_subbyte_v<char> && std::is_same_v<uint_bit_t<4>, uint4b_t>);
static_assert(sizeof(uint_bit_t<128>) == 16 && alignof(uint_bit_t<256>) == 32 &&
              std::is_same_v<uint_byte_t<4>, std::uint32_t>);

// --- memory
// ----------------------------------------------------------------------------------------------------------
/// Reads element i as the bits [i*w, i*w+w) say; assigns every value to it and compares every bit of the
/// memory.
template <int Bits>
constexpr bool reads_and_writes_exactly(unsigned seed, int step = 1) {
  using T = integer_subbyte<Bits, false>;
  for (int i = 0; (i + 1) * Bits <= bytes * 8; i += step) {
    for (int value = 0; value < 1 << Bits; value += Bits == 6 ? 21 : 1) {
      memory m = pattern(seed);
      memory const before = m;
      subbyte_iterator<T> const it(m.data());
      int want = 0;
      for (int k = 0; k < Bits; ++k) want |= bit(before, i * Bits + k) << k;
      if (it[i].get() != want || (*(it + i)).get() != want) return false;
      it[i] = T(value);
      for (int at = 0; at < bytes * 8; ++at) {
        bool const own = at >= i * Bits && at < (i + 1) * Bits;
        if (bit(m, at) != (own ? value >> (at - i * Bits) & 1 : bit(before, at))) return false;
      }
    }
  }
  return true;
}
static_assert(reads_and_writes_exactly<1>(1, 17) && reads_and_writes_exactly<2>(2, 13));
static_assert(reads_and_writes_exactly<4>(3, 11) && reads_and_writes_exactly<6>(4, 7));

TEST(Subbyte, NeighboursAreUntouched) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    EXPECT_TRUE(reads_and_writes_exactly<1>(seed));
    EXPECT_TRUE(reads_and_writes_exactly<2>(seed));
    EXPECT_TRUE(reads_and_writes_exactly<4>(seed));
    EXPECT_TRUE(reads_and_writes_exactly<6>(seed));
  }
}

TEST(Subbyte, ReferencesAssignFromOneAnother) {
  memory m = pattern(7);
  subbyte_iterator<int6b_t> const it(m.data());
  it[3] = it[9];
  EXPECT_EQ(static_cast<int>(it[3]), static_cast<int>(it[9]));
  it[4] = -5;  // from an int
  EXPECT_EQ(static_cast<int>(it[4]), -5);
  int6b_t const value = it[4];
  EXPECT_EQ(value, -5);
}

// --- tensors
// ---------------------------------------------------------------------------------------------------------
template <class T>
constexpr bool owning_tensor_is_packed() {
  auto t = make_tensor<T>(Shape<_5, _3>{});
  auto other = t;
  for (int i = 0; i < 15; ++i) t(i) = T(i * 7);
  for (int i = 0; i < 15; ++i) other(14 - i) = t(i);
  for (int i = 0; i < 15; ++i)
    if (static_cast<int>(t(i).get()) != static_cast<int>(T(i * 7)) ||
        static_cast<int>(other(14 - i).get()) != static_cast<int>(T(i * 7)))
      return false;
  return sizeof(t) == (15 * sizeof_bits_v<T> + 7) / 8 || alignof(decltype(t)) > 1;
}
TEST(Subbyte, OwningTensorsArePacked) {
  EXPECT_TRUE(owning_tensor_is_packed<uint1b_t>());
  EXPECT_TRUE(owning_tensor_is_packed<int2b_t>());
  EXPECT_TRUE(owning_tensor_is_packed<int4b_t>());
  EXPECT_TRUE(owning_tensor_is_packed<uint6b_t>());
}

TEST(Subbyte, TensorsSliceAndPartitionWithinBytes) {
  memory m{};
  auto const t =
      make_tensor(make_smem_ptr(reinterpret_cast<uint4b_t*>(m.data())), Layout<Shape<_6, _8>, Stride<_8, _1>>{});
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 8; ++j) t(i, j) = uint4b_t(3 * i + j);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 8; ++j) {
      int const want = (3 * i + j) % 16, at = 8 * i + j;
      EXPECT_EQ(m[static_cast<std::size_t>(at / 2)] >> (4 * (at % 2)) & 15, want);
      EXPECT_EQ(static_cast<int>(t(_, j)(i)), want);
      EXPECT_EQ(static_cast<int>(local_tile(t, Shape<_3, _3>{}, make_coord(i / 3, _))(i % 3, 0, 0)), (3 * i) % 16)
          << "column 0";
    }
  auto const odd = t(_, 3);  // starts in the middle of a byte
  odd(2) = 15;
  EXPECT_EQ(m[9], ((3 * 2 + 2) % 16) | 15 << 4);
}

/// Element i of width A and element i*A/B of width B start at the same bit.
template <int A, int B>
bool recasts() {
  using From = integer_subbyte<A, false>;
  using To = std::conditional_t<(B < 8), integer_subbyte<(B < 8 ? B : 1), false>, std::uint8_t>;
  alignas(8) memory m = pattern(A * 10 + B);
  auto const t = make_tensor(reinterpret_cast<From*>(m.data()), Layout<C<bytes * 8 / A>>{});
  auto const r = recast<To>(t);
  if (static_cast<int>(size(r)) != bytes * 8 / B) return false;
  for (int i = 0; i < static_cast<int>(size(r)); ++i) {
    int want = 0;
    for (int k = 0; k < B; ++k) want |= bit(m, i * B + k) << k;
    if (static_cast<int>(static_cast<To>(r(i))) != want) return false;
  }
  return true;
}
TEST(Subbyte, RecastsBetweenWidths) {
  EXPECT_TRUE((recasts<4, 2>()));
  EXPECT_TRUE((recasts<2, 4>()));
  EXPECT_TRUE((recasts<4, 8>()));
  EXPECT_TRUE((recasts<1, 4>()));
  EXPECT_TRUE((recasts<6, 2>()));
  EXPECT_TRUE((recasts<4, 6>()));
  EXPECT_TRUE((recasts<6, 4>()));
  EXPECT_TRUE((recasts<2, 1>()));
}

}  // namespace
}  // namespace tilewright
