// The iterator of checked launches on a GPU, on the host: which accesses it refuses, of which widths, and what it notes.
#include "tilewright/exec/cuda/checked_iterator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "tilewright/tilewright.hpp"

namespace tilewright {
namespace {

template <class T>
struct watched {
  alignas(32) std::array<T, 16> values{};
  exec::device_fault record{};

  /// Elements [first, first + n) may be accessed; the iterator stands at element `first`.
  device_checked_iterator<T> begin(int first, int n) {
    exec::watched_range range;
    range.begin = reinterpret_cast<unsigned char*>(values.data() + first);
    range.bytes = n * static_cast<long long>(sizeof(T));
    range.record = &record;
    range.number = 3;
    range.element_bits = sizeof_bits_v<T>;
    return {range, 0};
  }
  bool noted(fault kind, long long offset) const {
    return record.taken == 1 && record.kind == kind && record.byte_offset == offset && record.number == 3;
  }
};

TEST(DeviceCheckedIterator, ReadsAndWritesWithinBounds) {
  watched<int> w;
  auto const it = w.begin(4, 8);
  for (int i = 0; i < 8; ++i) it[i] = i;
  it[2] += 5;
  ++it[3];
  EXPECT_EQ(int(it[2]), 7);
  EXPECT_EQ(int(*(it + 3)), 4);
  EXPECT_EQ(w.values[4 + 2], 7);
  EXPECT_EQ(w.record.taken, 0u);
}

TEST(DeviceCheckedIterator, ASwizzleMovesTheAddressThatIsChecked) {
  watched<int> w;  // aligned to 32 bytes, of which the swizzle moves bit 2 by bit 4
  w.values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  auto const p = make_swizzle_ptr(make_smem_ptr(w.begin(0, 8)), Swizzle<1, 2, 2>{});
  EXPECT_EQ(int(p[1]), 1);
  EXPECT_EQ(int(p[4]), 5);
  EXPECT_EQ(int(p[7]), 6);
  EXPECT_EQ(w.record.taken, 0u);
  EXPECT_EQ(int(p[12]), 0);
  EXPECT_TRUE(w.noted(fault::out_of_bounds, 4 * 13));
}

TEST(DeviceCheckedIterator, RefusesWhatLiesOutside) {
  for (int const outside : {-1, -100, 8, 9, 1 << 20}) {
    watched<int> w;
    w.values.fill(9);
    auto const it = w.begin(4, 8);
    EXPECT_EQ(int(it[outside]), 0);
    EXPECT_TRUE(w.noted(fault::out_of_bounds, 4LL * outside));
    it[outside] = 1;
    for (int const v : w.values) EXPECT_EQ(v, 9);
  }
}

TEST(DeviceCheckedIterator, NotesTheFirstFaultAlone) {
  watched<int> w;
  auto const it = w.begin(0, 4);
  (void)int(it[5]);
  (void)int(it[7]);
  EXPECT_TRUE(w.noted(fault::out_of_bounds, 20));
}

TEST(DeviceCheckedIterator, ChecksEveryByteOfAVector) {
  watched<float> w;
  auto const it = w.begin(0, 14);
  auto const vectors = recast_ptr<uint128_t>(it);
  vectors[2] = uint128_t{{1, 1}};
  EXPECT_EQ(w.record.taken, 0u);
  vectors[3] = uint128_t{{1, 1}};  // elements 12 … 15: the first byte outside is element 14's
  EXPECT_TRUE(w.noted(fault::out_of_bounds, 56));
  EXPECT_EQ(w.values[12], 0.0f);
}

TEST(DeviceCheckedIterator, RefusesMisalignedVectors) {
  watched<float> w;
  w.values.fill(1.0f);
  auto const it = w.begin(0, 16);
  EXPECT_EQ(uint128_t(*recast_ptr<uint128_t>(it + 1)), uint128_t{});
  EXPECT_TRUE(w.noted(fault::misaligned, 4));
}

TEST(DeviceCheckedIterator, ChecksCopiesOfTheLibrary) {
  watched<float> w, v;
  for (int i = 0; i < 16; ++i) w.values[static_cast<std::size_t>(i)] = static_cast<float>(i);
  auto const from = make_tensor(make_gmem_ptr(w.begin(0, 16)), Shape<_16>{});
  auto const to = make_tensor(make_smem_ptr(v.begin(0, 14)), Shape<_16>{});
  copy(AutoVectorizingCopy{}, from, to);
  EXPECT_EQ(w.record.taken, 0u);
  EXPECT_TRUE(v.noted(fault::out_of_bounds, 56));
  EXPECT_EQ(v.values[11], 11.0f);
  EXPECT_EQ(v.values[12], 0.0f);

  auto registers = make_tensor<float>(Shape<_16>{});
  copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, local_tile(from, Shape<_4>{}, 1),
       local_tile(registers, Shape<_4>{}, 0));
  EXPECT_EQ(registers(3), 7.0f);
  copy(from, registers);
  EXPECT_EQ(registers(15), 15.0f);
  EXPECT_EQ(w.record.taken, 0u);
}

TEST(DeviceCheckedIterator, ChecksPackedElements) {
  watched<std::uint8_t> w;
  auto const it = recast_ptr<uint4b_t>(w.begin(0, 4));
  for (int i = 0; i < 8; ++i) it[i] = uint4b_t(i);
  EXPECT_EQ(int(uint4b_t(it[5])), 5);
  EXPECT_EQ(w.record.taken, 0u);
  it[8] = uint4b_t(1);
  EXPECT_TRUE(w.noted(fault::out_of_bounds, 4));
  EXPECT_EQ(w.values[4], 0);
}

TEST(DeviceCheckedIterator, IsNullWhereNothingIsWatched) {
  watched<int> w;
  EXPECT_TRUE(detail::is_null(device_checked_iterator<int>{}));
  EXPECT_FALSE(detail::is_null(w.begin(0, 1)));
  device_checked_iterator<int const> const constant = w.begin(0, 1);
  EXPECT_EQ(int(constant[0]), 0);
}

}  // namespace
}  // namespace tilewright
