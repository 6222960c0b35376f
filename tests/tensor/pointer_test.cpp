// Tagged pointers: what they accept, what they keep, how they dereference, and the same bytes seen as another
// element type; the iterators without memory, which count or are coordinates.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {
namespace {

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

// --- tags -------------------------------------------------------------------------------------------------
// -----------
using Float = float*;

static_assert(same<decltype(make_gmem_ptr(Float{})), gmem_ptr<float*>> &&
              same<decltype(make_smem_ptr(Float{})), smem_ptr<float*>>);
static_assert(same<decltype(make_rmem_ptr(Float{})), rmem_ptr<float*>>);
static_assert(same<decltype(make_gmem_ptr(make_gmem_ptr(Float{}))), gmem_ptr<float*>>);  // once is enough
static_assert(same<decltype(make_gmem_ptr(std::declval<float const*>())), gmem_ptr<float const*>>);
static_assert(same<decltype(make_smem_ptr(std::declval<float (&)[8]>())), smem_ptr<float*>>);  // arrays decay
static_assert(same<decltype(make_gmem_ptr(std::declval<int4b_t*>())), gmem_ptr<subbyte_iterator<int4b_t>>>);
static_assert(same<decltype(make_gmem_ptr(counting_iterator<int>{})), gmem_ptr<counting_iterator<int>>>);
static_assert(same<decltype(make_gmem_ptr<float>(std::declval<void*>())), gmem_ptr<float*>>);
static_assert(same<decltype(make_gmem_ptr<float>(std::declval<void const*>())), gmem_ptr<float const*>>);
static_assert(same<decltype(make_smem_ptr<float>(std::declval<void*>())), smem_ptr<float*>>);

static_assert(is_gmem_v<gmem_ptr<float*>> && !is_gmem_v<smem_ptr<float*>> && !is_gmem_v<float*>);
static_assert(is_smem_v<smem_ptr<float*>> && !is_smem_v<rmem_ptr<float*>>);
static_assert(is_rmem_v<rmem_ptr<float*>> && is_rmem_v<float*> && !is_rmem_v<gmem_ptr<float*>>);
static_assert(space_of<smem_ptr<int*>> == memory_space::smem && space_of<int*> == memory_space::untagged);
static_assert(sizeof(gmem_ptr<float*>) == sizeof(float*) && std::is_trivially_copyable_v<gmem_ptr<float*>>);
static_assert(same<gmem_ptr<float const*>::value_type, float> &&
              same<gmem_ptr<float const*>::element_type, float const>);

constexpr int sum_through_a_tagged_pointer() {
  int data[4] = {1, 20, 300, 4000};
  auto const p = make_smem_ptr(&data[0]);
  *p += 4;
  p[1] = 50;
  return *p + p[1] + *(p + 2) + (p + _3{})[0] + (untagged(p) == &data[0] ? 10'000 : 0);
}
static_assert(sum_through_a_tagged_pointer() == 5 + 50 + 300 + 4000 + 10'000);

// --- recasting
// -------------------------------------------------------------------------------------------------------
TEST(Pointer, RecastSeesTheSameBytes) {
  alignas(16) std::array<std::uint32_t, 8> words{};
  for (std::uint32_t i = 0; i < 8; ++i) words[i] = 0x01020304u * (i + 1);
  auto const p = make_gmem_ptr(words.data());
  auto const bytes = recast_ptr<std::uint8_t>(p);
  static_assert(same<decltype(bytes), gmem_ptr<std::uint8_t*>>);
  for (int i = 0; i < 32; ++i) {
    std::uint8_t want = 0;
    std::memcpy(&want, reinterpret_cast<char const*>(words.data()) + i, 1);
    EXPECT_EQ(bytes[i], want);
  }
  auto const vectors = recast_ptr<uint128_t>(p);
  static_assert(same<decltype(vectors), gmem_ptr<uint128_t*>>);
  vectors[1] = vectors[0];
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(words[i + 4], words[i]);
  static_assert(same<decltype(recast_ptr<std::uint32_t>(p)), decltype(p)>);
  static_assert(same<decltype(recast_ptr<std::uint8_t>(std::declval<std::uint32_t const*>())), std::uint8_t const*>);
}

TEST(Pointer, RecastToAndFromElementsBelowAByte) {
  alignas(8) std::array<std::uint8_t, 8> bytes{0x21, 0x43, 0x65, 0x87, 0xa9, 0xcb, 0xed, 0x0f};
  auto const nibbles = recast_ptr<uint4b_t>(make_smem_ptr(bytes.data()));
  for (int i = 0; i < 16; ++i) EXPECT_EQ(static_cast<int>(nibbles[i].get()), (i + 1) % 16);
  EXPECT_EQ(*recast_ptr<std::uint8_t>(nibbles + 6), 0x87);
  auto const pairs = recast_ptr<uint2b_t>(nibbles + 1);
  EXPECT_EQ(static_cast<int>(pairs[0].get()), 2);
  EXPECT_EQ(static_cast<int>(pairs[2].get()), 3);
#if TILEWRIGHT_CHECKED
  EXPECT_THROW((void)recast_ptr<std::uint8_t>(nibbles + 1), layout_error);
#endif
}

#if TILEWRIGHT_CHECKED
TEST(Pointer, AMisalignedRecastIsRefused) {
  alignas(16) std::array<float, 8> data{};
  EXPECT_NO_THROW((void)recast_ptr<uint128_t>(data.data() + 4));
  for (int i = 1; i < 4; ++i) EXPECT_THROW((void)recast_ptr<uint128_t>(data.data() + i), layout_error);
}
#endif

// --- iterators without memory
// ----------------------------------------------------------------------------------------
static_assert(*(counting_iterator<int>{5} + 3) == 8 && counting_iterator<int>{5}[_2{}] == 7);
static_assert(*(ArithmeticTupleIterator<ArithmeticTuple<int, _3>>{{2, {}}} + make_arithmetic_tuple(_1{}, 4)) ==
              make_coord(3, 7));

// --- no element at all
// -----------------------------------------------------------------------------------------------
static_assert(detail::is_null(gmem_ptr<float*>{}) && detail::is_null(subbyte_iterator<int4b_t>{}));
static_assert(!detail::can_be_null<counting_iterator<int>> && !detail::is_null(counting_iterator<int>{}));

}  // namespace
}  // namespace tilewright
