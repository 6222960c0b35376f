// Small parts of CUTLASS's headers that programs on CuTe include: tags of products, buffers, columns of tensor memory, reciprocals,
// reports of errors, maps of the driver; the layouts of fragments by name, and pictures of tiled copies.
#include <cutlass/aligned_buffer.h>
#include <cutlass/arch/mma.h>
#include <cutlass/epilogue/thread/activation.h>
#include <cutlass/fast_math.h>
#include <cutlass/functional.h>
#include <cutlass/util/debug.h>
#include <cutlass/version.h>
#include <gtest/gtest.h>
#include <cute/atom/mma_traits_sm100.hpp>
#include <cute/tensor.hpp>
#include <cutlass/cluster_launch.hpp>
#include <cutlass/detail/sm100_tmem_helper.hpp>
#include <cutlass/pipeline/pipeline.hpp>

#include <cmath>
#include <cstring>
#include <string>

namespace llm {
using namespace cute;  // declared by cutlass/cluster_launch.hpp
}

namespace cutlass::fmha {
constexpr int extent = int(_32{});  // cute's names in namespace cutlass
}

using namespace cute;

namespace {

template <class Print>
std::string printed_by(Print const& p) {
  testing::internal::CaptureStdout();
  p();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

TEST(CutlassParts, TagsAndBuffers) {
  static_assert(!std::is_same_v<cutlass::arch::OpMultiplyAdd, cutlass::arch::OpMultiplyAddSaturate>);
  static_assert(std::is_empty_v<cutlass::arch::OpClassTensorOp>);
  using buffer = cutlass::AlignedBuffer<half_t, 24, 32>;
  static_assert(sizeof(buffer) == 64 && alignof(buffer) == 32 && buffer::kBytes == 48 && buffer::kCount == 24);
  buffer b;
  b.data()[23] = half_t(1.5f);
  EXPECT_EQ(static_cast<void*>(b.data()), static_cast<void*>(b.raw_data()));
  EXPECT_EQ(float(b.data()[23]), 1.5f);
  EXPECT_EQ(b.size(), 24u);
  EXPECT_EQ(cutlass::fmha::extent, 32);
}

namespace own {
template <class T>
T ceil_div(T a, T b) {
  return static_cast<T>(100 + (a + b - 1) / b);
}
}  // namespace own

TEST(CutlassParts, BothNamespacesAtOnce) {
  using namespace cutlass;
  {
    using namespace own;
    EXPECT_EQ(ceil_div(9u, 8u), 102u);  // the program's own
  }
  EXPECT_EQ(ceil_div(9ll, 8ll), 2);
  static_assert(sizeof_bits_v<half_t> == 16 && sizeof_bits_v<int4b_t> == 4);
}

/// The columns of an accumulator of the shape by products of M x 64.
template <int M, class Sum, class Tile>
unsigned columns_of(Tile const& tile) {
  auto const mma = make_tiled_mma(SM100_MMA_F16BF16_SS<half_t, half_t, Sum, M, 64, UMMA::Major::K, UMMA::Major::K>{});
  return static_cast<unsigned>(cutlass::detail::find_tmem_tensor_col_offset(partition_fragment_C(mma, tile)));
}

TEST(CutlassParts, ColumnsOfAccumulators) {
  EXPECT_EQ((columns_of<128, float>(make_shape(_128{}, _64{}))), 64u);
  EXPECT_EQ((columns_of<128, float>(make_shape(_128{}, Int<192>{}))), 192u);
  EXPECT_EQ((columns_of<128, float>(make_shape(_256{}, _128{}))), 256u);
  EXPECT_EQ((columns_of<128, half_t>(make_shape(_128{}, _128{}))), 128u);  // one sum of 16 bits in a column
  EXPECT_EQ((columns_of<64, float>(make_shape(_64{}, _128{}))), 128u);
}

TEST(CutlassParts, DivisorsOfIntegers) {
  static_assert(cutlass::gcd_cxx11(12, 18) == 6);
  static_assert(cutlass::lcm_cxx11(4, 6) == 12);
}

TEST(CutlassParts, Reciprocals) {
  EXPECT_EQ(cutlass::reciprocal_approximate<float>{}(4.0f), 0.25f);
  EXPECT_EQ(cutlass::reciprocal_approximate_ftz<float>{}(-0.5f), -2.0f);
  EXPECT_EQ(float(cutlass::reciprocal_approximate<float_ue8m0_t>{}(float_ue8m0_t(8.0f))), 0.125f);
  EXPECT_EQ(cutlass::reciprocal_approximate<double>{}(8.0), 0.125);
  cutlass::Array<half_t, 2> pair;
  pair[0] = half_t(0.5f), pair[1] = half_t(-8.0f);
  auto const inverse = cutlass::reciprocal_approximate_ftz<cutlass::Array<half_t, 2>>{}(pair);
  EXPECT_EQ(float(inverse[0]), 2.0f);
  EXPECT_EQ(float(inverse[1]), -0.125f);
  EXPECT_EQ(cutlass::inverse_square_root<float>{}(16.0f), 0.25f);
  EXPECT_EQ(float(cutlass::inverse_square_root<half_t>{}(half_t(0.25f))), 2.0f);
}

#if __has_include(<cuda_runtime_api.h>)
static_assert(CUTLASS_MAJOR == 4 && CUTLASS_VERSION >= 400);

TEST(CutlassParts, Activations) {
  using namespace cutlass::epilogue::thread;
  cutlass::Array<float, 4> x{};
  for (int i = 0; i < 4; ++i) x[i] = static_cast<float>(i) - 2;
  auto const r = ReLu<cutlass::Array<float, 4>>{}(x);
  auto const s = Sigmoid<cutlass::Array<float, 4>>{}(x);
  EXPECT_EQ(r[0], 0.0f);
  EXPECT_EQ(r[3], 1.0f);
  EXPECT_FLOAT_EQ(s[2], 0.5f);
  EXPECT_FLOAT_EQ(SiLu<float>{}(2.0f), 2.0f / (1.0f + std::exp(-2.0f)));
  EXPECT_NEAR(GELU<float>{}(1.0f), 0.8413447f, 1e-5);
  EXPECT_NEAR(GELU_taylor<float>{}(1.0f), 0.8411920f, 1e-5);
  EXPECT_EQ(HardSwish<float>{}(4.0f), 4.0f);
  EXPECT_EQ(LeakyReLU<float>{}(-2.0f, 0.5f), -1.0f);
  EXPECT_EQ(Identity<int>{}(3), 3);
  static_assert(cutlass::platform::numeric_limits<float>::has_infinity);
}

TEST(CutlassParts, ErrorsWithTheirPlace) {
  EXPECT_EQ(printed_by([] { CUDA_LOG("%d of %s\n", 3, "four"); }), "3 of four\n");
  DebugTypeFunc(DebugValue<3>{});
}
#endif

#if __has_include(<cuda.h>)
TEST(CutlassParts, MapsOfTheDriver) {
  CUtensorMap map;
  std::memset(&map, 0x5a, sizeof(map));
  TmaDescriptor const mine = map;
  CUtensorMap const& again = mine;
  EXPECT_EQ(std::memcmp(&again, &map, sizeof(map)), 0);
  EXPECT_EQ(static_cast<void const*>(&again), static_cast<void const*>(&mine));
}
#endif

TEST(CuteParts, TransformsTakeElementsByReference) {
  int numbers[] = {1, 2, 3, 4}, sums[4] = {};
  auto const in = make_tensor(&numbers[0], Shape<_4>{});
  auto const out = make_tensor(&sums[0], Shape<_4>{});
  transform(in, [](auto& x) { return 10 * x; });
  transform(in, out, [](auto& x) { return x + 1; });
  transform(in, out, out, [](auto& x, int& y) { return x + y; });
  EXPECT_EQ(numbers[3], 40);
  EXPECT_EQ(sums[3], 81);
}

TEST(CuteParts, ShapeOfATiledOperationIsTheOperation) {
  auto const copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _4>>{});
  static_assert(is_same_v<decltype(shape(copy)), std::remove_const_t<decltype(copy)>>);
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});
  static_assert(is_same_v<decltype(shape(mma)), std::remove_const_t<decltype(mma)>>);
}

