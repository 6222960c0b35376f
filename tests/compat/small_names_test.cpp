// Names of CuTe's headers that few programs use: partitioners without a copy, the fields of TMA descriptors, operations of traits, tensors
// and layouts side by side taken apart, make_tensor as a function object.
#include "printed.hpp"

#include <gtest/gtest.h>
#include <cute/atom/copy_traits_sm100.hpp>
#include <cute/atom/copy_traits_sm50.hpp>
#include <cute/atom/copy_traits_sm90_tma_swizzle.hpp>
#include <cute/atom/partitioner.hpp>
#include <cute/tensor.hpp>
#include <cute/tensor_zip.hpp>

#include <cstring>
#include <type_traits>

using namespace cute;

namespace {

using tilewright::tests::printed;

template <class L>
auto counted(L const& layout) {
  return make_tensor(counting_iterator<int>{0}, layout);
}

TEST(Partitioner, CutsByThreadsAndValues) {
  auto const rows = make_tiler_impl(Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Shape<_4, _8>{});
  auto const tensor = counted(make_layout(Shape<_8, _32>{}));
  EXPECT_EQ(printed(rows.apply(tensor).layout()), "((_4,(_4,_2)),(_2,_4)):((_16,(_1,_8)),(_4,_64))");
  EXPECT_EQ(printed(rows.get_slice(2).partition(tensor)), "counting_iter(32) o (_2,_4):(_4,_64)");
  using places = Layout<Shape<Shape<_2, _2>, Shape<_4, _2>>, Stride<Stride<_1, _16>, Stride<_2, _8>>>;
  auto const deep = counted(make_layout(Shape<_8, _32, _2>{}));
  EXPECT_EQ(printed(make_tiler_impl(places{}, Shape<_4, _8>{}).get_slice(make_coord(3, _)).partition(deep)),
            "counting_iter(33) o (((_2,_2),_2),_2,_4,_2):(((_2,_8),_16),_4,_64,_256)");
}

TEST(TensorMaps, FieldsByName) {
  using TMA::SmemSwizzleBase;
  using TMA::SmemSwizzleBits;
  static_assert(cute::detail::get_tma_swizzle_bits(Swizzle<3, 4, 3>{}) == SmemSwizzleBits::B128);
  static_assert(cute::detail::get_tma_swizzle_bits(Swizzle<1, 4, 3>{}) == SmemSwizzleBits::B32);
  static_assert(cute::detail::get_tma_swizzle_bits(Swizzle<2, 5, 2>{}) == SmemSwizzleBits::B128);
  static_assert(cute::detail::get_tma_swizzle_base(Swizzle<2, 4, 3>{}) == SmemSwizzleBase::SWIZZLE_BASE_16B);
  static_assert(cute::detail::get_tma_swizzle_base(Swizzle<2, 6, 2>{}) == SmemSwizzleBase::SWIZZLE_BASE_64B);
  static_assert(cute::detail::get_tma_swizzle_bits(Layout<_8, _1>{}) == SmemSwizzleBits::DISABLE);
  static_assert(TMA::DescriptorAuxParams{}.l2promo_ == TMA::L2Promotion::DISABLE);
  EXPECT_STREQ(to_string(TMA::OOBFill::CONSTANT), "CONSTANT");
  EXPECT_STREQ(to_string(TMA::L2Promotion::B256), "B256");
#if defined(CUDA_VERSION) && CUDA_VERSION >= 12080
  EXPECT_EQ(TMA::to_CUtensorMapDataType<half_t>(), CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
  EXPECT_EQ(TMA::to_CUtensorMapDataType<float_e5m2_t>(), CU_TENSOR_MAP_DATA_TYPE_UINT8);
  EXPECT_EQ(TMA::to_CUtensorMapDataType<int>(), CU_TENSOR_MAP_DATA_TYPE_INT32);
  EXPECT_EQ(TMA::to_CUtensorMapDataType<float_e2m1_t>(), CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B);
  EXPECT_EQ(TMA::to_CUtensorMapSwizzle(SmemSwizzleBits::B64, SmemSwizzleBase::SWIZZLE_BASE_16B),
            CU_TENSOR_MAP_SWIZZLE_64B);
  EXPECT_EQ(TMA::to_CUtensorMapSwizzle(SmemSwizzleBits::B128, SmemSwizzleBase::SWIZZLE_BASE_32B),
            CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B);
  EXPECT_EQ(TMA::to_CUtensorMapL2promotion(TMA::L2Promotion::B128), CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
#endif
}

TEST(Traits, NameTheirOperations) {
  static_assert(std::is_same_v<CPY_Op<Copy_Traits<SM75_U32x4_LDSM_N>>::type, SM75_U32x4_LDSM_N>);
  static_assert(std::is_same_v<MMA_Op<MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>>::type, SM80_16x8x16_F32F16F16F32_TN>);
  static_assert(std::is_same_v<SM90::GMMA::CLayout_64x24, SM90::GMMA::CLayout_64xN<24>>);
  static_assert(size(SM90::GMMA::ALayout_64x64{}) == 64 * 64);
  static_assert(Copy_Atom<SM50_Shuffle_U32_2x2Trans_XOR1, float>::NumValSrc == 2);
  EXPECT_EQ(elect_one_leader_sync().is_leader, 1u);  // outside of launches every caller is thread 0
}

TEST(MakeTensor, AsAFunctionObject) {
  auto t = MakeTensor<float>{}(Shape<_2, _3>{});
  static_assert(std::is_same_v<decltype(t), decltype(make_tensor<float>(Shape<_2, _3>{}))>);
  float data[6] = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ((MakeTensor<float*>{}(&data[0], Layout<Shape<_2, _3>>{})(1, 2)), 5.0f);
}

TEST(Zip, IsTakenApart) {
  int a[6] = {0, 1, 2, 3, 4, 5};
  float b[6] = {0, 10, 20, 30, 40, 50};
  auto const both = make_zip_tensor(make_tensor(&a[0], Layout<Shape<_2, _3>>{}),
                                    make_tensor(&b[0], Layout<Shape<_2, _3>, Stride<_3, _1>>{}));
  auto const [x, y] = unzip_tensor(both);
  EXPECT_EQ(x(1, 2), 5);
  EXPECT_EQ(y(1, 0), 30.0f);
  auto const layouts = both.layout();
  static_assert(is_zip_layout<std::remove_const_t<decltype(layouts)>>::value && decltype(layouts)::rank == 2);
  EXPECT_EQ(printed(layouts(1, 2)), "(5,5)");
  EXPECT_EQ(printed(layouts(1, 0)), "(1,3)");
  EXPECT_EQ(int(size(layouts)), 6);
  static_assert(is_zip_layout<decltype(layouts(_, 0))>::value);
  static_assert(!is_zip_layout<Layout<_2>>::value);
}

TEST(SmallNames, LayoutsInTheOrderOfTheirStrides) {
  auto const by_stride = make_ordered_layout(Layout<Shape<_4, _2, _3>, Stride<_1, Int<100>, _10>>{});
  static_assert(
      std::is_same_v<std::remove_const_t<decltype(by_stride)>, Layout<Shape<_4, _2, _3>, Stride<_1, _12, _4>>>);
}

TEST(SmallNames, IteratorsSideBySide) {
  int a[] = {1, 2, 3, 4};
  float b[] = {0.5f, 1.5f, 2.5f};
  ZipIterator const both(&a[0], static_cast<float const*>(b));
  static_assert(std::is_same_v<decltype(both)::value_type, cute::tuple<int, float>>);
  EXPECT_EQ(get<0>(*both), 1);
  EXPECT_EQ(get<1>(*both), 0.5f);
  auto const moved = both + make_tuple(3, _1{});
  EXPECT_EQ(get<0>(*moved), 4);
  EXPECT_EQ(get<1>(*moved), 1.5f);
  EXPECT_EQ(get<1>(both[make_tuple(0, 2)]), 2.5f);
}

// The last mode of a swizzled layout with another number of stages, as kernels write it.
TEST(SmallNames, LayoutsAmongEntriesOfTilers) {
  auto const staged = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64, _3>{});
  auto const one = composition(staged, prepend<3>(make_layout(_1{}), _));
  static_assert(
      std::is_same_v<decltype(prepend<3>(make_layout(_1{}), _)), tuple<Underscore, Underscore, Layout<_1, _0>>>);
  static_assert(std::is_same_v<decltype(append<2>(Layout<_4>{}, _3{})), tuple<Layout<_4>, _3>>);
  EXPECT_EQ(static_cast<int>(size<2>(one)), 1);
  for (int m = 0; m < 64; ++m)
    for (int k = 0; k < 64; ++k) ASSERT_EQ(one(m, k, 0), staged(m, k, 0));
}

TEST(SmallNames, TuplesOfOtherIntegersAreAssigned) {
  Stride<int, int, _1> stride;
  stride = compact_row_major(make_shape(3, 4, 5));
  EXPECT_TRUE(stride == make_stride(20, 5, _1{}));
  Stride<int, Stride<std::int64_t, _1>> nested;
  nested = make_stride(std::int64_t{7}, make_stride(8, _1{}));
  EXPECT_TRUE(nested == make_stride(7, make_stride(8, _1{})));
  static_assert(!std::is_assignable_v<Stride<_1>&, Stride<_2>>);
  static_assert(!std::is_assignable_v<Stride<_1>&, Stride<int>>);
  static_assert(!std::is_assignable_v<Stride<int, int>&, Stride<int>>);
}

TEST(SmallNames, EntriesOfEntriesAreWritten) {
  auto t = make_tuple(1, make_tuple(2, make_tuple(_3{}, 4)), _5{});
  get<1, 0>(t) = 7;
  get<1, 1, 1>(t) = 9;
  EXPECT_TRUE(t == make_tuple(1, make_tuple(7, make_tuple(3, 9)), 5));
  auto const fixed = t;
  static_assert(std::is_same_v<decltype(get<1, 1, 0>(fixed)), _3>);
  EXPECT_EQ((get<1, 1, 1>(fixed)), 9);
}

enum place_of_statistics : int { second_of_statistics = 1 };
enum class scoped_place : std::uint32_t { third = 2 };
TEST(SmallNames, EnumeratorsAreCoordinates) {
  auto const layout = make_layout(make_shape(4, _3{}), make_stride(_3{}, _1{}));
  EXPECT_EQ(layout(second_of_statistics, 2), 5);
  EXPECT_EQ(layout(1, scoped_place::third), 5);
  int data[] = {0, 1, 2, 3};
  EXPECT_EQ(make_tensor(&data[0], _4{})(second_of_statistics), 1);
}

TEST(SmallNames, TensorsMoveToOtherAddresses) {
  int data[] = {0, 1, 2, 3};
  Tensor t = make_tensor(make_gmem_ptr(&data[0]), _2{});
  t.data() = t.data().get() + 2;
  EXPECT_EQ(t(1), 3);
  static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(t.data())>>);
}

struct longest_of_sequences {
  int longest;
  int const* lengths;
  constexpr operator int() const { return longest; }
};
TEST(SmallNames, OwnClassesOfExtents) {
  auto const layout =
      make_layout(make_tuple(longest_of_sequences{5, nullptr}, make_tuple(2, longest_of_sequences{3, nullptr})),
                  make_stride(_1{}, make_stride(5, 10)));
  static_assert(std::is_same_v<std::remove_const_t<decltype(layout)>,
                               Layout<Shape<int, Shape<int, int>>, Stride<_1, Stride<int, int>>>>);
  EXPECT_EQ(layout(4, make_coord(1, 2)), 29);
}

}  // namespace
