// Expressions that programs on CuTe are full of, several to a line as they write them, and what they must give.
#include <cutlass/half.h>
#include <cutlass/trace.h>
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <string>

using namespace cute;

namespace {

template <class T>
struct SharedStorage {
  alignas(128) cute::array_aligned<T, 256> smem;
  cute::aligned_struct<128> padding;
  uint64_t barriers[2];
};
static_assert(sizeof(SharedStorage<float>) == 1024 + 128 + 128 && alignof(SharedStorage<float>) == 128);

TEST(CuteEveryday, Layouts) {
  auto a = make_layout(make_shape(Int<8>{}, make_shape(4, Int<2>{})), LayoutRight{});
  CUTLASS_TRACE_HOST(shape(a) << "  =>  " << stride(a));
  EXPECT_TRUE(a.stride() == make_stride(8, make_stride(2, 1)));
  EXPECT_EQ(a.compose(make_tile(Layout<_4>{}, _))(3, make_coord(2, 1)), 29);
  EXPECT_EQ(a.with_shape(Int<8>{}, Int<8>{})(1, 5), a(1, 5));
  EXPECT_TRUE(a.get_hier_coord(29) == make_coord(3, make_coord(2, 1)));
  EXPECT_TRUE(a.get_flat_coord(29) == make_coord(3, 6));
  EXPECT_EQ(a.get_1d_coord(29), 3 + 8 * 6);
  // As CuTe's, reverse is of tuples and arrays; a layout stays as it is.
  EXPECT_EQ((reverse(Layout<Shape<_4, _8>>{})(2, 5)), 22);
  auto right = tile_to_shape(Layout<Shape<_8, _8>>{}, make_shape(Int<32>{}, Int<16>{}), LayoutRight{});
  auto left = tile_to_shape(Layout<Shape<_8, _8>>{}, make_shape(Int<32>{}, Int<16>{}), LayoutLeft{});
  EXPECT_EQ(right(0, 8), 64);
  EXPECT_EQ(right(8, 0), 128);
  EXPECT_EQ(left(8, 0), 64);
  EXPECT_EQ(left(0, 8), 256);
  EXPECT_EQ(int(max_alignment(Layout<Shape<_4, _3>, Stride<_8, Int<20>>>{})), 1);
  static_assert(is_same_v<decltype(upcast<2>(Swizzle<3, 4, 3>{})), Swizzle<3, 3, 3>>);
  static_assert(is_same_v<decltype(right_inverse(Swizzle<3, 4, 3>{})), Swizzle<3, 4, 3>>);
  static_assert(is_same_v<decltype(composition(Swizzle<3, 4, 3>{}, Swizzle<3, 4, 3>{})), Swizzle<0, 0, 0>>);
  EXPECT_TRUE((compact_major<LayoutRight>(make_shape(4, Int<8>{})) == make_stride(8, 1)));
}

TEST(CuteEveryday, IntTuples) {
  EXPECT_TRUE((append<3>(make_shape(1, 2), Int<0>{}) == make_shape(1, 2, 0)));
  EXPECT_TRUE(ceil_div(make_shape(100, 50), Shape<_16, _16>{}) == make_shape(7, 4));
  EXPECT_TRUE(round_up(make_shape(100, 50, 3), Shape<_16, _16>{}) == make_shape(112, 64, 3));
  EXPECT_TRUE(elem_scale(make_shape(2, 3), make_shape(make_shape(4, 5), 6)) == make_shape(40, 18));
  EXPECT_EQ(safe_div(12, 4), 3);
  static_assert(is_same_v<decltype(shape_div(Shape<_8, _8>{}, Int<4>{})), Shape<_2, _8>>);
  auto [m, n] = make_tuple(1, Int<2>{});
  EXPECT_EQ(m + n, 3);
  auto shape = make_shape(3, make_shape(2, Int<2>{}));
  int i = 0;
  for (auto it = make_coord_iterator(shape); it != ForwardCoordIteratorSentinel{}; ++it, ++i)
    ASSERT_TRUE(*it == idx2crd(i, shape)) << i;
  EXPECT_EQ(i, 12);
  EXPECT_TRUE(ArithmeticTuple(1, 2) + make_tuple(1, _3{}) == make_tuple(2, 5));
  for_each(make_int_sequence<4>{}, [&](auto k) { static_assert(decltype(k)::value < 4); });
  static_assert(is_constant<6, decltype(Int<5>{} + _1{})>::value);
}

TEST(CuteEveryday, Tensors) {
  alignas(16) float memory[256] = {};
  for (int i = 0; i < 256; ++i) memory[i] = float(i);
  Tensor t = make_tensor(make_smem_ptr(memory), Layout<Shape<_16, _16>>{});
  Tensor rows = make_tensor(make_smem_ptr<float>(static_cast<void*>(memory)), make_shape(16, 16), GenRowMajor{});
  EXPECT_EQ(rows(1, 2), t(2, 1));
  Tensor a = make_tensor<float>(Shape<_4, _4>{}, LayoutRight{});
  Tensor b = make_tensor<float>(make_shape(Int<4>{}, Int<4>{}), make_stride(Int<4>{}, Int<1>{}));
  for (int i = 0; i < size(a); ++i) a(i) = float(i);
  copy(AutoVectorizingCopyWithAssumedAlignment<128>{}, a, b);
  EXPECT_EQ(b(3, 2), a(3, 2));
  copy_aligned(a, b);
  static_assert(is_same_v<decltype(make_fragment_like<half_t>(t(_, 0)))::value_type, half_t>);
  EXPECT_EQ(size(recast<uint64_t>(t)), 128);
  EXPECT_EQ(domain_offset(make_coord(1, 2), t)(0, 0), 33);
  EXPECT_EQ(tensor<0>(t)(5), 5);
  EXPECT_EQ(int(size(max_common_layout(t, t))), 256);
  EXPECT_EQ(zipped_divide(t, make_tile(_4{}, Layout<_4, _4>{}))(make_coord(1, 1), make_coord(2, 3)), 9 + 16 * 7);
  EXPECT_EQ((local_partition(t, Layout<Shape<_4, _4>>{}, 5, Step<_1, _1>{})(1, 1)), 5 + 16 * 5);

  auto tiled = make_tiled_copy(Copy_Atom<DefaultCopy, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _1>>{});
  for (int thread = 0; thread < 32; ++thread) {
    auto thr = tiled.get_slice(thread);
    Tensor s = thr.partition_S(t);
    Tensor whole = tiled.tidfrg_S(t);  // (thread, value, (rest…))
    Tensor r = make_fragment_like(s);
    Tensor view = thr.retile_D(r);
    copy(tiled, s, view);
    for (int v = 0; v < size<1>(whole); ++v) ASSERT_EQ(whole(thread, v, 0), s(v));
    for (int v = 0; v < size(s); ++v) ASSERT_EQ(r(v), s(v));
  }
}

TEST(CuteEveryday, Printing) {
  testing::internal::CaptureStdout();
  auto sw = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  print(sw);
  print(get_swizzle_portion(sw));
  print("%d,%s|", 3, "x");
  print(make_coord(1, make_coord(_, Int<2>{})));
  if (thread0()) print("0\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)Sw<3,3,3>3,x|(1,(_,_2))0\n");
}

TEST(CuteEveryday, Numbers) {
  half_t h = 1.5_hf;
  float f = h;
  h = half_t(f);
  h += h;
  EXPECT_EQ(float(h), 3.0f);
  static_assert(sizeof_bits<half_t>::value == 16 && sizeof_bits_v<uint128_t> == 128);
  EXPECT_EQ(cute::min(3, 4) + cute::max(Int<3>{}, 4), 7);
  EXPECT_TRUE(is_byte_aligned<16>(nullptr));
}

TEST(CuteEveryday, ThreadsOfOneNumberShareOutTheFirstMode) {
  auto const t = make_tensor(counting_iterator<int>{0}, Layout<Shape<_64, _4>, Stride<_4, _1>>{});
  auto const mine = local_partition(t, make_layout(_32{}), 5);  // (RestM, N)
  static_assert(is_same_v<std::remove_cvref_t<decltype(shape(mine))>, Shape<_2, _4>>);
  EXPECT_EQ(mine(1, 2), (5 + 32) * 4 + 2);
}

}  // namespace