TEST(CuteParts, ExtentsOfALaunch) {
  dim3 const blocks(2, 3);
  uint3 const index{1, 2, 3};
  EXPECT_EQ(get<1>(blocks) + get<2>(blocks), 4u);
  EXPECT_EQ(get<2>(index), 3u);
}

TEST(CuteParts, FragmentsByName) {
  using sums = typename MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>::CLayout;
  static_assert(SM80_16x8_Row{} == sums{});
  static_assert(size(SM80_8x4{}) == 32 && size(SM80_8x8_Row{}) == 64 && size(SM80_8x16_Row{}) == 128);
  static_assert(SM70_QuadPair{} == Layout<Shape<_4, _2>, Stride<_1, _16>>{});
  static_assert(cosize(SM70_8x8_32b{}) == 64 && cosize(SM70_8x4_Col{}) == 32);
  // Thread 5, value 3 of a 16 x 8 tile: row 1 + 8, column 2 * 1 + 1.
  EXPECT_EQ(int(SM80_16x8_Row{}(5, 3)), 9 + 16 * 3);
}

TEST(CuteParts, ATiledCopyAsATexPicture) {
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_1, _1, _1>>{}, Tile<_16, _8, _32>{});
  auto const loads = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  std::string const text = printed_by([&] { print_latex(loads); });
  EXPECT_EQ(text.find("% Layout S TV: ArithTuple(_0,_0) o ((_8,_4),(_8,_1)):((_1@0,_8@1),(_1@1,_0))\n"
                      "% Layout D TV: ArithTuple(_0,_0) o ((_4,_8),((_2,_4),_1)):((_2@1,_1@0),((_1@1,_8@1),_0))\n"),
            0u);
  // Source and destination have 8 x 32 elements each.
  std::size_t nodes = 0;
  for (std::size_t at = text.find("shortstack"); at != std::string::npos; at = text.find("shortstack", at + 1)) ++nodes;
  EXPECT_EQ(nodes, 2u * 8 * 32);
}

TEST(CuteParts, AMatrixOperationWithATileSmallerThanItsAtoms) {
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_1, _4, _1>>{}, Tile<_1, _2, _1>{});
  EXPECT_EQ(printed_by([&] {
              print_latex(mma);
            }).find("% LayoutC: ArithTuple(_0,_0) o (_128,((_2,_2),(_1,_1))):(_0,((_1@1,_0),(_0,_0)))\n"),
            0u);
}

}  // namespace
