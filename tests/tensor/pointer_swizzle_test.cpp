// Swizzled pointers: they name the elements that a swizzled layout names, from any pointer into the tile, in elements of
// every width; copies through them are as wide as the swizzle allows.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tilewright/algorithm/copy.hpp"
#include "tilewright/algorithm/print.hpp"
#include "tilewright/atom/cp_async.hpp"
#include "tilewright/tensor/pointer_swizzle.hpp"

using namespace tilewright;

namespace {

/// A tile at a multiple of 8192 bytes, beyond every span below.
struct alignas(8192) memory {
  unsigned char bytes[8192];
};

/// Swizzle<B,M,S> counts in elements of T; the tile has 64 rows of 16.
template <class T, int B, int M, int S>
void expect_pointer_and_layout_agree() {
  static memory tile;
  T* const base = reinterpret_cast<T*>(tile.bytes);
  auto const layout = composition(Swizzle<B, M, S>{}, Layout<Shape<_64, _16>, Stride<_16, _1>>{});
  auto const by_layout = make_tensor(make_smem_ptr(base), layout);
  auto const by_pointer = as_position_dependent_swizzle_tensor(by_layout);
  static_assert(B == 0 || is_swizzle_ptr_v<std::remove_cvref_t<decltype(by_pointer.data())>>);
  static_assert(is_smem_v<std::remove_cvref_t<decltype(by_pointer.data())>>);
  auto const back = as_position_independent_swizzle_tensor(by_pointer);
  Swizzle<B, M, S> const swizzle;
  for (int m = 0; m < 64; ++m)
    for (int n = 0; n < 16; ++n) {
      T* const expected = base + swizzle(16 * m + n);
      ASSERT_EQ(&by_layout(m, n), expected);
      ASSERT_EQ(&by_pointer(m, n), expected) << "Swizzle<" << B << "," << M << "," << S << ">, bytes " << sizeof(T);
      ASSERT_EQ(&back(m, n), expected);
      // A slice moves the pointer, which still is swizzled by its own address.
      ASSERT_EQ(&by_pointer(m, _)(n), expected);
      ASSERT_EQ(&by_pointer(_, n)(m), expected);
      ASSERT_EQ(&local_tile(by_pointer, Shape<_8, _8>{}, make_coord(m / 8, n / 8))(m % 8, n % 8), expected);
    }
}

TEST(PointerSwizzle, NamesTheElementsThatTheLayoutNames) {
  expect_pointer_and_layout_agree<unsigned char, 0, 4, 3>();
  expect_pointer_and_layout_agree<unsigned char, 1, 4, 3>();
  expect_pointer_and_layout_agree<unsigned char, 2, 4, 3>();
  expect_pointer_and_layout_agree<unsigned char, 3, 4, 3>();
  expect_pointer_and_layout_agree<unsigned char, 3, 0, 3>();
  expect_pointer_and_layout_agree<unsigned short, 1, 3, 3>();
  expect_pointer_and_layout_agree<unsigned short, 2, 3, 3>();
  expect_pointer_and_layout_agree<unsigned short, 3, 3, 3>();
  expect_pointer_and_layout_agree<unsigned short, 3, 3, -3>();
  expect_pointer_and_layout_agree<unsigned short, 3, 0, 5>();
  expect_pointer_and_layout_agree<float, 3, 2, 3>();
  expect_pointer_and_layout_agree<float, 2, 1, 4>();
  expect_pointer_and_layout_agree<float, 5, 0, 5>();
  expect_pointer_and_layout_agree<double, 3, 1, 3>();
  expect_pointer_and_layout_agree<double, 2, 1, -2>();
  expect_pointer_and_layout_agree<double, 4, 0, 5>();
}

TEST(PointerSwizzle, PackedElements) {
  static memory tile;
  std::memset(tile.bytes, 0, sizeof tile.bytes);
  auto const layout = composition(Swizzle<3, 5, 3>{}, Layout<Shape<_32, _64>, Stride<_64, _1>>{});  // 16 bytes are 2^5
  auto by_layout = make_tensor(make_smem_ptr(reinterpret_cast<uint4b_t*>(tile.bytes)), layout);
  auto const by_pointer = as_position_dependent_swizzle_tensor(by_layout);
  static_assert(std::is_same_v<get_swizzle_t<decltype(by_pointer)>, Swizzle<3, 4, 3>>);
  for (int i = 0; i < 2048; ++i) by_layout(i) = uint4b_t(i * 7 + i / 16);
  for (int i = 0; i < 2048; ++i) ASSERT_EQ(static_cast<int>(uint4b_t(by_pointer(i))), (i * 7 + i / 16) % 16);
}

TEST(PointerSwizzle, FollowsTheAddressWhereTheTileStartsInside) {
  static memory tile;
  auto* const base = reinterpret_cast<unsigned short*>(tile.bytes);
  Swizzle<3, 3, 3> const whole;
  for (int start = 0; start < 1024; start += 24) {
    auto const p = make_swizzle_ptr(base + start, Swizzle<3, 4, 3>{});
    for (int i = 0; i < 512; ++i) ASSERT_EQ(&p[i], base + whole(start + i));
  }
}

TEST(PointerSwizzle, RecastsTheSameBytes) {
  static memory tile;
  auto* const base = reinterpret_cast<unsigned short*>(tile.bytes);
  auto const p = make_tensor(make_swizzle_ptr(make_smem_ptr(base), Swizzle<3, 4, 3>{}), Shape<Int<512>>{});
  auto const wide = recast<std::uint32_t>(p);
  auto const words = recast<word<128>>(p);
  for (int i = 0; i < 256; ++i) ASSERT_EQ(static_cast<void const*>(&wide(i)), &p(2 * i));
  for (int i = 0; i < 64; ++i) ASSERT_EQ(static_cast<void const*>(&words(i)), &p(8 * i));
}

TEST(PointerSwizzle, NoBitsLeaveThePointerAlone) {
  float values[4] = {};
  static_assert(std::is_same_v<decltype(make_swizzle_ptr(&values[0], Swizzle<0, 4, 3>{})), float*>);
  static_assert(std::is_same_v<get_swizzle_t<float*>, Swizzle<0, 4, 3>>);
  using Pointer = decltype(make_swizzle_ptr(make_smem_ptr(&values[0]), Swizzle<3, 4, 3>{}));
  static_assert(std::is_same_v<get_swizzle_t<Pointer>, Swizzle<3, 4, 3>>);
}

TEST(PointerSwizzle, CopiesAreAsWideAsTheSwizzleAllows) {
  static memory tile;
  auto* const base = reinterpret_cast<float*>(tile.bytes);
  using Registers = decltype(make_tensor<float>(Shape<_64>{}));
  using Wide = decltype(make_tensor(make_swizzle_ptr(make_smem_ptr(base), Swizzle<3, 4, 3>{}), Shape<_64>{}));
  using Narrow = decltype(make_tensor(make_swizzle_ptr(make_smem_ptr(base), Swizzle<3, 3, 3>{}), Shape<_64>{}));
  using Single = decltype(make_tensor(make_swizzle_ptr(make_smem_ptr(base), Swizzle<3, 2, 3>{}), Shape<_64>{}));
  static_assert(detail::vector_elements<128, Registers, Wide> == 4);
  static_assert(detail::vector_elements<128, Wide, Registers> == 4);
  static_assert(detail::vector_elements<128, Registers, Narrow> == 2);
  static_assert(detail::vector_elements<128, Registers, Single> == 1);

  auto const fill = [](auto&& t) {
    for (int i = 0; i < 64; ++i) t(i) = static_cast<float>(i);
  };
  Registers from, to;
  fill(from);
  Wide const shared = make_tensor(make_swizzle_ptr(make_smem_ptr(base), Swizzle<3, 4, 3>{}), Shape<_64>{});
  copy(AutoVectorizingCopy{}, from, shared);
  for (int i = 0; i < 64; ++i) ASSERT_EQ(base[(Swizzle<3, 2, 3>{}(i))], static_cast<float>(i));
  copy(AutoVectorizingCopy{}, shared, to);
  for (int i = 0; i < 64; ++i) ASSERT_EQ(to(i), static_cast<float>(i));
}

TEST(PointerSwizzle, TiledCopiesOfEveryKind) {
  static memory tile;
  alignas(16) static float source[32 * 32], target[32 * 32];
  for (int i = 0; i < 1024; ++i) source[i] = static_cast<float>(i);
  auto const layout = make_layout(Shape<_32, _32>{}, LayoutRight{});
  auto const gmem = make_tensor(make_gmem_ptr(&source[0]), layout);
  auto const back = make_tensor(make_gmem_ptr(&target[0]), layout);
  auto const smem = as_position_dependent_swizzle_tensor(
      make_tensor(make_smem_ptr(reinterpret_cast<float*>(tile.bytes)), composition(Swizzle<3, 2, 3>{}, layout)));
  auto const in = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<word<128>>, float>{},
                                  Layout<Shape<_8, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  auto const out = make_tiled_copy(Copy_Atom<UniversalCopy<word<128>>, float>{},
                                   Layout<Shape<_8, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  for (int thread = 0; thread < 64; ++thread) {
    auto const mine = in.get_slice(thread);
    copy(in, mine.partition_S(gmem), mine.partition_D(smem));  // ((4, 1), 4, 1)
  }
  cp_async_wait<0>();
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(reinterpret_cast<float*>(tile.bytes)[(Swizzle<3, 2, 3>{}(i))], static_cast<float>(i));
  for (int thread = 0; thread < 64; ++thread) {
    auto const mine = out.get_slice(thread);
    copy(out, mine.partition_S(smem), mine.partition_D(back));  // ((4, 1), 4, 1)
  }
  EXPECT_EQ(std::memcmp(source, target, sizeof source), 0);
}

TEST(PointerSwizzle, Prints) {
  testing::internal::CaptureStdout();
  print(make_swizzle_ptr(make_smem_ptr(static_cast<float*>(nullptr)), Swizzle<3, 4, 3>{}));
  EXPECT_EQ(testing::internal::GetCapturedStdout().substr(0, 23), "Sw<3,4,3>_smem_ptr[32b]");
}

}  // namespace
